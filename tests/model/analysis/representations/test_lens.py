"""The lens on a decoder: at the last residual it is the model's own distribution."""

from collections.abc import Callable, Mapping

import torch

from model.analysis.representations.lens import logit_lens, raised_tokens, residual_points
from model.architectures.encoder_decoder import EncoderDecoder
from model.hooks import Edit, intervene, record
from model.text.tokenizer import BOS_ID, EOS_ID

SOURCE = [4, 9, 6, 7, EOS_ID]
TARGET = [5, 8, 8, 10, EOS_ID]
LAST = "decoder.2.feed_forward.residual_after"


@torch.no_grad()
def own(model: EncoderDecoder) -> torch.Tensor:
    return model(torch.tensor([SOURCE]), torch.tensor([[BOS_ID, *TARGET[:-1]]]))[0].softmax(-1)


def test_after_the_last_block_it_says_what_the_model_does(model: EncoderDecoder) -> None:
    lens = logit_lens(model, SOURCE, TARGET, n=3)
    assert lens.points == residual_points(model.config)
    assert lens.points[-1] == "decoder.2.feed_forward.residual_after"
    best = own(model).topk(3)
    torch.testing.assert_close(lens.probabilities[-1], best.values)
    assert lens.tokens[-1].tolist() == best.indices.tolist()
    torch.testing.assert_close(lens.of_target[-1], own(model)[range(len(TARGET)), TARGET])


def test_before_it_says_what_a_model_that_stops_there_would(make_model: Callable[..., EncoderDecoder]) -> None:
    """Blocks that add nothing leave the residual as it was."""
    model = make_model(norm="pre")
    lens = logit_lens(model, SOURCE, TARGET, n=3)
    stop = lens.points.index("decoder.1.cross_attention.residual_after")
    after = ("decoder.1.feed_forward", *(f"decoder.2.{block}" for block in ("self_attention", "cross_attention")))
    with intervene({f"{block}.output": torch.zeros_like for block in (*after, "decoder.2.feed_forward")}):
        torch.testing.assert_close(lens.of_target[stop], own(model)[range(len(TARGET)), TARGET])


def test_no_more_tokens_than_the_vocabulary_has(model: EncoderDecoder) -> None:
    lens = logit_lens(model, SOURCE, TARGET, n=1000)
    assert lens.tokens.shape == (10, len(TARGET), model.config.vocabulary_size)
    torch.testing.assert_close(lens.probabilities.sum(-1), torch.ones(10, len(TARGET)))


def test_raised_tokens_are_those_whose_logits_grow_most(model: EncoderDecoder) -> None:
    """To the last residual is added what is written, and the scale of the final norm is held."""
    with torch.no_grad():
        for parameter in model.decoder.final_norm.parameters():
            parameter.normal_()
    with record("decoder.norm_scale") as seen:
        before = logits_after(model, {})
    held = {point: lambda _, scale=scale: scale for point, scale in seen.items()}
    written = torch.randn(5, 16)
    grown = torch.stack(
        [logits_after(model, {**held, LAST: lambda residual, one=one: residual + one}) - before for one in written]
    )
    assert torch.equal(raised_tokens(model, written, 3), grown[:, 0, -1].argsort(dim=1, descending=True)[:, :3])


@torch.no_grad()
def logits_after(model: EncoderDecoder, edits: Mapping[str, Edit]) -> torch.Tensor:
    with intervene(edits):
        return model(torch.tensor([SOURCE]), torch.tensor([[BOS_ID, *TARGET[:-1]]]))
