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
    found = BLEU(effective_order=True).sentence_score(translation, [reference])
    return Bleu(
        score=found.score,
        matches=tuple(found.counts),
        totals=tuple(found.totals),
        precisions=tuple(found.precisions),
        brevity_penalty=found.bp,
        n_tokens=found.sys_len,
        n_reference=found.ref_len,
    )
