"""Scores the best weights of a finished run on the dev pairs that had no part in their selection."""

from pathlib import Path
from typing import Any

import torch

from model.data.loading import load_split
from model.training.translation.finished import load_finished
from model.training.translation.score import corpus_scores


def measure_translator(folder: Path, *, device: torch.device, data_dir: Path | None = None) -> dict[str, Any]:
    """Return sacreBLEU and chrF by beam search with default options.

    Raises:
        CorpusMissingError: a corpus is not in ``data_dir``.
        ValueError: ``folder`` holds no finished run.
    """
    run = load_finished(folder, device)
    data = run.training.data
    split = load_split([data.corpus], data.n_dev, dev_corpus=data.dev_corpus, data_dir=data_dir)
    pairs = split.dev[data.n_validated :]
    translations = run.translator.translate_all([pair.source for pair in pairs])
    return {
        **corpus_scores(translations, [pair.target for pair in pairs], data.target_language),
        "sentences": len(pairs),
        "beam_size": run.translator.options.beam_size,
        "length_penalty": run.translator.options.length_penalty,
    }
