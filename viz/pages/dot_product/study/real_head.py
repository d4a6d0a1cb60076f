"""Queries, keys and values of one head of a translation, for chosen tokens, for a calculation by hand."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float32

from model.decoding.translator import Translation, Translator
from viz.base.attention_maps import BlockName, attention_kind, hook_name
from viz.base.words import InputError

MAX_TOKENS = 8


class TokensError(InputError):
    """Queries and keys that no attention is computed between."""


@dataclass(frozen=True)
class RealHead:
    """One head between chosen tokens: q [query, d_key], k and v [key, ...], and the model's pattern.

    ``pattern`` holds the model's own weights between those tokens; a row sums to one only if every key is chosen.
    """

    q: Float32[np.ndarray, "query d_key"]
    k: Float32[np.ndarray, "key d_key"]
    v: Float32[np.ndarray, "key d_value"]
    allowed: Bool[np.ndarray, "query key"]
    pattern: Float32[np.ndarray, "query key"]
    queries: tuple[str, ...]
    keys: tuple[str, ...]


def real_head(
    translator: Translator,
    translation: Translation,
    kind: BlockName,
    *,
    layer: int,
    head: int,
    queries: tuple[int, ...],
    keys: tuple[int, ...],
) -> RealHead:
    """Return the head ``head`` of ``layer`` between the tokens at ``queries`` and at ``keys``.

    Raises:
        TokensError: no query or no key, or a query that may look at none of the keys.
    """
    shown = attention_kind(translation, kind)
    row_labels, column_labels = shown.queries.labels, shown.keys.labels
    block = hook_name(kind, layer).removesuffix(".pattern")
    seen = translator.look_inside(translation, *(f"{block}.{name}" for name in "qkv"))
    rows, columns = list(queries), list(keys)
    allowed = np.ones((len(rows), len(columns)), dtype=bool)
    if kind == "decoder":
        allowed = np.array(columns)[None, :] <= np.array(rows)[:, None]
    if not rows or not columns:
        raise TokensError("no token")
    if not allowed.any(axis=1).all():
        blind = row_labels[rows[int(np.argmin(allowed.any(axis=1)))]]
        raise TokensError("blind", query=blind)
    return RealHead(
        q=seen[f"{block}.q"][head, rows],
        k=seen[f"{block}.k"][head, columns],
        v=seen[f"{block}.v"][head, columns],
        allowed=allowed,
        pattern=shown.weights[layer, head][np.ix_(rows, columns)],
        queries=tuple(row_labels[row] for row in rows),
        keys=tuple(column_labels[column] for column in columns),
    )
