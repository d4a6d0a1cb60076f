"""What a model of others reads, and what is recorded of it."""

from tempfile import TemporaryFile

import pytest
import torch
from tokenizers import Tokenizer
from tokenizers.processors import TemplateProcessing
from transformers import PreTrainedTokenizerFast

from pretrained.huggingface.answer_file import read_readings, write_readings
from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.reading_inside import read_inside
from pretrained.huggingface.recorded import Head
from pretrained.huggingface.recording import MOST_WRITTEN, record
from tests.fixtures.architectures import ARCHITECTURES
from tests.fixtures.foreign_models import TEXT, random_model, small_tokenizer


def test_layers_keep_their_own_numbers_on_the_way_from_the_process() -> None:
    model = ARCHITECTURES["Granite hybrid"].build()
    model.set_attn_implementation("eager")
    readings = record(model, small_tokenizer(), TEXT, off=(Head("self", 3, 1),))
    with TemporaryFile() as file:
        write_readings(readings, file)
        assert [reading.blocks[0].own_numbers for reading in read_readings(file)] == [(1, 3), (1, 3)]


def test_an_encoder_decoder_with_more_layers_in_its_decoder_writes_by_itself() -> None:
    model = ARCHITECTURES["T5"].build()
    model.set_attn_implementation("eager")
    (reading,) = record(model, small_tokenizer(), TEXT)
    inputs = small_tokenizer()(TEXT, return_tensors="pt")
    ids = torch.tensor([[model.config.decoder_start_token_id]])
    while ids.shape[1] <= MOST_WRITTEN and (ids[0, -1] != model.config.eos_token_id or ids.shape[1] == 1):
        logits = model(**inputs, decoder_input_ids=ids, use_cache=False).logits
        ids = torch.cat([ids, logits[:, -1:].argmax(dim=-1)], dim=1)
    assert reading.written == small_tokenizer().decode(ids[0], skip_special_tokens=True)


def test_the_second_text_of_a_pair_has_a_token_type_of_its_own() -> None:
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=small_tokenizer().backend_tokenizer,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )
    model = random_model("BERT").eval()
    (reading,) = record(model, tokenizer, TEXT, second="the cat was tired")
    pair = tokenizer(TEXT, "the cat was tired", return_tensors="pt")
    types = pair["token_type_ids"]
    assert types.sum() == 5
    wanted = model(**pair, output_attentions=True).attentions
    torch.testing.assert_close(reading.blocks[0].layers, wanted)
    alike = model(**pair | {"token_type_ids": torch.zeros_like(types)}, output_attentions=True).attentions
    assert not torch.equal(reading.blocks[0].layers[0], alike[0])
    assert reading.blocks[0].queries.texts[-5:] == ("the", "cat", "was", "tired", "[SEP]")


def bare_tokenizer() -> PreTrainedTokenizerFast:
    """Return the small tokenizer without the special tokens that it puts around every text."""
    backend = Tokenizer.from_str(small_tokenizer().backend_tokenizer.to_str())
    backend.post_processor = TemplateProcessing(single="$A")
    return PreTrainedTokenizerFast(tokenizer_object=backend, mask_token="[MASK]", unk_token="[UNK]")


@pytest.mark.parametrize("text", ["cat", "[MASK]", "the cat", "the [MASK]", "the cat sat", "[MASK] cat [MASK]"])
def test_a_text_of_any_length_shows_whether_a_model_looks_ahead(text: str) -> None:
    masked, causal = random_model("BERT", head="ForMaskedLM").eval(), random_model("GPT-2", head="LMHead").eval()
    places = [place for place, token in enumerate(text.split()) if token == "[MASK]"]
    tokenizer = bare_tokenizer()
    (of_masked,), (of_causal,) = (record(model, tokenizer, text) for model in (masked, causal))
    assert [one.place for one in of_masked.predictions] == places
    assert [one.place for one in of_causal.predictions] == [None]
    with pytest.raises(ForeignModelError, match="no final norm"):
        read_inside(masked, tokenizer, text, "lens")
    assert read_inside(causal, tokenizer, text, "lens")


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_text_is_refused_where_the_tokenizer_puts_special_tokens_around_it(text: str) -> None:
    assert len(small_tokenizer()(text)["input_ids"]) > 0
    with pytest.raises(ForeignModelError, match="no tokens"):
        record(random_model("BERT").eval(), small_tokenizer(), text)
