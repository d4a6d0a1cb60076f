"""Scores the best weights of a finished run on the dev pairs that had no part in their selection."""

import math
from pathlib import Path
from typing import Any

import torch

from model.data.loading import load_split
from model.training.loss import TokenLoss, sequence_loss
from model.training.translation.batches import Batch, BucketedBatches, encode_pairs
from model.training.translation.finished import load_finished
from model.training.translation.score import MOSES_LANGUAGES, corpus_scores, mean_cross_entropy, tokenized_bleu


def measure_translator(folder: Path, *, device: torch.device, data_dir: Path | None = None) -> dict[str, Any]:
    """Return the perplexity of a target piece, EOS included, and by beam search with default options BLEU and chrF.

    BLEU is sacreBLEU and, of the languages that Moses tokenises, that of :func:`tokenized_bleu` as well.

    Raises:
        CorpusMissingError: a corpus is not in ``data_dir``.
        ValueError: ``folder`` holds no finished run.
    """
    run = load_finished(folder, device)
    data, model, language = run.training.data, run.translator.model, run.training.data.target_language
    split = load_split([data.corpus], data.n_dev, dev_corpus=data.dev_corpus, data_dir=data_dir)
    pairs = split.dev[data.n_validated :]
    references = [pair.target for pair in pairs]
    encoded = encode_pairs(pairs, run.translator.tokenizer, max_length=data.max_length)
    batches = BucketedBatches(encoded, tokens_per_batch=data.tokens_per_batch, seed=run.training.seed)

    def cross_entropy(batch: Batch) -> TokenLoss:
        return sequence_loss(model, batch.source, batch.target, label_smoothing=0.0)

    with torch.inference_mode():
        perplexity = math.exp(mean_cross_entropy(cross_entropy, batches.epoch(0), device))
    translations = run.translator.translate_all([pair.source for pair in pairs])
    scores = {"perplexity": perplexity, **corpus_scores(translations, references, language)}
    if language in MOSES_LANGUAGES:
        scores["tokenized_bleu"] = round(tokenized_bleu(translations, references, language), 2)
    return {
        **scores,
        "sentences": len(pairs),
        "beam_size": run.translator.options.beam_size,
        "length_penalty": run.translator.options.length_penalty,
    }
