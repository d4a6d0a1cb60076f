"""The circuit of a word as boxes and ribbons, and what its parts are called."""

from collections.abc import Mapping, Sequence
from typing import Literal

from viz.base.attention_maps import BlockName
from viz.base.colours import Theme
from viz.base.numbers import signed
from viz.base.words import page_text
from viz.pages.interventions.components.circuit_view import Box, Level, Ribbon, circuit_data
from viz.pages.interventions.names import long_name_of_head
from viz.pages.interventions.study.circuit.explained import Explanation
from viz.pages.interventions.study.circuit.parts import Circuit, CircuitPart

TEXT = page_text("pages/interventions/circuit_picture")
# Characters of a name that fit into the widest box.
_MOST_IN_BOX = 15
_LANES: tuple[BlockName, ...] = ("encoder", "cross", "decoder")

Shows = Literal["held", "off"]
"""What a box is coloured by: its effect in the held network, or what is really lost without it."""


def picture_of(
    explained: Explanation,
    circuit: Circuit,
    chosen: CircuitPart,
    *,
    theme: Theme,
    shows: Shows = "held",
    names: Mapping[str, str] | None = None,
    files: Sequence[Mapping[str, str]] = (),
) -> bytes:
    """Return the picture of ``circuit`` with ``chosen`` marked and boxes coloured by ``shows``.

    ``names`` has the reader's own names of parts, by code. The other arguments are those of :func:`circuit_data`.
    """
    config = explained.translator.model.config
    encoder, decoder = range(1, config.n_encoder_layers + 1), range(1, config.n_decoder_layers + 1)
    levels: dict[BlockName, list[Level]] = {
        "encoder": [
            level
            for layer in encoder
            for level in (
                Level(2 * layer - 1, TEXT["level self"].format(layer=layer)),
                Level(2 * layer, TEXT["level units"].format(layer=layer)),
            )
        ],
        "decoder": [
            level
            for layer in decoder
            for level in (
                Level(3 * layer - 2, TEXT["level self"].format(layer=layer)),
                Level(3 * layer - 1, TEXT["level cross"].format(layer=layer)),
                Level(3 * layer, TEXT["level units"].format(layer=layer)),
            )
        ],
    }
    strongest = max(circuit.by_code.values(), key=lambda part: abs(part.effect))
    alt = TEXT["alt"].format(
        parts=len(circuit.by_code),
        token=explained.token,
        foil=explained.foil,
        total=signed(explained.effects.total),
        name=part_name(explained, strongest),
        effect=signed(strongest.effect),
    )
    return circuit_data(
        [_box(explained, part, shows, names or {}, n_layers=config.n_decoder_layers) for part in circuit.parts],
        [Ribbon(path.source, path.target, path.effect) for path in circuit.paths],
        levels=levels,
        lanes={lane: TEXT[f"lane {lane}"] for lane in _LANES},
        chosen=chosen.code,
        alt=alt,
        words={"title": TEXT["title"], "wide": TEXT["wide"]},
        file_name="circuit",
        theme=theme,
        files=files,
    )


def part_name(explained: Explanation, part: CircuitPart) -> str:
    """Return what ``part`` is called in a sentence, with the token that it stands at."""
    token = _token(explained, part)
    if part.kind == "head":
        return TEXT["at"].format(name=long_name_of_head(part.lane, part.layer, part.head), token=token)
    if part.kind == "units":
        stack = TEXT[f"stack {part.lane}"]
        return TEXT["at"].format(
            name=TEXT["units"].format(n=len(part.nodes), layer=part.layer, stack=stack), token=token
        )
    if part.kind == "target":
        return TEXT["target"].format(token=explained.token, foil=explained.foil)
    if part.kind == "biases":
        return TEXT["biases"]
    return TEXT[f"input {part.lane}"].format(token=token)


def _token(explained: Explanation, part: CircuitPart) -> str:
    return (explained.source if part.lane == "encoder" else explained.read)[part.position]


def _box(explained: Explanation, part: CircuitPart, shows: Shows, names: Mapping[str, str], *, n_layers: int) -> Box:
    labels = {
        "head": f"H{part.head}",
        "units": TEXT["units label"].format(n=len(part.nodes)),
        "target": f"{explained.token} {signed(part.effect)}",
        "biases": TEXT["biases label"].format(effect=signed(part.effect)),
        "input": _token(explained, part),
    }
    own = names.get(part.code) if part.nodes else None
    label = labels[part.kind] if own is None else _in_box(own)
    tooltip = [
        *([] if own is None else [own]),
        part_name(explained, part),
        TEXT["told effect"].format(effect=signed(part.effect)),
    ]
    if len(part.nodes) > 1 and part.kind == "units":
        effects = [explained.effects.of(node) for node in part.nodes]
        both = (sum(one for one in effects if one > 0), sum(one for one in effects if one < 0))
        tooltip.append(TEXT["told both"].format(positive=signed(both[0]), negative=signed(both[1])))
    if part.lost is not None:
        tooltip.append(TEXT["told lost"].format(lost=signed(part.lost)))
    effect = part.effect if shows == "held" or part.kind == "target" else part.lost or 0.0
    code = part.code if part.nodes else None
    is_dashed = part.is_refuted
    level = _level(part, n_layers)
    return Box(code, part.lane, level, part.position, label, effect, tooltip, part.kind, is_dashed)


def _in_box(name: str) -> str:
    return name if len(name) <= _MOST_IN_BOX else f"{name[: _MOST_IN_BOX - 1]}…"


def _level(part: CircuitPart, n_layers: int) -> int:
    """Return how far up ``part`` stands: two levels a layer of the encoder, three of the decoder."""
    if part.kind in ("target", "biases"):
        return 3 * n_layers + 1
    if part.lane == "encoder":
        return 2 * part.layer - (part.kind == "head")
    if part.kind == "input":
        return 0
    within = 0 if part.kind == "units" else 1 if part.lane == "cross" else 2
    return 3 * part.layer - within
