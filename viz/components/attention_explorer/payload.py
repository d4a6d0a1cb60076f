"""A recording as one run of bytes: a header in JSON, then numbers; a weight takes one byte."""

from collections.abc import Callable, Sequence
from hashlib import blake2b

import numpy as np

from viz.base.attention_maps import AttentionKind, ExactRow, Step, TokenRow
from viz.base.colours import OKABE_ITO, PALETTES, Theme, diverging, sequential
from viz.components import browser
from viz.components.attention_explorer.header import (
    ExplorerHeader,
    ExplorerOptions,
    ExplorerPalette,
    KindShape,
    MapSide,
)
from viz.components.attention_explorer.sending import SendAll, Sending

SEND_ALL = SendAll()


def pack(
    kinds: Sequence[AttentionKind],
    *,
    other: Sequence[AttentionKind] = (),
    exact: Sequence[ExactRow] = (),
    steps: Sequence[Step] = (),
    theme: Theme,
    header: ExplorerOptions,
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
    all_rows = [MapSide(**vars(row), starts=sending.starts(row)) for row in rows]
    digest = blake2b(browser.as_json([all_rows, recordings, steps]).encode(), digest_size=8)
    named = {f"{index} {kind.name}": kind for index, recording in enumerate((kinds, other)) for kind in recording}
    maps = sending.maps(named)
    for block in maps.values():
        digest.update(np.ascontiguousarray(block).data)
    whole, more = sending.chosen(named, in_full=wants_numbers(digest.hexdigest()))
    rows_in_full = {f"exact {index}": row.weights for index, row in enumerate(exact)}
    head: ExplorerHeader = {
        **header,
        "rows": all_rows,
        "recordings": recordings,
        "steps": steps,
        # What tells recordings apart, so that the browser keeps what it has drawn of one it knows.
        "digest": digest.hexdigest(),
        "exact": [(row.kind, row.layer, row.head, row.query) for row in exact],
        "palette": _palette(theme),
        "whole": whole,
    }
    return browser.pack(head, rows_in_full | maps | more)


def _described(kind: AttentionKind, rows: dict[TokenRow, int]) -> KindShape:
    layers, heads = kind.weights.shape[:2]
    queries, keys = (rows.setdefault(row, len(rows)) for row in (kind.queries, kind.keys))
    alignment = None if kind.alignment is None else kind.alignment.ravel().tolist()
    return KindShape(kind.name, layers, heads, queries, keys, alignment, kind.layer_numbers or None)


def _palette(theme: Theme) -> ExplorerPalette:
    palette = PALETTES[theme]
    # The eighth of Okabe and Ito's colours is black, which in dark is white.
    heads = (*OKABE_ITO, palette.ink)
    return ExplorerPalette(
        **vars(palette), theme=theme, heads=heads, sequential=sequential(theme), diverging=diverging(theme)
    )
