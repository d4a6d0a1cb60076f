"""What tokens stand for: bytes by their names, blanks by theirs, and numbers beyond the vocabulary as themselves."""

from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    GptOssConfig,
    GptOssForCausalLM,
    PreTrainedTokenizerFast,
)

from pretrained.huggingface.answer_file import read_readings, write_readings
from pretrained.huggingface.recording import record
from pretrained.huggingface.token_texts import text_of
from tests.fixtures.foreign_models import SMALL, TEXT, small_tokenizer
from viz.base.given_maps import kinds_of_blocks

N_BYTES = 256


@pytest.fixture(scope="module")
def byte_level() -> PreTrainedTokenizerFast:
    """Return a tokenizer as GPT-2's whose vocabulary is the bytes, and one word with its blank."""
    signs = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {sign: number for number, sign in enumerate(signs)} | {"Ġc": N_BYTES}
    tokenizer = Tokenizer(models.BPE(vocabulary, [("Ġ", "c")]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer)


def read(tokenizer: PreTrainedTokenizerFast, text: str, vocab_size: int = N_BYTES + 1) -> object:
    config = GPT2Config(
        **SMALL | {"vocab_size": vocab_size, "pad_token_id": None, "bos_token_id": None, "eos_token_id": None},
        n_embd=16,
        n_layer=1,
        n_head=2,
        attn_implementation="eager",
    )
    model = GPT2LMHeadModel(config)
    if vocab_size > N_BYTES + 1:
        # The likeliest tokens are those that the tokenizer does not have.
        model.lm_head = torch.nn.Linear(16, vocab_size)
        model.lm_head.bias.data[N_BYTES + 1 :] = 50
    return record(model, tokenizer, text)[0]


def test_parts_of_a_character_are_named_by_their_bytes_and_joined_in_words(byte_level: PreTrainedTokenizerFast) -> None:
    (block,) = read(byte_level, "ab é c 🐕").blocks
    assert block.queries.texts == ("a", "b", "␣", "⟨C3⟩", "⟨A9⟩", "c", "␣", "⟨F0⟩", "⟨9F⟩", "⟨90⟩", "⟨95⟩")
    (kind,) = kinds_of_blocks([block])
    assert kind.queries.word_labels == ("ab", "␣é", "c", "␣🐕")


def test_blanks_line_ends_and_tabs_have_names(byte_level: PreTrainedTokenizerFast) -> None:
    (block,) = read(byte_level, " \n\t c").blocks
    assert block.queries.texts == ("␣", "⏎", "⇥", "c")


def test_the_blank_of_sentencepiece_and_a_byte_that_it_falls_back_to_have_names() -> None:
    vocabulary = [("<unk>", 0.0), ("▁", -1.0), ("▁a", -2.0), *((f"<0x{byte:02X}>", -9.0) for byte in range(N_BYTES))]
    tokenizer = Tokenizer(models.Unigram(vocabulary, 0, byte_fallback=True))
    tokenizer.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Metaspace()])
    made = PreTrainedTokenizerFast(tokenizer_object=tokenizer)
    pieces = ("▁", "▁a", "<0xF0>", "<0x41>", "<0x0A>")
    assert [text_of(made, piece, 0, is_special=False) for piece in pieces] == ["␣", "a", "⟨F0⟩", "A", "⏎"]


def test_a_number_that_the_vocabulary_does_not_have_is_itself(byte_level: PreTrainedTokenizerFast) -> None:
    (prediction,) = read(byte_level, "ab", N_BYTES + 7).predictions
    assert {text for text, _ in prediction.candidates} <= {f"#{N_BYTES + 1 + number}" for number in range(6)}


def test_a_model_with_sinks_says_that_its_rows_add_up_to_less_than_one(tmp_path: Path) -> None:
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 4, "intermediate_size": 16}
    config = GptOssConfig(
        **SMALL,
        **sizes,
        **{"num_key_value_heads": 2, "head_dim": 8, "num_local_experts": 2, "num_experts_per_tok": 1},
        attn_implementation="eager",
    )
    model = GptOssForCausalLM(config)
    model.model.layers[0].self_attn.sinks.data.zero_()
    readings = record(model, small_tokenizer(), TEXT)
    with (tmp_path / "answer").open("w+b") as file:
        write_readings(readings, file)
        (reading,) = read_readings(file)
    assert reading.has_sinks
    assert (reading.blocks[0].layers.sum(axis=-1) < 0.99).all()
