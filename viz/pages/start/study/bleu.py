"""BLEU of one translation against one reference, taken apart (Papineni et al. 2002), by sacrebleu."""

from dataclasses import dataclass

from sacrebleu import BLEU


@dataclass(frozen=True)
class Bleu:
    """BLEU from 0 to 100, with matches, n-grams and precisions in per cent for each n from 1."""

    score: float
    matches: tuple[int, ...]
    totals: tuple[int, ...]
    precisions: tuple[float, ...]
    brevity_penalty: float
    n_tokens: int
    n_reference: int


def bleu(translation: str, reference: str) -> Bleu:
    """Return the BLEU of ``translation``.

    Where it is too short for some n-grams, only the shorter ones count.
    """
    score = BLEU(effective_order=True).sentence_score(translation, [reference])
    return Bleu(
        score=score.score,
        matches=tuple(score.counts),
        totals=tuple(score.totals),
        precisions=tuple(score.precisions),
        brevity_penalty=score.bp,
        n_tokens=score.sys_len,
        n_reference=score.ref_len,
    )
