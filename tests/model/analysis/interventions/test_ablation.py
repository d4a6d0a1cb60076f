"""What each part is worth: many in one batch as one by one, by zero and by the mean."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from model.analysis.interventions.ablation import (
    Part,
    ablation,
    ablation_effects,
    attention_points,
    blocks_of,
    corpus_means,
    heads_of,
    positions_of,
)
from model.analysis.interventions.source_attribution import leave_one_out
from model.analysis.losses.log_probabilities import target_log_probabilities
from model.architectures.encoder_decoder import EncoderDecoder
from model.hooks import intervene, record
from model.positional.base import PositionalConfig
from model.text.tokenizer import BOS_ID, EOS_ID

SOURCE = [4, 9, 6, 7, EOS_ID]
TARGET = [5, 8, 8, 10, EOS_ID]
PAIRS = [(SOURCE, TARGET), ([6, 4, EOS_ID], [7, EOS_ID]), ([10, EOS_ID], [4, 4, 5, 9, 9, 7, EOS_ID])]


def every_part(model: EncoderDecoder) -> tuple[Part, ...]:
    return (*heads_of(model.config), *blocks_of(model.config), *positions_of(model))


@torch.no_grad()
def log_probability(model: EncoderDecoder) -> float:
    log_p = model(torch.tensor([SOURCE]), torch.tensor([[BOS_ID, *TARGET[:-1]]]))[0].log_softmax(-1)
    return float(sum(row[token] for row, token in zip(log_p, TARGET, strict=True)))


def by_hand(part: Part, mean: Tensor | None) -> Callable[[Tensor], Tensor]:
    """One head, or all that passes, replaced by a loop over the axes."""

    def edit(x: Tensor) -> Tensor:
        x = x.clone()
        if x.ndim != 4:
            x[:] = 0 if mean is None else mean
            return x
        for head in range(x.shape[1]) if part.head is None else [part.head]:
            x[:, head] = 0 if mean is None else mean[head]
        return x

    return edit


@pytest.mark.parametrize("by_mean", [False, True])
def test_all_in_one_batch_are_as_one_by_one(model: EncoderDecoder, by_mean: bool) -> None:
    parts = every_part(model)
    means = corpus_means(model, PAIRS, {part.point for part in parts}) if by_mean else None
    found = ablation_effects(model, SOURCE, TARGET, parts, means)
    whole = log_probability(model)
    for part, effect in zip(parts, found.tolist(), strict=True):
        with intervene({part.point: by_hand(part, None if means is None else means[part.point])}):
            assert effect == pytest.approx(log_probability(model) - whole, abs=1e-5), part
    assert found.abs().min() > 0


def test_a_long_batch_is_cut_into_several(model: EncoderDecoder, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = every_part(model)
    whole = ablation_effects(model, SOURCE, TARGET, parts)
    monkeypatch.setattr("model.analysis.interventions.ablation._AT_ONCE", 15)
    torch.testing.assert_close(ablation_effects(model, SOURCE, TARGET, parts), whole, atol=1e-5, rtol=0)


def test_several_parts_are_ablated_at_once(model: EncoderDecoder) -> None:
    first, second, block = heads_of(model.config)[0], heads_of(model.config)[1], blocks_of(model.config)[-1]
    with intervene(ablation([first, second, block])), record(first.point, block.point) as seen:
        both = log_probability(model)
    assert not seen[first.point].any()
    assert not seen[block.point].any()
    with intervene(ablation([Part(first.point), block])):
        assert log_probability(model) == pytest.approx(both, abs=1e-6)  # two heads are all heads of that block


def test_nothing_ablated_changes_nothing(model: EncoderDecoder) -> None:
    assert ablation_effects(model, SOURCE, TARGET, []).tolist() == []
    with intervene(ablation([])):
        inside = log_probability(model)
    assert inside == log_probability(model)


def test_means_are_over_tokens_and_leave_padding_out(model: EncoderDecoder) -> None:
    points = {part.point for part in every_part(model)}
    means = corpus_means(model, PAIRS, points)
    for point in points:
        rows = []
        for source, target in PAIRS:
            with torch.no_grad(), record(point) as seen:
                model(torch.tensor([source]), torch.tensor([[BOS_ID, *target[:-1]]]))
            x = seen[point]
            rows.append(x[0].transpose(0, 1) if x.ndim == 4 else x.reshape(-1, x.shape[-1]))
        torch.testing.assert_close(means[point], torch.cat(rows).mean(0), atol=1e-5, rtol=0)


def test_a_mean_that_is_missing_is_named(model: EncoderDecoder) -> None:
    part = heads_of(model.config)[0]
    with pytest.raises(KeyError, match=part.point):
        ablation([part], {})


def test_parts_are_those_of_the_model(make_model: Callable[..., EncoderDecoder]) -> None:
    model = make_model()
    assert len(attention_points(model.config)) == 2 + 3 + 3
    assert len(heads_of(model.config)) == 8 * 2
    assert len(blocks_of(model.config)) == 8 + 5
    assert len(positions_of(model)) == 2
    assert not positions_of(make_model(positional=PositionalConfig("alibi")))


def test_what_pads_is_the_token_of_the_configuration(
    make_model: Callable[..., EncoderDecoder], monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.manual_seed(2)
    model = make_model(pad_id=1)
    points = ("encoder.1.feed_forward.output", "decoder.2.cross_attention.z")
    padded = corpus_means(model, PAIRS, points)
    one_group = leave_one_out(model, SOURCE, TARGET, [[0, 1]])
    monkeypatch.setattr("model.analysis.interventions.ablation._MEAN_BATCH", 1)
    torch.testing.assert_close(padded, corpus_means(model, PAIRS, points))
    whole, without = (target_log_probabilities(model, torch.tensor([one]), TARGET)[0] for one in (SOURCE, SOURCE[2:]))
    torch.testing.assert_close(one_group[0], whole - without)
