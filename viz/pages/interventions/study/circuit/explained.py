"""Explanation of a translated token against a foil: the effect of every part, and ablations."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from model.analysis.circuits.checks import only, without
from model.analysis.circuits.edges import Group, edges_between
from model.analysis.circuits.frozen_pass import (
    FrozenPass,
    Node,
    NodeEffects,
    Objective,
    Reader,
    is_input,
    logit_difference,
)
from model.analysis.circuits.rankings import matched_draw
from model.analysis.interventions.ablation import Means
from model.analysis.interventions.direct_attribution import refuse_unless_sum
from model.decoding.translator import Translation, Translator
from model.hooks import record
from viz.base.attention_maps import token_row
from viz.base.tokens import label_alone
from viz.pages.interventions.study.circuit.parts import (
    Circuit,
    CircuitPart,
    Path,
    grouped,
    part_of,
    paths_of,
    strongest_of,
)

SIZES = (3, 10, 30, 100, 300, 1000)
"""Of how many of the strongest parts a circuit can consist."""
N_DRAWS = 5
"""Draws at random of each size."""
_N_WORDS, _N_INPUTS = 3, 8
# Tokens of a translation beyond those of its source.
_MOST_MORE = 20


@dataclass(frozen=True)
class ProbableToken:
    """A token and its probability."""

    label: str
    probability: float


@dataclass(frozen=True)
class CircuitCurve:
    """Results with parts off, at each of :data:`SIZES`.

    Attributes:
        values: the difference of the two logits.
        stays: whether the written token is still the most probable one.
        words: the most probable tokens.
    """

    values: tuple[float, ...]
    stays: tuple[bool, ...]
    words: tuple[tuple[ProbableToken, ...], ...]


@dataclass(frozen=True)
class Curves:
    """Results with parts off, in three ways.

    Attributes:
        off: with so many heads and hidden units off, those that speak most for the token.
        only: with all off but so many, the strongest.
        drawn: the mean difference over :data:`N_DRAWS` draws of as many of each block off.
    """

    off: CircuitCurve
    only: CircuitCurve
    drawn: tuple[float, ...]


@dataclass(frozen=True)
class WrittenOn:
    """A translation from the explained token on; ``begun`` is the text before it.

    Attributes:
        whole: what follows with everything on.
        only: with only the strongest parts on.
        off: without those that speak most for the token.
    """

    begun: str
    whole: str
    only: str
    off: str


class Explanation:
    """Explanation of the token at ``step``, from 1, against ``foil``.

    Attributes:
        source: labels of the source's tokens.
        read: labels of the tokens that the decoder reads.
        token: the label of the written token.
        foil: that of the other one.
        probabilities: theirs, in this order.
        effects: of all nodes on the difference of their logits, counted from zero.
    """

    def __init__(self, translator: Translator, translation: Translation, step: int, foil: int) -> None:
        """Read the model once.

        Raises:
            NotASumError: a model whose residual stream is no sum of what its parts have written.
        """
        config = translator.model.config
        refuse_unless_sum(translator.model)
        self.translator, self.step = translator, step
        self.source, self.read = token_row(translation.source).labels, token_row(translation.read).labels
        target = translation.hypotheses[0].tokens
        source = torch.tensor([translator.tokenizer.ids(translation.source.pieces)])
        read = torch.tensor([[config.bos_id, *target[:-1]]])
        self._rows = source, read
        self._begun = [*target[: step - 1]]
        self._token, self._foil = target[step - 1], foil
        self.token, self.foil = self.label(self._token), self.label(foil)
        self._objective: Objective = logit_difference(step - 1, self._token, foil)
        frozen = self.frozen()
        self.effects: NodeEffects = frozen.effects(self._objective)
        both = frozen.logits.detach()[step - 1].softmax(0)[[self._token, foil]]
        self.probabilities: tuple[float, float] = (float(both[0]), float(both[1]))

    def _run(self, rows: int) -> Tensor:
        return self._read(self._rows[1], rows)

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
        """Return every head and hidden unit by its effect relative to ``means``, or zero; strongest first."""
        return tuple(node for node, _ in self._ranked(means))

    def supporting(self, means: Means | None) -> tuple[Node, ...]:
        """Return those of :meth:`order` that speak for the token."""
        return tuple(node for node, effect in self._ranked(means) if effect > 0)

    def _ranked(self, means: Means | None) -> list[tuple[Node, float]]:
        effects = replace(self.effects, means=means)
        return [(node, effect) for node, effect in effects.ranked if not is_input(node.point)]

    def circuit(self, n: int, means: Means | None) -> Circuit:
        """Return the circuit of the ``n`` strongest heads and hidden units, with inputs and paths.

        The inputs are the strongest ones.
        """
        frozen, effects = self.frozen(), replace(self.effects, means=means)

        def effect(group: Group) -> float:
            return sum(effects.of(node) for node in group)

        inputs = grouped(node for node in effects.nodes if is_input(node.point))
        strongest = sorted(inputs, key=lambda group: -abs(effect(group)))[:_N_INPUTS]
        drawn, n_left_out = strongest_of(grouped(self.order(means)[:n]), strongest, effect)
        off = without(self._run, self._objective, drawn[len(strongest) :], means)
        lost = [*[None] * len(strongest), *(effects.total - off).tolist()]
        edges = edges_between(frozen, effects, self._objective, drawn)
        biases = CircuitPart("biases", "cross", 0, self.step - 1, 0, effects.biases)
        target = CircuitPart("target", "decoder", 0, self.step - 1, 0, effects.total)
        parts = (
            *(part_of(group, effect(group), gone) for group, gone in zip(drawn, lost, strict=True)),
            biases,
            target,
        )
        paths = (*paths_of(drawn, edges, len(drawn) + 1), Path(len(drawn), len(drawn) + 1, effects.biases))
        return Circuit(parts, paths, n_left_out)

    def curves(self, means: Means | None) -> Curves:
        """Return what really becomes of the difference, with ``means`` or zero in place of what is off."""
        rng = np.random.default_rng(0)
        order, supporting = self.order(means), self.supporting(means)
        sets = [supporting[:n] for n in SIZES]
        drawn = [matched_draw(chosen, order, rng) for _ in range(N_DRAWS) for chosen in sets]
        off = without(self._run, self._logits, [*sets, *drawn], means)
        kept = only(self._run, self._logits, [order[:n] for n in SIZES], self._points, means)
        at_random = self._differences(off[len(SIZES) :]).view(N_DRAWS, len(SIZES)).mean(0)
        return Curves(self._curve(off[: len(SIZES)]), self._curve(kept), tuple(at_random.tolist()))

    def written_on(self, n: int, means: Means | None) -> WrittenOn:
        """Return what is written greedily from this token on, with and without the ``n`` strongest parts.

        They are off where the model reads the source and what was written before; at later tokens everything is on.
        """
        kept, off = self.order(means)[:n], self.supporting(means)[:n]

        def with_only(read: Reader, objective: Objective) -> Tensor:
            return only(read, objective, [kept], self._points, means, n_read=self.step)

        def with_off(read: Reader, objective: Objective) -> Tensor:
            return without(read, objective, [off], means)

        def with_all(read: Reader, objective: Objective) -> Tensor:
            return without(read, objective, [()])

        begun = self.translator.tokenizer.decode(self._begun)
        rest = (self._write_on(once)[len(begun) :] for once in (with_all, with_only, with_off))
        return WrittenOn(begun, *rest)

    def _write_on(self, once: Callable[[Reader, Objective], Tensor]) -> str:
        """Return the translation that goes on as ``once`` reads the source and what was written."""
        source, _ = self._rows
        config = self.translator.model.config
        written = [*self._begun]
        for _ in range(source.shape[1] + _MOST_MORE):
            read = torch.tensor([[config.bos_id, *written]])
            logits = once(partial(self._read, read), lambda logits: logits[:, -1])
            token = int(logits[0].argmax())
            if token == config.eos_id:
                break
            written.append(token)
        return self.translator.tokenizer.decode(written)

    def _read(self, written: Tensor, rows: int) -> Tensor:
        logits: Tensor = self.translator.model(self._rows[0].expand(rows, -1), written.expand(rows, -1))
        return logits

    def _curve(self, logits: Float[Tensor, "row vocabulary"]) -> CircuitCurve:
        stays = logits.argmax(1) == self._token
        return CircuitCurve(
            tuple(self._differences(logits).tolist()), tuple(stays.tolist()), tuple(map(self._words, logits))
        )

    def _differences(self, logits: Float[Tensor, "row vocabulary"]) -> Float[Tensor, " row"]:
        return logits[:, self._token] - logits[:, self._foil]

    @property
    def _points(self) -> tuple[str, ...]:
        return tuple(point for point in self.effects.values if not is_input(point))

    def _logits(self, logits: Float[Tensor, "row position vocabulary"]) -> Float[Tensor, "row vocabulary"]:
        return logits[:, self.step - 1]

    def _words(self, logits: Float[Tensor, " vocabulary"]) -> tuple[ProbableToken, ...]:
        best = logits.softmax(-1).topk(_N_WORDS)
        return tuple(map(ProbableToken, map(self.label, best.indices.tolist()), best.values.tolist()))
