"""Random queries and keys behave as the paper's footnote says."""

import numpy as np
import pytest
import torch

from viz.pages.dot_product.study.score_scale import SIZES, entropy, gradient, softmax, study_scale


@pytest.fixture(scope="module")
def study():
    return study_scale(n_samples=2000, n_keys=8, seed=1)


def test_the_variance_of_a_product_is_d_k_and_scaled_it_is_one(study) -> None:
    for is_scaled, expected in ((False, np.array(SIZES)), (True, np.ones(len(SIZES)))):
        low, mean, high = study.variance[is_scaled]
        np.testing.assert_allclose(mean / expected, 1, atol=0.1)
        assert np.mean((low <= expected) & (expected <= high)) == 1


def test_without_the_scale_the_softmax_hardens_and_its_gradient_vanishes(study) -> None:
    assert study.entropy[False][1, -1] < 0.1 * study.entropy[True][1, -1]

    assert study.gradient[False][1, -1] < 0.3 * study.gradient[True][1, -1]
    assert study.entropy[True][1, 4:].std() < 0.05


def test_the_same_seed_draws_the_same_numbers(study) -> None:
    again = study_scale(n_samples=2000, n_keys=8, seed=1)
    np.testing.assert_array_equal(again.entropy[True], study.entropy[True])
    assert not np.array_equal(study_scale(n_samples=2000, n_keys=8, seed=2).entropy[True], study.entropy[True])


def test_entropy_and_gradient_equal_pytorch_s() -> None:
    scores = torch.randn(4, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(1)) * 3
    pattern = softmax(scores.numpy())
    expected = torch.distributions.Categorical(logits=scores).entropy() / np.log(2)
    np.testing.assert_allclose(entropy(pattern), expected, atol=1e-12)
    for row, size in zip(scores, gradient(pattern), strict=True):
        jacobian = torch.autograd.functional.jacobian(lambda x: torch.softmax(x, dim=0), row)
        assert size == pytest.approx(float(jacobian.norm()), abs=1e-12)


def test_a_pattern_of_one_weight_has_no_entropy_and_no_gradient() -> None:
    pattern = np.array([0.0, 1.0, 0.0])
    assert entropy(pattern) == 0
    assert gradient(pattern) == 0
