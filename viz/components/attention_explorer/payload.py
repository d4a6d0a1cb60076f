"""A recording as one run of bytes: a header in JSON, then numbers; a weight takes one byte."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from hashlib import blake2b
from typing import Any

import numpy as np

from viz.base.attention_maps import AttentionKind, ExactRow, Step, TokenRow
from viz.base.colours import OKABE_ITO, PALETTES, Theme, diverging, sequential
from viz.components import browser
from viz.components.attention_explorer.sending import SendAll, Sending

SEND_ALL = SendAll()


def pack(
    kinds: Sequence[AttentionKind],
    *,
    other: Sequence[AttentionKind] = (),
    exact: Sequence[ExactRow] = (),
    steps: Sequence[Step] = (),
    theme: Theme,
    header: Mapping[str, Any],
    wants_numbers: Callable[[str], bool] = lambda _: False,
    sending: Sending = SEND_ALL,
) -> bytes:
    """Return the bytes that the browser's side takes.

    The blocks are rows in full precision, then what ``sending`` makes of each kind of each recording, where a byte b of
    a map stands for b / 255 times the map's scale. Weights follow once more in full precision where they are wanted:
    the browser asks for them to save them.

    Args:
        kinds: the recording.
        other: a second recording to compare with, or nothing.
        exact: rows in full precision.
        steps: the written tokens.
        theme: light or dark.
        header: what else the header carries: the view, words, names.
        wants_numbers: whether the recordings with a digest are wanted in full precision.
        sending: which maps are sent.
    """
    rows: dict[TokenRow, int] = {}
    recordings = [[_described(kind, rows) for kind in recording] for recording in (kinds, other)]
    described = {
        "rows": [asdict(row) | sending.of_row(row) for row in rows],
        "recordings": recordings,
        "steps": [asdict(step) for step in steps],
    }
    digest = blake2b(json.dumps(described).encode(), digest_size=8)
    named = {f"{index} {kind.name}": kind for index, recording in enumerate((kinds, other)) for kind in recording}
    maps = sending.maps(named)
    for block in maps.values():
        digest.update(np.ascontiguousarray(block).data)
    chosen, more = sending.chosen(named, in_full=wants_numbers(digest.hexdigest()))
    rows_in_full = {f"exact {index}": row.weights for index, row in enumerate(exact)}
    head = {
        **header,
        **described,
        # What tells recordings apart, so that the browser keeps what it has drawn of one it knows.
        "digest": digest.hexdigest(),
        "exact": [[row.kind, row.layer, row.head, row.query] for row in exact],
        "palette": _palette(theme),
        **chosen,
    }
    return browser.pack(head, rows_in_full | maps | more)


def _described(kind: AttentionKind, rows: dict[TokenRow, int]) -> dict[str, Any]:
    layers, heads = kind.weights.shape[:2]
    sides = {name: rows.setdefault(getattr(kind, name), len(rows)) for name in ("queries", "keys")}
    given = {} if kind.alignment is None else {"alignment": kind.alignment.ravel().tolist()}
    return {"name": kind.name, "layers": layers, "heads": heads, **sides, **given}


def _palette(theme: Theme) -> dict[str, Any]:
    scales = {"sequential": sequential(theme), "diverging": diverging(theme)}
    palette = PALETTES[theme]
    # The eighth of Okabe and Ito's colours is black, which in dark is white.
    return {"theme": theme, "heads": (*OKABE_ITO, palette.ink), **scales, **asdict(palette)}
