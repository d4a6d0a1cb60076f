"""Circuits as files: tables, and the graph as JSON."""

import json
from collections.abc import Callable

from viz.base.exports import rows_as_csv
from viz.pages.interventions.study.circuit.details import Reasons
from viz.pages.interventions.study.circuit.explained import SIZES, Curves, Explained
from viz.pages.interventions.study.circuit.parts import Circuit, Part

GRAPH_SCHEMA = 1
"""The schema of graphs in circuit-tracer 0.5 (``circuit_tracer/frontend/graph_models.py``), which its viewer reads."""
# Its kinds of nodes; heads and hidden units, which it has none for, are features.
_KINDS = {"input": "embedding", "head": "cross layer transcoder", "units": "cross layer transcoder", "target": "logit"}


def circuit_as_csv(explained: Explained, circuit: Circuit) -> str:
    """Return a table of every path, from part to part, with its effect and those of both parts."""
    rows = [
        [_code(circuit, path.source), circuit.parts[path.source].effect, _code(circuit, path.target), path.effect]
        for path in circuit.paths
    ]
    head = ["from", "effect of it", "to", f"{explained.token} − {explained.foil}"]
    return rows_as_csv(head, [[source, f"{own:.6g}", to, f"{effect:.6g}"] for source, own, to, effect in rows])


def curves_as_csv(curves: Curves) -> str:
    """Return a table of the curves."""
    rows = [
        [str(n), *(f"{value:.6g}" for value in row)]
        for n, *row in zip(SIZES, curves.only, curves.off, curves.drawn, strict=True)
    ]
    return rows_as_csv(["parts", "only these", "without these", "without as many at random"], rows)


def reasons_as_csv(reasons: Reasons) -> str:
    """Return a table of what each pair of writers adds to a score."""
    rows = [
        [query, *(f"{value:.6g}" for value in values)]
        for query, values in zip(reasons.of_query, reasons.products.tolist(), strict=True)
    ]
    return rows_as_csv(["query from", *reasons.of_key], rows)


def circuit_as_json(explained: Explained, circuit: Circuit, name_of: Callable[[Part], str]) -> str:
    """Return the graph as circuit-tracer's viewer reads it, with the parts by ``name_of`` them.

    The positions of the prompt are those of the source, then those that the decoder reads.
    """
    graph = {
        "metadata": {
            "slug": "circuit",
            "scan": "encoder-decoder",
            "transcoder_list": [],
            "prompt_tokens": [*explained.source, *explained.read],
            "prompt": " ".join(explained.source),
            "node_threshold": None,
            "schema_version": GRAPH_SCHEMA,
        },
        "qParams": {"pinnedIds": [], "supernodes": [], "linkType": "both", "clickedId": "", "sg_pos": ""},
        "nodes": [_node(explained, circuit, place, name_of) for place in range(len(circuit.parts))],
        "links": [
            {"source": _code(circuit, path.source), "target": _code(circuit, path.target), "weight": path.effect}
            for path in circuit.paths
        ],
    }
    return json.dumps(graph, ensure_ascii=False, indent=1)


def _node(explained: Explained, circuit: Circuit, place: int, name_of: Callable[[Part], str]) -> dict[str, object]:
    part = circuit.parts[place]
    offset = 0 if part.lane == "encoder" else len(explained.source)
    return {
        "node_id": _code(circuit, place),
        "feature": part.head or (part.nodes[0].index if part.nodes else 0),
        "layer": "E" if part.kind == "input" else str(part.layer),
        "ctx_idx": offset + part.position,
        "feature_type": _KINDS[part.kind],
        "token_prob": 0.0,
        "is_target_logit": part.kind == "target",
        "run_idx": 0,
        "reverse_ctx_idx": 0,
        "jsNodeId": _code(circuit, place),
        "clerp": name_of(part),
        "influence": part.effect,
        "activation": None,
    }


def _code(circuit: Circuit, place: int) -> str:
    part: Part = circuit.parts[place]
    return "target" if part.kind == "target" else part.code
