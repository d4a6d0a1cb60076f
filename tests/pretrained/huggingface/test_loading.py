"""What a model computes with is what its files hold: nothing random, nothing of another model, and numbers alone."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from transformers import (
    BigBirdConfig,
    BigBirdForMaskedLM,
    FalconConfig,
    FalconForCausalLM,
    LongformerConfig,
    LongformerForMaskedLM,
    T5ForConditionalGeneration,
    ViTConfig,
    ViTForImageClassification,
)
from transformers.models.gpt2.modeling_gpt2 import GPT2Block

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.folders import CONFIGURATION, checked_folder
from pretrained.huggingface.loading import load
from pretrained.huggingface.recording import record
from tests.fixtures.foreign_models import SMALL, TEXT, random_model, small_tokenizer
from viz.base.words import page_text

MOST_BYTES = 10**8
WORDS = page_text("base/given_models")
ONE = {**SMALL, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 16}


def save(root: Path, model: Any) -> Path:
    model.save_pretrained(root / "model")
    small_tokenizer().save_pretrained(root / "model")
    return root / "model"


def loaded(folder: Path) -> tuple[Any, Any]:
    return load(checked_folder(folder.parent, folder.name, MOST_BYTES), MOST_BYTES)


def refused(folder: Path) -> str:
    """Return the sentence that somebody who chose the folder reads."""
    with pytest.raises(ForeignModelError) as error:
        loaded(folder)
    return WORDS[f"problem {error.value.key}"].format(**error.value.values)


def edit_weights(folder: Path, change: Callable[[dict[str, Tensor]], object]) -> None:
    file = folder / "model.safetensors"
    weights = load_file(file)
    change(weights)
    save_file(weights, file, metadata={"format": "pt"})


def remove(weights: dict[str, Tensor], part: str) -> None:
    for name in [name for name in weights if part in name]:
        del weights[name]


def edit_configuration(folder: Path, **changes: object) -> None:
    file = folder / CONFIGURATION
    file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | changes), encoding="utf-8")


def test_tensors_that_are_not_in_the_file_are_never_random_numbers(tmp_path: Path) -> None:
    folder = save(tmp_path, random_model("GPT-2", head="LMHead"))
    edit_weights(folder, lambda weights: remove(weights, "h.1.attn"))
    sentence = refused(folder)
    assert "lack 4 of this model's tensors" in sentence
    assert "transformer.h.1.attn.c_attn.bias" in sentence


@pytest.mark.parametrize("family", ["GPT-2", "Llama", "BERT", "T5", "BART"])
def test_tied_weights_are_in_the_file_once_and_not_missing(tmp_path: Path, family: str) -> None:
    head = {"GPT-2": "LMHead", "Llama": "ForCausalLM", "BERT": "ForMaskedLM"}.get(family, "")
    model = random_model(family, head=head).eval()
    read, tokenizer = loaded(save(tmp_path, model))
    for ours, theirs in zip(record(read, tokenizer, TEXT), record(model, tokenizer, TEXT), strict=True):
        for block, other in zip(ours.blocks, theirs.blocks, strict=True):
            torch.testing.assert_close(block.layers, other.layers)


@pytest.mark.parametrize(
    ("family", "head", "part", "kind"),
    [("Llama", "ForCausalLM", "lm_head", "LlamaModel"), ("BERT", "ForMaskedLM", "cls.", "BertModel")],
)
def test_a_model_whose_head_alone_is_missing_is_read_without_it(
    tmp_path: Path, family: str, head: str, part: str, kind: str
) -> None:
    folder = save(tmp_path, random_model(family, head=head))
    edit_weights(folder, lambda weights: remove(weights, part))
    model, tokenizer = loaded(folder)
    assert type(model).__name__ == kind
    assert record(model, tokenizer, TEXT)[0].predictions == ()


def test_a_head_for_another_task_is_left_aside_and_its_pooler_is_not_missed(tmp_path: Path) -> None:
    folder = save(tmp_path, random_model("BERT", head="ForSequenceClassification"))
    edit_weights(folder, lambda weights: remove(weights, "pooler"))
    assert type(loaded(folder)[0]).__name__ == "BertModel"


def test_tensors_of_layers_that_the_configuration_does_not_describe_are_of_another_model(tmp_path: Path) -> None:
    folder = save(tmp_path, random_model("GPT-2", head="LMHead"))
    edit_weights(folder, lambda weights: weights.update({"transformer.h.0.attn.lora_A": torch.ones(2, 2)}))
    assert "1 of the tensors in the weights (transformer.h.0.attn.lora" in refused(folder)


def test_weights_that_are_no_numbers_are_named_with_their_layer(tmp_path: Path) -> None:
    folder = save(tmp_path, random_model("GPT-2", head="LMHead"))
    edit_weights(folder, lambda weights: weights["transformer.h.1.attn.c_attn.weight"].fill_(float("nan")))
    assert "the first in layer 2 (transformer.h.1.attn.c_attn.weight)" in refused(folder)
    edit_weights(folder, lambda weights: remove(weights, "h.1.attn.c_attn.weight"))
    edit_weights(folder, lambda weights: weights.update({"transformer.h.1.attn.c_attn.weight": torch.ones(16, 48)}))
    edit_weights(folder, lambda weights: weights["transformer.wpe.weight"].fill_(float("inf")))
    assert "1 of its tensors (transformer.wpe.weight)" in refused(folder)


def test_of_a_configuration_far_larger_than_the_file_no_layer_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    make = GPT2Block.__init__
    monkeypatch.setattr(GPT2Block, "__init__", lambda *given, **named: (made.append(0), make(*given, **named))[1])
    folder = save(tmp_path, random_model("GPT-2", head="LMHead"))
    made.clear()
    loaded(folder)
    assert made
    made.clear()
    edit_configuration(folder, n_layer=100_000)
    assert "100,000 layers, and the weights hold 2" in refused(folder)
    assert not made


def test_many_modules_by_another_name_than_layers_are_refused_soon(tmp_path: Path) -> None:
    folder = save(tmp_path, random_model("T5"))
    edit_configuration(folder, num_decoder_layers=102)
    edit_weights(folder, lambda weights: remove(weights, "decoder.block.1"))
    begin = time.monotonic()
    assert "far larger model" in refused(folder)
    assert time.monotonic() - begin < 10


def test_weights_of_eight_bits_are_refused(tmp_path: Path) -> None:
    folder = save(tmp_path, random_model("BERT"))
    edit_weights(
        folder,
        lambda weights: weights.update(
            {name: numbers.to(torch.float8_e4m3fn) for name, numbers in weights.items() if numbers.ndim == 2}
        ),
    )
    assert "below half precision" in refused(folder)


def test_a_folder_without_a_tokenizer_is_refused_as_such(tmp_path: Path) -> None:
    random_model("GPT-2", head="LMHead").save_pretrained(tmp_path / "model")
    assert "comes without a tokenizer: put tokenizer.json beside config.json" in refused(tmp_path / "model")
    (tmp_path / "model" / "tokenizer_config.json").write_text('{"tokenizer_class": "GPT2Tokenizer"}', encoding="utf-8")
    assert "tokenizer" in refused(tmp_path / "model")


def test_a_model_of_images_is_refused_as_such(tmp_path: Path) -> None:
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    vision = ViTForImageClassification(ViTConfig(**sizes, image_size=8, patch_size=4))
    assert "vit) reads images or sound, and no text" in refused(save(tmp_path, vision))


def test_sparse_attention_is_refused_as_such_and_full_attention_is_not(tmp_path: Path) -> None:
    config = BigBirdConfig(**ONE, block_size=2, num_random_blocks=1)
    folder = save(tmp_path, BigBirdForMaskedLM(config))
    assert "sparse attention" in refused(folder)
    edit_configuration(folder, attention_type="original_full")
    assert record(*loaded(folder), TEXT)[0].blocks[0].layers
    longformer = LongformerForMaskedLM(LongformerConfig(**ONE, attention_window=4))
    assert "sparse attention" in refused(save(tmp_path / "second", longformer))


@pytest.mark.parametrize("name", ["attn_implementation", "_attn_implementation"])
@pytest.mark.parametrize("value", ["sdpa", "flash_attention_2"])
def test_attention_is_eager_whatever_the_configuration_says(tmp_path: Path, name: str, value: str) -> None:
    folder = save(tmp_path, random_model("Llama", head="ForCausalLM"))
    edit_configuration(folder, **{name: value})
    assert record(*loaded(folder), TEXT)[0].blocks[0].layers


def test_a_part_of_the_weights_that_is_not_there_is_named(tmp_path: Path) -> None:
    model = random_model("T5")
    assert isinstance(model, T5ForConditionalGeneration)
    folder = tmp_path / "model"
    model.save_pretrained(folder, max_shard_size="3KB")
    small_tokenizer().save_pretrained(folder)
    loaded(folder)
    part = sorted(folder.glob("model-*.safetensors"))[1]
    part.unlink()
    assert f"names {part.name}, which is not here" in refused(folder)


@torch.no_grad()
@pytest.mark.parametrize("has_slopes", [True, False])
def test_falcon_computes_what_its_other_ways_of_attention_do(tmp_path: Path, has_slopes: bool) -> None:
    model = FalconForCausalLM(FalconConfig(**ONE, alibi=has_slopes, multi_query=False)).eval()
    loaded_model, tokenizer = loaded(save(tmp_path, model))
    inputs = tokenizer(TEXT, return_tensors="pt")["input_ids"]
    fused = FalconForCausalLM.from_pretrained(tmp_path / "model", attn_implementation="sdpa").eval()
    torch.testing.assert_close(loaded_model.eval()(inputs).logits, fused(inputs).logits, rtol=1e-4, atol=1e-5)
