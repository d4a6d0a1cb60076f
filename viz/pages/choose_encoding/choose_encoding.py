"""Choose an encoding: what one needs of it, what was measured of that here, and what others published."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from model.zoo.judged import Judged, Values, judge
from viz.base.exports import rows_as_csv
from viz.base.languages import worded
from viz.base.link_parameters import labelled
from viz.base.words import listed, page_text
from viz.pages.choose_encoding.figures.judged import Row
from viz.pages.choose_encoding.figures.judged import judged as judged_figure
from viz.pages.choose_encoding.study.evidence import TASKS, cost, long_sentences, past_training, streams, translation
from viz.shell.controls import choose, place_for_warnings, warn_bad_links
from viz.shell.encodings import planned_title
from viz.shell.measured import ablation_results, encoding_costs, language_model_results, longer_results
from viz.shell.page import theme
from viz.shell.picture import File, draw_picture
from viz.shell.zoo import results

TEXT = page_text("pages/choose_encoding/choose_encoding")
_BY_POSITION, _BY_CONTENT = ("reverse", "copy_letters"), ("lego",)


@dataclass(frozen=True)
class Need:
    """What one may need of an encoding: how it is measured, whether more of it is better, and what a row is called."""

    find: Callable[[], Mapping[str, Values]]
    higher_is_better: bool
    title: Callable[[str], str] = planned_title


NEEDS = {
    "longer": Need(lambda: past_training(results(), TASKS), higher_is_better=True),
    "position": Need(lambda: past_training(results(), _BY_POSITION), higher_is_better=True),
    "content": Need(lambda: past_training(results(), _BY_CONTENT), higher_is_better=True),
    "both ways": Need(lambda: translation(ablation_results()), higher_is_better=True),
    "sentences": Need(lambda: long_sentences(longer_results()), higher_is_better=True),
    "streams": Need(
        lambda: streams(language_model_results()), higher_is_better=False, title=lambda name: TEXT[f"stream {name}"]
    ),
    "reading": Need(lambda: cost(encoding_costs(), "read_milliseconds"), higher_is_better=False),
    "writing": Need(lambda: cost(encoding_costs(), "write_milliseconds"), higher_is_better=False),
}
_NEED = labelled("need", worded(NEEDS, lambda name: TEXT[f"need {name}"]))


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    warn_bad_links(warnings, [_NEED])
    st.markdown(TEXT["intro"])
    need = choose(_NEED, TEXT["need"])
    try:
        judged = judge(NEEDS[need].find(), higher_is_better=NEEDS[need].higher_is_better)
        rows = tuple(replace(row, name=NEEDS[need].title(row.name)) for row in judged)
    except (OSError, ValueError, KeyError, AttributeError):
        warnings.warning(TEXT["damaged"])
        rows = ()
    picture, words = st.columns([3, 2], gap="large")
    with picture:
        _show(need, rows)
    with words:
        if rows:
            st.markdown(_answer(rows))
        for part in ("measured", "published", "sure"):
            st.markdown(TEXT[f"{part} {need}"])
        if any(row.may_be_best is not None for row in rows):
            st.caption(TEXT["how"])


def _show(need: str, rows: Sequence[Judged]) -> None:
    if not rows:
        st.info(TEXT["none"])
        return
    figure = judged_figure(
        [_row(row) for row in rows],
        theme=theme(),
        x_name=TEXT[f"axis {need}"],
        legend=(TEXT["may be best"], TEXT["is worse"], TEXT["one seed"]),
    )
    alt = TEXT["alt"].format(what=TEXT[f"axis {need}"], need=TEXT[f"need {need}"], said="; ".join(map(_said, rows)))
    file = File(TEXT["download"], lambda: _as_csv(rows), f"encodings-{need.replace(' ', '-')}.csv")
    draw_picture(figure, key="judged", file_name=f"encodings-{need.replace(' ', '-')}", alt=alt, files=[file])


def _row(row: Judged) -> Row:
    kind = 2 if row.may_be_best is None else 0 if row.may_be_best else 1
    return Row(row.name, row.mean, _interval(row), kind, _said(row))


def _interval(row: Judged) -> tuple[float, float] | None:
    return None if row.low is None or row.high is None else (row.low, row.high)


def _said(row: Judged) -> str:
    words = TEXT["said one"] if row.low is None else TEXT["said"]
    return words.format(name=row.name, mean=row.mean, low=row.low, high=row.high, seeds=row.n_seeds)


def _answer(rows: Sequence[Judged]) -> str:
    compared = [row for row in rows if row.may_be_best is not None]
    if not compared:
        return TEXT["answer one"].format(first=rows[0].name, mean=rows[0].mean)
    first, *others = compared
    equal = [row.name for row in others if row.may_be_best]
    words = TEXT["answer shared"] if equal else TEXT["answer alone"]
    return words.format(first=first.name, mean=first.mean, others=listed(equal))


def _as_csv(rows: Sequence[Judged]) -> str:
    headings = [TEXT[f"csv {name}"] for name in ("encoding", "mean", "low", "high", "seeds")]
    return rows_as_csv(headings, [_cells(row) for row in rows])


def _cells(row: Judged) -> list[str]:
    numbers = ["" if value is None else f"{value:.4f}" for value in (row.mean, row.low, row.high)]
    return [row.name, *numbers, str(row.n_seeds)]


if __name__ == "__main__":
    show()
