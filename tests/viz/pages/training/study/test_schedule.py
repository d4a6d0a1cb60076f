"""The curve of the learning rate is the one that models are trained with."""

import numpy as np
import pytest

from model.training.schedule import paper_rate, paper_rate_without_warmup
from viz.pages.training.study.schedule import paper_rates, peak


@pytest.mark.parametrize(("d_model", "warmup"), [(64, 100), (512, 4000)])
def test_it_is_the_rate_of_the_training(d_model: int, warmup: int) -> None:
    steps = np.array([1.0, 50, warmup - 1, warmup, warmup + 1, 20_000])
    sizes = {"d_model": d_model, "warmup": warmup}
    for has_warmup, rate in ((True, paper_rate), (False, paper_rate_without_warmup)):
        expected = [rate(int(step), **sizes) for step in steps]
        np.testing.assert_allclose(paper_rates(steps, **sizes, has_warmup=has_warmup), expected)
    assert peak(d_model, warmup) == pytest.approx(paper_rate(warmup, **sizes))
