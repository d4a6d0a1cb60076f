"""Claims about the paper's table, computed from the runs."""

from collections.abc import Callable, Sequence
from functools import partial
from statistics import fmean

import pandas as pd

from viz.base.claims import Claim, Claims, Names
from viz.base.numbers import with_sign
from viz.pages.ablations.study.table_3 import BASE, CLAIMS, Runs, VariantRow, curves, finished_runs, table

MEASURE = "sacrebleu"
_LAST = 500
"""Steps at the end whose gain says whether a row is still learning."""
_GAIN = 0.5
_FAR = 1.0
"""Of BLEU: a difference further from the paper's is another one."""


def of_row(rows: Sequence[VariantRow], variant: str) -> Claim:
    """Return whether ``variant`` goes the paper's way with every seed; False where it is not measured."""
    row = next(row for row in rows if row.variant == variant)
    values = row.ours.values()
    numbers = (row.mean, min(values, default=None), max(values, default=None))
    mean, low, high = ("–" if value is None else with_sign(value, 2) for value in numbers)
    fields = {"theirs": with_sign(row.theirs or 0.0, 1), "mean": mean, "low": low, "high": high}
    return Claim(row.verdict in ("same", "leans"), fields)


def direction(rows: Sequence[VariantRow]) -> Claim:
    """Return how many rows agree with the paper's direction, and which ones do not differ from the base.

    It does not hold where no row is compared.
    """
    by_verdict = {
        verdict: tuple(row.variant for row in rows if row.verdict == verdict)
        for verdict in ("same", "leans", "other", "mixed")
    }
    values: dict[str, object] = {verdict: len(names) for verdict, names in by_verdict.items()}
    values |= {"n": sum(map(len, by_verdict.values())), "unsure": Names("row", by_verdict["mixed"])}
    return Claim(bool(values["n"]), values)


def other_way(rows: Sequence[VariantRow]) -> Claim:
    """Return whether any row goes the other way with every seed."""
    names = tuple(row.variant for row in rows if row.verdict == "other")
    return Claim(bool(names), {"rows": Names("row", names)})


def no_direction(rows: Sequence[VariantRow]) -> Claim:
    """Return whether there are measured rows for which the paper has no difference."""
    names = tuple(row.variant for row in rows if row.verdict == "none in paper")
    return Claim(bool(names), {"rows": Names("row", names)})


def size(rows: Sequence[VariantRow]) -> Claim:
    """Return whether any row's mean differs from the paper's difference by more than a BLEU.

    The direction of the difference does not matter.
    """
    names = tuple(
        row.variant
        for row in rows
        if row.theirs is not None and row.mean is not None and abs(row.mean - row.theirs) > _FAR
    )
    return Claim(bool(names), {"rows": Names("row", names), "least": _FAR})


def still_learning(ablation_results: pd.DataFrame) -> Claim:
    """Return whether the base's BLEU still rose over the last steps, so that rows differ in speed as well."""
    if ablation_results.empty:
        return Claim(False)
    steps, values = curves(ablation_results, BASE, "score")
    before = [place for place, step in enumerate(steps) if steps and step <= steps[-1] - _LAST]
    if not before:
        return Claim(False)
    first, last = (fmean(values[:, place]) for place in (before[-1], -1))
    fields = {"steps": steps[-1], "last": steps[-1] - steps[before[-1]], "before": first, "after": last}
    return Claim(last - first > _GAIN, fields)


def one_head(runs: Runs) -> Claim:
    """Return whether the worst seed of one head reaches the worst of the base's eight."""
    base, one = ([getattr(run, MEASURE) for run in runs.get(name, {}).values()] for name in (BASE, "h1"))
    return Claim(bool(base and one) and min(one) >= min(base))


def _of_rows(claim: Callable[[Sequence[VariantRow]], Claim], ablation_results: pd.DataFrame) -> Claim:
    return claim(table(finished_runs(ablation_results), MEASURE))


def _one_head(ablation_results: pd.DataFrame) -> Claim:
    return one_head(finished_runs(ablation_results))


_WORDS = "pages/ablations/ablations"
COMPUTED_CLAIMS: Claims = {
    **{(_WORDS, f"claim {name}"): partial(_of_rows, partial(of_row, variant=name)) for name in CLAIMS},
    (_WORDS, "claim direction"): partial(_of_rows, direction),
    (_WORDS, "claim other way"): partial(_of_rows, other_way),
    (_WORDS, "claim no direction"): partial(_of_rows, no_direction),
    (_WORDS, "claim size"): partial(_of_rows, size),
    (_WORDS, "claim still learning"): still_learning,
    ("pages/ablations/ablated_models", "claim one head"): _one_head,
}
