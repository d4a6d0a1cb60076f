"""Losses without heads, and the orders in which heads go, against loops over sentences and finite differences."""

from collections.abc import Callable, Iterable, Sequence

import pytest
import torch
from torch import Tensor

from model.analysis.interventions import head_pruning
from model.analysis.interventions.ablation import Part, ablation, corpus_means, heads_of
from model.analysis.interventions.head_pruning import (
    all_but_one,
    batches_of,
    head_importance,
    losses_without,
    order_by_importance,
    order_by_loss,
)
from model.architectures.encoder_decoder import EncoderDecoder
from model.hooks import intervene
from model.text.tokenizer import BOS_ID, EOS_ID

# Many small passes: the checks of shapes would take most of the time.
pytestmark = pytest.mark.unchecked

PAIRS = [
    ([4, 9, 6, 7, EOS_ID], [5, 8, 8, 10, EOS_ID]),
    ([6, 4, EOS_ID], [7, EOS_ID]),
    ([10, EOS_ID], [4, 4, 5, 9, 9, 7, EOS_ID]),
]


@pytest.fixture
def model(make_model: Callable[..., EncoderDecoder]) -> EncoderDecoder:
    torch.manual_seed(4)
    return make_model()


@torch.no_grad()
def total_losses(model: EncoderDecoder) -> Tensor:
    """−log P of the target of each pair, in double precision, one by one."""
    losses = []
    for source, target in PAIRS:
        log_p = model(torch.tensor([source]), torch.tensor([[BOS_ID, *target[:-1]]]))[0].double().log_softmax(-1)
        losses.append(-sum(row[token] for row, token in zip(log_p, target, strict=True)))
    return torch.stack(losses)  # type: ignore[arg-type]


def mean_loss(model: EncoderDecoder) -> float:
    return float(total_losses(model).sum() / sum(len(target) for _, target in PAIRS))


@pytest.mark.parametrize("by_mean", [False, True])
def test_losses_in_batches_are_those_of_each_sentence(model: EncoderDecoder, by_mean: bool) -> None:
    heads = heads_of(model.config)
    without: list[tuple[Part, ...]] = [(), *((head,) for head in heads), heads[:3], heads[2:9], heads]
    means = corpus_means(model, PAIRS, {head.point for head in heads}) if by_mean else None
    found = losses_without(model, batches_of(PAIRS, model), without, means)
    for parts, loss in zip(without, found.tolist(), strict=True):
        with intervene(ablation(parts, means)):
            assert loss == pytest.approx(mean_loss(model), abs=1e-5)


def test_importance_is_the_derivative_by_a_gate(model: EncoderDecoder) -> None:
    model, step = model.double(), 1e-5
    heads = heads_of(model.config)

    def scaled(head: Part, factor: float) -> Tensor:
        def edit(z: Tensor) -> Tensor:
            z = z.clone()
            z[:, head.head] *= factor
            return z

        with intervene({head.point: edit}):
            return total_losses(model)

    slopes = torch.stack([(scaled(head, 1 + step) - scaled(head, 1 - step)) / (2 * step) for head in heads])
    expected = slopes.abs().sum(1).reshape(-1, model.config.n_heads)
    expected = (expected / expected.norm(dim=1, keepdim=True)).flatten()
    found = head_importance(model, batches_of(PAIRS, model))
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=0)
    order = order_by_importance(model, batches_of(PAIRS, model))
    assert order == tuple(heads[place] for place in found.argsort().tolist())


def test_the_order_by_loss_takes_what_costs_least_and_ends_without_heads(model: EncoderDecoder) -> None:
    batches, heads = batches_of(PAIRS, model), heads_of(model.config)
    order = order_by_loss(model, batches)
    assert {*order} == {*heads}
    assert len(order) == len(heads)
    alone = losses_without(model, batches, [[head] for head in heads])
    assert order[0] == heads[int(alone.argmin())]


def test_where_heads_cost_more_the_fewer_are_left_the_order_by_loss_is_greedy_and_measures_less(
    model: EncoderDecoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    heads, generator = heads_of(model.config), torch.Generator().manual_seed(0)
    together = torch.rand(len(heads), len(heads), generator=generator) ** 4
    measured: list[int] = []

    def loss_of(removed: Iterable[Part]) -> float:
        places = [heads.index(part) for part in removed]
        return float(together[places][:, places].sum())

    def losses(_model: object, _batches: object, without: Sequence[Sequence[Part]]) -> Tensor:
        measured.extend(map(len, without))
        return torch.tensor([loss_of(removed) for removed in without], dtype=torch.float64)

    expected: list[Part] = []
    for _ in heads:
        left = (head for head in heads if head not in expected)
        expected.append(min(left, key=lambda head: loss_of([*expected, head])))
    monkeypatch.setattr(head_pruning, "losses_without", losses)
    assert order_by_loss(model, []) == tuple(expected)
    assert len(measured) < len(heads) * (len(heads) + 1) / 2


def test_one_head_is_left_in_its_own_block_alone(model: EncoderDecoder) -> None:
    others = all_but_one(model.config)
    assert {*others} == {*heads_of(model.config)}
    for kept, removed in others.items():
        assert {part.point for part in removed} == {kept.point}
        assert {part.head for part in removed} | {kept.head} == {*range(model.config.n_heads)}
        assert kept not in removed
