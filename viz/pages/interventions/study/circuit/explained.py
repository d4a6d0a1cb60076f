"""Why a token of a translation was written rather than a foil: every part's effect, and what happens without parts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from model.analysis.circuits.checks import only, without
from model.analysis.circuits.edges import Group, edges_between
from model.analysis.circuits.frozen_pass import FrozenPass, Node, NodeEffects, Objective, is_input, logit_difference
from model.analysis.interventions.ablation import Means
from model.analysis.interventions.direct_attribution import NotASumError
from model.decoding.translator import Translation, Translator
from model.hooks import record
from viz.base.attention_maps import token_row
from viz.base.tokens import label_alone
from viz.pages.interventions.study.circuit.parts import Circuit, Part, circuit_of, grouped

SIZES = (3, 10, 30, 100, 300, 1000)
"""Of how many of the strongest parts a circuit can consist."""
_N_WORDS, _N_INPUTS = 3, 8


@dataclass(frozen=True)
class Curves:
    """The difference of two logits at each of :data:`SIZES`.

    Attributes:
        off: with so many heads and hidden units off, those that speak most for the token.
        only: with all off but so many, the strongest.
        drawn: with so many active ones off that were drawn at random.
        nothing: with all of them off.
    """

    off: tuple[float, ...]
    only: tuple[float, ...]
    drawn: tuple[float, ...]
    nothing: float


@dataclass(frozen=True)
class Word:
    """A token and its probability."""

    label: str
    probability: float


class Explained:
    """Why the token at ``step``, from 1, was written rather than ``foil``.

    Attributes:
        source: labels of the source's tokens.
        read: labels of the tokens that the decoder reads.
        token: the label of the written token.
        foil: that of the other one.
        effects: of all nodes on the difference of their logits.
    """

    def __init__(self, translator: Translator, translation: Translation, step: int, foil: int) -> None:
        """Read the model once.

        Raises:
            NotASumError: a model whose residual stream is no sum of what its parts have written.
        """
        config = translator.model.config
        if config.norm != "pre" or config.residual != "add":
            raise NotASumError(config.norm, config.residual)
        self.translator, self.step = translator, step
        self.source, self.read = token_row(translation.source).labels, token_row(translation.read).labels
        target = translation.hypotheses[0].tokens
        source = torch.tensor([translator.tokenizer.ids(translation.source.pieces)])
        read = torch.tensor([[config.bos_id, *target[:-1]]])
        self._rows = source, read
        self.token, self.foil = self.label(target[step - 1]), self.label(foil)
        self._objective: Objective = logit_difference(step - 1, target[step - 1], foil)
        self.effects: NodeEffects = self.frozen().effects(self._objective)

    def _run(self, rows: int) -> Tensor:
        logits: Tensor = self.translator.model(*(one.expand(rows, -1) for one in self._rows))
        return logits

    def label(self, token: int) -> str:
        """Return a label for ``token`` alone."""
        return label_alone(self.translator.tokenizer.pieces([token])[0])

    def frozen(self) -> FrozenPass:
        """Return a pass with everything held; each caller gets its own graph of gradients."""
        return FrozenPass(self.translator.model, self._run)

    @cached_property
    def seen(self) -> Mapping[str, Tensor]:
        """The patterns and values of the pass."""
        with torch.inference_mode(), record("*.pattern", "*.v") as seen:
            self._run(1)
        return seen

    def order(self, means: Means | None) -> tuple[Node, ...]:
        """Return every head and hidden unit by its effect counted from ``means``, None for zero; strongest first."""
        return tuple(node for node, _ in self._ranked(means))

    def supporting(self, means: Means | None) -> tuple[Node, ...]:
        """Return those of :meth:`order` that speak for the token."""
        return tuple(node for node, effect in self._ranked(means) if effect > 0)

    def _ranked(self, means: Means | None) -> list[tuple[Node, float]]:
        effects = replace(self.effects, means=means)
        return [(node, effect) for node, effect in effects.ranked if not is_input(node.point)]

    def circuit(self, n: int) -> Circuit:
        """Return the ``n`` strongest heads and hidden units and the strongest inputs, and the paths between them."""
        frozen = self.frozen()
        inputs = grouped(node for node in self.effects.nodes if is_input(node.point))
        strongest = sorted(inputs, key=lambda group: -abs(self._effect(group)))[:_N_INPUTS]
        return circuit_of(
            grouped(self.order(None)[:n]),
            strongest,
            self._effect,
            lambda groups: edges_between(frozen, self.effects, self._objective, groups),
            Part("target", "decoder", 0, self.step - 1, 0, self.effects.total),
        )

    def _effect(self, group: Group) -> float:
        return sum(self.effects.of(node) for node in group)

    def curves(self, means: Means | None) -> Curves:
        """Return what really becomes of the difference, with ``means`` or zero in place of what is off."""
        rng = np.random.default_rng(0)
        order = self.order(means)
        drawn = [order[at] for at in rng.permutation(len(order))]
        sets = [chosen[:n] for chosen in (self.supporting(means), drawn) for n in SIZES]
        off = without(self._run, self._objective, sets, means).tolist()
        kept = [[], *(order[:n] for n in SIZES)]
        nothing, *left = only(self._run, self._objective, kept, self._points, means).tolist()
        return Curves(tuple(off[: len(SIZES)]), tuple(left), tuple(off[len(SIZES) :]), nothing)

    @property
    def _points(self) -> tuple[str, ...]:
        return tuple(point for point in self.effects.values if not is_input(point))

    def off(self, nodes: Iterable[Node], means: Means | None) -> float:
        """Return the difference with ``nodes`` really off."""
        return float(without(self._run, self._objective, [[*nodes]], means)[0])

    def words_without(self, n: int, means: Means | None) -> tuple[Word, ...]:
        """Return the most probable words at the step with the ``n`` off that speak most for the token."""
        return self._words(without(self._run, self._logits, [self.supporting(means)[:n]], means)[0])

    def words_of_only(self, n: int, means: Means | None) -> tuple[Word, ...]:
        """Return the most probable words at the step with all heads and hidden units off but the ``n`` strongest."""
        return self._words(only(self._run, self._logits, [self.order(means)[:n]], self._points, means)[0])

    def _logits(self, logits: Tensor) -> Tensor:
        return logits[:, self.step - 1]

    def _words(self, logits: Tensor) -> tuple[Word, ...]:
        best = logits.softmax(-1).topk(_N_WORDS)
        return tuple(map(Word, map(self.label, best.indices.tolist()), best.values.tolist()))
