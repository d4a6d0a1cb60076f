"""C-RASP's predictions of longer inputs, beside published results and our own.

C-RASP is a language of programs that count. Huang et al. 2025 (arXiv:2410.02140) show that a decoder which is trained
with learned positions at random offsets generalizes to longer inputs on what such a program with periodic and local
predicates of positions computes; without positions, on what one without these predicates does. Appendix E has the
recipe of their experiments. Zhou et al. 2023 (arXiv:2310.16028) sorted the same tasks by whether RASP-L solves them
shortly. Of unique reverse, which needs the same local predicate as unique copy, arXiv:2505.21785 says it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import pandas as pd

from model.zoo.crasp import BINS, TASKS
from model.zoo.evaluate import LEARNED
from model.zoo.scores import mean_over, worst_trained

GENERALIZES = 0.9
"""Exact match on inputs of up to twice the trained length from which on a model counts as generalizing."""

COMPARED = ("none", "shifted", "learned", "path")
"""Encodings in the order of the table; the theory is of the first two."""
OF_ZOO = ("reverse", "copy_letters", "parity")
"""Tasks of the zoo that are predicted to fail: letters repeat, or a state must be followed."""

PREDICTED: Mapping[tuple[str, str], bool] = {
    ("unique_copy", "none"): False,
    ("unique_copy", "shifted"): True,
    ("unique_reverse", "none"): False,
    ("unique_reverse", "shifted"): True,
    ("unique_sort", "none"): True,
    ("unique_sort", "shifted"): True,
    ("majority", "none"): True,
    ("majority", "shifted"): True,
    **{(task, encoding): False for task in OF_ZOO for encoding in ("none", "shifted")},
}
"""Whether a task's answers are predicted to stay right; the theory says nothing of the pairs that are not here."""

PUBLISHED: Mapping[tuple[str, str], tuple[float, float]] = {
    ("unique_copy", "none"): (0.1800, 0.0000),
    ("unique_copy", "shifted"): (0.9986, 0.9874),
    ("unique_reverse", "shifted"): (1.0000, 0.9915),
    ("unique_sort", "none"): (0.9981, 0.8060),
    ("unique_sort", "shifted"): (0.9996, 0.9937),
    ("majority", "none"): (0.9986, 0.9846),
    ("majority", "shifted"): (0.9962, 0.9781),
    ("copy_letters", "none"): (0.2801, 0.0000),
    ("copy_letters", "shifted"): (0.2555, 0.0000),
    ("parity", "none"): (0.7450, 0.6330),
    ("parity", "shifted"): (0.8295, 0.6206),
}
"""Exact match at 51 to 100 and at 101 to 150, from the authors' repositories: lacoco-lab/length_generalization,
``algorithmic/lm-out-new-multi-run`` (means of five runs), and of unique reverse lacoco-lab/decompiling_transformers,
``share/saved_models`` (one model). Copy there is of two letters, and parity takes models far larger than ours."""


@dataclass(frozen=True)
class Compared:
    """A task and an encoding: what is predicted, what was published, and what our runs reached.

    Attributes:
        task: the name of the task.
        encoding: the name of the encoding.
        predicted: whether longer inputs are predicted to be answered; None where the theory says nothing.
        published: exact match at up to two and at up to three times the trained length; None where there is none.
        here: the same of our runs, as a mean over the seeds; None where there is no run.
        known_length: the same with the length of the answer known; None where it was not measured.
        is_learned: whether every run learned the trained lengths.
        n_seeds: how many runs there are.
    """

    task: str
    encoding: str
    predicted: bool | None
    published: tuple[float, float] | None = None
    here: tuple[float, float] | None = None
    known_length: tuple[float, float] | None = None
    is_learned: bool = False
    n_seeds: int = 0

    @property
    def generalizes(self) -> bool | None:
        """Whether our runs answer inputs of up to twice the trained length; None where that cannot be told."""
        return self.here[0] >= GENERALIZES if self.here is not None and self.is_learned else None

    @property
    def agrees(self) -> bool | None:
        """Whether the prediction is what our runs show; None where one of the two is missing."""
        return None if None in (self.predicted, self.generalizes) else self.predicted == self.generalizes


def compared(crasp_results: pd.DataFrame, zoo_results: pd.DataFrame) -> tuple[Compared, ...]:
    """Return every task with every encoding; both tables may be empty."""
    return (
        *(_of_bins(crasp_results, task, encoding) for task in TASKS for encoding in COMPARED),
        *(_of_lengths(zoo_results, task, encoding) for task in OF_ZOO for encoding in COMPARED),
    )


def _known(task: str, encoding: str) -> Compared:
    return Compared(task, encoding, PREDICTED.get((task, encoding)), PUBLISHED.get((task, encoding)))


def _rows(results: pd.DataFrame, of: Compared) -> pd.DataFrame:
    return results if results.empty else results[(results.task == of.task) & (results.encoding == of.encoding)]


def _of_bins(results: pd.DataFrame, task: str, encoding: str) -> Compared:
    known = _known(task, encoding)
    rows = _rows(results, known)
    rows = rows if rows.empty else rows[rows.is_last]
    if rows.empty:
        return known
    trained, near, far = (rows[rows["last"] == last] for _, last in BINS)
    return replace(
        known,
        here=(float(near.exact_match.mean()), float(far.exact_match.mean())),
        known_length=(float(near.exact_match_known_length.mean()), float(far.exact_match_known_length.mean())),
        is_learned=bool(trained.exact_match.min() >= LEARNED),
        n_seeds=rows.seed.nunique(),
    )


def _of_lengths(results: pd.DataFrame, task: str, encoding: str) -> Compared:
    known = _known(task, encoding)
    rows = _rows(results, known)
    rows = rows if rows.empty else rows[rows.checkpoint == "best"]
    if rows.empty:
        return known
    trained = int(rows.longest_trained.iloc[0])
    near, far = _means(rows, trained)
    return replace(
        known,
        here=(near, far),
        is_learned=worst_trained(rows)[task, encoding] >= LEARNED,
        n_seeds=rows.seed.nunique(),
    )


def _means(rows: pd.DataFrame, trained: int) -> Iterator[float]:
    """Yield the mean exact match over all lengths between each two multiples of the trained one."""
    means = rows.groupby("length").exact_match.mean()
    measured = dict(zip(means.index.tolist(), means.tolist(), strict=True))
    for factor in (1, 2):
        mean = mean_over(range(factor * trained + 1, (factor + 1) * trained + 1), measured)
        yield float("nan") if mean is None else mean
