"""The encoder–decoder against ``torch.nn.Transformer`` with the same weights."""

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from model.architectures.encoder_decoder import EncoderDecoder
from model.architectures.layers import Residual
from model.attention import MultiHeadAttention
from model.config import EncoderDecoderConfig
from model.hooks import record
from model.positional import PositionalConfig, registered

SOURCE = torch.tensor([[4, 5, 6, 7, 8, 9, 3], [8, 9, 3, 0, 0, 0, 0], [5, 3, 0, 0, 0, 0, 0]])
TARGET = torch.tensor([[2, 5, 6, 7, 4], [2, 9, 8, 10, 5], [2, 4, 4, 4, 6]])


def torch_twin(model: EncoderDecoder) -> nn.Transformer:
    """A ``torch.nn.Transformer`` with the weights of ``model``; the biases that the paper does not have are zero."""
    config = model.config
    shape = {"d_model": config.d_model, "nhead": config.n_heads, "dim_feedforward": config.d_ff}
    options = {"batch_first": True, "norm_first": config.norm == "pre", "dropout": 0.0}

    def final_norm() -> nn.LayerNorm | None:
        return nn.LayerNorm(config.d_model) if config.norm == "pre" else None

    encoder_layer, decoder_layer = (
        kind(**shape, **options) for kind in (nn.TransformerEncoderLayer, nn.TransformerDecoderLayer)
    )
    twin = nn.Transformer(
        **shape,
        **options,
        custom_encoder=nn.TransformerEncoder(
            encoder_layer, config.n_encoder_layers, final_norm(), enable_nested_tensor=False
        ),
        custom_decoder=nn.TransformerDecoder(decoder_layer, config.n_decoder_layers, final_norm()),
    )
    copied = set()

    def copy(theirs: nn.Parameter, ours: Tensor) -> None:
        theirs.copy_(ours)
        copied.add(theirs)

    def copy_attention(theirs: nn.MultiheadAttention, ours: nn.Module) -> None:
        copy(theirs.in_proj_weight, torch.cat((ours.W_Q.weight, ours.W_K.weight, ours.W_V.weight)))
        copy(theirs.out_proj.weight, ours.W_O.weight)
        for bias in (theirs.in_proj_bias, theirs.out_proj.bias):
            copy(bias, torch.zeros_like(bias))

    def copy_affine(theirs: nn.Module, ours: nn.Module) -> None:
        copy(theirs.weight, ours.weight)
        copy(theirs.bias, ours.bias)

    with torch.no_grad():
        for stack in ("encoder", "decoder"):
            for theirs, ours in zip(getattr(twin, stack).layers, getattr(model, stack).layers, strict=True):
                copy_attention(theirs.self_attn, ours.self_attention)
                copy_affine(theirs.norm1, ours.self_attention_residual.norm)
                if stack == "decoder":
                    copy_attention(theirs.multihead_attn, ours.cross_attention)
                    copy_affine(theirs.norm2, ours.cross_attention_residual.norm)
                last_norm = theirs.norm3 if stack == "decoder" else theirs.norm2
                copy_affine(last_norm, ours.feed_forward_residual.norm)
                copy_affine(theirs.linear1, ours.feed_forward.W_1)
                copy_affine(theirs.linear2, ours.feed_forward.W_2)
            if config.norm == "pre":
                copy_affine(getattr(twin, stack).norm, getattr(model, stack).final_norm)
    assert copied == set(twin.parameters())
    return twin.eval()


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("depths", [(1, 3), (3, 2)])
def test_the_model_equals_torch_with_the_same_weights(make_model, norm: str, depths: tuple[int, int]) -> None:
    model = make_model(norm=norm, d_key=8, d_value=8, n_encoder_layers=depths[0], n_decoder_layers=depths[1])
    for parameter in model.parameters():
        # Fresh norms are all ones and biases all zeros: those would be equal whatever was copied.
        nn.init.normal_(parameter, std=0.3)
    twin = torch_twin(model)
    with record("encoder.input", "encoder.output", "decoder.input", "decoder.output") as seen:
        logits = model(SOURCE, TARGET)
    is_padding = SOURCE == 0
    n_target = TARGET.shape[1]
    future = torch.ones(n_target, n_target).triu(1).bool()
    memory = twin.encoder(seen["encoder.input"], src_key_padding_mask=is_padding)
    torch.testing.assert_close(seen["encoder.output"][~is_padding], memory[~is_padding], rtol=1e-5, atol=1e-5)
    hidden = twin(
        seen["encoder.input"],
        seen["decoder.input"],
        tgt_mask=future,
        src_key_padding_mask=is_padding,
        memory_key_padding_mask=is_padding,
    )
    torch.testing.assert_close(seen["decoder.output"], hidden, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(logits, hidden @ model.embedding.weight.T, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("scale", "factor"), [(None, 6**-0.5), (1.0, 1.0)])
def test_every_attention_scales_its_scores_as_configured(make_model, scale: float | None, factor: float) -> None:
    model = make_model(score_scale=scale, d_key=6)
    fused = model(SOURCE, TARGET)
    with record("*.q", "*.k", "*.scores") as seen:
        torch.testing.assert_close(model(SOURCE, TARGET), fused, rtol=1e-5, atol=1e-5)
    blocks = {name.removesuffix(".scores") for name in seen if name.endswith(".scores")}
    assert len(blocks) == 2 + 2 * 3
    for block in blocks:
        scores = seen[f"{block}.scores"]
        products = (seen[f"{block}.q"] @ seen[f"{block}.k"].mT) * factor
        torch.testing.assert_close(scores, products.masked_fill(scores == -math.inf, -math.inf))


@pytest.mark.parametrize("encoding", registered())
def test_the_usual_scale_may_be_written_out(make_model, encoding: str) -> None:
    left_out, written = (
        make_model(score_scale=scale, positional=PositionalConfig(encoding)) for scale in (None, 6**-0.5)
    )
    assert left_out.config.d_key == 6
    written.load_state_dict(left_out.state_dict())
    torch.testing.assert_close(written(SOURCE, TARGET), left_out(SOURCE, TARGET), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("encoding", ["none", "rotary", "xpos", "path"])
def test_twice_the_scale_is_twice_the_query(make_model, encoding: str) -> None:
    usual, doubled = (
        make_model(score_scale=scale, positional=PositionalConfig(encoding)) for scale in (None, 2 * 6**-0.5)
    )
    doubled.load_state_dict(usual.state_dict())
    with torch.no_grad():
        for attention in (module for module in usual.modules() if isinstance(module, MultiHeadAttention)):
            attention.W_Q.weight.mul_(2)
    torch.testing.assert_close(doubled(SOURCE, TARGET), usual(SOURCE, TARGET), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("residual", ["add", "none"])
@pytest.mark.parametrize("norm", ["post", "pre"])
def test_a_block_s_output_is_added_to_the_stream_or_takes_its_place(make_model, norm: str, residual: str) -> None:
    model = make_model(norm=norm, residual=residual)
    norms = {path.name: path.norm for path in model.modules() if isinstance(path, Residual)}
    with record("*.residual_before", "*.residual_after", "*.output") as seen:
        model(SOURCE, TARGET)
    assert len(norms) == 2 * 2 + 3 * 3
    for block, layer_norm in norms.items():
        joined = seen[f"{block}.output"] + (seen[f"{block}.residual_before"] if residual == "add" else 0)
        after = joined if norm == "pre" else layer_norm(joined)
        torch.testing.assert_close(seen[f"{block}.residual_after"], after)


def test_no_switch_changes_what_a_checkpoint_holds(make_config) -> None:
    weights = EncoderDecoder(make_config()).state_dict()
    for changes in ({"score_scale": 1.0}, {"residual": "none"}):
        EncoderDecoder(make_config(**changes)).load_state_dict(weights)


def test_both_stacks_read_scaled_embeddings_with_their_positions(make_model) -> None:
    model = make_model()
    with record("*.embedding", "*.encoding", "*.input") as seen:
        model(SOURCE, TARGET)
    for stack, tokens in (("encoder", SOURCE), ("decoder", TARGET)):
        torch.testing.assert_close(seen[f"{stack}.embedding"], model.embedding.weight[tokens] * math.sqrt(16))
        summed = seen[f"{stack}.embedding"] + seen[f"{stack}.positional.encoding"]
        torch.testing.assert_close(seen[f"{stack}.input"], summed)


def test_one_table_serves_source_target_and_output(make_config) -> None:
    model = EncoderDecoder(make_config())
    of_the_vocabulary = [name for name, parameter in model.named_parameters() if 11 in parameter.shape]
    assert of_the_vocabulary == ["embedding.weight"]


def test_padding_changes_nothing(make_model) -> None:
    model = make_model()
    alone = model(SOURCE[1:2, :3], TARGET[1:2])
    torch.testing.assert_close(model(SOURCE, TARGET)[1:2], alone, rtol=1e-5, atol=1e-5)


def test_no_position_sees_what_follows_it(make_model) -> None:
    model = make_model()
    changed = TARGET.clone()
    changed[:, 3:] = 9
    before, after = model(SOURCE, TARGET), model(SOURCE, changed)
    torch.testing.assert_close(before[:, :3], after[:, :3])
    assert not torch.allclose(before[:, 3:], after[:, 3:], atol=1e-3)


@pytest.mark.parametrize("positional", registered())
@pytest.mark.parametrize("norm", ["post", "pre"])
def test_cached_decoding_equals_uncached_step_by_step(make_model, positional: str, norm: str) -> None:
    model = make_model(norm=norm, positional=PositionalConfig(positional))
    memory, mask = model.encode(SOURCE)
    whole = model.decode(TARGET, memory, mask)
    cache = model.new_cache()
    for start, end in ((0, 2), (2, 3), (3, 4), (4, 5)):
        step = model.decode(TARGET[:, start:end], memory, mask, cache)
        torch.testing.assert_close(step, whole[:, start:end], rtol=1e-5, atol=1e-5)
        assert cache.length == end


def test_a_cache_follows_reordered_rows(make_model) -> None:
    model = make_model()
    memory, mask = model.encode(SOURCE)
    cache = model.new_cache()
    model.decode(TARGET[:, :4], memory, mask, cache)
    rows = torch.tensor([2, 0, 0])
    cache.select(rows)
    step = model.decode(TARGET[rows, 4:], memory[rows], mask[rows], cache)
    whole = model.decode(TARGET, memory, mask)
    torch.testing.assert_close(step, whole[rows, 4:], rtol=1e-5, atol=1e-5)


def test_order_reaches_the_encoder_through_its_positions_alone(make_model) -> None:
    swapped = SOURCE[:1, [1, 0, 2, 3, 4, 5, 6]]
    without = make_model(positional=PositionalConfig("none"))
    torch.testing.assert_close(without(SOURCE[:1], TARGET[:1]), without(swapped, TARGET[:1]), rtol=1e-5, atol=1e-5)
    with_positions = make_model()
    assert not torch.allclose(with_positions(SOURCE[:1], TARGET[:1]), with_positions(swapped, TARGET[:1]), atol=1e-3)


def test_every_parameter_is_trained(make_config: Callable[..., EncoderDecoderConfig]) -> None:
    model = EncoderDecoder(make_config(positional=PositionalConfig("learned")))
    model(SOURCE, TARGET).square().sum().backward()
    assert [name for name, parameter in model.named_parameters() if parameter.grad is None] == []


def test_dropout_acts_in_training_alone(make_config: Callable[..., EncoderDecoderConfig]) -> None:
    model = EncoderDecoder(make_config(dropout=0.5))
    assert not torch.equal(model(SOURCE, TARGET), model(SOURCE, TARGET))
    model.eval()
    assert torch.equal(model(SOURCE, TARGET), model(SOURCE, TARGET))
