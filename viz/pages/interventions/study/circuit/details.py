"""Details of one part: where a head looks and why, and what hidden units write."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float
from torch import Tensor

from model.analysis.circuits.score_split import split_score
from model.analysis.interventions.ablation import Part
from model.analysis.representations.lens import raised_tokens
from viz.pages.interventions.study.circuit.explained import Explanation
from viz.pages.interventions.study.circuit.parts import CircuitPart

BIASES = "biases"
_N_READ, _N_UNITS, _N_RAISED, _N_SHOWN = 3, 6, 6, 2


@dataclass(frozen=True)
class KeyEffect:
    """A key of a head: label, weight, and the effect of its value on the difference of the logits."""

    label: str
    weight: float
    effect: float


@dataclass(frozen=True)
class Reasons:
    """Explanation of a head's score between a query and a key.

    Attributes:
        query: the label of the query's token.
        key: that of the key's.
        score: by how much the key's score is above the mean of all others.
        of_query: what the query is made of: blocks, token and position by their hook points, and :data:`BIASES`.
        of_key: the same of the key.
        products: what each pair adds to the score.
    """

    query: str
    key: str
    score: float
    of_query: tuple[str, ...]
    of_key: tuple[str, ...]
    products: Float[np.ndarray, "query key"]


@dataclass(frozen=True)
class Unit:
    """A hidden unit, counted from 1: its effect, its activation, and the tokens that it raises most.

    Only a unit of the decoder raises tokens: what the encoder writes is read by others first.
    """

    number: int
    effect: float
    activation: float
    raises: tuple[str, ...]


@dataclass(frozen=True)
class UnitExample:
    """A place in a sentence: text before the token, its own, text after, its piece, the unit's activation."""

    before: str
    text: str
    after: str
    piece: str
    activation: float


def reads(explained: Explanation, head: CircuitPart) -> tuple[KeyEffect, ...]:
    """Return the keys with the largest weights of ``head``."""
    pattern, along = _pattern_and_values(explained, head)
    labels = _keys(explained, head)
    return tuple(
        KeyEffect(labels[key], float(pattern[key]), float(pattern[key] * along[key]))
        for key in pattern.argsort(descending=True).tolist()[:_N_READ]
    )


def _pattern_and_values(
    explained: Explanation, head: CircuitPart
) -> tuple[Float[Tensor, " key"], Float[Tensor, " key"]]:
    """Return the weights of ``head``, and each value's effect on the logit difference at weight 1."""
    (node,) = head.nodes
    pattern = explained.seen[f"{node.block}.pattern"][0, node.index, node.position]
    values = explained.seen[f"{node.block}.v"][0, node.index]  # [K, E]
    return pattern, values @ explained.effects.slopes[node.point][node.place]


def reasons(explained: Explanation, head: CircuitPart) -> Reasons:
    """Return why ``head`` gives a key a higher score than the mean of the others: the key that adds most."""
    (node,) = head.nodes
    pattern, along = _pattern_and_values(explained, head)
    key = int((pattern * along).abs().argmax())
    others = [place for place in pattern.nonzero().flatten().tolist() if place != key]
    split = split_score(explained.frozen(), node.block, node.index, node.position, key, against=others)
    read = explained.source if head.lane == "encoder" else explained.read
    labels = read[node.position], _keys(explained, head)[key]
    of_query, of_key = ([*map(_block_of, parts), BIASES] for parts in (split.query, split.key))
    rows, columns = tuple(dict.fromkeys(of_query)), tuple(dict.fromkeys(of_key))
    products = np.zeros((len(rows), len(columns)))
    places = np.ix_([rows.index(one) for one in of_query], [columns.index(one) for one in of_key])
    np.add.at(products, places, split.products.numpy())
    return Reasons(*labels, split.score, rows, columns, products)


def _block_of(writer: Part) -> str:
    """Return the common part of the hook points in the block of ``writer``.

    For a token or a position, it is its own point.
    """
    return writer.point.removesuffix(".z").removesuffix(".output")


def units(explained: Explanation, part: CircuitPart) -> tuple[Unit, ...]:
    """Return the strongest hidden units of ``part``; :func:`n_others` counts the rest."""
    nodes = part.nodes[:_N_UNITS]
    raised: Sequence[tuple[str, ...]] = [()] * len(nodes)
    if part.lane == "decoder":
        frozen = explained.frozen()
        written = torch.stack([*map(frozen.written, nodes)])
        best = raised_tokens(explained.translator.model, written, _N_RAISED).tolist()
        raised = [tuple(map(explained.label, tokens)) for tokens in best]
    return tuple(
        Unit(
            node.index + 1, explained.effects.of(node), float(explained.effects.values[node.point][node.place]), tokens
        )
        for node, tokens in zip(nodes, raised, strict=True)
    )


def n_others(explained: Explanation, part: CircuitPart) -> tuple[int, float]:
    """Return how many hidden units of ``part`` are not among the strongest, and the sum of their effects."""
    others = part.nodes[_N_UNITS:]
    return len(others), sum(explained.effects.of(node) for node in others)


def examples_of(examples: pd.DataFrame, part: CircuitPart) -> Mapping[int, tuple[UnitExample, ...]]:
    """Return the places that excite the strongest units of ``part`` most, by their numbers from 1.

    ``examples`` are those of :func:`pretrained.unit_examples.unit_examples`.
    """
    if examples.empty:
        return {}
    own = examples[examples["point"] == part.nodes[0].point].drop_duplicates(["unit", "before", "text", "after"])
    by_unit = {node.index: own[own["unit"] == node.index] for node in part.nodes[:_N_UNITS]}
    columns = [field.name for field in fields(UnitExample)]
    return {
        unit + 1: tuple(UnitExample(*row) for row in rows[columns].head(_N_SHOWN).itertuples(index=False))
        for unit, rows in by_unit.items()
    }


def _keys(explained: Explanation, head: CircuitPart) -> tuple[str, ...]:
    return explained.read if head.lane == "decoder" else explained.source
