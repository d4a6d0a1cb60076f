"""The heads of a translator in trainings from several seeds: which come back, and with what effect."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int

from model.analysis.interventions.ablation import Part
from viz.base.exports import rows_as_csv
from viz.pages.interventions.study.parts import Switch, switch_of

N_STRONGEST = 10
_N_DRAWS = 1000


@dataclass(frozen=True)
class HeadMatches:
    """The heads of two trainings, matched one to one within their blocks.

    Attributes:
        heads: those of the first training.
        matches: those of the other one that they are matched with.
        shares: the share of the effect of each of ``heads``.
        of_matches: that of each of ``matches``.
        overlaps: of each of ``heads`` and its match, the weight that both put on the same keys.
        overlaps_of_all: the mean of those of the head with every head of its match's block.
    """

    heads: tuple[Switch, ...]
    matches: tuple[Switch, ...]
    shares: Float[np.ndarray, " head"]
    of_matches: Float[np.ndarray, " head"]
    overlaps: Float[np.ndarray, " head"]
    overlaps_of_all: Float[np.ndarray, " head"]

    @cached_property
    def drawn(self) -> Int[np.ndarray, "draw head"]:
        """Matchings at random within the blocks, as places among the matches."""
        rng = np.random.default_rng(0)
        blocks = np.array([f"{head.kind}.{head.layer}" for head in self.heads])
        drawn = np.tile(np.arange(len(blocks)), (_N_DRAWS, 1))
        for block in dict.fromkeys(blocks):
            places = np.flatnonzero(blocks == block)
            drawn[:, places] = rng.permuted(drawn[:, places], axis=1)
        return drawn

    @property
    def correlation(self) -> float:
        """The rank correlation of the shares of heads with those of their matches."""
        return float((_ranks(self.shares) * _ranks(self.of_matches)).mean())

    @property
    def correlations_at_random(self) -> Float[np.ndarray, " draw"]:
        """The same of matchings at random."""
        return np.asarray((_ranks(self.shares) * _ranks(self.of_matches)[self.drawn]).mean(1))

    @property
    def returning(self) -> int:
        """Of the ten strongest heads, how many have a match among the ten strongest of the other training."""
        return int(_are_strongest(self.of_matches)[_are_strongest(self.shares)].sum())

    @property
    def returning_at_random(self) -> float:
        """The same of matchings at random, on average."""
        return float(_are_strongest(self.of_matches)[self.drawn][:, _are_strongest(self.shares)].sum(1).mean())

    def match_of(self, head: Switch) -> int:
        """Return the place of ``head``, which is that of its match."""
        return self.heads.index(head)


def seeds_of(circuits: pd.DataFrame) -> tuple[int, ...]:
    """Return the seeds of the trainings, the one that ships first."""
    return tuple(map(int, dict.fromkeys(circuits.loc[circuits["measure"] == "part", "seed"])))


def matched(circuits: pd.DataFrame) -> Mapping[tuple[int, int], HeadMatches]:
    """Return every pair of runs by its seeds, from rows of :func:`pretrained.ablations.seed_circuits`."""
    parts, rows = (circuits[circuits["measure"] == measure] for measure in ("part", "match"))
    places = zip(parts["seed"].astype(int), parts["point"], parts["head"].astype(int), strict=True)
    shares = dict(zip(places, parts["share"].astype(float), strict=True))
    pairs: dict[tuple[int, int], HeadMatches] = {}
    for a, b in dict.fromkeys(zip(rows["seed"].astype(int), rows["other_seed"].astype(int), strict=True)):
        own = rows[(rows["seed"] == a) & (rows["other_seed"] == b)]
        heads, matches = (
            [(str(point), int(head)) for point, head in zip(own["point"], own[column], strict=True)]
            for column in ("head", "match")
        )
        pairs[a, b] = HeadMatches(
            tuple(switch_of(Part(*place)) for place in heads),
            tuple(switch_of(Part(*place)) for place in matches),
            np.array([shares[a, *place] for place in heads]),
            np.array([shares[b, *place] for place in matches]),
            own["overlap"].to_numpy(float),
            own["overlap_of_all"].to_numpy(float),
        )
    return pairs


def strongest_heads(pair: HeadMatches) -> tuple[Switch, ...]:
    """Return the ten heads of the first training that add most, the strongest first."""
    return tuple(pair.heads[place] for place in _strongest(pair.shares))


def rank_of(shares: Float[np.ndarray, " head"], place: int) -> int:
    """Return the rank of the head at ``place``, from 1."""
    return 1 + int((shares > shares[place]).sum())


def blocks(circuits: pd.DataFrame) -> pd.DataFrame:
    """Return the share of the effect of each block, a row a block and a column a seed."""
    parts = circuits[circuits["measure"] == "part"]
    return parts.pivot_table(index="point", columns="seed", values="share", aggfunc="sum", sort=False)


def shares_as_csv(circuits: pd.DataFrame) -> str:
    """Return a table of the share of every part in every training, and of the matches of heads."""
    parts = circuits[circuits["measure"] == "part"]
    pairs = matched(circuits)
    first = seeds_of(circuits)[0]
    of_first = {
        (b, match.code): head.code
        for (a, b), pair in pairs.items()
        if a == first
        for head, match in zip(pair.heads, pair.matches, strict=True)
    }
    codes = [
        switch_of(Part(str(point), None if head < 0 else int(head))).code
        for point, head in zip(parts["point"], parts["head"], strict=True)
    ]
    rows: Sequence[list[str]] = [
        [f"{seed}", code, f"{share:.5f}", of_first.get((int(seed), code), "")]
        for seed, code, share in zip(parts["seed"].astype(int), codes, parts["share"], strict=True)
    ]
    return rows_as_csv(["seed", "part", "share", f"matched_in_seed_{first}"], rows)


def _strongest(shares: Float[np.ndarray, " head"]) -> list[int]:
    return [int(place) for place in np.argsort(-shares, kind="stable")[:N_STRONGEST]]


def _are_strongest(shares: Float[np.ndarray, " head"]) -> Bool[np.ndarray, " head"]:
    return np.isin(np.arange(len(shares)), _strongest(shares))


def _ranks(shares: Float[np.ndarray, " head"]) -> Float[np.ndarray, " head"]:
    """Return the rank of each head, with mean 0 and variance 1.

    The mean product of two such ranks is their correlation.
    """
    ranks = pd.Series(shares).rank().to_numpy(float)
    return np.asarray((ranks - ranks.mean()) / ranks.std())
