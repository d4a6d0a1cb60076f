"""Write a translator as a model of Hugging Face Transformers, and ship the positions of a model from there."""

from pathlib import Path
from typing import Annotated

import numpy as np

from model.files import replace_file
from pretrained.huggingface.loading import load
from pretrained.huggingface.positions import positions_of
from pretrained.huggingface.shipped import as_fast_tokenizer, as_pegasus
from pretrained.publishing.command import Name, command
from pretrained.translators import load_translator

_MAX_BYTES = 10**9
_LARGEST = 127


@command("to_huggingface")
def to_huggingface(name: Name, folder: Annotated[Path, "to write"]) -> str:
    """Write a translator as a model of Hugging Face Transformers.

    The architectures meet in PEGASUS, which places its LayerNorm before each block and one at the end, and adds
    sinusoids, as our translators do. They do not meet in Marian and BART, which place it after each block whatever
    their configuration says. PEGASUS has the sines before the cosines where ours alternate: every vector of the model
    is put into that order. What our translator does besides is not written: plain forms of characters that its
    vocabulary lacks, splitting a text into sentences, the limit on repeated n-grams, and its own beam search.
    """
    translator = load_translator(name)
    as_pegasus(translator.model).save_pretrained(folder)
    as_fast_tokenizer(translator.tokenizer.serialized).save_pretrained(folder)
    return str(folder)


@command("position_table")
def write_position_table(
    folder: Annotated[Path, "of a model of Hugging Face"], file: Annotated[Path, "NPZ file to write"]
) -> str:
    """Write the learned positions of a model of Hugging Face as the app ships them, one byte a number."""
    model, _ = load(folder, _MAX_BYTES)
    table = next((positions.values for positions in positions_of(model) if positions.kind == "table"), None)
    if table is None:
        raise ValueError(f"the model in {folder} has no table of learned positions")
    # A scale for each dimension: a few are far larger than the rest.
    scales = np.abs(table).max(axis=0) / np.float32(_LARGEST)
    steps = np.round(table / scales).astype(np.int8)

    def save(path: Path) -> None:
        with path.open("wb") as opened:  # of a path, NumPy would change the ending
            np.savez_compressed(opened, steps=steps, scales=scales)

    replace_file(file, save)
    return str(file)
