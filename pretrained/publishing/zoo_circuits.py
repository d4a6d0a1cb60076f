"""Measure whether the circuits of small decoders that work on the longest trained inputs still do on longer ones."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float, Int
from torch import Tensor
from tqdm import tqdm

from model.analysis.circuits.edges import edges_between_parts
from model.analysis.circuits.frozen_pass import HEAD, UNIT, FrozenPass
from model.analysis.interventions.ablation import Means, Part, ablation
from model.architectures.decoder_only import DecoderOnly
from model.device import use_one_thread
from model.hooks import Edit, intervene, record
from model.tasks import Row, Task, draw_training, find, row_of, vocabulary_of
from model.training.history import commit
from model.zoo.data import TaskBatch, held_out_rows, make_batch
from model.zoo.evaluate import forward
from pretrained.publishing.command import command, command_line
from pretrained.publishing.shipping import write_table
from pretrained.zoo import CIRCUIT_MODELS, CIRCUITS, ZOO, ZooModel, load_zoo_model, shipped_zoo

N_CHOOSING, N_MEASURED = 100, 100
MAX_LENGTH = 40
TOLERANCE = 0.02
"""Accuracy that a circuit may lack on the inputs that it is chosen on."""
LEAST_SHARE = 0.05
"""Edges that add less of the difference at the longest trained length are left out."""
READING = 0.4
"""A head that looks so much, at the longest trained length, where the right token is taken from, is a reading one."""
OFFSETS = range(-2, 3)
"""Places that such a head may look at instead, counted from there: a part before may have moved what it reads."""
_N_BOOTSTRAP, _N_DRAWS = 1000, 10

PLACES: Mapping[str, Callable[[Int[Tensor, "row place"]], Int[Tensor, "row place"]]] = {
    "reverse": lambda inputs: torch.arange(inputs.shape[1]).flip(0).expand_as(inputs),
    "copy_letters": lambda inputs: torch.arange(inputs.shape[1]).expand_as(inputs),
    "sort": lambda inputs: inputs.argsort(dim=1, stable=True),
}
"""Tasks whose answer takes each token from one place of the input: these places, from 0, by the tokens of the input."""

Shown = dict[str, Any]


@command("zoo_circuits")
def write_zoo_circuits(
    *,
    models: Sequence[tuple[str, str]] = CIRCUIT_MODELS,
    folder: Path = ZOO,
    n: int = N_MEASURED,
    n_choosing: int = N_CHOOSING,
) -> Iterator[str]:
    """Measure the circuits of small decoders on inputs of the longest trained length and on longer ones.

    A part is a head or all hidden units of a layer, at every position. Where each answer token is taken from one place
    of the input, the heads that look there are measured, too. The table is ``pretrained/zoo/circuits.parquet``.
    """
    use_one_thread()
    shipped = {(one.run.task, one.run.encoding): one for one in shipped_zoo(folder)}
    if missing := [name for name in models if name not in shipped]:
        raise ValueError(f"no model of {' '.join(missing[0])} ships; its circuit cannot be measured")
    tables: list[pd.DataFrame] = []
    for name in tqdm(models, unit="model", disable=None):
        table = circuit_table(shipped[name], load_zoo_model(shipped[name], folder), n=n, n_choosing=n_choosing)
        tables.append(table)
        accuracies = table[table["measure"] == "accuracy"].pivot_table(
            index="length", columns="changed", values="value"
        )
        yield f"{' '.join(name)}: {(table['measure'] == 'kept').sum()} parts kept\n{accuracies.round(3).T}"
    about = {"commit": commit(), "command": command_line("zoo_circuits")}
    write_table(pd.concat(tables, ignore_index=True).assign(**about), folder / CIRCUITS)


def circuit_table(shipped: ZooModel, model: DecoderOnly, *, n: int, n_choosing: int) -> pd.DataFrame:
    """Return what :func:`pretrained.zoo.zoo_circuits` reads, of one model."""
    task = find(shipped.run.task)
    longest, lengths = task.description.train_lengths[1], task.description.test_lengths
    chosen_on = Asked.of(task, _training_rows(task, longest, n_choosing))
    means = _means(model, chosen_on.batch)
    kept, others = smallest_circuit(model, chosen_on, means)
    measured = {
        length: Asked.of(task, held_out_rows(task, length, n)) for length in lengths if longest <= length <= MAX_LENGTH
    }
    rows = [
        *({"measure": "kept", **_place("source", part)} for part in kept),
        *_accuracies(model, measured, {"none": (), "others": others, "kept": kept}, means),
        *_reading(model, task, measured, longest),
        *_edges(model, measured, longest, means),
    ]
    about = {"task": shipped.run.task, "encoding": shipped.run.encoding, "sha256": shipped.sha256}
    return pd.DataFrame(rows).assign(longest_trained=longest, n_parts=len(kept) + len(others), **about)


@dataclass(frozen=True)
class Asked:
    """Rows of one length, with the columns of the logits that ask for an answer, and the tokens that are right there.

    The end of the answer is not asked for.
    """

    batch: TaskBatch
    columns: Int[Tensor, " column"]
    right: Int[Tensor, "row column"]

    @classmethod
    def of(cls, task: Task, rows: Sequence[Row]) -> "Asked":
        """Return ``rows`` of ``task``, all with prompts and answers of one length."""
        batch = make_batch(rows)
        last = batch.tokens.shape[1] - 1 - task.has_end
        columns = torch.arange(rows[0].n_prompt - 1, last)
        return cls(batch, columns, batch.tokens[:, columns + 1])

    @torch.inference_mode()
    def accuracy(self, model: DecoderOnly) -> float:
        """Return the share of answer tokens that are right, each given the right ones before it."""
        return float((forward(model, self.batch)[:, self.columns].argmax(-1) == self.right).double().mean())

    def difference(self, logits: Tensor) -> Float[Tensor, " row"]:
        """Return by how much, on the mean over its answer, the right token of each row is above the strongest other."""
        asked, right = logits[:, self.columns], self.right[..., None]
        foils = asked.detach().scatter(-1, right, -torch.inf).argmax(-1, keepdim=True)
        return (asked.gather(-1, right) - asked.gather(-1, foils))[..., 0].mean(1)


def _training_rows(task: Task, length: int, n: int) -> list[Row]:
    rng = Random(f"{task.description.name} circuits")
    vocabulary = vocabulary_of(task)
    drawn = (draw_training(task, length, rng) for _ in range(n))
    return [row_of(task, vocabulary, inputs) for inputs in drawn if inputs is not None]


def _means(model: DecoderOnly, batch: TaskBatch) -> Means:
    """Return the mean of heads and hidden units over rows and positions."""
    with torch.inference_mode(), record(f"*{HEAD}", f"*{UNIT}") as seen:
        forward(model, batch)
    return {point: x.mean((0, 2)) if point.endswith(HEAD) else x.mean((0, 1)) for point, x in seen.items()}


def parts_of(model: DecoderOnly) -> tuple[Part, ...]:
    """Return every head, and the hidden units of every layer."""
    config = model.config
    heads = (
        Part(f"decoder.{layer}.self_attention{HEAD}", head)
        for layer in range(config.n_layers)
        for head in range(config.n_heads)
    )
    return (*heads, *(Part(f"decoder.{layer}.feed_forward{UNIT}") for layer in range(config.n_layers)))


def smallest_circuit(model: DecoderOnly, asked: Asked, means: Means) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Return the parts that keep the accuracy when all others are at their means, and these others.

    The part whose loss costs least is taken away again and again, as long as the accuracy stays.
    """
    kept, others = parts_of(model), tuple[Part, ...]()
    enough = asked.accuracy(model) - TOLERANCE
    while kept:
        accuracies = [_without(model, asked, (*others, part), means) for part in kept]
        if max(accuracies) < enough:
            break
        gone = kept[int(np.argmax(accuracies))]
        kept, others = tuple(part for part in kept if part != gone), (*others, gone)
    return kept, others


def _without(model: DecoderOnly, asked: Asked, parts: Sequence[Part], means: Means) -> float:
    with intervene(ablation(parts, means)):
        return asked.accuracy(model)


def _accuracies(
    model: DecoderOnly, measured: Mapping[int, Asked], off: Mapping[str, Sequence[Part]], means: Means
) -> Iterator[Shown]:
    for length, asked in measured.items():
        for name, parts in off.items():
            value = _without(model, asked, parts, means)
            yield {"measure": "accuracy", "length": length, "changed": name, "value": value, "n": len(asked.right)}


Head = tuple[str, int, int]
"""The hook point of a pattern, the head, and how far from the place of the right token it looks."""


def _reading(model: DecoderOnly, task: Task, measured: Mapping[int, Asked], longest: int) -> Iterator[Shown]:
    """Return how much reading heads look at their places, and the accuracy where these and other heads look there."""
    name = task.description.name
    if name not in PLACES:
        return
    places = {length: 1 + PLACES[name](asked.batch.tokens[:, 1 : 1 + length]) for length, asked in measured.items()}
    at_places = {length: _at_places(model, asked, places[length]) for length, asked in measured.items()}
    best = {place: max(OFFSETS, key=lambda offset: weights[offset]) for place, weights in at_places[longest].items()}
    every = [(*place, offset) for place, offset in best.items()]
    reading = [head for head in every if at_places[longest][head[:2]][head[2]] >= READING]
    others = [head for head in every if head not in reading]
    rng = np.random.default_rng(0)
    drawn = [rng.choice(len(others), min(len(reading), len(others)), replace=False) for _ in range(_N_DRAWS)]
    for length, asked in measured.items():

        def right(heads: Sequence[Head], asked: Asked = asked, length: int = length) -> float:
            with intervene(_looking(heads, asked, places[length])):
                return asked.accuracy(model)

        shared = {"length": length, "n": len(asked.right)}
        for point, head, offset in reading:
            place = {**_place("source", Part(point.replace(".pattern", HEAD), head)), "offset": offset}
            yield {"measure": "reads", **shared, **place, "value": at_places[length][point, head][offset]}
            yield {"measure": "accuracy", "changed": "one", **shared, **place, "value": right([(point, head, offset)])}
        yield {"measure": "accuracy", "changed": "reading", **shared, "value": right(reading)}
        of_draws = [right([others[place] for place in draw]) for draw in drawn]
        yield {"measure": "accuracy", "changed": "drawn", **shared, "value": float(np.mean(of_draws))}


@torch.inference_mode()
def _at_places(
    model: DecoderOnly, asked: Asked, places: Int[Tensor, "row column"]
) -> dict[tuple[str, int], dict[int, float]]:
    """Return the mean weight of every head at each of :data:`OFFSETS` from ``places``."""
    with record("*.pattern") as seen:
        forward(model, asked.batch)
    return {
        (point, head): {
            offset: float(pattern[:, head, asked.columns].gather(-1, _moved(places, offset)).mean())
            for offset in OFFSETS
        }
        for point, pattern in seen.items()
        for head in range(pattern.shape[1])
    }


def _looking(heads: Sequence[Head], asked: Asked, places: Int[Tensor, "row column"]) -> dict[str, Edit]:
    """Return the edits that give each of ``heads`` all of its weight where it looks, at the columns asked for."""

    def edit(pattern: Tensor, *, heads: Sequence[Head]) -> Tensor:
        pattern = pattern.clone()
        for _, head, offset in heads:
            asked_for = torch.zeros_like(pattern[:, head, asked.columns])
            pattern[:, head, asked.columns] = asked_for.scatter(-1, _moved(places, offset), 1.0)
        return pattern

    points = dict.fromkeys(point for point, *_ in heads)
    return {point: partial(edit, heads=[head for head in heads if head[0] == point]) for point in points}


def _moved(places: Int[Tensor, "row column"], offset: int) -> Int[Tensor, "row column one"]:
    return (places + offset).clamp(min=0)[..., None]


def _edges(model: DecoderOnly, measured: Mapping[int, Asked], longest: int, means: Means) -> Iterator[Shown]:
    """Return the difference at each length, and the edges that add much to that at the ``longest`` trained one."""
    rng = np.random.default_rng(0)
    effects: dict[int, dict[tuple[Part, Part | None], np.ndarray]] = {}
    for length, asked in measured.items():
        frozen = FrozenPass(model, lambda _, batch=asked.batch: forward(model, batch))  # type: ignore[misc]
        edges = edges_between_parts(frozen, asked.difference, means)
        effects[length] = {(edge.source, edge.target): edge.effects.double().numpy() for edge in edges}
        with torch.inference_mode():
            value = float(asked.difference(frozen.rows).mean())
        yield {"measure": "difference", "length": length, "value": value, "n": len(asked.right)}
        if length == longest:
            least = LEAST_SHARE * abs(value)
    strong = [ends for ends, of_rows in effects[longest].items() if abs(of_rows.mean()) >= least]
    trained = np.stack([effects[longest][ends] for ends in strong])  # [edge, row]
    for length, by_ends in effects.items():
        here = np.stack([by_ends[ends] for ends in strong])
        # At the trained length itself, the same draw is in the numerator and in the denominator.
        weights = _draws(rng, trained.shape[1])
        above = weights if length == longest else _draws(rng, here.shape[1])
        low, high = np.quantile((here @ above.T) / (trained @ weights.T), (0.025, 0.975), axis=1)
        for place, (source, target) in enumerate(strong):
            effect = here[place].mean()
            yield {
                "measure": "edge",
                "length": length,
                **_place("source", source),
                **_place("target", target),
                "value": effect,
                "share": effect / trained[place].mean(),
                "low": low[place],
                "high": high[place],
                "n": here.shape[1],
            }


def _draws(rng: np.random.Generator, n: int) -> Float[np.ndarray, "draw row"]:
    """Return how much each row weighs in each bootstrap draw of all."""
    return rng.multinomial(n, [1 / n] * n, size=_N_BOOTSTRAP) / n


def _place(end: str, part: Part | None) -> Shown:
    if part is None:
        return {f"{end}_point": "", f"{end}_head": -1}
    return {f"{end}_point": part.point, f"{end}_head": -1 if part.head is None else part.head}
