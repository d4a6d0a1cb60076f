"""Parts of a translator behind its first word: frozen, ablated, kept alone, and head scores."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from model.analysis.circuits.checks import only, without
from model.analysis.circuits.frozen_pass import HEAD, FrozenPass, Node, NodeEffects, is_input, logit_difference
from model.analysis.circuits.score_split import split_score
from model.decoding.translator import Translation, Translator
from viz.base.attention_maps import BlockName
from viz.base.numbers import signed
from viz.base.tokens import label_alone

BIASES = "biases"
_HALF = 0.5

Head = tuple[BlockName, int, int]
"""The attention that a head belongs to, its layer and its number, both from 1."""


@dataclass(frozen=True)
class WriterSplit:
    """A score above the mean of those of the other keys, and what each pair of writers adds to it."""

    score: float
    cells: Mapping[tuple[str, str], float]

    def largest(self, n: int) -> list[tuple[tuple[str, str], float]]:
        """Return the ``n`` largest cells, whichever way they act."""
        return sorted(self.cells.items(), key=lambda cell: -abs(cell[1]))[:n]

    def strongest(self, side: int, n: int) -> list[str]:
        """Return the ``n`` writers with the largest sums of cells, on side 0 of queries or 1 of keys."""
        sums: dict[str, float] = defaultdict(float)
        for writers, value in self.cells.items():
            sums[writers[side]] += value
        return sorted(sums, key=sums.__getitem__, reverse=True)[:n]


class TracedWord:
    """Explanation of a translation's first word against ``foil``, a token."""

    def __init__(self, translator: Translator, translation: Translation, foil: int) -> None:
        """Keep what is traced; the model runs when it is asked."""
        target = translation.hypotheses[0].tokens
        source = torch.tensor([translator.tokenizer.ids(translation.source.pieces)])
        self._tokenizer = translator.tokenizer
        self._model, self._rows = translator.model, (source, torch.tensor([[translator.model.config.bos_id]]))
        self._objective = logit_difference(0, target[0], foil)
        self.token = label_alone(translation.target.pieces[0])

    def _run(self, rows: int) -> Tensor:
        source, read = (row.expand(rows, -1) for row in self._rows)
        logits: Tensor = self._model(source, read)
        return logits

    @cached_property
    def _effects(self) -> NodeEffects:
        return FrozenPass(self._model, self._run).effects(self._objective)

    @property
    def whole(self) -> float:
        """The difference of the two logits with everything on."""
        return self._effects.total

    @property
    def _ranked(self) -> list[tuple[Node, float]]:
        return [(node, effect) for node, effect in self._effects.ranked if not is_input(node.point)]

    def score(self, head: Head, key: int) -> WriterSplit:
        """Return the cross-attention score of ``head`` from the first query to ``key``, split by its writers."""
        _, layer, number = head
        others = [place for place in range(self._rows[0].shape[1]) if place != key]
        frozen, block = FrozenPass(self._model, self._run), f"decoder.{layer - 1}.cross_attention"
        split = split_score(frozen, block, number - 1, 0, key, against=others)
        queries, keys = ([*(_writer(part.point) for part in side), BIASES] for side in (split.query, split.key))
        cells: dict[tuple[str, str], float] = defaultdict(float)
        for query, row in zip(queries, split.products.tolist(), strict=True):
            for one, value in zip(keys, row, strict=True):
                cells[query, one] += value
        return WriterSplit(split.score, cells)

    def refuted(self, n: int, position: int) -> tuple[Head, float, float]:
        """Return the strongest head with an attribution wrong by more than half, its effect, the real loss.

        It is one of the ``n`` strongest parts, at ``position`` of the source.

        Raises:
            ValueError: there is none.
        """
        heads = [(node, effect) for node, effect in self._ranked[:n] if node.point.endswith(HEAD)]
        off = without(self._run, self._objective, [[node] for node, _ in heads])
        for (node, effect), left in zip(heads, off.tolist(), strict=True):
            lost = self.whole - left
            is_there = node.point.startswith("encoder") and node.position == position
            if is_there and abs(lost - effect) > _HALF * abs(effect):
                return head_at(node.point, node.index), effect, lost
        raise ValueError(f"none of the {n} strongest parts is a head there that is missed by more than half")

    def without_heads(self, heads: Sequence[Head]) -> float:
        """Return the difference without ``heads`` of cross-attention."""
        nodes = [Node(f"decoder.{layer - 1}.cross_attention{HEAD}", 0, number - 1) for _, layer, number in heads]
        return float(without(self._run, self._objective, [nodes])[0])

    def kept_and_lost(self, n: int) -> Mapping[str, object]:
        """Return the difference and the likeliest word with only the ``n`` strongest parts.

        And the same without those ``n`` that speak most for the word.
        """
        points = [point for point in self._effects.values if not is_input(point)]
        supporting = [node for node, effect in self._ranked if effect > 0]
        strongest = [node for node, _ in self._ranked[:n]]
        logits = {
            "only": only(self._run, _at_first, [strongest], points)[0],
            "off": without(self._run, _at_first, [supporting[:n]])[0],
        }
        shown = {name: signed(float(self._objective(one[None, None])[0])) for name, one in logits.items()}
        words = {f"{name}_word": self._label(int(one.argmax())) for name, one in logits.items()}
        return {"whole": signed(self.whole), **shown, **words}

    def _label(self, token: int) -> str:
        return label_alone(self._tokenizer.pieces([token])[0])


def head_at(point: str, index: int) -> Head:
    """Return the head that a hook point of its block belongs to; ``index`` is its number, from 0."""
    stack, layer, block, *_ = point.split(".")
    kind: BlockName = "cross" if block == "cross_attention" else "encoder" if stack == "encoder" else "decoder"
    return kind, int(layer) + 1, index + 1


def _at_first(logits: Tensor) -> Tensor:
    return logits[:, 0]


def _writer(point: str) -> str:
    return point.removesuffix(".z").removesuffix(".output")
