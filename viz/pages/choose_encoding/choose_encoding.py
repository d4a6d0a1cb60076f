"""Choose an encoding: what one needs of it, what was measured of that here, and what others published."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.zoo.plan import ENCODINGS
from model.zoo.verdicts import Verdict
from viz.base.claims import Claim
from viz.base.exports import rows_as_csv
from viz.base.languages import worded
from viz.base.link_parameters import labelled
from viz.base.words import page_text
from viz.components.table import table
from viz.pages.choose_encoding.figures.duel import Mark, duel
from viz.pages.choose_encoding.figures.judged import Row
from viz.pages.choose_encoding.figures.judged import judged as judged_figure
from viz.pages.choose_encoding.study.claims import (
    KINDS,
    NOPE,
    ROPE,
    ahead,
    beyond_both,
    compared_on_letters,
    cost_of_first,
    default_choice,
    default_past_training,
    first,
    joining_helps,
    not_learned,
    once,
    path_copies,
    quarter,
    rotary_translates,
    shaw_is_behind,
)
from viz.pages.choose_encoding.study.evidence import (
    Evidence,
    by_task,
    cost,
    long_sentences,
    longer_inputs,
    streams,
    translation,
)
from viz.shared.encodings import encoding_look, planned_title, with_meanings
from viz.shared.families import family_title
from viz.shared.measured import ablation_results, encoding_costs, language_model_results, longer_results
from viz.shared.model_words import task_title
from viz.shared.zoo import results
from viz.shell.controls import choose, place_for_warnings, warn_bad_links
from viz.shell.page import theme
from viz.shell.picture import File, draw_picture

TEXT = page_text("pages/choose_encoding/choose_encoding")

Find = Callable[[], Mapping[str, Evidence]]
"""Returns what was measured for a need, by task; under the need's own name where it is not shown by task."""

NEEDS: Mapping[str, Find] = {
    "longer": lambda: {"longer": longer_inputs(results())},
    "nope or rope": dict,
    "position": lambda: by_task(results(), "position"),
    "content": lambda: by_task(results(), "content"),
    "both ways": lambda: {"both ways": translation(ablation_results())},
    "sentences": lambda: {"sentences": long_sentences(longer_results())},
    "streams": lambda: {"streams": streams(language_model_results())},
    "reading": lambda: {"reading": cost(encoding_costs(), "read_milliseconds")},
    "writing": lambda: {"writing": cost(encoding_costs(), "write_milliseconds")},
}
_NEED = labelled("need", worded(NEEDS, lambda name: TEXT[f"need {name}"]))
_FAULTS = (OSError, ValueError, KeyError, AttributeError)


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    warn_bad_links(warnings, [_NEED])
    _say_default()
    st.markdown(TEXT["intro"])
    need = choose(_NEED, TEXT["need"])
    picture, words = st.columns([3, 2], gap="large")
    try:
        if need == "nope or rope":
            _show_duel(picture, words)
        else:
            _show_need(need, NEEDS[need](), picture, words)
    except _FAULTS:
        warnings.warning(TEXT["damaged"])
        with picture:
            st.info(TEXT["none"])
    with words:
        for part in ("measured", "published", "sure"):
            st.markdown(with_meanings(TEXT[f"{part} {need}"]))


def _say_default() -> None:
    """Say what to take without a special need; where a file is damaged, the need that it is for says so."""
    try:
        ablations, costs = ablation_results(), encoding_costs()
        default, past = default_choice(ablations, costs), default_past_training(ablations, costs, results())
    except _FAULTS:
        return
    if default.holds:
        answer = (
            default.sentence(TEXT, "claim default", _titles()),
            past.sentence(TEXT, "claim default past", _titles()),
        )
        st.markdown(with_meanings(" ".join(answer)))
        st.caption(with_meanings(default.sentence(TEXT, "claim default rule", _titles())))


def _show_need(need: str, found: Mapping[str, Evidence], picture: DeltaGenerator, words: DeltaGenerator) -> None:
    shown = {name: evidence for name, evidence in found.items() if evidence.measured}
    with picture:
        if not shown:
            st.info(TEXT["none"])
            return
        for place, (name, evidence) in zip(st.columns(len(shown)), shown.items(), strict=True):
            with place:
                _draw(need, name, evidence)
        if need == "longer":
            _show_families(shown[need])
    with words:
        for name, evidence in shown.items():
            is_once = all(row.may_be_best is None for row in evidence.judged)
            claim, key = (once(evidence), "claim once") if is_once else (first(evidence), "claim first")
            said = claim.sentence(TEXT, key, _titles(need))
            said = said if name == need else TEXT["on task"].format(task=task_title(name), said=said)
            st.markdown(with_meanings(said))
        if need == "longer":
            _say({"claim cost": cost_of_first(results(), encoding_costs())})
            _say({"claim not learned": not_learned(results())})
        if need == "streams":
            _say({"claim shaw": shaw_is_behind(language_model_results())})
        if need == "position":
            _say({"claim path copies": path_copies(results())})
        rows = [row for evidence in shown.values() for row in evidence.judged]
        if any(row.low is not None for row in rows):
            st.caption(TEXT["how range" if rows[0].is_range else "how"])


def _say(claims: Mapping[str, Claim]) -> None:
    for sentence in filter(None, (claim.sentence(TEXT, key, _titles()) for key, claim in claims.items())):
        st.markdown(with_meanings(sentence))


def _titles(need: str = "") -> Mapping[str, Callable[[str], str]]:
    return {"encoding": _namer(need), "task": task_title}


def _namer(need: str) -> Callable[[str], str]:
    return (lambda name: TEXT[f"stream {name}"]) if need == "streams" else planned_title


def _draw(need: str, name: str, evidence: Evidence) -> None:
    rows = [replace(row, name=_namer(need)(row.name)) for row in evidence.judged]
    not_learned_key = "not learned" if name == need else "not learned this"
    heading = TEXT[f"axis {need}"] if name == need else f"{task_title(name)}: {TEXT[f'axis {need}']}"
    if name != need:
        st.markdown(f"**{task_title(name)}**")
    figure = judged_figure(
        [_row(row, not_learned_key) for row in rows],
        theme=theme(),
        x_name=TEXT[f"axis {need}"],
        legend=[TEXT[key] for key in ("may be best", "is worse", not_learned_key, "one seed")],
    )
    alt = TEXT["alt"].format(
        what=heading, need=TEXT[f"need {need}"], said="; ".join(_said(row, not_learned_key) for row in rows)
    )
    file_name = f"encodings-{name.replace(' ', '-')}"
    file = File(TEXT["download"], lambda: _as_csv(rows), f"{file_name}.csv")
    draw_picture(figure, key=f"judged-{name}", file_name=file_name, alt=alt, files=[file])


def _row(row: Verdict, not_learned_key: str) -> Row:
    kind = 2 if not row.has_learned else 3 if row.may_be_best is None else 0 if row.may_be_best else 1
    return Row(
        row.name,
        row.mean,
        None if row.low is None or row.high is None else (row.low, row.high),
        kind,
        _said(row, not_learned_key),
    )


def _said(row: Verdict, not_learned_key: str) -> str:
    words = TEXT["said one"] if row.low is None else TEXT["said"]
    said = words.format(name=row.name, mean=row.mean, low=row.low, high=row.high, seeds=row.n_seeds)
    return said if row.has_learned else TEXT[f"said {not_learned_key}"].format(said=said)


def _show_families(evidence: Evidence) -> None:
    """Show the mean of each encoding over families, over tasks, and in each family."""
    families = evidence.families or {}
    over_tasks = {row.name: row.mean for row in evidence.judged_by_task}
    rows = [
        [
            planned_title(row.name),
            f"{row.mean:.2f}",
            f"{over_tasks[row.name]:.2f}",
            *(
                f"{np.mean([evidence.measured[row.name][task].mean() for task in group]):.2f}"
                for group in families.values()
            ),
        ]
        for row in evidence.judged
    ]
    headings = [TEXT[key] for key in ("csv encoding", "over families", "over tasks")]
    with st.container(key="families"):
        st.html(table([*headings, *map(family_title, families)], rows, name=TEXT["families"]))


def _as_csv(rows: Sequence[Verdict]) -> str:
    headings = [TEXT[f"csv {name}"] for name in ("encoding", "mean", "low", "high", "seeds", "learned")]
    return rows_as_csv(headings, [_cells(row) for row in rows])


def _cells(row: Verdict) -> list[str]:
    numbers = ["" if value is None else f"{value:.4f}" for value in (row.mean, row.low, row.high)]
    return [row.name, *numbers, str(row.n_seeds), TEXT["yes" if row.has_learned else "no"]]


def _show_duel(picture: DeltaGenerator, words: DeltaGenerator) -> None:
    letters, sentences = compared_on_letters(results()), longer_results()
    with picture:
        _draw_duel("letters", {task_title(task): row for task, row in letters.items()})
        measured = {kind: long_sentences(sentences, kind).measured for kind in KINDS}
        _draw_duel(
            "sentences",
            {
                TEXT[f"kind {kind}"]: {name: of[kind] for name, of in row.items()}
                for kind, row in measured.items()
                if row
            },
        )
    with words:
        _say(
            {
                "claim nope ahead": ahead(results(), NOPE, ROPE),
                "claim rope ahead": ahead(results(), ROPE, NOPE),
                "claim quarter": quarter(results()),
                "claim rope translates": rotary_translates(sentences),
                "claim beyond both": beyond_both(results()),
                "claim joining": joining_helps(sentences),
            }
        )


def _draw_duel(what: str, rows: Mapping[str, Mapping[str, np.ndarray]]) -> None:
    """Draw NoPE, rotary and the best of all others in each of ``rows``."""
    if not rows:
        return
    others = [
        max((name for name in row if name not in (NOPE, ROPE)), key=lambda name: row[name].mean(), default=None)
        for row in rows.values()
    ]
    marks = {planned_title(name): [_mark(row, name) for row in rows.values()] for name in (NOPE, ROPE)} | {
        TEXT["best other"]: [_mark(row, name) for row, name in zip(rows.values(), others, strict=True)]
    }
    figure = duel(
        list(rows),
        marks,
        looks={planned_title(name): encoding_look(ENCODINGS[name]) for name in (NOPE, ROPE)},
        theme=theme(),
        x_name=TEXT[f"axis {what} duel"],
    )
    said = "; ".join(
        f"{row}: {', '.join(mark.said for mark in of_row if mark)}"
        for row, *of_row in zip(rows, *marks.values(), strict=True)
    )
    alt = TEXT["alt duel"].format(what=TEXT[f"axis {what} duel"], said=said)
    file = File(TEXT["download"], lambda: _duel_as_csv(rows), f"nope-or-rope-{what}.csv")
    draw_picture(figure, key=f"duel-{what}", file_name=f"nope-or-rope-{what}", alt=alt, files=[file])


def _mark(row: Mapping[str, np.ndarray], name: str | None) -> Mark | None:
    if name is None or name not in row:
        return None
    seeds = row[name]
    said = TEXT["said"].format(
        name=planned_title(name), mean=seeds.mean(), low=seeds.min(), high=seeds.max(), seeds=len(seeds)
    )
    return Mark(float(seeds.mean()), said)


def _duel_as_csv(rows: Mapping[str, Mapping[str, np.ndarray]]) -> str:
    headings = [TEXT[f"csv {name}"] for name in ("task", "encoding", "mean", "low", "high", "seeds")]

    def lines() -> Iterable[list[str]]:
        for task, row in rows.items():
            for name, seeds in row.items():
                numbers = (seeds.mean(), seeds.min(), seeds.max())
                yield [task, planned_title(name), *(f"{value:.4f}" for value in numbers), str(len(seeds))]

    return rows_as_csv(headings, lines())


if __name__ == "__main__":
    show()
