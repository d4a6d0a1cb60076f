"""Scores of a translator: cross-entropy, BLEU and chrF.

The last two are those of sacreBLEU (Post 2018).
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import sacrebleu
import torch
from sacremoses import MosesPunctNormalizer, MosesTokenizer

from model.data.loading import Pair
from model.decoding.translator import Translator
from model.training.loss import TokenLoss, sequence_loss
from model.training.translation.batches import Batch, BucketedBatches, encode_pairs
from model.training.translation.config import TranslationData

_WITHOUT_SPACES = ("Japanese", "Chinese")
MOSES_LANGUAGES = {"English": "en", "French": "fr", "German": "de"}
"""Languages whose translations :func:`tokenized_bleu` scores, and what Moses calls them."""


def mean_cross_entropy(loss: Callable[[Batch], TokenLoss], batches: Iterable[Batch], device: torch.device) -> float:
    """Return the cross-entropy of a target piece, EOS included, in nats.

    Its exponential is the perplexity. ``loss`` returns the sums over a batch on ``device``.
    """
    losses = [loss(batch.to(device)) for batch in batches]
    return sum(float(part.cross_entropy) for part in losses) / sum(part.n_tokens for part in losses)


def pair_loss(
    translator: Translator,
    pairs: Sequence[Pair],
    *,
    max_length: int,
    tokens_per_batch: int = TranslationData.tokens_per_batch,
    seed: int = 1,
) -> float:
    """Return the cross-entropy of a target piece of ``pairs``, EOS included, in nats.

    Pairs with a side of more than ``max_length`` pieces are left out; ``seed`` decides how the others are batched.
    """
    model, encoded = translator.model, encode_pairs(pairs, translator.tokenizer, max_length=max_length)
    batches = BucketedBatches(encoded, tokens_per_batch=tokens_per_batch, seed=seed)

    def cross_entropy(batch: Batch) -> TokenLoss:
        return sequence_loss(model, batch.source, batch.target, label_smoothing=0.0)

    with torch.inference_mode():
        return mean_cross_entropy(cross_entropy, batches.epoch(0), model.embedding.weight.device)


def bleu_for(language: str, *, of_sentences: bool = False) -> sacrebleu.BLEU:
    """Return the BLEU of translations into ``language``, cased and detokenised.

    It counts n-grams of words, or of characters where a language puts no spaces between words. With ``of_sentences`` it
    counts none that are longer than the sentence.
    """
    tokenize = "char" if language in _WITHOUT_SPACES else "13a"
    return sacrebleu.BLEU(tokenize=tokenize, effective_order=of_sentences)


def corpus_scores(translations: Sequence[str], references: Sequence[str], language: str) -> dict[str, Any]:
    """Return sacreBLEU and chrF of ``translations``, one reference each, with their signatures."""
    bleu, chrf = bleu_for(language), sacrebleu.CHRF()
    return {
        "sacrebleu": round(bleu.corpus_score(translations, [references]).score, 2),
        "sacrebleu_signature": str(bleu.get_signature()),
        "chrf": round(chrf.corpus_score(translations, [references]).score, 2),
        "chrf_signature": str(chrf.get_signature()),
    }


def tokenized_bleu(translations: Sequence[str], references: Sequence[str], language: str) -> float:
    """Return BLEU of small letters, normalised and tokenised as Moses does.

    So Wu et al. 2021 report it on Multi30k, and what they compare with; of references into ``language``,
    one of :data:`MOSES_LANGUAGES`.
    """
    in_tokens = sacrebleu.BLEU(tokenize="none", force=True)
    hypotheses, tokenized_references = (_tokenized(texts, language) for texts in (translations, references))
    return float(in_tokens.corpus_score(hypotheses, [tokenized_references]).score)


def _tokenized(sentences: Sequence[str], language: str) -> list[str]:
    code = MOSES_LANGUAGES[language]
    normalizer, tokenizer = MosesPunctNormalizer(code), MosesTokenizer(code)
    return [tokenizer.tokenize(normalizer.normalize(text).lower(), return_str=True) for text in sentences]
