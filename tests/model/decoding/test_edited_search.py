"""A search under edits tells one story: what it wrote, its alternatives and its tree are of the same passes."""

from collections.abc import Callable, Mapping

import pytest
import torch

from model.analysis.interventions.ablation import Part, ablation
from model.analysis.interventions.patching import Question, Site, patch_once
from model.analysis.interventions.pattern_edits import HeadEdit, head_edits
from model.analysis.interventions.swapped_positions import Swap, swap_edits
from model.architectures.encoder_decoder import EncoderDecoder
from model.decoding.constraints import text_constraints
from model.decoding.decoder import TorchBackend
from model.decoding.options import DecodingOptions
from model.decoding.search import SearchResult, search_one
from model.hooks import Edit, intervene
from model.text.tokenizer import EOS_ID

CLEAN, CORRUPTED = (4, 9, 6, 7, EOS_ID), (4, 5, 6, 7, EOS_ID)
SEARCHES = [DecodingOptions(beam_size=size, max_extra_length=4) for size in (1, 3)]
CROSS, SELF = "decoder.1.cross_attention", "decoder.1.self_attention"

Maker = Callable[[EncoderDecoder, tuple[int, ...]], Mapping[str, Edit]]


def patching(point: str, position: int | None = None, head: int | None = None) -> Maker:
    site = Site(point, position, head)
    return lambda model, prefix: patch_once(model, Question(CLEAN, CORRUPTED, prefix, 10, 7), [site])


MAKERS: dict[str, Maker] = {
    "none": lambda *_: {},
    "ablated head": lambda *_: ablation([Part(f"{CROSS}.z", 1)]),
    "ablated block": lambda *_: ablation([Part("decoder.0.feed_forward.output")]),
    "swapped positions": lambda model, _: swap_edits(model, Swap(shift=3)),
    "sharper": lambda *_: head_edits(HeadEdit(SELF, 0, temperature=0.2)),
    **{
        f"{shape} in {block}": lambda *_, shape=shape, block=block: head_edits(HeadEdit(block, 0, shape, row=1))
        for shape in ("uniform", "previous", "same", "token")
        for block in (CROSS, SELF)
    },
    "patched source": patching("encoder.1.feed_forward.residual_after", 1),
    "patched whole source": patching("encoder.output"),
    "patched input": patching("decoder.input", 0),
    "patched place": patching("decoder.2.feed_forward.residual_after", 0),
    "patched places": patching("decoder.1.cross_attention.residual_after"),
    "patched head": patching(f"{CROSS}.z", 0, 1),
    "patched head everywhere": patching(f"{CROSS}.z", head=1),
}


def searched(model: EncoderDecoder, maker: Maker, options: DecodingOptions, prefix: tuple[int, ...]) -> SearchResult:
    edits = maker(model, prefix)
    with intervene(edits):
        return search_one(TorchBackend(model), CORRUPTED, options, prefix, n_alternatives=model.config.vocabulary_size)


@pytest.mark.parametrize("prefix", [(), (5, 8)], ids=str)
@pytest.mark.parametrize("options", SEARCHES, ids=lambda options: f"beam {options.beam_size}")
@pytest.mark.parametrize("edited", MAKERS)
def test_every_token_is_among_its_alternatives_as_it_was_written(
    make_model: Callable[..., EncoderDecoder], edited: str, options: DecodingOptions, prefix: tuple[int, ...]
) -> None:
    torch.manual_seed(2)
    model = make_model(norm="pre")
    found = searched(model, MAKERS[edited], options, prefix)
    best = found.hypotheses[0]
    every = zip(best.tokens, best.log_probabilities, *vars(found.alternatives).values(), strict=True)
    for token, log_p, tokens, probabilities in every:
        assert float(probabilities[tokens == token].log()) == pytest.approx(log_p, abs=1e-4)
    if options.beam_size == 1:
        for number, step in enumerate(found.steps):
            scores = torch.full((1, model.config.vocabulary_size), -torch.inf)
            scores[0, list(step.tokens)] = torch.tensor(step.log_probabilities)
            for constraint in text_constraints(model.config, options):
                constraint([best.tokens[: len(prefix) + number]], scores)
            assert int(scores.argmax()) == best.tokens[len(prefix) + number]


# What the decoder reads is one for both sources.
@pytest.mark.parametrize("edited", [name for name in MAKERS if name not in ("none", "patched input")])
def test_every_edit_makes_a_difference(make_model: Callable[..., EncoderDecoder], edited: str) -> None:
    torch.manual_seed(2)
    model = make_model(norm="pre")
    plain, other = (searched(model, MAKERS[name], SEARCHES[0], (5, 8)).alternatives for name in ("none", edited))
    assert not torch.equal(plain.probabilities[:3], other.probabilities[:3])
