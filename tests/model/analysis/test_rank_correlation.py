"""Spearman's ρ against SciPy."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from model.analysis.rank_correlation import rank_correlation


@pytest.mark.parametrize("n_values", [2, 3, 50])
def test_it_is_that_of_scipy_also_where_values_are_equal(n_values: int) -> None:
    rng = np.random.default_rng(n_values)
    for _ in range(20):
        one, other = rng.integers(n_values, size=12).astype(float), rng.normal(size=12)
        if len({*one}) > 1:
            assert rank_correlation(one, other) == pytest.approx(spearmanr(one, other).statistic, abs=1e-12)


def test_one_value_throughout_has_no_order() -> None:
    assert np.isnan(rank_correlation(np.ones(4), np.arange(4.0)))
    assert np.isnan(rank_correlation(np.ones(1), np.ones(1)))
