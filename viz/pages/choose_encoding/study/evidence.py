"""Measurements for the choice of a positional encoding, one number for each seed and task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from model.tasks import find
from model.zoo.plan import ON_FEW_TASKS
from model.zoo.scores import learnable, learned, mean_over
from model.zoo.verdicts import LEAST_LEAD, Families, Values, Verdict, judge
from pretrained.longer_sentences import HELPED

TRANSLATORS = {
    "sinusoidal": "ablation",
    "learned": "ablation-learned",
    "none": "ablation-nope",
    "rotary": "ablation-rotary",
    "alibi": "ablation-alibi",
    "t5": "ablation-t5",
}
"""The rows of the plan of ablations that differ in their encoding alone."""
STREAMS = ("transformer_xl", "shaw", "no_recurrence", "absolute")
"""The language models that were trained on the same text for as long."""

_SAME_COST = ("t5_near", "t5_nearer")


@dataclass(frozen=True)
class Evidence:
    """Measurements for a need.

    Attributes:
        measured: what each seed reached, by encoding, then by task or whatever else was measured.
        higher_is_better: whether more of it is better.
        families: the tasks by family, where they are several.
        not_learned: the encodings with a task that they have not learned.
        least_lead: up to so much, a lead of the best mean over another counts as none, where ranges are compared.
    """

    measured: Mapping[str, Values]
    higher_is_better: bool = True
    families: Families | None = None
    not_learned: frozenset[str] = frozenset()
    least_lead: float = 0.0

    @property
    def judged(self) -> tuple[Verdict, ...]:
        """Every encoding, the best first, by the mean over families where there are any."""
        return self._judged(self.families)

    @property
    def judged_by_task(self) -> tuple[Verdict, ...]:
        """Every encoding, the best first, by the mean over all tasks."""
        return self._judged(None)

    def _judged(self, families: Families | None) -> tuple[Verdict, ...]:
        return judge(
            self.measured,
            higher_is_better=self.higher_is_better,
            families=families,
            not_learned=self.not_learned,
            least_lead=self.least_lead,
        )


def past_training(results: pd.DataFrame, tasks: Sequence[str]) -> dict[str, dict[str, Float[np.ndarray, " seed"]]]:
    """Return exact match from the trained length to twice that, by encoding and task, for each seed.

    Encodings without one of ``tasks`` are left out, and those of ``ON_FEW_TASKS``. ``results`` are the zoo's, and may
    be empty. Lengths that were not measured lie on a straight line between those that were.
    """
    if results.empty or not tasks:
        return {}
    rows = _compared(results)
    rows = rows[(rows.checkpoint == "best") & rows.task.isin(tasks)]
    by_encoding: dict[str, dict[str, list[float]]] = {}
    for key, run in rows.groupby(["encoding", "task", "seed"]):
        encoding, task = map(str, key[:2])
        trained = find(task).description.train_lengths[1]
        by_length = dict(zip(run.length.tolist(), run.exact_match.tolist(), strict=True))
        score = mean_over(range(trained + 1, 2 * trained + 1), by_length)
        if score is not None:
            by_encoding.setdefault(encoding, {}).setdefault(task, []).append(score)
    whole = {encoding: row for encoding, row in by_encoding.items() if len(row) == len(tasks)}
    return {encoding: {task: np.array(row[task]) for task in tasks} for encoding, row in whole.items()}


def longer_inputs(results: pd.DataFrame) -> Evidence:
    """Return results past training, on tasks common to all encodings and learned by most."""
    results = _compared(results)
    families = _families(results)
    tasks = [task for group in families.values() for task in group]
    return _exact_match(results, tasks, families)


def by_task(results: pd.DataFrame, family: str) -> dict[str, Evidence]:
    """Return what was measured past training on each task of ``family`` that some encoding has learned."""
    results = _compared(results)
    tasks = dict.fromkeys(task for task, _ in sorted(learned(results)) if find(task).description.family == family)
    return {task: _exact_match(results, [task]) for task in tasks}


def _exact_match(results: pd.DataFrame, tasks: Sequence[str], families: Families | None = None) -> Evidence:
    return Evidence(
        past_training(results, tasks),
        families=families,
        not_learned=_not_learned(results, tasks),
        least_lead=LEAST_LEAD,
    )


def unlearned_tasks(results: pd.DataFrame) -> tuple[str, ...]:
    """Return the tasks with a family that all encodings were trained on and most have not learned."""
    results = _compared(results)
    known = learnable(results)
    tasks = [] if results.empty else sorted(results.task.unique())
    return tuple(
        task
        for task in _most_measured(results, [task for task in tasks if find(task).description.family])
        if task not in known
    )


def _compared(results: pd.DataFrame) -> pd.DataFrame:
    """Return the results without those of encodings that were trained on a few tasks only."""
    return results if results.empty else results[~results.encoding.isin(ON_FEW_TASKS)]


def _families(results: pd.DataFrame) -> dict[str, tuple[str, ...]]:
    by_family: dict[str, tuple[str, ...]] = {}
    tasks = [task for task in learnable(results) if find(task).description.family]
    for task in _most_measured(results, tasks):
        family = str(find(task).description.family)
        by_family[family] = (*by_family.get(family, ()), task)
    return by_family


def _most_measured(results: pd.DataFrame, tasks: Sequence[str]) -> tuple[str, ...]:
    """Return those of ``tasks`` that as many encodings were trained on as on any."""
    if results.empty:
        return ()
    n = {task: results[results.task == task].encoding.nunique() for task in tasks}
    return tuple(task for task in tasks if n[task] == max(n.values()))


def _not_learned(results: pd.DataFrame, tasks: Sequence[str]) -> frozenset[str]:
    if results.empty:
        return frozenset()
    known, encodings = learned(results), map(str, results.encoding.unique())
    return frozenset(encoding for encoding in encodings if any((task, encoding) not in known for task in tasks))


def translation(results: pd.DataFrame) -> Evidence:
    """Return BLEU on held-out captions by encoding; ``results`` of the ablations may be empty."""
    if results.empty:
        return Evidence({})
    best = results[results.checkpoint == "best"]
    scores = {name: best[best.variant == variant].sacrebleu.to_numpy() for name, variant in TRANSLATORS.items()}
    return Evidence({name: {"captions": values} for name, values in scores.items() if len(values)})


def long_sentences(results: pd.DataFrame, kind: str = "joined") -> Evidence:
    """Return BLEU on captions of up to twice the length trained on, by encoding; ``results`` may be empty.

    ``kind`` is "joined" for short captions joined, "whole" for long ones.
    """
    if results.empty:
        return Evidence({})
    is_long = (results.shortest > results.trained_to) & (results.longest <= 2 * results.trained_to)
    rows = results[~results.variant.isin(HELPED) & is_long & (results.kind == kind)]
    by_seed = rows.groupby(["variant", "seed"]).bleu.mean()
    return Evidence({str(name): {kind: values.to_numpy()} for name, values in by_seed.groupby("variant")})


def streams(results: Sequence[dict[str, Any]]) -> Evidence:
    """Return bits per character of each language model of ``STREAMS``, with the best memory for it.

    One that was trained without a memory is read in segments that know nothing of each other, and where that was
    measured also through a window that moves on by one character; its name then ends in ``" window"``.
    """
    best: dict[str, dict[int, float]] = {}
    for row in results:
        if row["name"] not in STREAMS:
            continue
        reading, has_memory = row["reading"], row["training"]["data"]["mem_len"] > 0
        is_window = reading["kind"] == "ThroughWindow"
        if is_window or has_memory or reading["mem_len"] == 0:
            by_seed = best.setdefault(f"{row['name']} window" if is_window else row["name"], {})
            by_seed[row["seed"]] = min(row["bits_per_character"], by_seed.get(row["seed"], np.inf))
    measured = {name: {"book": np.array([*by_seed.values()])} for name, by_seed in best.items()}
    return Evidence(measured, higher_is_better=False)


def cost(costs: pd.DataFrame, column: str) -> Evidence:
    """Return ``column`` of each encoding's costs, one measurement each; empty without measurements.

    Those that differ from another in a number alone, as fewer buckets, cost the same, and are left out.
    """
    if costs.empty:
        return Evidence({})
    rows = costs[~costs.encoding.isin(_SAME_COST)]
    measured = {name: {column: np.array([value])} for name, value in zip(rows.encoding, rows[column], strict=True)}
    return Evidence(measured, higher_is_better=False)
