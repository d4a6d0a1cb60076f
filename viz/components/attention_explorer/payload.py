"""A recording as one run of bytes: a header in JSON, then numbers; a weight takes one byte."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from hashlib import blake2b
from typing import Any

import numpy as np
from jaxtyping import Float32, UInt8

from viz.base.attention_maps import AttentionKind, ExactRow, Step, TokenRow
from viz.base.colours import OKABE_ITO, PALETTES, Theme, diverging, sequential
from viz.components import browser


def quantised(
    weights: Float32[np.ndarray, "layer head query key"], scales: Float32[np.ndarray, "layer head"]
) -> UInt8[np.ndarray, "layer head query key"]:
    """Return ``weights`` as bytes, 255 for a map's scale: off by at most 1/510 of that scale."""
    found = np.empty(weights.shape, dtype=np.uint8)
    shares = np.empty(weights.shape[2:], dtype=np.float32)
    # Map by map, because one map stays in the processor's cache.
    for place in np.ndindex(*scales.shape):
        np.multiply(weights[place], np.float32(255) / scales[place], out=shares)
        np.add(shares, np.float32(0.5), out=shares)
        found[place] = shares
    return found


def pack(
    kinds: Sequence[AttentionKind],
    *,
    other: Sequence[AttentionKind] = (),
    exact: Sequence[ExactRow] = (),
    steps: Sequence[Step] = (),
    theme: Theme,
    header: Mapping[str, Any],
    wants_numbers: Callable[[str], bool] = lambda _: False,
) -> bytes:
    """Return the bytes that the browser's side takes.

    The blocks are rows in full precision, then for each recording and kind its scales [layer, head] and its weights
    [layer, head, query, key], where a byte b of a map stands for b / 255 times its scale. The weights follow once more
    in full precision where they are wanted: the browser asks for them to save them.

    Args:
        kinds: the recording.
        other: a second recording to compare with, or nothing.
        exact: rows in full precision.
        steps: the written tokens.
        theme: light or dark.
        header: what else the header carries: the view, words, names.
        wants_numbers: whether the recordings with a digest are wanted in full precision.
    """
    rows: dict[TokenRow, int] = {}
    recordings = [[_described(kind, rows) for kind in recording] for recording in (kinds, other)]
    described = {
        "rows": [asdict(row) for row in rows],
        "recordings": recordings,
        "steps": [asdict(step) for step in steps],
    }
    digest = blake2b(json.dumps(described).encode(), digest_size=8)
    blocks: dict[str, np.ndarray] = {f"exact {index}": row.weights for index, row in enumerate(exact)}
    for index, recording in enumerate((kinds, other)):
        for kind in recording:
            scales = blocks[f"scales {index} {kind.name}"] = kind.scales
            weights = blocks[f"weights {index} {kind.name}"] = quantised(kind.weights, scales)
            digest.update(weights.data)
    if wants_numbers(digest.hexdigest()):
        for index, recording in enumerate((kinds, other)):
            blocks |= {f"numbers {index} {kind.name}": kind.weights for kind in recording}
    head = {
        **header,
        **described,
        # What tells recordings apart, so that the browser keeps what it has drawn of one it knows.
        "digest": digest.hexdigest(),
        "exact": [[row.kind, row.layer, row.head, row.query] for row in exact],
        "palette": _palette(theme),
    }
    return browser.pack(head, blocks)


def _described(kind: AttentionKind, rows: dict[TokenRow, int]) -> dict[str, Any]:
    layers, heads = kind.weights.shape[:2]
    sides = {name: rows.setdefault(getattr(kind, name), len(rows)) for name in ("queries", "keys")}
    return {"name": kind.name, "layers": layers, "heads": heads, **sides}


def _palette(theme: Theme) -> dict[str, Any]:
    scales = {"sequential": sequential(theme), "diverging": diverging(theme)}
    palette = PALETTES[theme]
    # The eighth of Okabe and Ito's colours is black, which in dark is white.
    return {"theme": theme, "heads": (*OKABE_ITO, palette.ink), **scales, **asdict(palette)}
