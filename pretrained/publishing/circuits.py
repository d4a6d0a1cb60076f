"""Measure how faithful circuits of shipped translators are, over dev sentences that had no part in their training.

Faithfulness is (m(circuit) − m(nothing)) / (m(whole) − m(nothing)), where m is the logit of the written token minus
that of the runner-up, and *nothing* has every head and hidden unit off; CPR and CMD are the areas of Mueller et al.
2025 ("MIB: A Mechanistic Interpretability Benchmark", arXiv:2504.13151, §3) with nodes in place of edges.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float
from torch import Tensor

from model.analysis.circuits.checks import only, without
from model.analysis.circuits.frozen_pass import Node, NodeEffects, Objective, Reader, logit_difference
from model.analysis.circuits.rankings import RANKINGS, matched_draw
from model.analysis.interventions.ablation import Means
from model.decoding.translator import Translator
from pretrained.circuits import circuits_path
from pretrained.publishing.command import DataDir, Device, Names, command, command_line
from pretrained.publishing.dev_sentences import dev_sentences
from pretrained.publishing.shipping import provenance, write_table
from pretrained.translators import load_head_means, load_translator

N_SENTENCES = 500
N_BOOTSTRAP = 1000
SIZES = (1, 3, 10, 30, 100)
SHARES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Of the active nodes, as in MIB of edges."""
_N_ALONE = 10
RANDOM = "random"
FOR, ANY = "for", "any"

Row = dict[str, Any]
Chosen = Callable[[str, int], Sequence[Node]]
"""Returns so many nodes: those that speak most :data:`FOR` the word, or the strongest, whichever way they act."""


@command("circuits")
def write_circuits(names: Names, *, data_dir: DataDir = None, device: Device = None) -> Iterator[str]:
    """Measure how much of a written word the strongest heads and hidden units of translators explain.

    Each sentence is translated by beam search. One token is drawn of those that are the most probable at their step.
    A table goes to ``pretrained/circuits/NAME.parquet``.
    """
    for name in names:
        table = circuit_table(name, data_dir=data_dir, device=device)
        write_table(table, circuits_path(name))
        whole = table[table["measure"] == "whole"].iloc[0]
        yield f"{name}: {whole['sentences']} words, {whole['value']:.2f} above the runner-up (median)"


@dataclass(frozen=True)
class _Word:
    """A written ``token`` against the runner-up at ``step``, from 0, and what reads its sentence."""

    read: Reader
    step: int
    token: int
    foil: int

    @property
    def objective(self) -> Objective:
        """The difference of the two logits."""
        return logit_difference(self.step, self.token, self.foil)

    def at_step(self, logits: Tensor) -> Tensor:
        """Return the logits of every row at the step."""
        return logits[:, self.step]

    def rows(self, logits: Float[Tensor, "row vocabulary"]) -> list[Row]:
        """Return the difference in each row, and whether the token is still the most probable one."""
        values = logits[:, self.token] - logits[:, self.foil]
        stays = logits.argmax(1) == self.token
        return [{"value": value, "stays": stay} for value, stay in zip(values.tolist(), stays.tolist(), strict=True)]


def circuit_table(name: str, *, data_dir: Path | None, device: str | None) -> pd.DataFrame:
    """Return what :func:`pretrained.circuits.circuit_checks` reads, of the translator ``name``.

    Raises:
        ValueError: it has no means that were measured on its weights.
    """
    translator, pairs = load_translator(name, device), dev_sentences(name, data_dir).scoring
    means = load_head_means(name)
    if means is None:
        raise ValueError(f"{name} has no means of its weights; run python -m pretrained.publishing head_means {name}")
    place = translator.model.embedding.weight.device
    by_point = {point: mean.to(place) for point, mean in means.by_point.items()}
    rng = np.random.default_rng(0)
    rows: list[Row] = []
    n_words = 0
    for pair in pairs:
        word = _drawn_word(translator, pair.source, rng)
        if word is None:
            continue
        rows += [{"sentence": n_words, **row} for row in _of_word(translator, word, by_point, rng)]
        n_words += 1
        if n_words == N_SENTENCES:
            break
    return pd.DataFrame(_summary(pd.DataFrame(rows))).assign(
        sentences=n_words, **provenance(name, command_line("circuits", name))
    )


def _drawn_word(translator: Translator, text: str, rng: np.random.Generator) -> _Word | None:
    """Return one token of the translation of ``text`` that is the most probable at its step; None where none is."""
    translation, model = translator.translate(text, as_typed=True), translator.model
    device = model.embedding.weight.device
    source = torch.tensor([translator.tokenizer.ids(translation.source.pieces)], device=device)
    tokens = translation.hypotheses[0].tokens
    read = torch.tensor([[model.config.bos_id, *tokens[:-1]]], device=device)
    with torch.inference_mode():
        best = model(source, read)[0].topk(2).indices.tolist()
    steps = [step for step, (first, _) in enumerate(best) if first == tokens[step] != model.config.eos_id]
    if not steps:
        return None
    step = int(rng.choice(steps))
    return _Word(lambda rows: model(source.expand(rows, -1), read.expand(rows, -1)), step, *best[step])


def _of_word(translator: Translator, word: _Word, means: Means, rng: np.random.Generator) -> Iterator[Row]:
    for by, baseline in (("zero", None), ("mean", means)):
        rankings = {
            method: rank(translator.model, word.read, word.objective, baseline) for method, rank in RANKINGS.items()
        }
        first = rankings["frozen"]
        yield {"measure": "whole", "method": "", "by": by, "value": first.total}
        chosen = {method: _strongest(effects) for method, effects in rankings.items()}
        chosen[RANDOM] = _drawn(chosen["frozen"], first.nodes, rng)
        for method, choose in chosen.items():
            for row in _of_choice(word, choose, first, baseline):
                yield {"method": method, "by": by, **row}
        if baseline is None:
            alone = chosen["frozen"](FOR, _N_ALONE)
            values = first.total - without(word.read, word.objective, [[node] for node in alone])
            for node, value in zip(alone, values.tolist(), strict=True):
                yield {"measure": "alone", "method": "frozen", "by": by, "value": value, "held": first.of(node)}


def _strongest(effects: NodeEffects) -> Chosen:
    orders = {FOR: _for_the_word(effects), ANY: effects.nodes}
    return lambda kind, n: orders[kind][:n]


def _for_the_word(effects: NodeEffects) -> tuple[Node, ...]:
    """Return all nodes, from the one that speaks most for the word to the one that speaks most against it."""
    return tuple(node for node, _ in sorted(effects.ranked, key=lambda pair: -pair[1]))


def _drawn(like: Chosen, active: Sequence[Node], rng: np.random.Generator) -> Chosen:
    return lambda kind, n: matched_draw(like(kind, n), active, rng)


def _of_choice(word: _Word, choose: Chosen, effects: NodeEffects, means: Means | None) -> Iterator[Row]:
    off = without(word.read, word.at_step, [choose(FOR, n) for n in SIZES], means)
    for n, row in zip(SIZES, word.rows(off), strict=True):
        yield {"measure": "without", "n": n, **row}
    points, n_active = [*effects.effects], len(effects.nodes)
    for area, kind in (("CPR", FOR), ("CMD", ANY)):
        kept = [choose(kind, max(1, round(share * n_active))) for share in SHARES]
        nothing, *rest = word.rows(only(word.read, word.at_step, [[], *kept], points, means))
        for share, row in zip(SHARES, rest, strict=True):
            yield {"measure": "only", "area": area, "share": share, **row, "nothing": nothing["value"]}


def _summary(rows: pd.DataFrame) -> Iterator[Row]:
    """Return the rows of the table, over all words."""
    rng = np.random.default_rng(0)
    is_whole = (rows["measure"] == "whole") & (rows["by"] == "zero")
    whole = rows[is_whole].set_index("sentence")["value"]
    yield {"measure": "whole", "method": "", "by": "", **_interval(whole.to_numpy(), np.median, rng)}
    for (method, by, n), group in rows[rows["measure"] == "without"].groupby(["method", "by", "n"]):
        values = group["value"].to_numpy()
        shares = {"flipped": float((values < 0).mean()), "stays": float(group["stays"].mean())}
        yield {
            "measure": "without",
            "method": method,
            "by": by,
            "n": n,
            **shares,
            **_interval(values, np.median, rng),
        }
    for (method, by, area), group in rows[rows["measure"] == "only"].groupby(["method", "by", "area"]):
        yield from _areas({"method": method, "by": by}, str(area), group, whole, rng)
    alone = rows[rows["measure"] == "alone"]
    differences = ((alone["value"] - alone["held"]).abs() / alone["held"].abs()).to_numpy()
    yield {"measure": "alone", "method": "frozen", "by": "zero", **_interval(differences, np.median, rng)}


def _areas(
    about: Mapping[str, Any], area: str, group: pd.DataFrame, whole: pd.Series, rng: np.random.Generator
) -> Iterator[Row]:
    """Return faithfulness by share, and its area; both are of the mean differences, as one word's may be near 0."""
    by_share = group.pivot_table(index="sentence", columns="share", values="value")
    none = group.groupby("sentence")["nothing"].first().to_numpy()
    shares, values, all_ = by_share.columns.to_numpy(float), by_share.to_numpy(), whole.loc[by_share.index].to_numpy()

    def faithfulness(draw: np.ndarray) -> np.ndarray:
        return np.asarray((values[draw].mean(0) - none[draw].mean()) / (all_[draw].mean() - none[draw].mean()))

    draws = [faithfulness(rng.integers(len(values), size=len(values))) for _ in range(N_BOOTSTRAP)]
    measured = faithfulness(np.arange(len(values)))
    if area == "CMD":
        low, high = np.quantile(draws, (0.025, 0.975), axis=0)
        stays = group.groupby("share")["stays"].mean()
        for share, value, lowest, highest in zip(shares, measured, low, high, strict=True):
            row = {"value": value, "low": lowest, "high": highest, "stays": float(stays[share])}
            yield {"measure": "only", **about, "share": share, **row}
    of: Callable[[np.ndarray], float] = _under if area == "CPR" else _from_one
    low, high = np.quantile([of(np.vstack([shares, draw])) for draw in draws], (0.025, 0.975))
    value = of(np.vstack([shares, measured]))
    yield {"measure": "area", **about, "area": area, "value": value, "low": low, "high": high}


def _under(curve: np.ndarray) -> float:
    return float(np.trapezoid(curve[1], curve[0]))


def _from_one(curve: np.ndarray) -> float:
    return float(np.trapezoid(np.abs(1 - curve[1]), curve[0]))


def _interval(values: np.ndarray, of: Callable[..., Any], rng: np.random.Generator) -> Row:
    draws = of(values[rng.integers(len(values), size=(N_BOOTSTRAP, len(values)))], axis=1)
    low, high = np.quantile(draws, (0.025, 0.975))
    return {"value": float(of(values)), "low": float(low), "high": float(high)}
