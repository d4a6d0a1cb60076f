"""Relative effective context lengths from stored losses, for any share of positions and any step.

The share is that of the hardest positions, the step that of the context.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from model.analysis.losses.effective_context import EffectiveContext, effective_contexts
from viz.base.claims import Claim, Claims

SHARES = (0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0)
"""The shares of hardest positions that the page offers."""
OPENS_AT = 0.1
"""The share that it opens on."""
_COMPARED = ("transformer_xl", "no_recurrence")


@dataclass(frozen=True)
class ContextLosses:
    """Losses of every run at the same characters after each context.

    ``runs`` are names with seeds, in the order of the losses' second axis.
    """

    contexts: tuple[int, ...]
    runs: tuple[tuple[str, int], ...]
    losses: Float[np.ndarray, "context run place"]

    @property
    def steps(self) -> tuple[int, ...]:
        """The steps that can be taken from context to context: there are at least two contexts of each."""
        smallest = self.contexts[1] - self.contexts[0]
        return tuple(smallest * times for times in range(1, len(self.contexts)))

    def taken_by(self, step: int) -> tuple[int, ...]:
        """Return the contexts from the shortest on, ``step`` apart."""
        return self.contexts[:: step // (self.contexts[1] - self.contexts[0])]


def context_losses(table: pd.DataFrame) -> ContextLosses:
    """Return the losses of ``table``.

    Raises:
        KeyError: it lacks a column.
        ValueError: it does not hold every run at every context and place, or less than two contexts.
    """
    contexts = tuple(sorted(table["context"].unique().tolist()))
    runs = tuple(sorted({(str(name), int(seed)) for name, seed in zip(table["name"], table["seed"], strict=True)}))
    wide = table.pivot(index=["context", "name", "seed"], columns="place", values="loss").sort_index()
    if len(contexts) < 2 or len(wide) != len(contexts) * len(runs) or wide.isna().any(axis=None):
        raise ValueError("the losses do not hold every run at every context and place; measure them anew")
    return ContextLosses(contexts, runs, wide.to_numpy(np.float64).reshape(len(contexts), len(runs), -1))  # [C, R, P]


def by_step(measured: Iterable[ContextLosses]) -> dict[int, ContextLosses]:
    """Return all steps that can be taken, in ascending order, each with the losses that it is taken in.

    What was measured in smaller steps serves only those below the smallest step of the next.
    """
    finest_first = sorted(measured, key=lambda losses: losses.steps[0])
    smallest = [losses.steps[0] for losses in finest_first]
    return {
        step: losses
        for number, losses in enumerate(finest_first, start=1)
        for step in losses.steps
        if step < min(smallest[number:], default=math.inf)
    }


def lengths(measured: ContextLosses, *, hardest: float, step: int) -> dict[tuple[str, int], EffectiveContext]:
    """Return the relative effective context length of every run, all runs being one group."""
    contexts = measured.taken_by(step)
    chosen = [measured.contexts.index(context) for context in contexts]
    return dict(zip(measured.runs, effective_contexts(measured.losses[chosen], contexts, hardest=hardest), strict=True))


def by_name(runs: Sequence[tuple[str, int]]) -> dict[str, list[tuple[str, int]]]:
    """Return the runs of every name."""
    by_model: dict[str, list[tuple[str, int]]] = {}
    for run in runs:
        by_model.setdefault(run[0], []).append(run)
    return by_model


def context_pays(fine_context_lengths: ContextLosses) -> Claim:
    """Return whether every seed with a memory gains from a longer context than every one without.

    In the smallest step and the share that the page opens on.
    """
    step = fine_context_lengths.steps[0]
    by_share = {share: _of_compared(fine_context_lengths, share, step) for share in SHARES}
    with_memory, without = by_share[OPENS_AT]
    if not with_memory or not without:
        return Claim(False)
    (with_low, with_high), (without_low, without_high) = (
        _range([length for compared in by_share.values() for length in compared[place]]) for place in (0, 1)
    )
    values = {
        "with_memory": min(with_memory),
        "without": max(without),
        "step": step,
        "share": OPENS_AT,
        "with_low": with_low,
        "with_high": with_high,
        "without_low": without_low,
        "without_high": without_high,
    }
    return Claim(min(with_memory) > max(without), values)


def _of_compared(measured: ContextLosses, hardest: float, step: int) -> tuple[list[int], ...]:
    """Return the lengths that the seeds of each of ``_COMPARED`` reach."""
    reached = lengths(measured, hardest=hardest, step=step)
    of_names = by_name([*reached])
    return tuple([reached[run].length for run in of_names.get(name, [])] for name in _COMPARED)


def _range(values: Sequence[int]) -> tuple[int, int]:
    return min(values), max(values)


def seeds_apart(context_lengths: ContextLosses) -> Claim:
    """Return the difference between two seeds of one model, at the smallest step and the default share."""
    step = context_lengths.steps[0]
    reached = lengths(context_lengths, hardest=OPENS_AT, step=step)
    of_models = [[reached[run].length for run in runs] for runs in by_name([*reached]).values()]
    apart = max(max(characters) - min(characters) for characters in of_models)
    return Claim(apart >= step, {"step": step, "hardest": OPENS_AT, "apart": apart})


COMPUTED_CLAIMS: Claims = {
    ("pages/transformer_xl/context", "claim pays"): context_pays,
    ("pages/transformer_xl/context", "claim seeds"): seeds_apart,
}
