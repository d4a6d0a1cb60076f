"""What translations are scored by: BLEU as sacreBLEU computes it (Post 2018)."""

import sacrebleu

_WITHOUT_SPACES = ("Japanese", "Chinese")


def bleu_for(language: str, *, of_sentences: bool = False) -> sacrebleu.BLEU:
    """Return the BLEU of translations into ``language``, cased and detokenised.

    It counts runs of words; of characters, where a language puts no spaces between words. ``of_sentences``, it counts
    no runs longer than the sentence.
    """
    tokenize = "char" if language in _WITHOUT_SPACES else "13a"
    return sacrebleu.BLEU(tokenize=tokenize, effective_order=of_sentences)
