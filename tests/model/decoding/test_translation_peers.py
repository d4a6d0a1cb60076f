"""Our decoder against CTranslate2 and transformers on the same weights, as the benchmark of speed runs them."""

import pytest
import torch

from benchmarks.translation_peers import (
    as_ctranslate2,
    as_transformers,
    translate_with_ctranslate2,
    translate_with_transformers,
)
from model.architectures.encoder_decoder import EncoderDecoder
from model.decoding.options import DecodingOptions
from model.text.padding import pad
from model.text.tokenizer import BOS_ID, EOS_ID
from tests.model.decoding.searching import search_rows

SOURCES = [[4, 9, 6, 7, 10, 8, EOS_ID], [5, EOS_ID], [10, 10, 4, 6, EOS_ID]]
GREEDY = DecodingOptions(beam_size=1, ngram_size=0, max_extra_length=6)


@pytest.fixture
def model(make_model) -> EncoderDecoder:
    torch.manual_seed(5)
    return make_model(norm="pre", d_key=8, d_value=8)


def without_end(tokens) -> list[int]:
    return [token for token in tokens if token != EOS_ID]


def test_transformers_gives_the_logits_that_we_give(model: EncoderDecoder) -> None:
    source, target = pad(SOURCES), torch.tensor([[BOS_ID, 4, 7, 10]] * len(SOURCES))
    with torch.inference_mode():
        theirs = as_transformers(model)(
            input_ids=source, attention_mask=(source != model.config.pad_id).long(), decoder_input_ids=target
        ).logits
        torch.testing.assert_close(model(source, target), theirs, atol=1e-5, rtol=0)


@pytest.mark.parametrize("engine", ["CTranslate2", "transformers"])
def test_another_engine_writes_what_we_write(model: EncoderDecoder, engine: str) -> None:
    for source in SOURCES:
        longest = GREEDY.max_length(len(source), 0)
        ours = without_end(search_rows(model, pad([source]), GREEDY)[0][0].tokens)
        if engine == "CTranslate2":
            theirs = translate_with_ctranslate2(as_ctranslate2(model, "float32"), [source], 1, longest)
        else:
            theirs = translate_with_transformers(as_transformers(model), pad([source]), 1, longest)
        assert theirs == [ours]


@pytest.mark.parametrize("build", [as_transformers, lambda model: as_ctranslate2(model, "int8")])
def test_a_model_that_they_have_no_class_for_is_refused(make_model, build) -> None:
    with pytest.raises(ValueError, match="norms"):
        build(make_model(norm="post"))
