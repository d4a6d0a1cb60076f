"""Write ``docs/length.md``: what every encoding of the zoo gets right past its training, by task and length."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Annotated

import numpy as np
import pandas as pd
from jaxtyping import Float

from model.files import write_text
from model.tasks import find
from model.zoo.evaluate import LEARNED
from model.zoo.plan import tasks_in_order
from model.zoo.predictions import GENERALIZES, Compared, compared
from model.zoo.scores import learned
from model.zoo.verdicts import LEAST_LEAD, judge
from pretrained.publishing.command import command
from pretrained.zoo import ZOO, crasp_results, zoo_results

DOCUMENT = Path(__file__).parents[2] / "docs" / "length.md"
FACTORS = (1.0, 1.5, 2.0, 5.0)
"""Lengths, as multiples of the longest trained one."""
_RANKED = (1.5, 2.0)
"""The factors whose means decide the order, as far as they are measured."""
_NEAR = 0.05
"""How far from such a multiple, as a share of it, a measured length may be to stand for it."""
_ABOVE_GUESSING, _FAR_ABOVE_GUESSING = 0.1, 0.4

_TEXT = """# How far each encoding holds

Exact match of the runs in `pretrained/zoo/results.parquet` at the longest trained length and at about 1.5, 2 and 5
times that: the mean of all seeds, with the worst and the best in brackets. The best mean of 1.5 and 2 times the length
stands first.

**Bold** is the best mean of a column, and every encoding whose range of seeds meets that of the best or whose mean is
at most {lead} below it. An encoding with one seed is never bold, nor is a mean less than 0.10 above guessing.

**○** marks an encoding that has not learned the task: with some seed, it answers less than {least:.0%} of the test
inputs of trained lengths, the shorter ones too. Where these are fewer than 100, the inputs that chose its checkpoint
count instead. What it does past them says nothing, and it is never bold.

`python -m pretrained.publishing zoo_table` writes this page from `pretrained/zoo/results.parquet`, and
the last section from `crasp.parquet` too. `path_published`, `fox_input`, `ssmax_bias` and `rnope_window` are the forms
of the papers; the names without these endings are the simpler forms of the app. Where no trained row is longer than
its window, `rnope_window` trains as `rnope` does. A task with one encoding has no table.
"""

_PREDICTIONS = """## Predicted and measured

C-RASP is a language of programs that count. What such a program computes with periodic and local predicates of
positions, a decoder with learned positions that is trained at random offsets (*shifted* here) is proved to learn for
longer inputs, in an idealized sense; one without positions, what a program without these predicates computes (Huang et
al. 2025, arXiv:2410.02140, appendix E; Zhou et al. 2023, arXiv:2310.16028, sort the same tasks by RASP-L; for
unique reverse arXiv:2505.21785). Of *learned* positions that always count from 0 and of *path* it says nothing.

Two numbers are exact match at lengths of up to twice and of up to three times the longest trained one; from {least} on
at the first of them, a model counts as one that holds. *Published* are the authors' runs, which copy two letters, not
26, and whose models for parity are far larger. The three tasks on different numbers and majority were trained on
lengths up to 50, for at most {steps:,} steps (published: 30,000). A run ends as soon as all measured inputs of trained
lengths are right. *Length known*: the end is forbidden before the right length, and nothing is asked after it.
The other tasks are those of the tables above; ○ is there, too, what did not learn the trained lengths.
"""

_Reached = dict[str, Float[np.ndarray, " seed"]]


@command("zoo_table")
def write_zoo_table(
    *,
    zoo: Annotated[Path, "folder of the results"] = ZOO,
    file: Annotated[Path, "to write it to"] = DOCUMENT,
) -> str:
    """Write ``docs/length.md``: what every encoding gets right past its training, by task and length."""
    write_text(document(zoo_results(zoo), crasp_results(zoo)), file)
    return str(file)


def document(results: pd.DataFrame, of_crasp: pd.DataFrame | None = None) -> str:
    """Return the page: a table for each task that two encodings or more were trained on, and one of predictions.

    ``of_crasp`` are the results of the runs that test C-RASP's predictions; without them there is no such table.

    Raises:
        ValueError: there are no such results.
    """
    best = results if results.empty else results[results.checkpoint == "best"]
    encodings = {} if best.empty else best.groupby("task").encoding.nunique().to_dict()
    tasks = [task for task in tasks_in_order() if encodings.get(task, 0) > 1]
    if not tasks:
        raise ValueError("there are no results of a task that two encodings were trained on")
    known = learned(results)
    sections = (_section(task, best[best.task == task], {name for of, name in known if of == task}) for task in tasks)
    predictions = () if of_crasp is None or of_crasp.empty else (_predictions(of_crasp, results),)
    return "\n".join((_TEXT.format(least=LEARNED, lead=LEAST_LEAD), *sections, *predictions))


def _predictions(of_crasp: pd.DataFrame, results: pd.DataFrame) -> str:
    """Return the section that holds C-RASP's predictions against what was measured."""
    head = ("task", "encoding", "C-RASP says", "published", "here", "length known", "seeds", "agree")
    lines = [_prediction(entry) for entry in compared(of_crasp, results) if entry.here or entry.predicted is not None]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ("---",) * len(head), *lines))
    steps = [json.loads(text)["recipe"]["n_steps"] for text in of_crasp.configuration.unique()]
    return f"{_PREDICTIONS.format(least=GENERALIZES, steps=max(steps))}\n{table}\n"


def _prediction(entry: Compared) -> tuple[str, ...]:
    return (
        find(entry.task).description.title,
        entry.encoding,
        {True: "holds", False: "falls", None: "–"}[entry.predicted],
        _two(entry.published),
        f"{_two(entry.here)}{'' if entry.is_learned or entry.here is None else ' ○'}",
        _two(entry.known_length),
        str(entry.n_seeds or "–"),
        {True: "yes", False: "**no**", None: "–"}[entry.agrees],
    )


def _two(values: tuple[float, float] | None) -> str:
    return "–" if values is None else " / ".join(f"{value:.3f}" for value in values)


def _section(task: str, rows: pd.DataFrame, known: Collection[str]) -> str:
    described, trained = find(task).description, int(rows.longest_trained.iloc[0])
    n_seeds = {str(name): len(set(of_one.seed)) for name, of_one in rows.groupby("encoding")}
    lengths = {factor: _nearest(rows, trained * factor) for factor in FACTORS}
    reached = {factor: _reached(rows, length) for factor, length in lengths.items()}
    columns = {factor: column for factor, column in reached.items() if column.keys() == n_seeds.keys()}
    ranked = [columns[factor] for factor in _RANKED if factor in columns] or list(columns.values())
    names = sorted(n_seeds, key=lambda name: -float(sum(column[name].mean() for column in ranked)))
    measured = [f"{lengths[factor]} {described.unit}" for factor in columns]
    head = ("encoding", "seeds", *measured)
    cells = [_cells(column, described.guessed, known) for column in columns.values()]
    lines = [
        (name if name in known else f"{name} ○", str(n_seeds[name]), *(column[name] for column in cells))
        for name in names
    ]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ("---",) * len(head), *lines))
    chance = f"Guessing is right in {described.guessed:.2g} of the answers.\n\n" if described.guessed else ""
    lacking = (
        f"Of the four lengths measured: {', '.join(measured) or 'none'}.\n\n" if len(columns) < len(FACTORS) else ""
    )
    return f"## {described.title}\n\n{chance}{lacking}{table}\n"


def _nearest(rows: pd.DataFrame, length: float) -> int:
    """Return the measured length nearest to ``length``, if it is near; else ``length`` itself, rounded."""
    nearest = min(map(int, rows.length.unique()), key=lambda one: abs(one - length))
    return nearest if abs(nearest - length) <= _NEAR * length else round(length)


def _reached(rows: pd.DataFrame, length: int) -> _Reached:
    """Return what each seed of every encoding reached at ``length``."""
    there = rows[rows.length == length]
    return {str(name): seeds.exact_match.to_numpy() for name, seeds in there.groupby("encoding")}


def _cells(reached: _Reached, guessed: float, known: Collection[str]) -> dict[str, str]:
    """Return what stands in the column of a length for each encoding, where guessing reaches ``guessed``."""
    unknown = [name for name in reached if name not in known]
    judged = judge(
        {name: {"": values} for name, values in reached.items()},
        higher_is_better=True,
        not_learned=unknown,
        least_lead=LEAST_LEAD,
    )
    least = guessed + _ABOVE_GUESSING
    return {
        each.name: _cell(each.mean, reached[each.name], guessed, bold=each.may_be_best and each.mean >= least)
        for each in judged
    }


def _cell(mean: float, values: Float[np.ndarray, " seed"], guessed: float, *, bold: bool | None) -> str:
    shown = f"**{mean:.2f}**" if bold else f"{mean:.2f}"
    if len(values) == 1:
        return shown
    n_guessing = int((values < guessed + _ABOVE_GUESSING).sum()) if guessed else 0
    is_parted = n_guessing and values.max() > guessed + _FAR_ABOVE_GUESSING
    parted = f"; {n_guessing} of {len(values)} at guessing" if is_parted else ""
    return f"{shown} ({values.min():.2f} to {values.max():.2f}{parted})"
