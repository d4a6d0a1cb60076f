"""What is told of other trainings follows the matches of heads, and says nothing where nothing was measured."""

import numpy as np
import pandas as pd
import pytest

from viz.pages.interventions.study.lasting.claims import correlated, returning, same_blocks
from viz.pages.interventions.study.lasting.seeds import (
    blocks,
    matched,
    rank_of,
    seeds_of,
    shares_as_csv,
    strongest_heads,
)

POINTS = [f"decoder.{layer}.{block}_attention.z" for layer in range(2) for block in ("self", "cross")]
N_HEADS = 8
RNG = np.random.default_rng(3)
SHARES = RNG.random((len(POINTS), N_HEADS))
ORDERS = {seed: [RNG.permutation(N_HEADS) for _ in POINTS] for seed in (2, 3)}


def part(seed: int, point: str, head: int, share: float) -> dict[str, object]:
    return {"measure": "part", "seed": seed, "point": point, "head": head, "share": share}


def table(*, noise: float) -> pd.DataFrame:
    """Return three trainings: heads of seeds 2 and 3 are those of seed 1 in other orders, with ``noise`` in shares."""
    rng, rows = np.random.default_rng(4), []
    for row, point in enumerate(POINTS):
        for head in range(N_HEADS):
            rows.append(part(1, point, head, SHARES[row, head]))
            for seed, orders in ORDERS.items():
                share = (1 - noise) * SHARES[row, head] + noise * rng.random()
                match = int(orders[row][head])
                rows.append(part(seed, point, match, share))
                overlaps = {"overlap": 0.8, "overlap_of_all": 0.3}
                place = {"seed": 1, "other_seed": seed, "point": point, "head": head, "match": match}
                rows.append({"measure": "match", **place, **overlaps})
    rows += [part(seed, "decoder.0.feed_forward.hidden", -1, 3.0) for seed in (1, 2, 3)]
    return pd.DataFrame(rows).assign(words=200)


def test_the_same_heads_in_other_orders_all_come_back() -> None:
    circuits = table(noise=0)
    pairs = matched(circuits)
    assert seeds_of(circuits) == (1, 2, 3)
    assert [*pairs] == [(1, 2), (1, 3)]
    for pair in pairs.values():
        assert pair.correlation == pytest.approx(1)
        assert pair.returning == 10
        assert pair.returning_at_random < 6
    pair = pairs[1, 2]
    strongest = strongest_heads(pair)
    assert [rank_of(pair.of_matches, pair.match_of(head)) for head in strongest] == [*range(1, 11)]
    assert returning(circuits).holds
    assert correlated(circuits).holds
    assert correlated(circuits).values["heads"] == len(POINTS) * N_HEADS


def test_matches_by_chance_are_told_from_others() -> None:
    circuits = table(noise=1)
    assert not correlated(circuits).holds
    assert abs(correlated(circuits).values["r"]) < 0.4  # type: ignore[arg-type]


def test_a_draw_stays_within_each_block() -> None:
    pair = matched(table(noise=0))[1, 2]
    kinds = np.array([f"{head.kind}.{head.layer}" for head in pair.heads])
    assert (kinds[pair.drawn] == kinds).all()
    assert len({tuple(draw) for draw in pair.drawn[:20]}) == 20


def test_blocks_sum_their_heads_and_the_largest_is_named() -> None:
    circuits = table(noise=0.1)
    np.testing.assert_allclose(blocks(circuits).loc[POINTS[0], 1], SHARES[0].sum())
    claim = same_blocks(circuits)
    largest = blocks(circuits).mean(axis=1).idxmax()
    assert claim.values["largest"].names == (largest,)  # type: ignore[attr-defined]


def test_the_table_has_every_part_and_its_match() -> None:
    head, *rows = shares_as_csv(table(noise=0)).splitlines()
    assert head == "seed,part,share,matched_in_seed_1"
    assert len(rows) == 3 * (len(POINTS) * N_HEADS + 1)
    match = ORDERS[2][0][0] + 1
    assert f"2,decoder.1.{match},{SHARES[0, 0]:.5f},decoder.1.1" in rows


def test_of_no_trainings_nothing_is_claimed() -> None:
    assert not any(claim(pd.DataFrame()).holds for claim in (returning, correlated, same_blocks))
