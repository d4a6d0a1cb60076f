"""The architecture of the paper's figure 1 with one translation on its way through it, in the browser."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st
from jaxtyping import Float32, UInt8

from viz.base.colours import PALETTES, Theme, diverging, sequential
from viz.components.attention_explorer.sending import quantised
from viz.components.browser import bundle, menu_header, pack, sent, style, with_lists
from viz.pages.start.study.clearness import clearness
from viz.pages.start.study.records import TEMPERATURES, Inside, Passage

_FOLDER = Path(__file__).parent
SCRIPT = bundle(_FOLDER / "main.js")
"""All of the browser's side, as one module."""
_mount = st.components.v2.component("architecture", css=style(_FOLDER / "architecture.css"), js=SCRIPT)

LINKS = {
    "source": "encoder.embedding",
    "encoder": "encoder.attention",
    "encoder feed forward": "encoder.feed-forward",
    "encoder residual": "encoder.residual",
    "memory": "encoder.output",
    "read": "decoder.embedding",
    "decoder": "decoder.attention",
    "cross": "decoder.cross",
    "decoder feed forward": "decoder.feed-forward",
    "decoder residual": "decoder.residual",
    "output": "decoder.softmax",
    "scale": "scale",
}
"""What a link calls each part that can be opened."""
STEPS = ("products", "scaled", "mask", "softmax", "values", "output")
"""The steps of a head, from its query to what is added."""


@dataclass(frozen=True)
class PageLink:
    """A page linked from an opened part: its address, with the fields ``{layer}`` and ``{head}``."""

    address: str
    label: str


def asked_layer(key: str, text: str) -> str | None:
    """Return the attention layer that the browser requests, such as ``cross.2``, while it shows ``text``."""
    asked = sent(key, "inside", dict) or {}
    layer = asked.get("layer")
    return layer if asked.get("text") == text and isinstance(layer, str) else None


def chosen_beginning(key: str, text: str) -> tuple[int, ...]:
    """Return the forced first tokens of the translation of ``text``, chosen in the browser; often none."""
    begin = sent(key, "begin", dict) or {}
    tokens = begin.get("tokens") if begin.get("text") == text else None
    if not isinstance(tokens, list) or not all(type(token) is int for token in tokens):
        return ()
    return tuple(tokens)


def architecture_view(
    passage: Passage,
    *,
    text: str,
    ways: Mapping[str, PageLink],
    roles: Mapping[str, str],
    theme: Theme,
    words: Mapping[str, str],
    key: str,
    begin: Sequence[int] = (),
    inside: Inside | None = None,
    layer: str | None = None,
) -> str | None:
    """Show ``passage``; return the address of the page that a visitor has just opened, if any.

    Args:
        passage: of one translation.
        text: the sentence that is translated.
        ways: the pages that go on from each part, and from a head of it.
        roles: what heads do, where it is known, as :func:`~viz.shared.head_roles.head_roles` returns it.
        theme: light or dark.
        words: every text, by the names in the scripts.
        key: of the widget.
        begin: the tokens that the translation was made to begin with.
        inside: what the parts hold, once :func:`asked_layer` says that it is asked for.
        layer: the layer of attention whose queries, keys and values are sent then.
    """
    header: dict[str, Any] = {
        "text": text,
        "addresses": {name: way.address for name, way in ways.items()},
        "pages": {name: way.label for name, way in ways.items()},
        "links": LINKS,
        "roles": dict(roles),
        **passage_header(passage),
        "begin": list(begin),
        "words": with_lists(words),
        "menu": menu_header(),
        "palette": {**asdict(PALETTES[theme]), "sequential": sequential(theme), "diverging": diverging(theme)},
    }
    blocks = passage_blocks(passage)
    if inside is not None and layer is not None and layer in inside.attention:
        header["inside"] = inside_header(inside) | {"layer": layer}
        blocks |= inside_blocks(passage, inside, layer)
    mounted = _mount(
        key=key,
        data=pack(header, blocks),
        on_opened_change=_nothing,
        on_inside_change=_nothing,
        on_begin_change=_nothing,
    )
    opened: str | None = mounted.opened
    return opened


def passage_header(passage: Passage) -> dict[str, Any]:
    """Return what the browser shows of ``passage`` that is no array of numbers."""
    return {
        "source": passage.source.labels,
        "read": passage.read.labels,
        "written": [asdict(token) for token in passage.written],
        "tokens": passage.tokens,
        "resting": passage.resting_step,
        "clearness": {kind.name: np.round(clearness(kind).astype(float), 4).tolist() for kind in passage.kinds},
        "sizes": asdict(passage.sizes),
    }


def passage_blocks(passage: Passage) -> dict[str, np.ndarray]:
    """Return the arrays that the picture is drawn from, as bytes."""
    vectors = {
        "source embedding": passage.source.embedding,
        "source positions": passage.source.positions,
        "read embedding": passage.read.embedding,
        "read positions": passage.read.positions,
        "memory": passage.memory,
        **{f"{stack} feed forward": outputs for stack, outputs in passage.feed_forward.items()},
    }
    weights: dict[str, np.ndarray] = {kind.name: quantised(kind.weights, kind.scales) for kind in passage.kinds}
    return {**{name: as_shares(values) for name, values in vectors.items()}, **weights}


def _nothing() -> None:
    """Have the component send a value; the run that follows reads it."""


def inside_header(inside: Inside) -> dict[str, Any]:
    """Return what the browser shows of ``inside`` that is no array of numbers."""
    candidates = inside.candidates
    return {
        "weights": {
            "total": inside.weights.total,
            "embedding": inside.weights.embedding,
            "layers": [
                {"stack": stack, "layer": layer, "blocks": [*blocks.items()]}
                for (stack, layer), blocks in inside.weights.layers.items()
            ],
        },
        "hidden": {stack: float(one.hidden.max()) for stack, one in inside.feed_forward.items()},
        "raised": {stack: one.raised for stack, one in inside.feed_forward.items()},
        "residual": {
            stack: {"blocks": one.blocks, "lengths": one.lengths.round(4).astype(float).tolist(), "words": one.words}
            for stack, one in inside.residual.items()
        },
        "candidates": {
            "labels": candidates.labels,
            "tokens": candidates.tokens,
            "logs": candidates.logs.astype(float).tolist(),
            "totals": candidates.totals.astype(float).tolist(),
            "temperatures": TEMPERATURES,
        },
    }


def inside_blocks(passage: Passage, inside: Inside, layer: str) -> dict[str, np.ndarray]:
    """Return the arrays that the opened parts are drawn from, with those of one layer of attention."""
    exact = {
        "source embedding": passage.source.embedding,
        "source positions": passage.source.positions,
        "read embedding": passage.read.embedding,
        "read positions": passage.read.positions,
        "memory": passage.memory,
    }
    return {
        **{f"{name} values": values for name, values in exact.items()},
        **{f"hidden {stack}": as_bytes(one.hidden) for stack, one in inside.feed_forward.items()},
        **{f"attention {name}": values for name, values in vars(inside.attention[layer]).items()},
    }


def as_bytes(values: Float32[np.ndarray, "..."]) -> UInt8[np.ndarray, "..."]:
    """Return ``values``, none of them negative, as shares of the largest: 255 for that."""
    return np.rint(values * (255 / max(float(values.max()), 1e-12))).astype(np.uint8)


def as_shares(values: Float32[np.ndarray, "..."]) -> UInt8[np.ndarray, "..."]:
    """Return ``values`` as shares of the largest, in bytes: 128 for 0, 255 for it, 1 for its negative.

    An outlier would leave nothing of the others to see: the limit is what 99 % of them stay below, beyond it all are 1.
    """
    limit = np.float32(np.quantile(np.abs(values), 0.99)) or np.float32(1)
    return np.rint(np.clip(values / limit, -1, 1) * 127 + 128).astype(np.uint8)
