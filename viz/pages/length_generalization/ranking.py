"""The ranking: what stays right past training, over all tasks."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd
import streamlit as st

from model.tasks import find
from model.zoo.verdicts import Verdict
from viz.base.exports import rows_as_csv
from viz.base.words import between, listed, listed_apart, page_text
from viz.components.table import table
from viz.pages.length_generalization.components.score_table import ScoreCell, score_table
from viz.pages.length_generalization.names import encoding_title, in_order
from viz.pages.length_generalization.ranked import show_ranked, show_source, spread_of_seeds
from viz.pages.length_generalization.study.claims import (
    first_by_family,
    first_place,
    unlearned,
    unlearned_tasks,
)
from viz.pages.length_generalization.study.published import published
from viz.pages.length_generalization.study.ranking import (
    Ranking,
    Score,
    Scores,
    compared_ranking,
    judged_ranking,
    lengths_tested,
    means,
    ranking,
    scores,
)
from viz.pages.length_generalization.task import read_results
from viz.shared.encodings import with_meanings
from viz.shared.families import family_title
from viz.shared.model_words import in_millions, model_words, task_title
from viz.shell.controls import place_for_warnings
from viz.shell.page import theme
from viz.shell.picture import File

TEXT = page_text("pages/length_generalization/ranking")
TITLES = {"encoding": encoding_title, "task": task_title, "family": family_title}


def show() -> None:
    """Draw the page."""
    results = read_results(place_for_warnings())
    show_ranking(results)


def show_ranking(results: pd.DataFrame) -> None:
    """Show the ranking of all encodings, their ranks beside the paper's, and the table of all tasks."""
    by_task = scores(results)
    compared, every = compared_ranking(means(by_task), published().tasks), ranking(by_task)
    judged = judged_ranking(by_task, every)
    st.markdown(TEXT["intro"].format(parameters=in_millions(published().n_parameters, "{n} million")))
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        files = [
            File(TEXT["download"], lambda: _as_csv(by_task), "league.csv"),
            File(TEXT["download ranks"], lambda: rows_as_csv(*_ranks(compared, every, judged)), "league-ranks.csv"),
        ]
        show_ranked(
            every,
            name="all",
            heading=TEXT["all heading"],
            alt=TEXT["alt all"],
            alt_one=TEXT["alt all one"],
            files=files,
            judged=judged,
        )
        with st.container(key="ranks"):
            st.html(table(*_ranks(compared, every, judged), name=TEXT["ranks name"]))
        st.markdown(TEXT["how"].format(data_sets=published().n_data_sets))
    with words:
        _say_ranking(every, by_task)
    st.markdown(TEXT["table"])
    with st.container(key="scores"):
        st.html(_table(by_task))
    show_source()


def _say_ranking(every: Ranking, by_task: Scores) -> None:
    if not by_task:
        st.markdown(TEXT["no scores"])
    if every.tasks:
        overview = TEXT["all"].format(tasks=len(every.tasks), all=len(by_task), encodings=len(every.encodings))
        claimed = {
            "claim first": first_place(by_task),
            "claim families": first_by_family(by_task),
            "claim unlearned": unlearned(by_task),
        }
        sentences = (claim.sentence(TEXT, key, TITLES) for key, claim in claimed.items())
        for sentence in filter(None, (overview, *sentences, _measured_once(every, by_task), _left_out(every, by_task))):
            st.markdown(with_meanings(sentence))
    st.markdown(TEXT["score"])


def _measured_once(every: Ranking, by_task: Scores) -> str:
    once = [row.name for row in judged_ranking(by_task, every) if row.low is None]
    return TEXT["one seed"].format(encodings=listed_apart(map(encoding_title, once))) if once else ""


def _left_out(every: Ranking, by_task: Scores) -> str:
    encodings = in_order({name for row in by_task.values() for name in row} - set(every.encodings))
    tasks = [task for task in by_task if task not in (*every.tasks, *unlearned_tasks(by_task, every))]
    if not encodings and not tasks:
        return ""
    return TEXT["left out"].format(
        encodings=listed_apart(map(encoding_title, encodings)) or TEXT["none left out"],
        tasks=listed(map(task_title, tasks)) or TEXT["none left out"],
    )


def _ranks(compared: Ranking, every: Ranking, judged: Sequence[Verdict]) -> tuple[list[str], list[list[str]]]:
    """Return headings and rows of the table: over tasks and families, each family, beside the paper.

    The best encoding here comes first.
    """
    paper = published()
    names = (*every.best_first, *(name for name in paper.encodings if name not in every.encodings))
    headings = [
        TEXT["encoding"],
        TEXT["rank all"],
        TEXT["interval"],
        TEXT["rank families"],
        *(family_title(family) for family in every.by_family),
        TEXT["rank here"],
        TEXT["rank paper"],
        TEXT["rank published"].format(data_sets=paper.n_data_sets),
    ]
    intervals = {row.name: between(f"{row.low:.2f}", f"{row.high:.2f}") for row in judged if row.low is not None}
    over_families = every.over_families if every.by_family else {}
    columns = (over_families, *every.by_family.values(), compared.ours, compared.theirs, paper.mean_reciprocal_rank)
    return headings, [
        [
            encoding_title(name),
            _number(every.ours.get(name)),
            intervals.get(name, ""),
            *(_number(column.get(name)) for column in columns),
        ]
        for name in names
    ]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _table(by_task: Scores) -> str:
    encodings = _columns(by_task)
    rows = {
        (task_title(task), _below(task)): [_cell(task, encoding, by_task.get(task, {})) for encoding in encodings]
        for task in _tasks(by_task)
    }
    return score_table(
        rows,
        corner=TEXT["task"],
        columns=[encoding_title(encoding) for encoding in encodings],
        name=TEXT["table name"],
        theme=theme(),
    )


def _columns(by_task: Scores) -> tuple[str, ...]:
    """Return the paper's encodings, then the others, with those on few tasks last to avoid gaps."""
    paper = published().encodings
    counts = Counter(name for row in by_task.values() for name in row)
    common = [name for name in in_order(counts) if 2 * counts[name] > len(by_task)]
    return in_order({*paper, *counts}, first=(*paper, *common))


def _tasks(by_task: Scores) -> tuple[str, ...]:
    """Return the paper's tasks, measured or not, then the others that are."""
    return tuple(dict.fromkeys((*published().tasks, *by_task)))


def _below(task: str) -> str:
    lengths = lengths_tested(task)
    text = TEXT["lengths"].format(unit=model_words(find(task).description.unit), first=lengths[0], last=lengths[-1])
    guessed = find(task).description.guessed
    if guessed:
        text = TEXT["guessed"].format(said=text, share=guessed)
    if task in published().tasks:
        return text
    return f"{text}; {TEXT['plots only'] if task in published().plots_only else TEXT['not in paper']}"


def _cell(task: str, encoding: str, row: Mapping[str, Score]) -> ScoreCell:
    paper = published().tasks[task].exact_match.get(encoding) if task in published().tasks else None
    other = "" if paper is None else TEXT["paper cell"].format(value=paper)
    if encoding not in row:
        return ScoreCell(other=other)
    score = row[encoding]
    known = [entry.mean for entry in row.values() if entry.has_learned]
    is_first = score.has_learned and score.mean == max(known) > 0
    return ScoreCell(
        score.mean,
        spread_of_seeds(score, TEXT["cell detail"]),
        other,
        is_first=is_first,
        is_hollow=not score.has_learned,
    )


def _as_csv(by_task: Scores) -> str:
    keys = ("task", "encoding", "csv first", "csv last", "csv mean", "csv low", "csv high", "csv seeds", "csv paper")
    return rows_as_csv([TEXT[key] for key in keys], _csv_rows(by_task))


def _csv_rows(by_task: Scores) -> Iterable[Sequence[str]]:
    for task in _tasks(by_task):
        lengths, row = lengths_tested(task), by_task.get(task, {})
        paper = published().tasks[task].exact_match if task in published().tasks else {}
        for encoding in (name for name in _columns(by_task) if name in row or name in paper):
            score = row.get(encoding)
            ours = ["", "", "", "0"]
            if score:
                ours = [*(f"{value:.4f}" for value in (score.mean, score.low, score.high)), str(len(score.by_seed))]
            theirs = f"{paper[encoding]:.3f}" if encoding in paper else ""
            yield task_title(task), encoding_title(encoding), str(lengths[0]), str(lengths[-1]), *ours, theirs
