"""Scores of translations: BLEU and chrF as sacreBLEU computes them (Post 2018)."""

from collections.abc import Sequence
from typing import Any

import sacrebleu

_WITHOUT_SPACES = ("Japanese", "Chinese")


def bleu_for(language: str, *, of_sentences: bool = False) -> sacrebleu.BLEU:
    """Return the BLEU of translations into ``language``, cased and detokenised.

    It counts n-grams of words, or of characters where a language puts no spaces between words. With ``of_sentences`` it
    counts none that are longer than the sentence.
    """
    tokenize = "char" if language in _WITHOUT_SPACES else "13a"
    return sacrebleu.BLEU(tokenize=tokenize, effective_order=of_sentences)


def corpus_scores(translations: Sequence[str], references: Sequence[str], language: str) -> dict[str, Any]:
    """Return sacreBLEU and chrF of ``translations`` into ``language``, one reference each, with their signatures."""
    bleu, chrf = bleu_for(language), sacrebleu.CHRF()
    return {
        "sacrebleu": round(bleu.corpus_score(translations, [references]).score, 2),
        "sacrebleu_signature": str(bleu.get_signature()),
        "chrf": round(chrf.corpus_score(translations, [references]).score, 2),
        "chrf_signature": str(chrf.get_signature()),
    }
