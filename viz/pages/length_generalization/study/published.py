"""Measurements of Kazemnejad et al. 2023 (arXiv:2305.19466), under the zoo's names.

The numbers stand in ``kazemnejad_2023.json`` of the folder ``data``, with where they are from. The paper's rotary
encoding turns a quarter of the dimensions, so it stands beside the zoo's ``rotary_25``.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parents[1] / "data" / "kazemnejad_2023.json"


@dataclass(frozen=True)
class PublishedTask:
    """Measurements on one task.

    Attributes:
        trained: shortest and longest input trained on.
        lengths: every length tested, none of them trained.
        exact_match: share of inputs answered exactly, the mean over these lengths and the seeds, by encoding.
    """

    trained: tuple[int, int]
    lengths: tuple[int, ...]
    exact_match: Mapping[str, float]


@dataclass(frozen=True)
class PublishedResults:
    """All that is compared with.

    Attributes:
        paper: where it was published.
        source: where the numbers are from.
        n_seeds: how many models each number is a mean of.
        n_parameters: of one of these models.
        tasks: by the zoo's name.
        plots_only: tasks that the paper measured, and gives plots and no numbers for.
        mean_reciprocal_rank: by encoding, over ``n_data_sets`` data sets, more than there are tasks here.
        n_data_sets: how many these are.
    """

    paper: str
    source: str
    n_seeds: int
    n_parameters: int
    tasks: Mapping[str, PublishedTask]
    plots_only: tuple[str, ...]
    mean_reciprocal_rank: Mapping[str, float]
    n_data_sets: int

    @property
    def encodings(self) -> tuple[str, ...]:
        """The encodings measured, in the paper's order of their mean reciprocal rank."""
        return tuple(self.mean_reciprocal_rank)


@cache
def published() -> PublishedResults:
    """Return the published numbers."""
    stored: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    ranks = stored["mean_reciprocal_rank"]
    return PublishedResults(
        paper=stored["paper"],
        source=stored["source"],
        n_seeds=stored["n_seeds"],
        n_parameters=stored["n_parameters"],
        tasks={name: _task(entry) for name, entry in stored["tasks"].items()},
        plots_only=tuple(stored["plots_only"]),
        mean_reciprocal_rank=ranks["values"],
        n_data_sets=ranks["n_data_sets"],
    )


def _task(entry: Mapping[str, Any]) -> PublishedTask:
    first, last = entry["tested"]
    lengths = tuple(entry.get("there are", range(first, last + 1)))
    return PublishedTask(tuple(entry["trained"]), lengths, entry["exact_match"])
