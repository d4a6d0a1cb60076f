"""Claims of the page about sentences longer than the trained ones, computed from measurements.

Two kinds of test pairs are longer: long captions as they are ("whole"), and short ones "joined" by the recipe that the
pairs which train the variant "joined" are made by, too.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import pandas as pd

from pretrained.longer_sentences import HELPED, JOINED, helps_from
from viz.base.claims import Claim, Claims, Names
from viz.pages.longer_sentences.study.by_length import KINDS, means_of, sets_of

MOST = 0.5
"""Less than this share of a score is left where most of it is lost."""


@dataclass(frozen=True)
class _Longer:
    """BLEU on one set of pairs longer than the trained ones, by variant and seed."""

    shortest: int
    longest: int
    bleu: pd.Series

    @property
    def encodings(self) -> pd.Series:
        """The encodings alone, without what helps one."""
        variants = self.bleu.index.get_level_values("variant")
        return self.bleu[~variants.isin(HELPED)]

    @property
    def means(self) -> pd.Series:
        """The means over seeds of the encodings alone, the best first."""
        return self.encodings.groupby("variant").mean().sort_values(ascending=False)

    @property
    def best(self) -> str:
        """The encoding with the best mean."""
        return str(self.means.index[0])

    @property
    def helped(self) -> pd.Series:
        """The results of training on joined captions, by seed."""
        seeds: pd.Series = self.bleu[JOINED]
        return seeds

    @property
    def lead(self) -> float:
        """By how much joined training is above the best encoding, of the means."""
        return float(self.helped.mean() - self.means.iloc[0])

    @property
    def is_behind(self) -> bool:
        """Whether every seed with joined training is below every seed of the best encoding."""
        return bool(self.helped.max() < self.bleu[self.best].min())


def _longer(results: pd.DataFrame, kind: str) -> list[_Longer]:
    """Return the sets of ``kind`` that are longer than what was trained on, the shortest first."""
    rows = results[(results.kind == kind) & (results.shortest > results.trained_to)]
    return [
        _Longer(int(own.shortest.iloc[0]), int(own.longest.iloc[0]), own.set_index(["variant", "seed"]).bleu)
        for _, own in rows.groupby("shortest")
    ]


def _at_twice(results: pd.DataFrame, kind: str) -> _Longer:
    """Return the longest set of ``kind`` whose sources are at most twice as long as those trained on."""
    trained = int(results.trained_to.max())
    return [one for one in _longer(results, kind) if one.longest <= 2 * trained][-1]


def _longest_trained(results: pd.DataFrame, kind: str) -> tuple[int, int]:
    """Return the shortest and the longest source of the longest set within what was trained on."""
    return [ends for ends in sets_of(results, kind) if ends[1] <= int(results.trained_to.max())][-1]


def _left_at_twice(results: pd.DataFrame, kind: str) -> list[float]:
    """Return what is left of the BLEU of each encoding at twice the trained length, of that within it."""
    before = means_of(results, kind, "bleu")[_longest_trained(results, kind)[0]]
    return [float(value) / before[str(name)] for name, value in _at_twice(results, kind).means.items()]


def helps_on_joined(longer_results: pd.DataFrame) -> Claim:
    """Return whether training on joined captions beats every encoding on joined captions of all lengths."""
    sets = _longer(longer_results, "joined")
    first, last = sets[0], sets[-1]
    values = {
        "trained": int(longer_results.trained_to.max()),
        "shortest": first.shortest,
        "longest": first.longest,
        "helped": float(first.helped.mean()),
        "encoding": Names("encoding", (first.best,)),
        "best": float(first.means.iloc[0]),
        "last_shortest": last.shortest,
        "last_longest": last.longest,
        "last_helped": float(last.helped.mean()),
        "last_best": float(last.means.iloc[0]),
    }
    return Claim(helps_from(longer_results, "joined") == first.shortest, values)


def helps_on_long(longer_results: pd.DataFrame) -> Claim:
    """Return whether, on long captions, joined training is behind at first and ahead from some length on."""
    sets = _longer(longer_results, "whole")
    first = sets[0]
    ahead_from = helps_from(longer_results, "whole")
    ahead = [one for one in sets if ahead_from is not None and one.shortest >= ahead_from]
    leads = [one.lead for one in ahead] or [0.0]
    values = {
        "shortest": first.shortest,
        "longest": first.longest,
        "helped": float(first.helped.mean()),
        "encoding": Names("encoding", (first.best,)),
        "best": float(first.means.iloc[0]),
        "ahead_from": ahead_from or 0,
        "least": min(leads),
        "most": max(leads),
    }
    return Claim(first.is_behind and bool(ahead), values)


def most_is_lost(kind: str, longer_results: pd.DataFrame) -> Claim:
    """Return whether every encoding loses most BLEU on pairs of ``kind``, up to twice the trained length.

    What is left is counted of the BLEU at the longest captions trained on.
    """
    twice, (from_shortest, from_longest) = _at_twice(longer_results, kind), _longest_trained(longer_results, kind)
    left = _left_at_twice(longer_results, kind)
    values = {
        "shortest": twice.shortest,
        "longest": twice.longest,
        "low": min(left),
        "high": max(left),
        "from_shortest": from_shortest,
        "from_longest": from_longest,
    }
    return Claim(max(left) < MOST, values)


def all_lose(longer_results: pd.DataFrame) -> Claim:
    """Return whether every encoding has less BLEU at twice the trained length, on pairs of each kind.

    The comparison is with BLEU within the trained length.
    """
    most = {kind: max(_left_at_twice(longer_results, kind)) for kind in KINDS}
    return Claim(max(most.values()) < 1, most)


def one_is_best(kind: str, longer_results: pd.DataFrame) -> Claim:
    """Return whether every seed of one encoding is best at twice the trained length of ``kind``."""
    twice = _at_twice(longer_results, kind)
    seeds = twice.encodings.groupby("variant").agg(["min", "max", "count"])
    near = [str(name) for name in twice.means.index[1:] if seeds["max"][name] >= seeds["min"][twice.best]]
    values = {
        "shortest": twice.shortest,
        "longest": twice.longest,
        "encoding": Names("encoding", (twice.best,)),
        "best": float(twice.means.iloc[0]),
        "low": float(seeds["min"][twice.best]),
        "high": float(seeds["max"][twice.best]),
        "seeds": int(seeds["count"][twice.best]),
        "near": Names("encoding", tuple(near)),
        "last": Names("encoding", (str(twice.means.index[-1]),)),
        "least": float(twice.means.iloc[-1]),
    }
    return Claim(not near, values)


def seeds_differ(longer_results: pd.DataFrame) -> Claim:
    """Return whether a variant has several runs, and their spread of BLEU past the trained lengths."""
    longer = longer_results[longer_results.shortest > longer_results.trained_to]
    by_seed = longer.groupby(["variant", "kind", "shortest"]).bleu.agg(["min", "max", "count"])
    values = {
        "runs": len(longer[["variant", "seed"]].drop_duplicates()),
        "variants": int(longer.variant.nunique()),
        "seeds": int(by_seed["count"].max()),
        "most": float((by_seed["max"] - by_seed["min"]).max()),
    }
    return Claim(bool(by_seed["count"].min() > 1), values)


WHAT_HOLDS: Mapping[str, Callable[[pd.DataFrame], Claim]] = {
    "claim answer": all_lose,
    "claim lost joined": partial(most_is_lost, "joined"),
    "claim best joined": partial(one_is_best, "joined"),
    "claim lost whole": partial(most_is_lost, "whole"),
    "claim best whole": partial(one_is_best, "whole"),
    "claim helps joined": helps_on_joined,
    "claim helps whole": helps_on_long,
    "claim seeds": seeds_differ,
}
"""The claims of the page, by their headings."""

COMPUTED_CLAIMS: Claims = {
    ("pages/longer_sentences/longer_sentences", heading): claim for heading, claim in WHAT_HOLDS.items()
}
