"""The attention of one translation, prepared for showing: arrays and labels, whatever draws them."""

from collections.abc import Sequence
from itertools import count, takewhile

import numpy as np
from jaxtyping import Float32

from model.decoding.translator import TokenSequence, Translation
from viz.base.exports import arrays_as_npz, rows_as_csv
from viz.base.tokens import is_special, label_alone, piece_labels, shown_piece, starts_word, visible
from viz.components.attention_explorer import BLOCKS, AttentionKind, BlockName, Step, TokenRow
from viz.pages.translate.components.token_line import LineToken

_PATTERN: dict[BlockName, str] = {
    "encoder": "encoder.{layer}.self_attention.pattern",
    "decoder": "decoder.{layer}.self_attention.pattern",
    "cross": "decoder.{layer}.cross_attention.pattern",
}


def attention_kinds(translation: Translation) -> tuple[AttentionKind, ...]:
    """Return every head of every layer of each kind of attention."""
    return tuple(attention_kind(translation, name) for name in BLOCKS)


def attention_kind(translation: Translation, name: BlockName) -> AttentionKind:
    """Return every head of every layer of the kind ``name``.

    In the decoder, rows are the tokens being written and columns those being read, which begin with BOS.
    """
    names = takewhile(translation.patterns.__contains__, (hook_name(name, layer) for layer in count()))
    weights = np.stack([translation.patterns[name] for name in names])
    return kind_between(translation, name, weights)


def kind_between(
    translation: Translation, name: BlockName, weights: Float32[np.ndarray, "layer head query key"]
) -> AttentionKind:
    """Return ``weights``, whatever they measure, between the tokens of the kind ``name``."""
    queries = translation.source if name == "encoder" else translation.target
    keys = translation.read if name == "decoder" else translation.source
    return AttentionKind(name, weights, _token_row(queries), _token_row(keys))


def steps_of(translation: Translation) -> tuple[Step, ...]:
    """Return the written tokens in their order, each with its alternatives."""
    return tuple(Step(token.label, token.alternatives) for token in line_tokens(translation))


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


def as_csv(matrix: Float32[np.ndarray, "query key"], queries: Sequence[str], keys: Sequence[str]) -> str:
    """Return ``matrix`` as a table with a heading row and column of labels."""
    rows = zip(queries, matrix, strict=True)
    return rows_as_csv(["", *keys], ([query, *(f"{weight:.6g}" for weight in weights)] for query, weights in rows))


def translation_as_csv(translation: Translation, hypotheses: Sequence[tuple[float, str]]) -> str:
    """Return a table of every token with its probability, its alternatives with theirs, and hypotheses with scores."""
    rows: list[Sequence[object]] = []
    for step, token in enumerate(line_tokens(translation), start=1):
        rows.append(["token", step, "", token.label, f"{token.probability:.6g}", ""])
        for rank, (label, probability) in enumerate(token.alternatives, start=1):
            rows.append(["alternative", step, rank, label, f"{probability:.6g}", ""])
    for rank, (score, text) in enumerate(hypotheses, start=1):
        rows.append(["hypothesis", "", rank, text, "", f"{score:.6g}"])
    return rows_as_csv(["row", "step", "rank", "text", "probability", "score"], rows)


def as_npz(translation: Translation) -> bytes:
    """Return all maps [head, query, key] by hook name, and the pieces they are between, as an NPZ file."""
    pieces = {
        f"{name}_pieces": np.array(getattr(translation, name).pieces, dtype=np.str_)
        for name in ("source", "read", "target")
    }
    return arrays_as_npz({**translation.patterns, **pieces})


def hook_name(kind: BlockName, layer: int) -> str:
    """Return the name under which the patterns of that layer are recorded."""
    return _PATTERN[kind].format(layer=layer)


def _token_row(sequence: TokenSequence) -> TokenRow:
    return TokenRow(
        labels=piece_labels(sequence.pieces, [word.start for word in sequence.words]),
        words=tuple((word.start, word.end) for word in sequence.words),
        special=tuple(map(is_special, sequence.pieces)),
        # A word of one piece may be a special token, which has a name of its own.
        word_labels=tuple(
            shown_piece(sequence.pieces[word.start]) if word.end - word.start == 1 else visible(word.text)
            for word in sequence.words
        ),
    )
