"""Learning rates against their formulas."""

import pytest

from model.training.schedule import cool_down, paper_rate


@pytest.mark.parametrize("step", [1, 10, 3999, 4000, 4001, 100_000])
def test_the_rate_is_the_paper_s(step: int) -> None:
    expected = 512**-0.5 * min(1 / step**0.5, step / (4000 * 4000**0.5))
    assert paper_rate(step, d_model=512, warmup=4000) == pytest.approx(expected)


def test_the_rate_peaks_where_the_warm_up_ends() -> None:
    rates = [paper_rate(step, d_model=64, warmup=30) for step in range(1, 200)]
    assert max(rates) == rates[29] == pytest.approx(1 / (64 * 30) ** 0.5)
    assert rates[:30] == sorted(rates[:30])
    assert rates[29:] == sorted(rates[29:], reverse=True)


def test_a_run_cools_down_in_a_straight_line() -> None:
    rates = [cool_down(2.0, step, n_steps=10, n_cooling=4) for step in range(1, 11)]
    assert rates == pytest.approx([2.0] * 7 + [1.5, 1.0, 0.5])


def test_a_run_need_not_cool_down() -> None:
    assert [cool_down(2.0, step, n_steps=3, n_cooling=0) for step in (1, 2, 3)] == [2.0, 2.0, 2.0]
