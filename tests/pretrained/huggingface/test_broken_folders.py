"""Folders that are broken in ways that people meet: each gets one sentence for whoever chose it, or is read right."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer, models, pre_tokenizers
from torch import Tensor

from tests.fixtures.foreign_models import random_model, small_tokenizer
from tests.pretrained.huggingface.test_folders import edit, read, refused

WEIGHTS = "model.safetensors"
Break = Callable[[Path], object]


@pytest.fixture
def gpt2(tmp_path: Path) -> Path:
    folder = tmp_path / "root" / "bert"
    random_model("GPT-2", head="LMHead").save_pretrained(folder)
    small_tokenizer().save_pretrained(folder)
    return folder


def weights(change: Callable[[str, Tensor], Tensor | None]) -> Break:
    """Return what replaces each tensor by what ``change`` makes of it, or leaves it out."""

    def do(folder: Path) -> None:
        changed = {name: change(name, tensor) for name, tensor in load_file(folder / WEIGHTS).items()}
        kept = {name: tensor for name, tensor in changed.items() if tensor is not None}
        save_file(kept, folder / WEIGHTS, metadata={"format": "pt"})

    return do


def config(**changes: Any) -> Break:
    return lambda folder: edit(folder / "config.json", **changes)


def files(names: Mapping[str, bytes], *without: str) -> Break:
    """Return what writes files and removes others."""

    def do(folder: Path) -> None:
        for name in without:
            (folder / name).unlink()
        for name, content in names.items():
            (folder / name).write_bytes(content)

    return do


def other_tokenizer(folder: Path) -> None:
    words = ["[UNK]", *map(str, range(500)), "the", "cat", "sat"]
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="[UNK]").save_pretrained(folder)


def shard_is_missing(folder: Path) -> None:
    random_model("GPT-2", head="LMHead").save_pretrained(folder, max_shard_size="5KB")
    (folder / WEIGHTS).unlink(missing_ok=True)
    sorted(folder.glob("model-*.safetensors"))[1].unlink()


def index_leads_out(folder: Path) -> None:
    outside = folder.parents[1] / "out.safetensors"
    (folder / WEIGHTS).rename(outside)
    index = {"weight_map": dict.fromkeys(load_file(outside), "../../out.safetensors")}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")


def cut_off(folder: Path) -> None:
    whole = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(whole[: len(whole) // 2])


def with_nan(name: str, tensor: Tensor) -> Tensor:
    return tensor * torch.nan if name.endswith("h.1.mlp.c_fc.weight") else tensor


def in_float8(name: str, tensor: Tensor) -> Tensor:
    return tensor.to(torch.float8_e4m3fn) if "attn" in name else tensor


def in_whole_numbers(_: str, tensor: Tensor) -> Tensor:
    return tensor.to(torch.int8) if tensor.ndim == 2 else tensor


def without_embedding(name: str, tensor: Tensor) -> Tensor | None:
    return None if "wte" in name else tensor


ADAPTER = {"adapter_config.json": b"{}", "adapter_model.safetensors": b""}
BROKEN: dict[str, tuple[Break, str]] = {
    "a vocabulary of another size": (config(vocab_size=50_257), "in the shape of 1 of the tensors"),
    "the tokenizer of another model": (other_tokenizer, "tokens up to number 504, and the model knows 15"),
    "a part of the weights missing": (shard_is_missing, "which is not here: put this file beside"),
    "an index that leads out": (index_leads_out, "leads out"),
    "pickles in parts": (files({"pytorch_model-00001-of-00002.bin": b"x"}, WEIGHTS), "unpickling can run any code"),
    "an 8-bit float": (weights(in_float8), "quantized below half precision"),
    "whole numbers without their scale": (weights(in_whole_numbers), "quantized below half precision"),
    "MLX in four bits": (config(quantization={"group_size": 64, "bits": 4}), "quantized below half precision"),
    "NaN in one layer": (weights(with_nan), "the first in layer 2 (transformer.h.1.mlp.c_fc.weight)"),
    "the tied embedding missing": (weights(without_embedding), "The weights lack"),
    "GGUF alone": (files({"model-q4.gguf": b"GGUF"}, WEIGHTS, "config.json"), "in GGUF"),
    "GGUF with a configuration": (files({"model-q4.gguf": b"GGUF"}, WEIGHTS), "in GGUF"),
    "an adapter alone": (files(ADAPTER, WEIGHTS, "config.json"), "adapter (LoRA)"),
    "an adapter with the configuration": (files(ADAPTER, WEIGHTS), "adapter (LoRA)"),
    "ONNX alone": (files({"model.onnx": b"x"}, WEIGHTS), "in ONNX"),
    "a model of images": (files({"model_index.json": b"{}"}, WEIGHTS, "config.json"), "makes images"),
    "a file of weights that is cut off": (cut_off, "no file of safetensors, or was cut off"),
    "no tensor at all": (weights(lambda *_: None), "The weights lack"),
    "fewer layers than none": (config(n_layer=-1), "describes -1 layers"),
    "a function that nobody knows": (config(activation_function="nonsense"), "'nonsense' is not known"),
    "heads that do not divide": (config(n_head=3), "must be divisible"),
    "a tokenizer that is cut off": (files({"tokenizer.json": b'{"version"'}), "tokenizer cannot be used"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_each_is_one_sentence_for_whoever_chose_the_folder(gpt2: Path, name: str) -> None:
    break_it, said = BROKEN[name]
    break_it(gpt2)
    sentence = refused(gpt2.parent)
    assert said in sentence
    assert str(gpt2.parent) not in sentence
    assert not any(word in sentence for word in ("attn_implementation", "pass the", "Traceback"))


@pytest.mark.parametrize(
    "change",
    [
        weights(lambda _, tensor: tensor.double()),
        config(architectures=None),
        files({"optimizer.pt": b"x", "rng_state.pth": b"x", "trainer_state.json": b"{}"}),
    ],
)
def test_what_is_only_unusual_is_read(gpt2: Path, change: Break) -> None:
    change(gpt2)
    assert len(read(gpt2.parent)[0].blocks) == 1
