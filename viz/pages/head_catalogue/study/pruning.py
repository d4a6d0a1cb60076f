"""Pruning results of a translator: the number of heads that it needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from jaxtyping import Float

from viz.base.attention_maps import BLOCKS, BlockName
from viz.base.exports import rows_as_csv

Order = Literal["importance", "loss"]
ORDERS: tuple[Order, ...] = ("loss", "importance")
Measure = Literal["bleu", "loss"]
MEASURES: tuple[Measure, ...] = ("bleu", "loss")
DROP = 0.5
"""The BLEU that Voita et al. and Michel et al. speak of when they say how many heads can go."""

Place = tuple[BlockName, int]
_COLUMNS = ("choice", "kind", "layer", "head", "n_left", "loss", "bleu")


@dataclass(frozen=True)
class OneHead:
    """A head, by attention, layer and number from 1, and the loss without it or with it alone.

    ``lost`` is what is lost by measure: points of BLEU, and nats a token; not a number where it was not measured.
    """

    kind: BlockName
    layer: int
    number: int
    lost: Mapping[Measure, float]

    @property
    def place(self) -> Place:
        """Its attention and layer."""
        return self.kind, self.layer


@dataclass(frozen=True)
class PruningCurve:
    """Results by ``measure`` after so many heads are ``removed``, from none on; NaN if not measured."""

    removed: np.ndarray
    values: Mapping[Measure, np.ndarray]

    def known(self, measure: Measure) -> tuple[np.ndarray, np.ndarray]:
        """Return the places at which ``measure`` was taken, and its values there."""
        is_known = ~np.isnan(self.values[measure])
        return self.removed[is_known], self.values[measure][is_known]


@dataclass(frozen=True)
class Pruning:
    """A translator without some of its heads.

    Attributes:
        n_heads: how many it has.
        sentences: over how many it was measured.
        choosing: on how many others the orders were chosen.
        whole: its BLEU and its loss with all heads.
        curves: while more and more heads go, by their order.
        alone: every head removed by itself, by what takes its place: ``zero``, and ``mean`` where it has means.
        only: for each block, the head that is best left alone there.
    """

    n_heads: int
    sentences: int
    choosing: int
    whole: Mapping[Measure, float]
    curves: Mapping[Order, PruningCurve]
    alone: Mapping[str, tuple[OneHead, ...]]
    only: Mapping[Place, OneHead]

    def heads_left(self, order: Order) -> int:
        """Return the smallest measured number of heads at which BLEU is down by at most :data:`DROP`."""
        removed, bleu = self.curves[order].known("bleu")
        has_fallen = bleu < self.whole["bleu"] - DROP
        last = int(has_fallen.argmax()) - 1 if has_fallen.any() else len(removed) - 1
        return self.n_heads - int(removed[last])

    def ranked(self, by: str, measure: Measure) -> list[OneHead]:
        """Return the heads removed alone, the one first without which most is lost."""
        return sorted(self.alone[by], key=lambda head: -head.lost[measure])

    def grid(self, by: str, measure: Measure) -> tuple[list[Place], Float[np.ndarray, "row head"]]:
        """Return the blocks, and what is lost without each head, a row a block."""
        heads = self.alone[by]
        places = _in_order({head.place for head in heads})
        values = np.full((len(places), max(head.number for head in heads)), np.nan)
        for head in heads:
            values[places.index(head.place), head.number - 1] = head.lost[measure]
        return places, values

    def layers(self) -> tuple[int, ...]:
        """Return the layers that have a block, from 1."""
        return tuple(sorted({layer for _, layer in self.only}))


def pruning_of(rows: pd.DataFrame) -> Pruning:
    """Return what :func:`pretrained.head_pruning.head_pruning` returned.

    Raises:
        KeyError: a column, or what was measured of the whole model, is missing.
        ValueError: heads were not measured.
    """
    by_choice = {str(choice): of_choice for choice, of_choice in rows.groupby("choice")}
    first = by_choice["whole"].iloc[0]
    whole: dict[Measure, float] = {measure: float(first[measure]) for measure in MEASURES}
    heads = {
        choice: tuple(_head(row, whole) for row in of_choice.to_dict("records"))
        for choice, of_choice in by_choice.items()
        if choice in ("zero", "mean", "only")
    }
    only = {
        place: min(_at(place, heads["only"]), key=_loss) for place in _in_order({one.place for one in heads["only"]})
    }
    n_heads = int(first["n_left"])
    return Pruning(
        n_heads,
        int(first["sentences"]),
        int(first["choosing"]),
        whole,
        {order: _curve(by_choice[order], whole, n_heads) for order in ORDERS},
        {choice: heads[choice] for choice in ("zero", "mean") if choice in heads},
        only,
    )


def as_csv(rows: pd.DataFrame) -> str:
    """Return everything that was measured as a table."""
    known = rows[[*_COLUMNS]].astype(object).where(rows[[*_COLUMNS]].notna(), "")
    return rows_as_csv(_COLUMNS, known.to_numpy().tolist())


def _head(row: Mapping[Any, Any], whole: Mapping[Measure, float]) -> OneHead:
    lost: dict[Measure, float] = {
        "bleu": whole["bleu"] - float(row["bleu"]),
        "loss": float(row["loss"]) - whole["loss"],
    }
    return OneHead(row["kind"], int(row["layer"]), int(row["head"]), lost)


def _curve(rows: pd.DataFrame, whole: Mapping[Measure, float], n_heads: int) -> PruningCurve:
    ordered = rows.sort_values("n_left", ascending=False)
    removed = np.array([0, *(n_heads - ordered["n_left"])])
    return PruningCurve(removed, {measure: np.array([whole[measure], *ordered[measure]]) for measure in MEASURES})


def _at(place: Place, heads: Sequence[OneHead]) -> list[OneHead]:
    return [head for head in heads if head.place == place]


def _loss(head: OneHead) -> float:
    return head.lost["loss"]


def _in_order(places: set[Place]) -> list[Place]:
    return sorted(places, key=lambda place: (BLOCKS.index(place[0]), place[1]))
