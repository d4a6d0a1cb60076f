"""Ten phenomena: parts of a translator that separate two words over many pairs, and ablations."""

import numpy as np
import pandas as pd
import streamlit as st

from pretrained.minimal_pairs import MINIMAL_PAIRS, PHENOMENA, mean_circuits, minimal_pairs
from viz.base.languages import worded
from viz.base.link_parameters import labelled
from viz.base.markdown import plain
from viz.base.numbers import signed
from viz.base.words import page_text
from viz.pages.interventions.figures.score_grid import score_grid
from viz.pages.interventions.lines import refer
from viz.pages.interventions.names import long_name, short_name, short_name_of_code
from viz.pages.interventions.study.parts import Switch
from viz.pages.interventions.study.phenomena.claims import CLAIMS, HEAD, verified_one
from viz.pages.interventions.study.phenomena.measured import (
    ExamplePair,
    Shares,
    all_shares,
    examples,
    shares_as_csv,
    shown_shares,
)
from viz.shared.shipped import cached_while_unchanged
from viz.shell.controls import place_for_warnings, select, warn_bad_links
from viz.shell.page import open_first_part
from viz.shell.picture import File, draw_picture, with_arrays

TEXT = page_text("pages/interventions/phenomena")
_PHENOMENON = labelled("phenomenon", worded(PHENOMENA, lambda name: TEXT[f"name {name}"]))
_TITLES = {HEAD: short_name_of_code}
# Pixels in which two digits can be read in each cell.
_NARROWEST = 900


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    warn_bad_links(warnings, [_PHENOMENON])
    try:
        pairs, circuits = _measured()
        shares = all_shares(circuits)
    except (OSError, ValueError, KeyError):
        warnings.warning(TEXT["damaged"])
        return
    st.markdown(TEXT["see"].format(pairs=f"{len(pairs):,}"))
    _show_grid(shares)
    left, right = st.columns(2, gap="large")
    with left:
        phenomenon = select(_PHENOMENON, TEXT["phenomenon"], width=320)
        st.markdown(TEXT[f"about {phenomenon}"])
        st.markdown(verified_one(circuits, phenomenon).sentence(TEXT, "claim verified one", _TITLES))
        _show_pairs(examples(pairs, phenomenon))
    with right:
        for key, claim in CLAIMS.items():
            st.markdown(claim(circuits).sentence(TEXT, key, _TITLES))
    refer(TEXT["formula"], TEXT["paper"], model=None)


@cached_while_unchanged(lambda: [*MINIMAL_PAIRS.glob("*.parquet")], max_entries=1)
def _measured() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the pairs and the mean circuits, not to be changed.

    Raises:
        OSError: a file cannot be read.
        ValueError: it is damaged.
    """
    return minimal_pairs(), mean_circuits()


def _show_grid(shares: Shares) -> None:
    shown = shown_shares(shares)
    rows = [TEXT[f"name {name}"] for name in shown.phenomena]
    hovers = [
        [_tooltip(shown, row, column, part) for column, part in enumerate(shown.parts)] for row in range(len(rows))
    ]
    figure = score_grid(
        100 * shown.values,
        queries=rows,
        keys=[_column(part) for part in shown.parts],
        hovers=hovers,
        places=0,
    )
    row, column = np.unravel_index(shown.values.argmax(), shown.values.shape)
    alt = TEXT["alt"].format(
        phenomena=len(rows),
        parts=len(shown.parts),
        name=long_name(shown.parts[column]),
        phenomenon=rows[row],
        share=f"{shown.values[row, column]:.0%}",
    )
    files = with_arrays(File(TEXT["download"], lambda: shares_as_csv(shares), "phenomena.csv"))
    draw_picture(
        figure,
        key="phenomena",
        file_name="phenomena",
        alt=alt,
        files=files,
        narrowest=_NARROWEST,
        opens_at=[int(column)],
    )
    st.caption(TEXT["left out"].format(n=len(shares.parts) - len(shown.parts), all=len(shares.parts)))


def _column(part: Switch) -> str:
    return short_name(part) if part.sort == "head" else TEXT[f"column {part.kind}"].format(layer=part.layer)


def _tooltip(shares: Shares, row: int, column: int, part: Switch) -> str:
    values = {
        name: signed(100 * float(table[row, column]), 0)
        for name, table in (("share", shares.values), ("low", shares.low), ("high", shares.high))
    }
    patched = float(shares.patched[row, column])
    really = "" if np.isnan(patched) else TEXT["told patched"].format(patched=signed(100 * patched, 0))
    phenomenon = TEXT[f"name {shares.phenomena[row]}"]
    return TEXT["told"].format(name=long_name(part), phenomenon=phenomenon, **values) + really


def _show_pairs(chosen: tuple[ExamplePair, ...]) -> None:
    """Draw a button for each pair.

    It opens the circuit of the word that its clean source is translated with.
    """
    st.markdown(TEXT["pairs"])
    with st.container(horizontal=True):
        for number, pair in enumerate(chosen):
            words = {"word": plain(pair.word), "other_word": plain(pair.other_word)}
            st.button(
                TEXT["pair"].format(clean=plain(pair.clean), **words),
                key=f"pair-{number}",
                help=TEXT["pair other"].format(corrupted=plain(pair.corrupted), **words),
                on_click=open_first_part,
                args=({"text": pair.clean, "step": str(pair.step), "foil": pair.other_word, "baseline": "mean"},),
            )
