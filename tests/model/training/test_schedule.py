"""Learning rates against their formulas."""

from itertools import pairwise

import pytest

from model.training.schedule import (
    DECAYS,
    cool_down,
    cosine,
    paper_rate,
    paper_rate_without_warmup,
    straight_line,
    warm_up_and_decay,
)


@pytest.mark.parametrize("step", [1, 10, 3999, 4000, 4001, 100_000])
def test_the_rate_is_the_paper_s(step: int) -> None:
    expected = 512**-0.5 * min(1 / step**0.5, step / (4000 * 4000**0.5))
    assert paper_rate(step, d_model=512, warmup=4000) == pytest.approx(expected)


def test_the_rate_peaks_where_the_warm_up_ends() -> None:
    rates = [paper_rate(step, d_model=64, warmup=30) for step in range(1, 200)]
    assert max(rates) == rates[29] == pytest.approx(1 / (64 * 30) ** 0.5)
    assert rates[:30] == sorted(rates[:30])
    assert rates[29:] == sorted(rates[29:], reverse=True)


def test_without_warm_up_the_rate_begins_at_its_peak_and_ends_as_with_it() -> None:
    steps = range(1, 200)
    with_it = [paper_rate(step, d_model=64, warmup=30) for step in steps]
    without = [paper_rate_without_warmup(step, d_model=64, warmup=30) for step in steps]
    assert without[:30] == [max(with_it)] * 30
    assert without[29:] == with_it[29:]


def test_a_run_cools_down_in_a_straight_line() -> None:
    rates = [cool_down(2.0, step, n_steps=10, cooldown_steps=4) for step in range(1, 11)]
    assert rates == pytest.approx([2.0] * 7 + [1.5, 1.0, 0.5])


def test_a_run_need_not_cool_down() -> None:
    assert [cool_down(2.0, step, n_steps=3, cooldown_steps=0) for step in (1, 2, 3)] == [2.0, 2.0, 2.0]


@pytest.mark.parametrize("decay", DECAYS.values(), ids=DECAYS)
def test_a_rate_warms_up_to_its_peak_and_falls_from_there_to_almost_nothing(decay) -> None:
    rates = [warm_up_and_decay(step, peak=2.0, warmup=20, n_steps=200, decay=decay) for step in range(1, 201)]
    assert rates[:20] == pytest.approx([step / 10 for step in range(1, 21)])
    assert all(before > after > 0 for before, after in pairwise(rates[19:]))
    assert rates[-1] < 0.02


def test_the_two_ways_down_meet_halfway_and_part_elsewhere() -> None:
    assert cosine(0.5) == pytest.approx(straight_line(0.5)) == 0.5
    assert cosine(0.25) == pytest.approx((1 + 0.5**0.5) / 2)
    assert straight_line(0.25) == 0.75


def test_a_warm_up_may_last_the_whole_run() -> None:
    rates = [warm_up_and_decay(step, peak=3.0, warmup=3, n_steps=3, decay=cosine) for step in (1, 2, 3)]
    assert rates == pytest.approx([1.0, 2.0, 3.0])
