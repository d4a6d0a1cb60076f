"""Circuits as files: tables, and the graph as JSON."""

import json
from collections.abc import Callable, Mapping

from viz.base.exports import rows_as_csv
from viz.pages.interventions.study.circuit.details import Reasons
from viz.pages.interventions.study.circuit.explained import SIZES, Curves, Explanation
from viz.pages.interventions.study.circuit.parts import Circuit, CircuitPart

GRAPH_SCHEMA = 1
"""The schema of graphs in circuit-tracer 0.5 (``circuit_tracer/frontend/graph_models.py``), which its viewer reads."""


def circuit_as_csv(explained: Explanation, circuit: Circuit, names: Mapping[str, str]) -> str:
    """Return a table of every path between parts, and of each part's effect by paths not drawn.

    ``names`` has the reader's own names of parts, by code.
    """
    rows: list[list[str]] = []
    for place, part in enumerate(circuit.parts[:-1]):
        paths = [path for path in circuit.paths if path.source == place]
        lost = "" if part.lost is None else f"{part.lost:.6g}"
        own = [_code(part), names.get(part.code, ""), f"{part.effect:.6g}", lost]
        rows += [[*own, _code(circuit.parts[path.target]), f"{path.effect:.6g}"] for path in paths]
        rest = part.effect - sum(path.effect for path in paths)
        rows.append([*own, "not drawn", f"{rest:.6g}"])
    return rows_as_csv(
        ["from", "own name", "effect of it", "really lost", "to", f"{explained.token} − {explained.foil}"], rows
    )


def curves_as_csv(curves: Curves) -> str:
    """Return a table of the curves; 1 where the word is still the most probable one."""
    rows = [
        [
            str(n),
            *(f"{values[place]:.6g}" for values in (curves.only.values, curves.off.values, curves.drawn)),
            *(str(int(curve.stays[place])) for curve in (curves.only, curves.off)),
        ]
        for place, n in enumerate(SIZES)
    ]
    names = ["only these", "without these", "without as many at random"]
    return rows_as_csv(["parts", *names, *(f"{name}: stays" for name in names[:2])], rows)


def reasons_as_csv(reasons: Reasons) -> str:
    """Return a table of what each pair of writers adds to a score."""
    rows = [
        [query, *(f"{value:.6g}" for value in values)]
        for query, values in zip(reasons.of_query, reasons.products.tolist(), strict=True)
    ]
    return rows_as_csv(["query from", *reasons.of_key], rows)


def circuit_as_json(explained: Explanation, circuit: Circuit, name_of: Callable[[CircuitPart], str], *, by: str) -> str:
    """Return the graph as circuit-tracer's viewer reads it, with the parts by ``name_of`` them.

    The positions of the prompt are those of the source, then those that the decoder has read. The decoder's layers
    count on from those of the encoder, and the target stands above them. An ``effect`` has a sign, unlike the influence
    of that viewer; ``really_lost`` is what the difference falls by without a node, with what ``by`` names in its place.
    """
    codes = [*map(_code, circuit.parts)]
    graph = {
        "metadata": {
            "slug": "circuit",
            "scan": "encoder-decoder",
            "transcoder_list": [],
            "prompt_tokens": [*explained.source, *explained.read[: explained.step]],
            "prompt": " ".join(explained.source),
            "node_threshold": None,
            "schema_version": GRAPH_SCHEMA,
            "info": {
                "token": explained.token,
                "foil": explained.foil,
                "difference": explained.effects.total,
                "biases": explained.effects.biases,
                "in_place_of_what_is_off": by,
            },
        },
        "qParams": {"pinnedIds": [], "supernodes": [], "linkType": "both", "clickedId": "", "sg_pos": ""},
        "nodes": [_node(explained, circuit, place, name_of) for place in range(len(circuit.parts))],
        "links": [
            {"source": codes[path.source], "target": codes[path.target], "weight": path.effect}
            for path in circuit.paths
        ],
    }
    return json.dumps(graph, ensure_ascii=False, indent=1)


def _node(
    explained: Explanation, circuit: Circuit, place: int, name_of: Callable[[CircuitPart], str]
) -> dict[str, object]:
    part = circuit.parts[place]
    offset = 0 if part.lane == "encoder" else len(explained.source)
    is_target = part.kind == "target"
    return {
        "node_id": _code(part),
        "feature": part.head or (part.nodes[0].index if part.nodes else 0),
        "layer": "E" if part.kind == "input" else str(_layer(explained, part)),
        "ctx_idx": offset + part.position,
        "feature_type": {"input": "embedding", "target": "logit"}.get(part.kind, part.kind),
        "token_prob": explained.probabilities[0] if is_target else 0.0,
        "is_target_logit": is_target,
        "run_idx": 0,
        "reverse_ctx_idx": 0,
        "jsNodeId": _code(part),
        "clerp": name_of(part),
        "influence": None,
        "activation": None,
        "effect": part.effect,
        "really_lost": part.lost,
    }


def _layer(explained: Explanation, part: CircuitPart) -> int:
    config = explained.translator.model.config
    if part.kind in ("target", "biases"):
        return config.n_encoder_layers + config.n_decoder_layers + 1
    return part.layer + (0 if part.lane == "encoder" else config.n_encoder_layers)


def _code(part: CircuitPart) -> str:
    return part.code if part.nodes else part.kind
