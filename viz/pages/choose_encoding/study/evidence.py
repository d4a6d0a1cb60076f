"""What was measured here that bears on the choice of a positional encoding, as one number a seed and a task."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from model.tasks import find
from model.zoo.judged import Values
from model.zoo.scores import mean_over
from pretrained.longer_sentences import HELPED

TASKS = ("copy_repeat", "reverse", "copy_letters", "sum_mod_10", "parity_scratchpad", "sort", "parity", "lego")
"""Those that every encoding of the zoo learns."""
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


def past_training(results: pd.DataFrame, tasks: Sequence[str]) -> dict[str, Values]:
    """Return exact match between the longest length trained and twice that, by encoding; those with every task only.

    ``results`` are the zoo's, and may be empty. Lengths that were not measured lie on a straight line between those
    that were.
    """
    if results.empty:
        return {}
    rows = results[(results.checkpoint == "best") & results.task.isin(tasks)]
    found: dict[str, dict[str, list[float]]] = {}
    for key, run in rows.groupby(["encoding", "task", "seed"]):
        encoding, task = map(str, key[:2])
        trained = find(task).description.train_lengths[1]
        by_length = dict(zip(run.length.tolist(), run.exact_match.tolist(), strict=True))
        score = mean_over(range(trained + 1, 2 * trained + 1), by_length)
        if score is not None:
            found.setdefault(encoding, {}).setdefault(task, []).append(score)
    whole = {encoding: row for encoding, row in found.items() if len(row) == len(tasks)}
    return {encoding: [np.array(row[task]) for task in tasks] for encoding, row in whole.items()}


def translation(results: pd.DataFrame) -> dict[str, Values]:
    """Return BLEU on held-out captions by encoding; ``results`` are those of the ablations, and may be empty."""
    if results.empty:
        return {}
    best = results[results.checkpoint == "best"]
    found = {name: best[best.variant == variant].sacrebleu.to_numpy() for name, variant in TRANSLATORS.items()}
    return {name: [values] for name, values in found.items() if len(values)}


def long_sentences(results: pd.DataFrame) -> dict[str, Values]:
    """Return BLEU on joined captions of up to twice the length trained on, by encoding; ``results`` may be empty."""
    if results.empty:
        return {}
    is_encoding = ~results.variant.isin(HELPED)
    is_long = (results.shortest > results.trained_to) & (results.longest <= 2 * results.trained_to)
    rows = results[is_encoding & is_long & (results.kind == "joined")]
    by_seed = rows.groupby(["variant", "seed"]).bleu.mean()
    return {str(name): [values.to_numpy()] for name, values in by_seed.groupby("variant")}


def streams(results: Sequence[dict[str, Any]]) -> dict[str, Values]:
    """Return bits a character of each language model of ``STREAMS``, read with the memory that suits it best.

    One that was trained without a memory is read in segments that know nothing of each other, and where that was
    measured also through a window that moves on by one character; its name then ends in ``" window"``.
    """
    best: dict[str, dict[int, float]] = {}
    for row in results:
        if row["name"] not in STREAMS or row["part"] != "test":
            continue
        reading, has_memory = row["reading"], row["training"]["data"]["mem_len"] > 0
        is_window = reading["kind"] == "ThroughWindow"
        if is_window or has_memory or reading["mem_len"] == 0:
            by_seed = best.setdefault(f"{row['name']} window" if is_window else row["name"], {})
            by_seed[row["seed"]] = min(row["bits_per_character"], by_seed.get(row["seed"], np.inf))
    return {name: [np.array([*by_seed.values()])] for name, by_seed in best.items()}


def cost(costs: pd.DataFrame, column: str) -> dict[str, Values]:
    """Return ``column`` of what each encoding costs, one measurement each; empty where nothing was measured.

    Those that differ from another in a number alone, as fewer buckets, cost the same, and are left out.
    """
    if costs.empty:
        return {}
    rows = costs[~costs.encoding.isin(_SAME_COST)]
    return {name: [np.array([value])] for name, value in zip(rows.encoding, rows[column], strict=True)}
