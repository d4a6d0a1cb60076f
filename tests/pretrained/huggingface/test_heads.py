"""Heads of other people's models, switched off: as if a hook on the output projection had been written by hand."""

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Any

import pytest
import torch

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.recorded import Head, TextRecording
from pretrained.huggingface.recording import N_CANDIDATES, record
from tests.fixtures.foreign_models import FAMILIES, TEXT, random_model, small_tokenizer
from tests.fixtures.heads_by_hand import without

# The output projection of the first layer, by the name that each family gives it.
PROJECTIONS = {
    "BERT": "encoder.layer.0.attention.output.dense",
    "RoBERTa": "encoder.layer.0.attention.output.dense",
    "DistilBERT": "transformer.layer.0.attention.out_lin",
    "ModernBERT": "layers.0.attn.Wo",
    "GPT-2": "h.0.attn.c_proj",
    "GPT-NeoX": "layers.0.attention.dense",
    **dict.fromkeys(("Llama", "Qwen2", "Qwen3", "Mistral", "Gemma"), "layers.0.self_attn.o_proj"),
    "T5": "decoder.block.0.layer.1.EncDecAttention.o",
    **dict.fromkeys(("BART", "Marian", "M2M"), "model.decoder.layers.0.encoder_attn.out_proj"),
}
TARGET = "the cat was tired ."


def read(
    model: Any, off: tuple[Head, ...] = (), text: str = TEXT, target: str | None = None
) -> tuple[TextRecording, ...]:
    return record(model, small_tokenizer(), text, target, off=off)


@pytest.mark.parametrize("family", FAMILIES)
def test_heads_that_are_off_pass_on_nothing(family: str) -> None:
    model = random_model(family).eval()
    is_both = model.config.is_encoder_decoder
    block, target = ("cross", TARGET) if is_both else ("self", None)
    n_heads = read(model, target=target)[0].blocks[-1].layers[0].shape[1]
    whole, changed = read(model, (Head(block, 0, 1), Head(block, 0, 0)), target=target)
    with without(model, PROJECTIONS[family], [0, 1], n_heads):
        (wanted,) = read(model, target=target)
    (again,) = read(model, target=target)
    for found, expected in ((changed, wanted), (whole, again)):
        assert found.log_probability == pytest.approx(expected.log_probability)
        for one, other in zip(found.blocks, expected.blocks, strict=True):
            torch.testing.assert_close(one.layers, other.layers)
    assert not torch.equal(changed.blocks[-1].layers[1], whole.blocks[-1].layers[1])
    # Maps of the same layer and of those before are the same: nothing that they are made of has changed.
    torch.testing.assert_close(changed.blocks[-1].layers[0], whole.blocks[-1].layers[0])


@pytest.mark.parametrize(
    ("family", "head"), [("GPT-2", "LMHead"), ("Llama", "ForCausalLM"), ("GPT-NeoX", "ForCausalLM")]
)
def test_a_decoder_says_what_is_likely_after_the_text(family: str, head: str) -> None:
    model = random_model(family, head=head).eval()
    (whole, changed), logits = read(model, (Head("self", 0, 0),)), model(**inputs(TEXT)).logits[0, -1]
    check(whole, [(None, logits)])
    assert changed.predictions != whole.predictions


@pytest.mark.parametrize("family", ["BERT", "RoBERTa", "DistilBERT", "ModernBERT"])
def test_an_encoder_says_what_is_likely_at_each_mask(family: str) -> None:
    model = random_model(family, head="ForMaskedLM").eval()
    text = "the [MASK] sat on [MASK] ."
    whole, changed = read(model, (Head("self", 0, 0),), text)
    logits = model(**inputs(text)).logits[0]
    check(whole, [(2, logits[2]), (5, logits[5])])
    assert changed.predictions != whole.predictions
    assert not read(model)[0].predictions


def inputs(text: str) -> dict[str, torch.Tensor]:
    return dict(small_tokenizer()(text, return_tensors="pt"))


def check(found: TextRecording, wanted: list[tuple[int | None, torch.Tensor]]) -> None:
    assert [one.place for one in found.predictions] == [place for place, _ in wanted]
    for prediction, (_, logits) in zip(found.predictions, wanted, strict=True):
        shares, ids = logits.softmax(dim=-1).topk(N_CANDIDATES)
        texts, probabilities = zip(*prediction.candidates, strict=True)
        assert [f"{text}" for text in texts] == [
            piece.removeprefix("##") for piece in small_tokenizer().convert_ids_to_tokens(ids.tolist())
        ]
        torch.testing.assert_close(torch.tensor(probabilities), shares)


def test_an_encoder_decoder_writes_anew_without_its_heads() -> None:
    torch.manual_seed(0)
    model = random_model("Marian").eval()
    off = tuple(Head("cross", layer, head) for layer in range(3) for head in range(2))
    whole, changed = read(model, off)
    with ExitStack() as stack:
        for layer in range(3):
            stack.enter_context(without(model, f"model.decoder.layers.{layer}.encoder_attn.out_proj", [0, 1], 2))
        ids = model.generate(**inputs(TEXT), max_new_tokens=64, do_sample=False, num_beams=1)[0]
    assert changed.written == small_tokenizer().decode(ids, skip_special_tokens=True)
    assert whole.log_probability != changed.log_probability


@pytest.mark.parametrize(
    ("make", "off", "said"),
    [
        (partial(random_model, "BERT"), Head("self", 2, 0), "no head"),
        (partial(random_model, "BERT"), Head("self", 0, 4), "no head"),
        (partial(random_model, "BERT"), Head("cross", 0, 0), "no head"),
    ],
)
def test_heads_that_are_not_there_are_refused(make: Callable[[], Any], off: Head, said: str) -> None:
    with pytest.raises(ForeignModelError) as error:
        read(make(), (off,))
    assert error.value.key == said
