"""Shipped translators as models of Transformers: the same pieces, the same attention, the same translation."""

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import PreTrainedTokenizerFast

from model.decoding.options import GREEDY
from pretrained import load_translator, shipped
from pretrained.huggingface.folders import checked_folder
from pretrained.huggingface.loading import load
from pretrained.huggingface.recording import record_attention
from pretrained.huggingface.shipped import as_fast_tokenizer, as_pegasus
from viz.base.attention_maps import hook_name
from viz.shared.shipped import translator_info


@pytest.mark.parametrize("name", shipped())
def test_a_translator_that_is_written_and_loaded_translates_the_same(name: str, tmp_path: Path) -> None:
    ours = load_translator(name)
    as_pegasus(ours.model).save_pretrained(tmp_path / name)
    as_fast_tokenizer(ours.tokenizer.serialized).save_pretrained(tmp_path / name)
    model, tokenizer = load(checked_folder(tmp_path, name, 10**9), 10**9)
    for text in translator_info(name).examples[:2]:
        encoded = tokenizer(text, return_tensors="pt")
        assert encoded["input_ids"][0].tolist() == [*ours.tokenizer.encode(text), ours.model.config.eos_id]
        wanted = ours.translate(text, GREEDY)
        written = model.generate(**encoded)[0]
        assert tokenizer.decode(written, skip_special_tokens=True) == wanted.text
        for block in record_attention(model, tokenizer, text):
            found = torch.cat(block.layers).numpy()
            expected = np.stack([wanted.patterns[hook_name(block.name, layer)] for layer in range(len(found))])
            np.testing.assert_allclose(found, expected, atol=1e-4)


def test_any_text_is_cut_as_ours_is(tmp_path: Path) -> None:
    ours = load_translator("translation-en-de").tokenizer
    as_fast_tokenizer(ours.serialized).save_pretrained(tmp_path)
    tokenizer = PreTrainedTokenizerFast.from_pretrained(tmp_path)
    for text in (
        "  two  spaces\tand\na line ",
        "naïve nai\u0308ve",
        "\N{SLIGHTLY SMILING FACE} 中文",
        "▁mark",
        "He said: 'No!'",
        "<unk> <s> </s> <pad> <0x41>",
        "</s> a",
        "a<s>b",
    ):
        assert tokenizer(text)["input_ids"][:-1] == ours.encode(text)


def test_a_model_that_pegasus_cannot_be_is_refused() -> None:
    model = load_translator("translation-en-de").model
    config = model.config
    model.config = type(config)(**(vars(config) | {"norm": "post"}))
    with pytest.raises(ValueError, match="PEGASUS normalises before each block"):
        as_pegasus(model)
