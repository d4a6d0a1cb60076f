"""The tokens of one translation with their alternatives, as labels and as tables."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float32

from model.analysis.maps.alignment import links_of, pharaoh, word_weights
from model.decoding.translator import TokenSequence, Translation
from model.text.tokenizer import Word
from viz.base.attention_maps import Step
from viz.base.exports import rows_as_csv
from viz.base.tokens import is_special, label_alone, shown_piece, starts_word
from viz.pages.translate.study.records import LineToken, SourceToken


def steps_of(translation: Translation) -> tuple[Step, ...]:
    """Return the written tokens in their order, each with its alternatives."""
    return tuple(Step(token.label, token.alternatives, token.chosen) for token in line_tokens(translation))


def line_tokens(translation: Translation) -> list[LineToken]:
    """Return the tokens of the translation with their alternatives, as the line of tokens shows them."""
    return [
        LineToken(
            label=shown_piece(token.piece),
            starts_word=starts_word(token.piece),
            probability=token.probability,
            alternatives=tuple((label_alone(other.piece), other.probability) for other in token.alternatives),
            chosen=next((i for i, other in enumerate(token.alternatives) if other.id == token.id), None),
        )
        for token in translation.tokens
    ]


def source_tokens(translation: Translation) -> list[SourceToken]:
    """Return the tokens of the source without its end."""
    return [SourceToken(shown_piece(piece), starts_word(piece)) for piece in translation.source.pieces[:-1]]


def read_weights(translation: Translation) -> Float32[np.ndarray, "target source"]:
    """Return the mean weight of a layer's heads from each written token to each source token but the end.

    That is the cross-attention of the last layer but one, which aligns words best where that was measured
    (``python -m pretrained.publishing alignment_errors``).
    """
    layers = sum(name.endswith("cross_attention.pattern") for name in translation.patterns)
    pattern = translation.patterns[f"decoder.{max(0, layers - 2)}.cross_attention.pattern"]
    return np.asarray(pattern.mean(0)[: len(translation.tokens), :-1], np.float32)


def word_links_as_text(translation: Translation) -> str:
    """Return source, translation, and their word links in Pharaoh format, a line each.

    Each written word is linked with the word that it reads most, as :func:`read_weights` has it. The end is no word.
    """
    source, target = (_spoken(side) for side in (translation.source, translation.target))
    lines = [" ".join(word.text.replace(" ", "") for word in words) for words in (source, target)]
    if not source or not target:
        return "\n".join([*lines, "", ""])
    spans = [[(word.start, word.end) for word in words] for words in (target, source)]
    links = links_of(word_weights(read_weights(translation), *spans))
    return "\n".join([*lines, pharaoh(links), ""])


def _spoken(side: TokenSequence) -> list[Word]:
    return [word for word in side.words if not is_special(side.pieces[word.start])]


def translation_as_csv(translation: Translation, hypotheses: Sequence[tuple[float, str]]) -> str:
    """Return a table of tokens with probabilities and alternatives, and of hypotheses with scores."""
    rows: list[Sequence[object]] = []
    for step, token in enumerate(line_tokens(translation), start=1):
        rows.append(["token", step, "", token.label, f"{token.probability:.6g}", ""])
        for rank, (label, probability) in enumerate(token.alternatives, start=1):
            rows.append(["alternative", step, rank, label, f"{probability:.6g}", ""])
    for rank, (score, text) in enumerate(hypotheses, start=1):
        rows.append(["hypothesis", "", rank, text, "", f"{score:.6g}"])
    return rows_as_csv(["row", "step", "rank", "text", "probability", "score"], rows)
