"""A search with heads ablated: it is that of a model without them, and nobody else's."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from threading import Barrier

import pytest
import torch

from model.analysis.interventions.ablation import Part, ablation, heads_of
from model.architectures.encoder_decoder import EncoderDecoder
from model.decoding.decoder import Backend, TorchBackend
from model.decoding.options import DecodingOptions
from model.decoding.translator import Translator
from model.hooks import intervene
from model.text.tokenizer import Tokenizer

# A model is called often.
pytestmark = pytest.mark.unchecked

OPTIONS = DecodingOptions(beam_size=4, n_best=4, max_extra_length=6)
TEXT = "My dog sees the ball."
N_THREADS = 8


@pytest.fixture
def translator(make_model: Callable[..., EncoderDecoder], tokenizer: Tokenizer) -> Translator:
    torch.manual_seed(3)
    return Translator(make_model(vocabulary_size=tokenizer.vocabulary_size, norm="pre"), tokenizer)


def hypotheses(translator: Translator, part: Part | None) -> list[tuple[tuple[int, ...], float]]:
    with intervene({} if part is None else ablation([part])):
        found = translator.translate(TEXT, OPTIONS)
    return [(one.tokens, one.score) for one in found.hypotheses]


def test_it_is_the_search_of_a_model_that_never_had_the_head(translator: Translator) -> None:
    point, head = "decoder.1.cross_attention.z", 1
    pruned = deepcopy(translator.model)
    d_value = pruned.config.d_value
    with torch.no_grad():
        pruned.decoder.layers[1].cross_attention.W_O.weight[:, head * d_value : (head + 1) * d_value] = 0
    expected = hypotheses(Translator(pruned, translator.tokenizer, backend=TorchBackend), None)
    found = hypotheses(translator, Part(point, head))
    assert [tokens for tokens, _ in found] == [tokens for tokens, _ in expected]
    assert [score for _, score in found] == pytest.approx([score for _, score in expected], abs=1e-4)
    assert found != hypotheses(translator, None)


def test_compiled_code_which_no_edit_reaches_has_no_part_in_it(translator: Translator) -> None:
    def refuse(_: EncoderDecoder) -> Backend:
        raise AssertionError("the compiled backend was asked for")

    guarded = Translator(translator.model, translator.tokenizer, backend=refuse)
    assert hypotheses(guarded, heads_of(translator.model.config)[0])


def test_threads_with_different_heads_off_at_once_do_not_see_each_other(translator: Translator) -> None:
    parts = [None, *heads_of(translator.model.config)[: N_THREADS - 1]]
    alone = [hypotheses(translator, part) for part in parts]
    assert len({tokens[0] for (tokens, *_) in alone}) > 1
    together = Barrier(N_THREADS)

    def many(part: Part | None) -> list[list[tuple[tuple[int, ...], float]]]:
        together.wait()
        return [hypotheses(translator, part) for _ in range(5)]

    with ThreadPoolExecutor(N_THREADS) as threads:
        found = list(threads.map(many, parts))
    for expected, times in zip(alone, found, strict=True):
        assert times == [expected] * 5
