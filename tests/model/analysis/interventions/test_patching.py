"""Patching: all of a run gives all of the difference, nothing gives none, and a cell is what a hook does by hand."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from torch import Tensor

from model.analysis.interventions.patching import (
    DifferentLengthsError,
    Question,
    Site,
    patch_once,
    patching_effects,
)
from model.architectures.encoder_decoder import EncoderDecoder
from model.decoding.decoder import TorchBackend
from model.hooks import intervene
from model.text.tokenizer import BOS_ID, EOS_ID

CLEAN, CORRUPTED = (4, 9, 6, 7, EOS_ID), (4, 5, 6, 7, EOS_ID)
PREFIX = (5, 8, 8)
ANSWER, FOIL = 10, 7


@pytest.fixture
def question() -> Question:
    return Question(CLEAN, CORRUPTED, PREFIX, ANSWER, FOIL)


@torch.no_grad()
def difference(model: EncoderDecoder, source: tuple[int, ...]) -> float:
    logits = model(torch.tensor([source]), torch.tensor([[BOS_ID, *PREFIX]]))[0, -1]
    return float(logits[ANSWER] - logits[FOIL])


def test_everything_brings_all_back_and_nothing_none(model: EncoderDecoder, question: Question) -> None:
    everything = [Site("encoder.output")]
    by_position = [Site("encoder.input", position) for position in range(len(CLEAN))]
    found = patching_effects(model, question, [everything, [], by_position, [Site("decoder.output")]])
    assert found.clean == pytest.approx(difference(model, CLEAN), abs=1e-5)
    assert found.corrupted == pytest.approx(difference(model, CORRUPTED), abs=1e-5)
    torch.testing.assert_close(found.values, torch.tensor([1.0, 0.0, 1.0, 1.0]), atol=1e-4, rtol=0)


def test_only_the_changed_token_matters_before_the_first_layer(model: EncoderDecoder, question: Question) -> None:
    found = patching_effects(model, question, [[Site("encoder.input", position)] for position in range(len(CLEAN))])
    torch.testing.assert_close(found.values, torch.tensor([0.0, 1.0, 0.0, 0.0, 0.0]), atol=1e-4, rtol=0)


@torch.no_grad()
def by_hand(model: EncoderDecoder, module: torch.nn.Module, position: int) -> float:
    """One position of a module's output of PyTorch's own, taken from a run on the clean source."""
    kept: list[Tensor] = []
    handle = module.register_forward_hook(lambda _, __, out: kept.append(out.clone()))
    difference(model, CLEAN)
    handle.remove()

    def put(_: object, __: object, out: Tensor) -> Tensor:
        out = out.clone()
        out[:, position] = kept[0][:, position]
        return out

    handle = module.register_forward_hook(put)
    patched = difference(model, CORRUPTED)
    handle.remove()
    return patched


def test_a_cell_is_what_a_hook_of_pytorch_does_by_hand(model: EncoderDecoder, question: Question) -> None:
    modules = {
        Site("encoder.1.feed_forward.output", 1): model.encoder.layers[1].feed_forward,
        Site("encoder.0.self_attention.output", 2): model.encoder.layers[0].self_attention,
        Site("decoder.2.cross_attention.output", 3): model.decoder.layers[2].cross_attention,
        Site("decoder.1.feed_forward.residual_after", 1): model.decoder.layers[1],
    }
    found = patching_effects(model, question, [[site] for site in modules])
    for (site, module), patched in zip(modules.items(), found.patched.tolist(), strict=True):
        assert patched == pytest.approx(by_hand(model, module, site.position or 0), abs=1e-5), site
    assert (found.values.abs() > 1e-6).all()


@torch.no_grad()
def test_a_head_is_its_part_of_what_w_o_reads(model: EncoderDecoder, question: Question) -> None:
    head, size = 1, model.config.d_value
    part = slice(head * size, (head + 1) * size)
    W_O = model.decoder.layers[1].cross_attention.W_O
    kept: list[Tensor] = []
    handle = W_O.register_forward_pre_hook(lambda _, given: kept.append(given[0].clone()))
    difference(model, CLEAN)
    handle.remove()

    def put(_: object, given: tuple[Tensor]) -> tuple[Tensor]:
        x = given[0].clone()
        x[:, :, part] = kept[0][:, :, part]
        return (x,)

    handle = W_O.register_forward_pre_hook(put)
    expected = difference(model, CORRUPTED)
    handle.remove()
    (patched,) = patching_effects(model, question, [[Site("decoder.1.cross_attention.z", head=head)]]).patched.tolist()
    assert patched == pytest.approx(expected, abs=1e-5)


def test_many_rows_are_as_few(model: EncoderDecoder, question: Question, monkeypatch: pytest.MonkeyPatch) -> None:
    patches = [
        [Site(f"{stack}.0.feed_forward.output", position)] for stack in ("encoder", "decoder") for position in range(4)
    ]
    whole = patching_effects(model, question, patches)
    monkeypatch.setattr("model.analysis.interventions.patching._AT_ONCE", 11)
    torch.testing.assert_close(patching_effects(model, question, patches).patched, whole.patched, atol=1e-5, rtol=0)


def test_edits_for_a_search_act_where_the_prefix_is_read_and_nowhere_else(
    model: EncoderDecoder, question: Question
) -> None:
    site = Site("decoder.1.feed_forward.residual_after", 3)
    (expected,) = patching_effects(model, question, [[site]]).patched.tolist()
    following = torch.tensor([[4, 6]])
    with torch.no_grad(), intervene(patch_once(model, question, [site])):
        assert difference(model, CORRUPTED) == pytest.approx(expected, abs=1e-5)
        decoder, whole = (TorchBackend(model).encode(torch.tensor([CORRUPTED]))(9) for _ in range(2))
        read = torch.tensor([[BOS_ID, *PREFIX]])
        parts = [decoder.step(read), *(decoder.step(token) for token in following.split(1, dim=1))]
        torch.testing.assert_close(torch.cat(parts, dim=1), whole.step(torch.cat((read, following), dim=1)))
    assert difference(model, CORRUPTED) != pytest.approx(expected, abs=1e-5)


@pytest.mark.unchecked
def test_visitors_at_once_do_not_see_each_others_patches(model: EncoderDecoder, question: Question) -> None:
    patches = [[Site("encoder.input", position)] for position in range(4)]
    patches += [[Site("decoder.0.cross_attention.z", head=head)] for head in range(2)]
    alone = [patching_effects(model, question, [patch]).patched for patch in patches]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda patch: patching_effects(model, question, [patch]).patched, patches * 8))
    for number, patched in enumerate(together):
        torch.testing.assert_close(patched, alone[number % len(patches)])


def test_sources_of_different_lengths_are_refused() -> None:
    with pytest.raises(DifferentLengthsError, match="5 and 4 tokens"):
        Question(CLEAN, CORRUPTED[1:], PREFIX, ANSWER, FOIL)
