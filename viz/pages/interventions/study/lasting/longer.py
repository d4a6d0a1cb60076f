"""Circuits of small decoders by input length: accuracy with the circuit alone, and lasting edges."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from model.analysis.circuits.frozen_pass import HEAD, UNIT
from viz.base.exports import rows_as_csv

INPUT, OUTPUT, UNITS = "input", "output", "ffn"
CHANGES = ("none", "others", "reading", "drawn")
"""What is changed where the accuracy is drawn: nothing, all but the circuit off, and heads that look where they
should."""
N_SHOWN = 12
_STRONG = 0.1
_RIGHT = 0.9

Model = tuple[str, str]
"""A task and an encoding."""


@dataclass(frozen=True)
class Edges:
    """Edges, the strongest at the longest trained length first, whichever way they act.

    Attributes:
        codes: of each its source and its target: "input", "2.3" (a head), "ffn.2" (the units of a layer) or "output".
        effects: what each adds at the longest trained length, as a share of the difference of the logits there.
        shares: what each adds at every length, as a share of that at the longest trained one.
        low: the lower end of 95 % of bootstrap draws of inputs.
        high: the upper end.
    """

    codes: tuple[tuple[str, str], ...]
    effects: Float[np.ndarray, " edge"]
    shares: Float[np.ndarray, "edge length"]
    low: Float[np.ndarray, "edge length"]
    high: Float[np.ndarray, "edge length"]


@dataclass(frozen=True)
class Longer:
    """Measurements of one model on inputs of the longest trained length and of longer ones.

    Attributes:
        lengths: of the inputs, the longest trained one first.
        n_parts: heads and layers with hidden units that there are.
        kept: the codes of those in the circuit.
        accuracies: the share of answer tokens that are right, by what is changed; see :data:`CHANGES`.
        edges: those of the circuit of the whole model.
        reading: by the code of a head that reads the right token, how much it looks there at each length.
    """

    lengths: tuple[int, ...]
    n_parts: int
    kept: tuple[str, ...]
    accuracies: Mapping[str, Float[np.ndarray, " length"]]
    edges: Edges
    reading: Mapping[str, Float[np.ndarray, " length"]]

    @property
    def cliff(self) -> int:
        """The index of the first length with accuracy below 90 %, or of the last length without one."""
        below = np.flatnonzero(self.accuracies["none"] < _RIGHT)
        return int(below[0]) if len(below) else len(self.lengths) - 1

    @property
    def falls(self) -> dict[tuple[str, str], int | None]:
        """The index of the first length at which each strong edge adds less than half, by its code."""
        below = self.edges.shares < 0.5
        return {
            code: int(np.flatnonzero(row)[0]) if row.any() else None
            for code, effect, row in zip(self.edges.codes, self.edges.effects, below, strict=True)
            if effect >= _STRONG
        }


def models_of(circuits: pd.DataFrame) -> tuple[Model, ...]:
    """Return every model that was measured."""
    return tuple(dict.fromkeys(zip(circuits["task"], circuits["encoding"], strict=True)))


def longer_inputs(circuits: pd.DataFrame, model: Model) -> Longer:
    """Return what was measured of ``model``, from the rows of :func:`pretrained.zoo.zoo_circuits`."""
    task, encoding = model
    rows = circuits[(circuits["task"] == task) & (circuits["encoding"] == encoding)]
    accuracies = rows[(rows["measure"] == "accuracy") & (rows["changed"] != "one")]
    by_change = accuracies.pivot_table(index="length", columns="changed", values="value")
    reads = rows[rows["measure"] == "reads"]
    kept = rows[rows["measure"] == "kept"]
    return Longer(
        tuple(map(int, by_change.index)),
        int(rows["n_parts"].iloc[0]),
        tuple(_codes(kept, "source")),
        {change: by_change[change].to_numpy(float) for change in CHANGES if change in by_change},
        _edges(rows),
        {
            str(code): group.sort_values("length")["value"].to_numpy(float)
            for code, group in reads.assign(code=_codes(reads, "source")).groupby("code", sort=False)
        },
    )


def _edges(rows: pd.DataFrame) -> Edges:
    edges, differences = (rows[rows["measure"] == measure] for measure in ("edge", "difference"))
    ends = zip(_codes(edges, "source"), _codes(edges, "target"), strict=True)
    edges = edges.assign(code=pd.Series([*ends], edges.index, dtype=object))
    shortest = int(edges["length"].min())
    (whole,) = differences.loc[differences["length"] == shortest, "value"]
    trained = edges[edges["length"] == shortest].set_index("code")["value"] / whole
    order = [*trained.abs().sort_values(ascending=False, kind="stable").index]

    def table(column: str) -> Float[np.ndarray, "edge length"]:
        return edges.pivot(index="code", columns="length", values=column).loc[order].to_numpy(float)

    return Edges(tuple(order), trained[order].to_numpy(float), *map(table, ("share", "low", "high")))


def _codes(rows: pd.DataFrame, end: str) -> list[str]:
    return [_code(point, head) for point, head in zip(rows[f"{end}_point"], rows[f"{end}_head"], strict=True)]


def _code(point: str, head: float) -> str:
    if not point:
        return OUTPUT
    if not point.endswith((HEAD, UNIT)):
        return INPUT
    layer = int(point.split(".")[1]) + 1
    return f"{UNITS}.{layer}" if point.endswith(UNIT) else f"{layer}.{int(head) + 1}"


def shown(edges: Edges) -> Edges:
    """Return the strongest of ``edges``."""
    tables = (table[:N_SHOWN] for table in (edges.effects, edges.shares, edges.low, edges.high))
    return Edges(edges.codes[:N_SHOWN], *tables)


def accuracies_as_csv(measured: Longer) -> str:
    """Return a table of every accuracy, and of how much heads look where they read."""
    columns = {**measured.accuracies, **{f"weight of {code}": row for code, row in measured.reading.items()}}
    rows = [
        [f"{length}", *(f"{values[place]:.4f}" for values in columns.values())]
        for place, length in enumerate(measured.lengths)
    ]
    return rows_as_csv(["length", *columns], rows)


def edges_as_csv(edges: Edges, lengths: Sequence[int]) -> str:
    """Return a table of the share of every edge at each of ``lengths``."""
    rows = [
        [*code, f"{edges.effects[row]:.4f}", f"{length}", *(f"{table[row, column]:.4f}" for table in tables)]
        for tables in [(edges.shares, edges.low, edges.high)]
        for row, code in enumerate(edges.codes)
        for column, length in enumerate(lengths)
    ]
    return rows_as_csv(["source", "target", "effect", "length", "share", "low", "high"], rows)
