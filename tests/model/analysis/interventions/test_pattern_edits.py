"""Edits of one head, token by token with a cache as in one pass by hand."""

import math
from collections.abc import Callable
from typing import get_args

import pytest
import torch
from torch import Tensor

from model.analysis.interventions.pattern_edits import HeadEdit, Shape, head_edits
from model.architectures.encoder_decoder import EncoderDecoder
from model.hooks import intervene, record
from model.text.tokenizer import BOS_ID, EOS_ID

pytestmark = pytest.mark.unchecked

SOURCE, READ = [4, 9, 6, 7, EOS_ID], [BOS_ID, 5, 8, 10, 4, 6, 7]
BLOCKS = ("encoder.1.self_attention", "decoder.1.self_attention", "decoder.1.cross_attention")


@pytest.fixture
def model(make_model: Callable[..., EncoderDecoder]) -> EncoderDecoder:
    torch.manual_seed(6)
    return make_model()


@torch.no_grad()
def in_one_pass(model: EncoderDecoder, edits: dict[str, Callable[[Tensor], Tensor]]) -> Tensor:
    with intervene(edits):
        return model(torch.tensor([SOURCE]), torch.tensor([READ]))[0]


@torch.no_grad()
def step_by_step(model: EncoderDecoder, edits: dict[str, Callable[[Tensor], Tensor]]) -> Tensor:
    with intervene(edits):
        memory, mask = model.encode(torch.tensor([SOURCE]))
        cache = model.new_cache()
        return torch.cat([model.decode(torch.tensor([[token]]), memory, mask, cache)[0] for token in READ])


def by_hand(shape: Shape, token: int, row: int | None, *, is_causal: bool) -> Callable[[Tensor], Tensor]:
    """The pattern of head 1, by a loop over its rows."""

    def edit(pattern: Tensor) -> Tensor:
        pattern = pattern.clone()
        n_queries, n_keys = pattern.shape[2:]
        for query in range(n_queries) if row is None else [row]:
            last = query if is_causal else n_keys - 1
            if shape == "uniform":
                pattern[:, 1, query] = 0
                pattern[:, 1, query, : last + 1] = 1 / (last + 1)
            elif shape != "as is":
                target = {"previous": query - 1, "same": query, "token": token}[shape]
                pattern[:, 1, query] = 0
                pattern[:, 1, query, min(max(target, 0), last)] = 1
        return pattern

    return edit


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("shape", get_args(Shape))
@pytest.mark.parametrize("row", [None, 3])
def test_a_pattern_is_what_intervene_by_hand_makes_it_also_while_writing(
    model: EncoderDecoder, block: str, shape: Shape, row: int | None
) -> None:
    edit = by_hand(shape, 2, row, is_causal=block == "decoder.1.self_attention")
    expected = in_one_pass(model, {f"{block}.pattern": edit})
    given = HeadEdit(block, 1, shape, token=2, row=row)
    torch.testing.assert_close(in_one_pass(model, head_edits(given)), expected, atol=1e-5, rtol=0)
    torch.testing.assert_close(step_by_step(model, head_edits(given)), expected, atol=1e-5, rtol=0)
    assert shape == "as is" or (expected - in_one_pass(model, {})).abs().max() > 1e-4


@pytest.mark.parametrize("block", BLOCKS)
def test_temperature_and_scale_are_what_intervene_by_hand_makes_them(model: EncoderDecoder, block: str) -> None:
    def times(factor: float) -> Callable[[Tensor], Tensor]:
        def edit(x: Tensor) -> Tensor:
            x = x.clone()
            x[:, 1] = x[:, 1] * factor
            return x

        return edit

    expected = in_one_pass(model, {f"{block}.scores": times(1 / 3), f"{block}.z": times(-2)})
    given = head_edits(HeadEdit(block, 1, temperature=3, scale=-2))
    torch.testing.assert_close(in_one_pass(model, given), expected, atol=1e-5, rtol=0)
    torch.testing.assert_close(step_by_step(model, given), expected, atol=1e-5, rtol=0)


def test_an_edit_leaves_other_heads_and_rows_alone(model: EncoderDecoder) -> None:
    point = "encoder.0.self_attention.pattern"
    with record(point) as before:
        in_one_pass(model, {})
    with (
        intervene(head_edits(HeadEdit("encoder.0.self_attention", 1, "token", token=99, row=2))),
        record(point) as after,
    ):
        in_one_pass(model, {})
    changed = (before[point] != after[point]).any(-1)[0].nonzero().tolist()
    assert changed == [[1, 2]]
    assert after[point][0, 1, 2].tolist() == [0, 0, 0, 0, 1]  # beyond the end: the last key


def test_nothing_is_edited_where_nothing_is_asked_for() -> None:
    assert head_edits(HeadEdit("encoder.0.self_attention", 0)) == {}


@pytest.mark.parametrize("numbers", [{"temperature": 0}, {"temperature": math.nan}, {"scale": math.inf}])
def test_impossible_numbers_are_refused(numbers: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(numbers))):
        HeadEdit("encoder.0.self_attention", 0, **numbers)  # type: ignore[arg-type]
