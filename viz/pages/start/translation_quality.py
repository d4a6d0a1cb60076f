"""Pictures and questions about results: BLEU, beam search with length penalty, the paper's tables."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from sacrebleu.metrics.bleu import BLEU, BLEUScore

from viz.base.claims import Claim
from viz.base.link_parameters import Choice, Text
from viz.base.numbers import signed
from viz.base.words import listed, listed_apart, page_text
from viz.components.table import table
from viz.figures.horizontal import horizontal
from viz.figures.lines import lines
from viz.pages.start.drawing import EXAMPLE, chart, sentence, translation_of
from viz.pages.start.stops import Answer, Picture, PictureContent, PictureControl
from viz.pages.start.study.published import effective_context, published, true_copy
from viz.pages.start.study.translator import scores_by_alpha
from viz.shared.model_words import model_words

TEXT = page_text("pages/start/translation_quality")
_HYPOTHESIS = Text("hypothesis", TEXT["first hypothesis"], 300)
_REFERENCE = Text("reference", TEXT["first reference"], 300)
_ALPHA = Choice("alpha", 0.6, (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0))


@dataclass(frozen=True)
class ComparedTranslation:
    """A translation, and what it is compared with."""

    hypothesis: str = _HYPOTHESIS.default
    reference: str = _REFERENCE.default


def _pair_controls(_: ComparedTranslation) -> tuple[PictureControl, ...]:
    return (
        PictureControl("hypothesis", _HYPOTHESIS, TEXT["hypothesis"], "text"),
        PictureControl("reference", _REFERENCE, TEXT["reference"], "text"),
    )


def bleu(pair: ComparedTranslation) -> BLEUScore:
    """Return BLEU (Papineni et al. 2002), of short translations by their shorter n-grams alone."""
    return BLEU(effective_order=True).sentence_score(pair.hypothesis, [pair.reference])


def _bleu(pair: ComparedTranslation) -> PictureContent:
    measured = bleu(pair)
    counted = zip(measured.counts, measured.totals, strict=True)
    rows = [
        TEXT["n-grams"].format(n=n, matches=matches, total=total) for n, (matches, total) in enumerate(counted, start=1)
    ]
    precisions = {TEXT["precision"]: np.array(measured.precisions)}
    bars = chart(
        "bleu",
        TEXT["alt bleu"].format(rows=listed_apart(rows), score=f"{measured.score:.1f}"),
        horizontal(rows, precisions, x_name=TEXT["precision"]),
    )
    words = TEXT["bleu"].format(
        score=f"{measured.score:.1f}",
        penalty=f"{measured.bp:.3f}",
        own=measured.sys_len,
        other=measured.ref_len,
    )
    return PictureContent((bars,), words=words)


def matching_bigrams(pair: ComparedTranslation) -> Answer:
    """Return how many 2-grams of the translation count as found in the reference."""
    score = bleu(pair)
    return Answer(score.counts[1], {"total": score.totals[1]} | vars(pair))


COMPARISON = Picture(_bleu, ComparedTranslation, _pair_controls)


@dataclass(frozen=True)
class PenalisedRanking:
    """The sentence, and the strength of the length penalty."""

    text: str = EXAMPLE
    alpha: float = _ALPHA.default


def _ranking_controls(_: PenalisedRanking) -> tuple[PictureControl, ...]:
    return sentence(), PictureControl("alpha", _ALPHA, TEXT["alpha"])


def _penalty_curves(ranking: PenalisedRanking) -> PictureContent:
    alpha, translated = ranking.alpha, translation_of(ranking.text)
    hypotheses = translated.translation.hypotheses
    alphas = np.array(_ALPHA.options)
    scores = scores_by_alpha(hypotheses, alphas)
    names = [TEXT["rank"].format(number=number + 1) for number in range(len(hypotheses))]
    here = scores[:, _ALPHA.options.index(alpha)]
    best = int(here.argmax())
    curves = chart(
        "length-penalty",
        TEXT["alt penalty"].format(alpha=alpha, best=names[best]),
        lines(
            alphas,
            dict(zip(names, scores, strict=True)),
            x_name=TEXT["alpha"],
            y_name=TEXT["score"],
            marks={TEXT["here"].format(alpha=alpha): alpha},
            height=290,
        ),
    )
    rows = [
        [name, str(len(one.tokens)), signed(sum(one.log_probabilities)), signed(float(score)), text]
        for name, one, score, (_, text) in zip(names, hypotheses, here, translated.hypotheses, strict=True)
    ]
    headings = [TEXT[f"column {name}"] for name in ("name", "tokens", "total", "score", "text")]
    return PictureContent((curves,), table=table(headings, rows, name=TEXT["hypotheses"]))


def length_penalty(ranking: PenalisedRanking) -> Answer:
    """Return by what the log-probability of the first hypothesis is divided."""
    n = len(translation_of(ranking.text).translation.hypotheses[0].tokens)
    penalty = ((5 + n) / 6) ** ranking.alpha
    return Answer(penalty, {"n": n, "alpha": ranking.alpha}, within=0.02)


PENALTY_CURVES = Picture(_penalty_curves, PenalisedRanking, _ranking_controls)


def _published(
    name: str, *, is_difference: bool = False, claim: tuple[str, Callable[[], Claim]] | None = None
) -> Picture:
    """Return the picture of a column of a paper's table.

    Args:
        name: of the column.
        is_difference: whether the differences from its base are drawn.
        claim: the heading of the sentence under it, and what computes that.
    """

    def show(_: None) -> PictureContent:
        column = published(name)
        values = np.array(list(column.values.values())) - (column.base if is_difference else 0)
        rows, source = list(map(model_words, column.values)), model_words(column.source)
        listed_values = listed_apart(
            f"{row} {value:g}" for row, value in zip(rows, column.values.values(), strict=True)
        )
        bars = chart(
            name.replace(" ", "-"),
            TEXT["alt published"].format(source=source, values=listed_values),
            horizontal(rows, {TEXT[f"axis {name}"]: values}, x_name=TEXT[f"axis {name}"]),
        )
        words = ""
        if claim:
            heading, compute = claim
            words = compute().sentence(TEXT, heading)
        return PictureContent((bars,), TEXT["source"].format(source=source), words)

    return Picture(show)


def n_better(_: None) -> Answer:
    """Return how many variations are better than the base model."""
    paper = published("variations")
    rows = listed_apart(f"{model_words(row)} {value:g}" for row, value in paper.values.items())
    names = listed(map(model_words, paper.better))
    return Answer(len(paper.better), {"base": paper.base, "names": names, "rows": rows})


VARIATIONS = _published("variations", is_difference=True)
PARSING = _published("parsing")
MEAN_RANKS = _published("ranking")
TRUE_COPY = _published("true copy", claim=("claim true copy", true_copy))
EFFECTIVE_CONTEXT = _published("effective context", claim=("claim effective context", effective_context))
