"""Scores the best weights of a finished run on the dev pairs that had no part in their selection."""

import math
from pathlib import Path
from typing import Any

import torch

from model.data.loading import load_split
from model.training.translation.finished import load_finished
from model.training.translation.score import MOSES_LANGUAGES, corpus_scores, pair_loss, tokenized_bleu


def measure_translator(folder: Path, *, device: torch.device, data_dir: Path | None = None) -> dict[str, Any]:
    """Return the perplexity of a target piece, EOS included, and BLEU and chrF.

    They are of beam search with default options. BLEU is sacreBLEU and, of the languages that Moses tokenises, that of
    :func:`tokenized_bleu` as well.

    Raises:
        CorpusMissingError: a corpus is not in ``data_dir``.
        ValueError: ``folder`` holds no finished run.
    """
    run = load_finished(folder, device)
    data, language = run.training.data, run.training.data.target_language
    split = load_split([data.corpus], data.n_dev, dev_corpus=data.dev_corpus, data_dir=data_dir)
    pairs = split.dev[data.n_validated :]
    references = [pair.target for pair in pairs]
    loss = pair_loss(
        run.translator,
        pairs,
        max_length=data.max_length,
        tokens_per_batch=data.tokens_per_batch,
        seed=run.training.seed,
    )
    translations = run.translator.translate_all([pair.source for pair in pairs], as_typed=True)
    scores = {"perplexity": math.exp(loss), **corpus_scores(translations, references, language)}
    if language in MOSES_LANGUAGES:
        scores["tokenized_bleu"] = round(tokenized_bleu(translations, references, language), 2)
    return {
        **scores,
        "sentences": len(pairs),
        "beam_size": run.translator.options.beam_size,
        "length_penalty": run.translator.options.length_penalty,
    }
