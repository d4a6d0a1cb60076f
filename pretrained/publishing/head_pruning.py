"""Measure how many heads shipped translators need, over dev sentences that had no part in their training."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from model.analysis.interventions.ablation import Means, Part, ablation, heads_of
from model.analysis.interventions.head_pruning import (
    SourceTargetBatch,
    all_but_one,
    batches_of,
    losses_without,
    order_by_importance,
    order_by_loss,
)
from model.data.loading import Pair
from model.decoding.translator import Translator
from model.hooks import intervene
from pretrained.head_pruning import pruning_path, sentences_path
from pretrained.publishing.command import DataDir, Device, Names, command, command_line
from pretrained.publishing.dev_sentences import dev_sentences, encoded_pairs, greedy_bleu, may_be_passed_on
from pretrained.publishing.shipping import provenance, translator_metrics, write_table
from pretrained.translators import load_head_means, load_translator

N_SENTENCES = 400
N_CHOOSING = 200
N_SHIPPED = 5
BLEU_EVERY = 3
"""Heads between two measurements of BLEU while heads go."""

Row = dict[str, Any]


@command("head_pruning")
def write_head_pruning(names: Names, *, data_dir: DataDir = None, device: Device = None) -> Iterator[str]:
    """Measure how many heads translators need, over dev sentences.

    The loss is that of the references, BLEU that of translations by greedy search. The orders in which heads go are
    chosen on the dev sentences that selected the checkpoint, and measured on others. Nothing is drawn at random. A
    table goes to ``pretrained/head_pruning/NAME.parquet``, and what two heads are worth to a few sentences to a file
    beside it, where the corpus may be passed on.
    """
    for name in names:
        table = head_pruning(name, data_dir=data_dir, device=device)
        sentences = head_pruning_sentences(name, table, data_dir=data_dir, device=device)
        write_table(table, pruning_path(name))
        if len(sentences):
            write_table(sentences, sentences_path(name))
        whole = table.iloc[0]
        yield f"{name}: {len(table)} choices of {whole['n_left']} heads; all: {whole['bleu']:.2f} BLEU"


class _Measurement:
    """A translator on the sentences that it is measured with."""

    def __init__(self, translator: Translator, pairs: Sequence[Pair], language: str) -> None:
        self._translator, self._pairs, self._language = translator, pairs, language
        self._batches = encoded_batches(translator, pairs)

    def losses(self, without: Sequence[Iterable[Part]], means: Means | None = None) -> list[float]:
        """Return the loss without each of ``without``."""
        losses: list[float] = losses_without(self._translator.model, self._batches, without, means).tolist()
        return losses

    def bleu(self, without: Iterable[Part], means: Means | None = None) -> float:
        """Return BLEU with all of ``without`` ablated at once."""
        with intervene(ablation(without, means)):
            return greedy_bleu(self._translator, self._pairs, self._language)


def encoded_batches(translator: Translator, pairs: Iterable[Pair]) -> list[SourceTargetBatch]:
    """Return ``pairs`` as ``translator`` reads them."""
    return batches_of(encoded_pairs(translator, pairs), translator.model)


def head_pruning(name: str, *, data_dir: Path | None, device: str | None) -> pd.DataFrame:
    """Return what :func:`pretrained.head_pruning.head_pruning` reads, of the translator ``name``."""
    translator, dev, means = load_translator(name, device), dev_sentences(name, data_dir), load_head_means(name)
    pairs, choosing = dev.scoring[:N_SENTENCES], encoded_batches(translator, dev.choosing[:N_CHOOSING])
    model, measured = translator.model, _Measurement(translator, pairs, dev.target_language)
    n_heads = len(heads_of(model.config))
    rows = [{"choice": "whole", "n_left": n_heads, "loss": measured.losses([[]])[0], "bleu": measured.bleu([])}]
    rows += _alone(measured, heads_of(model.config), "zero", None)
    if means is not None:
        rows += _alone(measured, heads_of(model.config), "mean", means.by_point)
    rows += _only(measured, all_but_one(model.config), n_heads)
    rows += _pruned(measured, order_by_importance(model, choosing), "importance")
    rows += _pruned(measured, order_by_loss(model, choosing), "loss")
    return pd.DataFrame(rows).assign(
        sentences=len(pairs),
        choosing=min(N_CHOOSING, len(dev.choosing)),
        seed=translator_metrics(name)["training"]["seed"],
        **provenance(name, command_line("head_pruning", name)),
    )


def head_pruning_sentences(
    name: str, table: pd.DataFrame, *, data_dir: Path | None, device: str | None
) -> pd.DataFrame:
    """Return what :func:`pretrained.head_pruning.pruning_sentences` reads: of the heads needed most and least."""
    data = translator_metrics(name)["training"]["data"]
    if not may_be_passed_on(data["corpus"]):
        return pd.DataFrame()
    translator, pairs = load_translator(name, device), dev_sentences(name, data_dir).scoring[:N_SHIPPED]
    alone = table[table["choice"] == "zero"].sort_values("loss")
    heads = dict(zip(map(_place, heads_of(translator.model.config)), heads_of(translator.model.config), strict=True))
    return pd.DataFrame(
        [
            {"source": pair.source, "target": pair.target, "kind": kind, "layer": layer, "head": head, "loss": loss}
            for kind, layer, head in alone[["kind", "layer", "head"]].iloc[[-1, 0]].itertuples(index=False)
            for pair in pairs
            for loss in _Measurement(translator, [pair], data["target_language"]).losses(
                [[heads[kind, int(layer), int(head)]]]
            )
        ]
    ).astype({"layer": int, "head": int})


def _alone(measured: _Measurement, heads: Sequence[Part], choice: str, means: Means | None) -> list[Row]:
    losses = measured.losses([[part] for part in heads], means)
    return [
        _row(choice, part, len(heads) - 1, loss, measured.bleu([part], means))
        for part, loss in zip(heads, losses, strict=True)
    ]


def _only(measured: _Measurement, others: Mapping[Part, Sequence[Part]], n_heads: int) -> list[Row]:
    """Return a row for each head that is left alone in its block; BLEU of the best ones, by the loss."""
    losses = dict(zip(others, measured.losses([*others.values()]), strict=True))
    best = {min((part for part in others if part.point == point), key=losses.__getitem__) for point in _points(others)}
    return [
        _row(
            "only",
            kept,
            n_heads - len(removed),
            losses[kept],
            measured.bleu(removed) if kept in best else float("nan"),
        )
        for kept, removed in others.items()
    ]


def _pruned(measured: _Measurement, order: Sequence[Part], choice: str) -> list[Row]:
    without = [order[: n + 1] for n in range(len(order))]
    rows = []
    for removed, loss in zip(without, measured.losses(without), strict=True):
        n_left = len(order) - len(removed)
        bleu = float("nan") if n_left % BLEU_EVERY else measured.bleu(removed)
        rows.append(_row(choice, removed[-1], n_left, loss, bleu))
    return rows


def _points(parts: Iterable[Part]) -> list[str]:
    return [*dict.fromkeys(part.point for part in parts)]


def _row(choice: str, part: Part, n_left: int, loss: float, bleu: float) -> Row:
    place = dict(zip(("kind", "layer", "head"), _place(part), strict=True))
    return {"choice": choice, **place, "n_left": n_left, "loss": loss, "bleu": bleu}


def _place(head: Part) -> tuple[str, int, int]:
    """Return the attention of ``head``, its layer and its number, from 1."""
    stack, layer, block, _ = head.point.split(".")
    return "cross" if block == "cross_attention" else stack, int(layer) + 1, (head.head or 0) + 1
