"""What tells two targets apart, against searches by hand: other sources, other embeddings."""

import math

import pytest
import torch

from model.analysis.interventions.contrast import contrast
from model.architectures.encoder_decoder import EncoderDecoder
from model.hooks import intervene
from model.text.tokenizer import BOS_ID, EOS_ID

SOURCE = [4, 9, 6, 7, EOS_ID]
FIRST, SECOND = [5, 8, 8, EOS_ID], [5, 10, EOS_ID]


@torch.no_grad()
def log_probabilities(model: EncoderDecoder, source: list[int], target: list[int]) -> list[float]:
    log_p = model(torch.tensor([source]), torch.tensor([[BOS_ID, *target[:-1]]]))[0].log_softmax(-1)
    return [float(row[token]) for row, token in zip(log_p, target, strict=True)]


def difference(model: EncoderDecoder, source: list[int]) -> float:
    return sum(log_probabilities(model, source, FIRST)) - sum(log_probabilities(model, source, SECOND))


def test_each_token_is_scored_after_those_before_it(model: EncoderDecoder) -> None:
    found = contrast(model, SOURCE, FIRST, SECOND)
    assert found.first.tolist() == pytest.approx(log_probabilities(model, SOURCE, FIRST), abs=1e-5)
    assert found.second.tolist() == pytest.approx(log_probabilities(model, SOURCE, SECOND), abs=1e-5)
    assert found.total == pytest.approx(difference(model, SOURCE), abs=1e-4)


def test_what_is_left_out_is_really_left_out(model: EncoderDecoder) -> None:
    found = contrast(model, SOURCE, FIRST, SECOND)
    for place in range(len(SOURCE) - 1):
        without = SOURCE[:place] + SOURCE[place + 1 :]
        assert float(found.left_out[place]) == pytest.approx(found.total - difference(model, without), abs=1e-4)
    assert math.isnan(found.left_out[-1])


def test_the_gradient_is_what_a_little_more_of_a_token_adds(model: EncoderDecoder) -> None:
    model, step = model.double(), 1e-5
    found = contrast(model, SOURCE, FIRST, SECOND)
    for place in range(len(SOURCE)):
        sides = []
        for sign in (1, -1):
            more = torch.ones(1, len(SOURCE), 1, dtype=torch.double)
            more[0, place] += sign * step
            with intervene({"encoder.embedding": lambda x, more=more: x * more}):
                sides.append(difference(model, SOURCE))
        slope = (sides[0] - sides[1]) / (2 * step)
        assert float(found.gradient[place]) == pytest.approx(slope, rel=1e-3, abs=1e-5)


def test_the_other_way_round_all_has_the_other_sign(model: EncoderDecoder) -> None:
    one, other = contrast(model, SOURCE, FIRST, SECOND), contrast(model, SOURCE, SECOND, FIRST)
    torch.testing.assert_close(one.gradient, -other.gradient)
    torch.testing.assert_close(one.left_out[:-1], -other.left_out[:-1])
    assert one.total == pytest.approx(-other.total)


def test_a_target_against_itself_is_no_difference(model: EncoderDecoder) -> None:
    found = contrast(model, SOURCE, FIRST, FIRST)
    assert found.total == 0
    assert not found.gradient.any()
    assert not found.left_out[:-1].any()


def test_nothing_can_be_left_out_of_nothing(model: EncoderDecoder) -> None:
    assert math.isnan(contrast(model, [EOS_ID], FIRST, SECOND).left_out)
