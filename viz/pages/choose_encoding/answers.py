"""Answers to each need: sentences and charts, without the page around them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from model.zoo.plan import ENCODINGS
from model.zoo.verdicts import Verdict
from pretrained import ablations, language_models, longer_sentences, zoo
from viz.base.claims import Claim
from viz.base.exports import rows_as_csv
from viz.base.languages import LANGUAGES, language
from viz.base.words import listed, listed_apart, page_text, paragraph
from viz.components.table import table
from viz.figures.chart import Chart
from viz.pages.choose_encoding.figures.duel import DuelMark, duel
from viz.pages.choose_encoding.figures.judged import JudgedRow
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
from viz.shared.encodings import encoding_look, planned_title
from viz.shared.families import family_title
from viz.shared.measured import ablation_results, encoding_costs, language_model_results, longer_results
from viz.shared.model_words import task_title
from viz.shared.shipped import cached_while_unchanged
from viz.shared.zoo import results

TEXT = page_text("pages/choose_encoding/choose_encoding")
DUEL = "nope or rope"
"""The need that compares two encodings."""

_EVIDENCE: Mapping[str, Callable[[], Mapping[str, Evidence]]] = {
    "longer": lambda: {"longer": longer_inputs(results())},
    "position": lambda: by_task(results(), "position"),
    "content": lambda: by_task(results(), "content"),
    "both ways": lambda: {"both ways": translation(ablation_results())},
    "sentences": lambda: {"sentences": long_sentences(longer_results())},
    "streams": lambda: {"streams": streams(language_model_results())},
    "reading": lambda: {"reading": cost(encoding_costs(), "read_milliseconds")},
    "writing": lambda: {"writing": cost(encoding_costs(), "write_milliseconds")},
}
"""What was measured for a need, by task; under the need's own name where it is not shown by task."""

NEEDS = ("longer", DUEL, *(need for need in _EVIDENCE if need != "longer"))
"""The needs that are answered, in the order of the page."""

FAULTS = (OSError, ValueError, KeyError, AttributeError)
"""What a damaged file of measurements raises."""


@dataclass(frozen=True)
class NeedAnswer:
    """The answer to a need.

    Attributes:
        charts: those that stand beside each other, or for ``DUEL`` below each other; none where nothing was measured.
        sentences: Markdown, one paragraph each.
        how: how the lines were made, Markdown; empty where there are none.
        families: a table in HTML; empty where there is none.
    """

    charts: tuple[Chart, ...]
    sentences: tuple[str, ...]
    how: str = ""
    families: str = ""


def _files() -> Iterable[Path]:
    """Return the files of all measurements that answers are made of."""
    yield from (zoo.ZOO / zoo.RESULTS, zoo.ZOO / zoo.COSTS, ablations.RESULTS, ablations.STEP_SECONDS)
    yield from (longer_sentences.RESULTS, language_models.LANGUAGE_MODELS / language_models.RESULTS)


@cached_while_unchanged(_files, max_entries=len(LANGUAGES), key=language)
def without_need() -> tuple[str, str] | None:
    """Return what to take without a special need and by what rule, as Markdown.

    None where the data do not say.

    Raises:
        OSError, ValueError, KeyError, AttributeError: a damaged file of measurements.
    """
    ablations, costs = ablation_results(), encoding_costs()
    default, past = default_choice(ablations, costs), default_past_training(ablations, costs, results())
    if not default.holds:
        return None
    sentences = (_sentence("claim default", default), _sentence("claim default past", past))
    return paragraph(sentences), _sentence("claim default rule", default)


@cached_while_unchanged(
    lambda _: _files(), max_entries=len(NEEDS) * len(LANGUAGES), key=lambda need: (need, language())
)
def answer(need: str) -> NeedAnswer:
    """Return what is shown for ``need``, one of ``NEEDS``, in the reader's language, not to be changed.

    Raises:
        OSError, ValueError, KeyError, AttributeError: a damaged file of measurements.
    """
    return _duel() if need == DUEL else _measured(need)


def _measured(need: str) -> NeedAnswer:
    shown = {name: evidence for name, evidence in _EVIDENCE[need]().items() if evidence.measured}
    if not shown:
        return NeedAnswer((), ())
    rows = [row for evidence in shown.values() for row in evidence.judged]
    return NeedAnswer(
        charts=tuple(_judged(need, name, evidence) for name, evidence in shown.items()),
        sentences=tuple(filter(None, (*_first_places(need, shown), *_further(need)))),
        how=_how(shown.values()) if any(row.low is not None for row in rows) else "",
        families=_families(shown[need]) if need == "longer" else "",
    )


def _how(shown: Iterable[Evidence]) -> str:
    """Return how the lines and dots of ``shown``, all of one measure, were made."""
    one = next(iter(shown))
    if not one.judged[0].is_range:
        return TEXT["how"]
    least = (TEXT["how least"].format(least=one.least_lead),) if one.least_lead else ()
    return paragraph((TEXT["how range"], *least))


def _first_places(need: str, shown: Mapping[str, Evidence]) -> Iterable[str]:
    for name, evidence in shown.items():
        is_once = all(row.may_be_best is None for row in evidence.judged)
        claim, key = (once(evidence), "claim once") if is_once else (first(evidence), "claim first")
        sentence = _sentence(key, claim, need)
        yield sentence if name == need else TEXT["on task"].format(task=task_title(name), said=sentence)


def _further(need: str) -> Iterable[str]:
    """Yield what else is claimed for a need; empty where a claim does not hold."""
    if need == "longer":
        yield _sentence("claim cost", cost_of_first(results(), encoding_costs()))
        yield _sentence("claim not learned", not_learned(results()))
    if need == "streams":
        yield _sentence("claim shaw", shaw_is_behind(language_model_results()))
    if need == "position":
        yield _sentence("claim path copies", path_copies(results()))


def _sentence(key: str, claim: Claim, need: str = "") -> str:
    return claim.sentence(TEXT, key, {"encoding": _namer(need), "task": task_title})


def _namer(need: str) -> Callable[[str], str]:
    return (lambda name: TEXT[f"stream {name}"]) if need == "streams" else planned_title


def _judged(need: str, name: str, evidence: Evidence) -> Chart:
    rows = [replace(row, name=_namer(need)(row.name)) for row in evidence.judged]
    is_alone = name == need
    not_learned_key = "not learned" if is_alone else "not learned this"
    axis = TEXT[f"axis {need}"]
    figure = judged_figure(
        [_row(row, not_learned_key) for row in rows],
        x_name=axis,
        legend=[TEXT[key] for key in ("may be best", "is worse", not_learned_key, "one seed")],
    )
    return Chart(
        key=f"judged-{name}",
        name=f"encodings-{name.replace(' ', '-')}",
        figure=figure,
        alt=TEXT["alt"].format(
            what=axis if is_alone else f"{task_title(name)}: {axis}",
            need=TEXT[f"need {need}"],
            said=listed_apart(_values(row, not_learned_key) for row in rows),
        ),
        table=partial(_as_csv, rows),
        heading="" if is_alone else task_title(name),
    )


def _row(row: Verdict, not_learned_key: str) -> JudgedRow:
    kind = 2 if not row.has_learned else 3 if row.may_be_best is None else 0 if row.may_be_best else 1
    return JudgedRow(
        row.name,
        row.mean,
        None if row.low is None or row.high is None else (row.low, row.high),
        kind,
        _values(row, not_learned_key),
    )


def _values(row: Verdict, not_learned_key: str) -> str:
    words = TEXT["said one"] if row.low is None else TEXT["said"]
    values = words.format(name=row.name, mean=row.mean, low=row.low, high=row.high, seeds=row.n_seeds)
    return values if row.has_learned else TEXT[f"said {not_learned_key}"].format(said=values)


def _families(evidence: Evidence) -> str:
    """Return the mean of each encoding over families, over tasks, and in each family, as a table."""
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
    return table([*headings, *map(family_title, families)], rows, name=TEXT["families"])


def _as_csv(rows: Sequence[Verdict]) -> str:
    headings = [TEXT[f"csv {name}"] for name in ("encoding", "mean", "low", "high", "seeds", "learned")]
    return rows_as_csv(headings, [_cells(row) for row in rows])


def _cells(row: Verdict) -> list[str]:
    numbers = ["" if value is None else f"{value:.4f}" for value in (row.mean, row.low, row.high)]
    return [row.name, *numbers, str(row.n_seeds), TEXT["yes" if row.has_learned else "no"]]


def _duel() -> NeedAnswer:
    letters, sentences = compared_on_letters(results()), longer_results()
    measured = {kind: long_sentences(sentences, kind).measured for kind in KINDS}
    rows = {
        "letters": {task_title(task): row for task, row in letters.items()},
        "sentences": {
            TEXT[f"kind {kind}"]: {name: of[kind] for name, of in row.items()} for kind, row in measured.items() if row
        },
    }
    claims = {
        "claim nope ahead": ahead(results(), NOPE, ROPE),
        "claim rope ahead": ahead(results(), ROPE, NOPE),
        "claim quarter": quarter(results()),
        "claim rope translates": rotary_translates(sentences),
        "claim beyond both": beyond_both(results()),
        "claim joining": joining_helps(sentences),
    }
    return NeedAnswer(
        charts=tuple(_duel_chart(what, of_kind) for what, of_kind in rows.items() if of_kind),
        sentences=tuple(filter(None, (_sentence(key, claim) for key, claim in claims.items()))),
    )


def _duel_chart(what: str, rows: Mapping[str, Mapping[str, np.ndarray]]) -> Chart:
    """Return the chart of NoPE, rotary and the best of all others in each of ``rows``."""
    others = [
        max((name for name in row if name not in (NOPE, ROPE)), key=lambda name: row[name].mean(), default=None)
        for row in rows.values()
    ]
    marks = {planned_title(name): [_mark(row, name) for row in rows.values()] for name in (NOPE, ROPE)} | {
        TEXT["best other"]: [_mark(row, name) for row, name in zip(rows.values(), others, strict=True)]
    }
    axis = TEXT[f"axis {what} duel"]
    looks = {planned_title(name): encoding_look(ENCODINGS[name]) for name in (NOPE, ROPE)}
    values = listed_apart(
        f"{row}: {listed(mark.tooltip for mark in of_row if mark)}"
        for row, *of_row in zip(rows, *marks.values(), strict=True)
    )
    return Chart(
        key=f"duel-{what}",
        name=f"nope-or-rope-{what}",
        figure=duel(list(rows), marks, looks=looks, x_name=axis),
        alt=TEXT["alt duel"].format(what=axis, said=values),
        table=partial(_duel_as_csv, rows),
    )


def _mark(row: Mapping[str, np.ndarray], name: str | None) -> DuelMark | None:
    if name is None or name not in row:
        return None
    seeds = row[name]
    values = TEXT["said"].format(
        name=planned_title(name), mean=seeds.mean(), low=seeds.min(), high=seeds.max(), seeds=len(seeds)
    )
    return DuelMark(float(seeds.mean()), values)


def _duel_as_csv(rows: Mapping[str, Mapping[str, np.ndarray]]) -> str:
    headings = [TEXT[f"csv {name}"] for name in ("task", "encoding", "mean", "low", "high", "seeds")]

    def lines() -> Iterable[list[str]]:
        for task, row in rows.items():
            for name, seeds in row.items():
                numbers = (seeds.mean(), seeds.min(), seeds.max())
                yield [task, planned_title(name), *(f"{value:.4f}" for value in numbers), str(len(seeds))]

    return rows_as_csv(headings, lines())
