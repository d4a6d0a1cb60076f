"""Logit lens: what the decoder would write if it stopped after each of its layers, or blocks."""

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz.base.languages import worded
from viz.base.link_parameters import Choice
from viz.base.words import page_text
from viz.figures.lens_grid import lens_grid
from viz.pages.interventions.lines import refer
from viz.pages.interventions.names import say_numbers_hidden
from viz.pages.interventions.opening import open_translation
from viz.pages.interventions.study.lens import N_BLOCKS, ShownLens, lens_as_csv, shown_lens
from viz.shared.shipped import TranslatorInfo, translator
from viz.shared.translation import DecodingChoice, translated
from viz.shell.controls import choose, warn_bad_links
from viz.shell.picture import File, draw_picture, with_arrays

TEXT = page_text("pages/interventions/logit_lens")
_MOST_STEPS = 40
# Pixels with which the columns of all blocks can be read.
_NARROWEST_OF_BLOCKS = 736
# Pixels of all columns beside the words, in a window of 1,024.
_PICTURE = 520


def show() -> None:
    """Draw the page."""
    result, model, by_block, _ = open_translation(_choose_depth)
    lens = _lens(result.text, model.name)
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        st.markdown(TEXT["see"])
        _show_grid(lens, by_block)
        if len(lens.written) > _MOST_STEPS:
            st.caption(TEXT["cut"].format(shown=_MOST_STEPS, n=len(lens.written)))
    with words:
        st.markdown(_settled(lens))
        st.markdown(TEXT["what to try"])
    refer(TEXT["formula"], TEXT["paper"], model=model)


def _choose_depth(_text: str, _model: TranslatorInfo, warnings: DeltaGenerator) -> bool:
    """Draw the choice, and return whether every block is read."""
    ids = {False: "layer", True: "block"}
    labels = worded(ids, lambda by_block: TEXT[f"after {ids[by_block]}"])
    field = Choice("after", False, tuple(ids), labels=labels, id=ids.__getitem__)
    warn_bad_links(warnings, [field])
    return choose(field, TEXT["after"])


@st.cache_data(max_entries=64, show_spinner=False)
def _lens(text: str, model: str) -> ShownLens:
    return shown_lens(translator(model), translated(text, DecodingChoice(model=model)).translation)


def _show_grid(lens: ShownLens, by_block: bool) -> None:
    step = 1 if by_block else N_BLOCKS
    shown = lens.at(range(0, len(lens.points), step), _MOST_STEPS)
    columns = [_name(point, by_block) for point in shown.points]
    figure = lens_grid(
        shown.of_written.T,
        [[labels[place][0] for labels in shown.labels] for place in range(len(shown.written))],
        [
            [_tooltip(shown, at, place, columns[at]) for at in range(len(columns))]
            for place in range(len(shown.written))
        ],
        is_marked=shown.is_written.T,
        steps=shown.written,
        columns=columns,
        column_width=_PICTURE // len(columns),
    )
    early, late, _ = _counts(lens)
    alt = TEXT["alt"].format(n=len(shown.written), n_columns=len(columns), n_settled=late, n_early=early)
    files = with_arrays(File(TEXT["download"], lambda: lens_as_csv(lens), "lens.csv"))
    # On a phone many columns are moved sideways, alone.
    narrowest = _NARROWEST_OF_BLOCKS if by_block else 0
    draw_picture(figure, key="lens", file_name="lens", alt=alt, files=files, narrowest=narrowest)
    say_numbers_hidden()


def _name(point: str, by_block: bool) -> str:
    _, *place = point.split(".")
    if len(place) == 1:
        return TEXT["input"]
    layer = int(place[0]) + 1
    return TEXT[f"block {place[1]}"].format(layer=layer) if by_block else TEXT["layer"].format(layer=layer)


def _tooltip(shown: ShownLens, at: int, place: int, name: str) -> str:
    best = zip(shown.labels[at][place], shown.probabilities[at, place], strict=True)
    return TEXT["hover"].format(
        point=name,
        step=place + 1,
        best="\n".join(f"{label}  {probability:.1%}" for label, probability in best),
        token=shown.written[place],
        probability=f"{shown.of_written[at, place]:.1%}",
    )


def _counts(lens: ShownLens) -> tuple[int, int, int]:
    """Return how many tokens lead one layer before the end, how many only in the last, how many never."""
    settled = np.array(lens.settled())
    before, n_points = len(lens.points) - 1 - N_BLOCKS, len(lens.points)
    never = int((settled == n_points).sum())
    early = int((settled <= before).sum())
    return early, len(settled) - early - never, never


def _settled(lens: ShownLens) -> str:
    early, late, never = _counts(lens)
    overruled = TEXT["overruled"].format(n=never) if never else ""
    return TEXT["settled"].format(n_early=early, n=len(lens.written), n_late=late, n_overruled=overruled)


if __name__ == "__main__":
    show()
