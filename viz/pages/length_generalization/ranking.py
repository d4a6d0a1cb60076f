"""The ranking: what stays right past training, here and in the paper."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from model.tasks import find
from viz.base.exports import rows_as_csv
from viz.base.words import page_text
from viz.components.table import table
from viz.pages.length_generalization.components.score_table import Cell, score_table
from viz.pages.length_generalization.figures.ranking import ranking as ranking_figure
from viz.pages.length_generalization.findings import show_findings
from viz.pages.length_generalization.names import encoding_look, encoding_title, in_order, task_title
from viz.pages.length_generalization.study.published import published
from viz.pages.length_generalization.study.ranking import (
    LARGE,
    Disagreement,
    Ranking,
    Score,
    Scores,
    compared_ranking,
    disagreements,
    first_two,
    lengths_tested,
    means,
    n_compared,
    ranking,
    scores,
)
from viz.pages.length_generalization.task import read_results
from viz.shell.controls import download, place_for_warnings
from viz.shell.page import plot_config, theme

TEXT = page_text("pages/length_generalization/ranking")


def show() -> None:
    """Draw the page."""
    found = read_results(place_for_warnings())
    show_ranking(found)
    show_findings(found)


def show_ranking(results: pd.DataFrame) -> None:
    """Show both rankings, the table of all tasks, and where ours and the paper part."""
    found = scores(results)
    compared, every = compared_ranking(means(found), published().tasks), ranking(means(found))
    st.markdown(TEXT["intro"].format(parameters=published().n_parameters / 1e6))
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        _show_rankings(compared, every)
        st.html(table(*_ranks(compared, every)))
    with words:
        _say_rankings(compared, every, found)
    st.markdown(TEXT["table"])
    st.html(_table(found))
    _say_disagreements(found)
    with st.container(horizontal=True):
        download(TEXT["download"], lambda: _as_csv(found), "league.csv")
        download(TEXT["download ranks"], lambda: rows_as_csv(*_ranks(compared, every)), "league-ranks.csv")
    paper = published()
    st.caption(TEXT["source"].format(paper=paper.paper, seeds=paper.n_seeds, source=paper.source))


def _show_rankings(compared: Ranking, every: Ranking) -> None:
    for name, shown in (("compared", compared), ("all", every)):
        if not shown.tasks:
            continue
        st.markdown(TEXT[f"{name} heading"].format(tasks=len(shown.tasks)))
        titles = [encoding_title(encoding) for encoding in shown.best_first]
        figure = ranking_figure(
            titles,
            [shown.ours[encoding] for encoding in shown.best_first],
            colours=[encoding_look(encoding).colour for encoding in shown.best_first],
            theme=theme(),
            x_name=TEXT["rank"],
            legend=(TEXT["here"], TEXT["paper"]),
            theirs={encoding_title(encoding): value for encoding, value in shown.theirs.items()},
        )
        said = "; ".join(
            TEXT[f"alt {name} one"].format(
                encoding=encoding_title(encoding), here=shown.ours[encoding], paper=shown.theirs.get(encoding)
            )
            for encoding in shown.best_first
        )
        alt = TEXT[f"alt {name}"].format(tasks=len(shown.tasks), said=said)
        st.plotly_chart(figure, theme=None, key=f"league-{name}", config=plot_config(f"league-{name}"), alt=alt)


def _say_rankings(compared: Ranking, every: Ranking, found: Scores) -> None:
    if not found:
        st.markdown(TEXT["no scores"])
    st.markdown(_compared(compared) if compared.tasks else TEXT["not compared"])
    if every.tasks:
        said = TEXT["all"].format(
            tasks=len(every.tasks), all=len(found), encodings=len(every.encodings), **_first_two(every.ours)
        )
        st.markdown(f"{said} {_left_out(every, found)}")
    for part in ("score", "how"):
        st.markdown(TEXT[part].format(data_sets=published().n_data_sets))


def _compared(shown: Ranking) -> str:
    is_same = bool(first_two(shown.ours) & first_two(shown.theirs))
    return TEXT["compared"].format(
        tasks=len(shown.tasks),
        published=len(published().tasks),
        encodings=len(shown.encodings),
        same=TEXT["same first two"] if is_same else TEXT["other first two"],
        **_first_two(shown.ours),
        **_first_two(shown.theirs, "paper_"),
    )


def _first_two(row: Mapping[str, float], prefix: str = "") -> dict[str, Any]:
    """Return the two encodings with the highest values in ``row``, and these, under the names that the texts use."""
    first, second = sorted(row, key=lambda name: -row[name])[:2]
    named = {"first": encoding_title(first), "second": encoding_title(second), "best": row[first], "next": row[second]}
    return {f"{prefix}{name}": value for name, value in named.items()}


def _left_out(every: Ranking, found: Scores) -> str:
    encodings = in_order({name for row in found.values() for name in row} - set(every.encodings))
    tasks = [task for task in found if task not in every.tasks]
    if not encodings and not tasks:
        return ""
    return TEXT["left out"].format(
        encodings=", ".join(map(encoding_title, encodings)) or TEXT["none left out"],
        tasks=", ".join(map(task_title, tasks)) or TEXT["none left out"],
    )


def _ranks(compared: Ranking, every: Ranking) -> tuple[list[str], list[list[str]]]:
    """Return headings and rows: the paper's encodings in its order, then the others by their rank here."""
    paper = published()
    names = (*paper.encodings, *(name for name in every.best_first if name not in paper.encodings))
    headings = [
        TEXT["encoding"],
        TEXT["rank all"],
        TEXT["rank here"],
        TEXT["rank paper"],
        TEXT["rank published"].format(data_sets=paper.n_data_sets),
    ]
    columns = (every.ours, compared.ours, compared.theirs, paper.mean_reciprocal_rank)
    return headings, [[encoding_title(name), *(_number(column.get(name)) for column in columns)] for name in names]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _table(found: Scores) -> str:
    encodings = _columns(found)
    rows = {
        (task_title(task), _below(task)): [_cell(task, encoding, found.get(task, {})) for encoding in encodings]
        for task in _tasks(found)
    }
    return score_table(
        rows,
        corner=TEXT["task"],
        columns=[encoding_title(encoding) for encoding in encodings],
        name=TEXT["table name"],
        theme=theme(),
    )


def _columns(found: Scores) -> tuple[str, ...]:
    """Return the paper's encodings, then the others; those on few tasks come last, and leave no hole in the middle."""
    paper = published().encodings
    counts = Counter(name for row in found.values() for name in row)
    common = [name for name in in_order(counts) if 2 * counts[name] > len(found)]
    return in_order({*paper, *counts}, first=(*paper, *common))


def _tasks(found: Scores) -> tuple[str, ...]:
    """Return the paper's tasks, measured or not, then the others that are."""
    return tuple(dict.fromkeys((*published().tasks, *found)))


def _below(task: str) -> str:
    lengths = lengths_tested(task)
    said = TEXT["lengths"].format(unit=find(task).description.unit, first=lengths[0], last=lengths[-1])
    guessed = find(task).description.guessed
    if guessed:
        said = TEXT["guessed"].format(said=said, share=guessed)
    if task in published().tasks:
        return said
    return f"{said}; {TEXT['plots only'] if task in published().plots_only else TEXT['not in paper']}"


def _cell(task: str, encoding: str, row: Mapping[str, Score]) -> Cell:
    paper = published().tasks[task].exact_match.get(encoding) if task in published().tasks else None
    other = "" if paper is None else TEXT["paper cell"].format(value=paper)
    if encoding not in row:
        return Cell(other=other)
    score = row[encoding]
    is_first = score.mean == max(entry.mean for entry in row.values()) > 0
    return Cell(score.mean, _detail(score, "cell detail"), other, is_first)


def _detail(score: Score, key: str) -> str:
    """Return the spread and number of the seeds of ``score``, in the words under ``key`` if there is more than one."""
    n = len(score.by_seed)
    return TEXT["detail one"] if n == 1 else TEXT[key].format(low=score.low, high=score.high, seeds=n)


def _say_disagreements(found: Scores) -> None:
    ours = means(found)
    parted = disagreements(ours, published().tasks)
    n_tasks, n_pairs = n_compared(ours, published().tasks)
    if not n_tasks:
        st.markdown(TEXT["nothing compared"])
        return
    name = "disagree" if parted else "agree"
    summary = TEXT[name].format(
        order=sum(entry.is_order for entry in parted),
        far=sum(len(entry.far) for entry in parted),
        tasks=n_tasks,
        pairs=n_pairs,
        large=LARGE,
    )
    lines = [f"- **{task_title(entry.task)}.** {' '.join(_sentences(entry, found[entry.task]))}" for entry in parted]
    st.markdown("\n".join((summary, "", *lines)))


def _sentences(entry: Disagreement, row: Mapping[str, Score]) -> Iterable[str]:
    if entry.is_order:
        yield TEXT["order differs"].format(**_first_two(entry.ours), **_first_two(entry.theirs, "paper_"))
    for name in entry.far:
        yield TEXT["far apart"].format(
            encoding=encoding_title(name),
            paper=entry.theirs[name],
            here=entry.ours[name],
            detail=_detail(row[name], "detail"),
        )


def _as_csv(found: Scores) -> str:
    keys = ("task", "encoding", "csv first", "csv last", "csv mean", "csv low", "csv high", "csv seeds", "csv paper")
    return rows_as_csv([TEXT[key] for key in keys], _csv_rows(found))


def _csv_rows(found: Scores) -> Iterable[Sequence[str]]:
    for task in _tasks(found):
        lengths, row = lengths_tested(task), found.get(task, {})
        paper = published().tasks[task].exact_match if task in published().tasks else {}
        for encoding in (name for name in _columns(found) if name in row or name in paper):
            score = row.get(encoding)
            ours = ["", "", "", "0"]
            if score:
                ours = [*(f"{value:.4f}" for value in (score.mean, score.low, score.high)), str(len(score.by_seed))]
            theirs = f"{paper[encoding]:.3f}" if encoding in paper else ""
            yield task_title(task), encoding_title(encoding), str(lengths[0]), str(lengths[-1]), *ours, theirs


if __name__ == "__main__":
    show()
