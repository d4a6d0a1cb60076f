"""Shared parts of ranking pages: the picture of a ranking, and sentences about its numbers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from model.zoo.verdicts import Verdict
from viz.base.words import listed_apart, page_text
from viz.pages.length_generalization.figures.ranking import ranking as ranking_figure
from viz.pages.length_generalization.names import encoding_look, encoding_title
from viz.pages.length_generalization.study.published import published
from viz.pages.length_generalization.study.ranking import Ranking, Score
from viz.shared.model_words import model_words
from viz.shell.picture import File, draw_picture

TEXT = page_text("pages/length_generalization/ranked")


def show_ranked(
    shown: Ranking,
    *,
    name: str,
    heading: str,
    alt: str,
    alt_one: str,
    files: Sequence[File] = (),
    judged: Iterable[Verdict] = (),
) -> None:
    """Draw ``shown`` under ``heading``; nothing if it is empty.

    It is described by ``alt``, with ``alt_one`` for each encoding.

    Its menu offers ``files`` too, and the intervals of the ``judged`` are lines in their rows.
    """
    if not shown.tasks:
        return
    st.markdown(heading.format(tasks=len(shown.tasks)))
    figure = ranking_figure(
        [encoding_title(encoding) for encoding in shown.best_first],
        [shown.ours[encoding] for encoding in shown.best_first],
        colours=[encoding_look(encoding).colour for encoding in shown.best_first],
        x_name=TEXT["rank"],
        legend=(TEXT["here"], TEXT["paper"]),
        theirs={encoding_title(encoding): value for encoding, value in shown.theirs.items()},
        intervals={
            encoding_title(row.name): (row.low, row.high)
            for row in judged
            if row.low is not None and row.high is not None
        },
        hollow=[encoding_title(encoding) for encoding in shown.unlearned],
    )
    description = listed_apart(
        alt_one.format(encoding=encoding_title(encoding), here=shown.ours[encoding], paper=shown.theirs.get(encoding))
        for encoding in shown.best_first
    )
    whole = alt.format(tasks=len(shown.tasks), said=description)
    draw_picture(figure, key=f"league-{name}", file_name=f"league-{name}", alt=whole, files=files)


def named_first_two(row: Mapping[str, float], prefix: str = "") -> dict[str, Any]:
    """Return the two highest values in ``row`` and their encodings, under the names that the texts use."""
    first, second = sorted(row, key=lambda name: -row[name])[:2]
    named = {"first": encoding_title(first), "second": encoding_title(second), "best": row[first], "next": row[second]}
    return {f"{prefix}{name}": value for name, value in named.items()}


def spread_of_seeds(score: Score, words: str) -> str:
    """Return the spread and number of the seeds of ``score``, in ``words`` if there is more than one."""
    n = len(score.by_seed)
    return TEXT["detail one"] if n == 1 else words.format(low=score.low, high=score.high, seeds=n)


def show_source() -> None:
    """Say where the paper's numbers come from."""
    paper = published()
    st.caption(TEXT["source"].format(paper=paper.paper, seeds=paper.n_seeds, source=model_words(paper.source)))
