"""Scores of heads: what a perfect head gets, and what is counted by hand."""

import pytest
import torch
from torch import Tensor

from model.analysis.maps.head_scores import NOWHERE, induction_score, induction_targets, previous_token_score

TOKENS = torch.tensor([[1, 5, 6, 7, 5, 6, 6], [1, 9, 9, 4, 3, 4, 9]])


def looking_at(keys: Tensor) -> Tensor:
    """A pattern of one head whose query at each position looks at one key alone, [B, 1, Q, K]."""
    return torch.nn.functional.one_hot(keys, keys.shape[1]).float()[:, None]


def test_the_target_is_the_position_after_the_last_earlier_occurrence() -> None:
    assert induction_targets(TOKENS).tolist() == [
        [NOWHERE, NOWHERE, NOWHERE, NOWHERE, 2, 3, 6],
        [NOWHERE, NOWHERE, 2, NOWHERE, NOWHERE, 4, 3],
    ]


def test_a_head_that_looks_there_scores_1_and_one_that_looks_elsewhere_0() -> None:
    targets = induction_targets(TOKENS).clamp(min=0)
    pattern = torch.cat([looking_at(targets), looking_at(torch.zeros_like(targets))], 1)
    assert induction_score(pattern, TOKENS).tolist() == [1, 0]


def test_the_previous_token_is_counted_from_the_second_query_on() -> None:
    keys = torch.tensor([[0, 0, 1, 2, 3], [0, 1, 1, 2, 0]])
    assert previous_token_score(looking_at(keys)).item() == pytest.approx(6 / 8)


def test_a_head_that_looks_everywhere_alike_scores_one_in_as_many() -> None:
    uniform = torch.full((2, 3, 7, 7), 1 / 7)
    assert induction_score(uniform, TOKENS).tolist() == pytest.approx([1 / 7] * 3)
