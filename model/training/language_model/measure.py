"""Measures the best weights of a finished run on the test part of its text."""

from pathlib import Path
from typing import Any

import torch

from model.analysis.losses.character_losses import bits, segment_losses
from model.data.loading import load_text, split_text
from model.training.language_model.run import load_run
from model.training.language_model.streams import cut_rows
from model.training.language_model.trainer import N_ROWS


def measure_language_model(folder: Path, *, device: torch.device, data_dir: Path | None = None) -> dict[str, Any]:
    """Return the bits per character, read in segments and with the memory of training.

    Raises:
        CorpusMissingError: the corpus is not in ``data_dir``.
        FileNotFoundError: ``folder`` holds no run that has validated.
    """
    run = load_run(folder)
    data, model = run.training.data, run.model.to(device)
    text = split_text(load_text(data.corpus, data_dir)).test
    rows = cut_rows(run.vocabulary.encode(text).ids, N_ROWS).to(device)
    losses = segment_losses(model, rows, data.segment_length, model.new_memory(data.mem_len))
    return {"test_bits_per_character": bits(losses), "test_characters": losses.numel()}
