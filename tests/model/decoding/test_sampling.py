"""The nucleus against a published implementation, and what it must hold by itself."""

import math

import pytest
import torch
from transformers import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

from model.decoding.options import DecodingOptions, SamplingOptions
from model.decoding.sampling import sampling_distribution


@pytest.mark.parametrize("temperature", [0.3, 1.0, 1.7])
@pytest.mark.parametrize("top_p", [0.05, 0.5, 0.9, 0.999])
def test_it_draws_by_the_same_probabilities_as_transformers(temperature: float, top_p: float) -> None:
    scores = 3 * torch.randn(20, 50)
    warped = TopPLogitsWarper(top_p)(None, TemperatureLogitsWarper(temperature)(None, scores)).softmax(-1)
    torch.testing.assert_close(
        sampling_distribution(scores, SamplingOptions(temperature, top_p)), warped, rtol=1e-4, atol=1e-6
    )


@pytest.mark.parametrize("top_k", [1, 3, 40, 50, 99])
@pytest.mark.parametrize("top_p", [0.3, 1.0])
def test_the_k_most_probable_are_chosen_as_transformers_does(top_k: int, top_p: float) -> None:
    scores = 3 * torch.randn(20, 50)
    warped = TopPLogitsWarper(top_p)(None, TopKLogitsWarper(top_k)(None, scores)).softmax(-1)
    torch.testing.assert_close(
        sampling_distribution(scores, SamplingOptions(1.0, top_p, top_k)), warped, rtol=1e-4, atol=1e-6
    )


def test_of_equals_the_first_k_are_drawn_from() -> None:
    assert sampling_distribution(torch.zeros(5), SamplingOptions(top_k=2)).tolist() == [0.5, 0.5, 0, 0, 0]


def test_the_nucleus_is_the_smallest_that_reaches_p() -> None:
    scores = torch.tensor([0.1, 0.4, 0.2, 0.3]).log()
    for top_p, kept in ((0.39, {1}), (0.41, {1, 3}), (0.69, {1, 3}), (0.71, {1, 2, 3}), (1.0, {0, 1, 2, 3})):
        found = sampling_distribution(scores, SamplingOptions(top_p=top_p))
        assert set(torch.nonzero(found)[:, 0].tolist()) == kept
        assert float(found.sum()) == pytest.approx(1)


def test_a_share_of_one_is_the_softmax() -> None:
    scores = torch.randn(7, 30)
    torch.testing.assert_close(sampling_distribution(scores, SamplingOptions()), scores.softmax(-1))


def test_the_cold_is_greedy_and_the_hot_is_even() -> None:
    scores = torch.tensor([0.0, 1.0, 0.5])
    assert sampling_distribution(scores, SamplingOptions(temperature=0.001)).tolist() == [0, 1, 0]
    torch.testing.assert_close(
        sampling_distribution(scores, SamplingOptions(temperature=1e6)), torch.full((3,), 1 / 3), rtol=1e-4, atol=0
    )


def test_what_is_ruled_out_is_never_drawn() -> None:
    scores = torch.tensor([-torch.inf, 0.0, 0.0])
    assert sampling_distribution(scores, SamplingOptions(temperature=100.0))[0] == 0


@pytest.mark.parametrize(
    ("temperature", "top_p", "said"),
    [(0.0, 1.0, "temperature is 0.0"), (-1.0, 1.0, "temperature"), (1.0, 0.0, "top_p is 0.0"), (1.0, 1.1, "top_p")],
)
def test_bad_options_are_named(temperature: float, top_p: float, said: str) -> None:
    with pytest.raises(ValueError, match=f"^{said}"):
        SamplingOptions(temperature, top_p)


def test_a_count_below_none_is_named() -> None:
    with pytest.raises(ValueError, match=r"^top_k is -1"):
        SamplingOptions(top_k=-1)


@pytest.mark.parametrize(
    "temperature", [math.nextafter(0, 1), 1e-308, 1e-300, 1e-30, 1.0, 1e30, math.nextafter(math.inf, 0)]
)
def test_any_temperature_makes_a_distribution(temperature: float) -> None:
    scores = torch.tensor([3.0, 1.0, -2.0, -torch.inf])
    probabilities = sampling_distribution(scores, SamplingOptions(temperature))
    assert float(probabilities.sum()) == pytest.approx(1)
    assert probabilities[3] == 0
    assert int(probabilities.argmax()) == 0


@pytest.mark.parametrize("penalty", [math.nan, math.inf, -math.inf, math.nextafter(0, -1), math.nextafter(100, 101)])
def test_a_length_penalty_is_a_number_in_its_bounds(penalty: float) -> None:
    with pytest.raises(ValueError, match=r"^length_penalty is .*; it must be from 0 to 100$"):
        DecodingOptions(length_penalty=penalty)


@pytest.mark.parametrize("penalty", [0.0, math.nextafter(0, 1), 0.6, 100.0])
def test_any_length_penalty_divides_by_a_number(penalty: float) -> None:
    assert all(1 <= DecodingOptions(length_penalty=penalty).penalty(length) < math.inf for length in (1, 9, 5_000))
