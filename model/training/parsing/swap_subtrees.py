"""Substructure substitution: constituents in the place of others of their label.

Shi et al. 2021, arXiv:2101.00411.
"""

import random
from collections import defaultdict
from collections.abc import Sequence

from model.text.trees import Constituent, TaggedWord, Tree, constituents

_MAX_WORDS = 15
"""Larger constituents are nearly whole sentences."""


class SubtreeSwap:
    """Varies trees by constituents of ``trees`` themselves."""

    def __init__(self, trees: Sequence[Tree], share: float) -> None:
        """Vary a ``share`` of the trees, from 0 to 1."""
        self._trees, self._share = trees, share
        self._by_label: dict[str, list[Constituent]] = defaultdict(list)
        for tree in trees:
            for node in constituents(tree):
                if _n_words(node) <= _MAX_WORDS:
                    self._by_label[node.label].append(node)

    def varied(self, seed: int) -> list[Tree]:
        """Return the trees; a share has about a tenth of the constituents replaced, as ``seed`` decides."""
        rng = random.Random(seed)
        return [self._vary(tree, rng) if rng.random() < self._share else tree for tree in self._trees]

    def _vary(self, tree: Tree, rng: random.Random) -> Tree:
        return tuple(node if isinstance(node, TaggedWord) else self._inside(node, rng) for node in tree)

    def _inside(self, node: Constituent, rng: random.Random) -> Constituent:
        """Return ``node`` with some of the constituents in it replaced."""
        return Constituent(
            node.label,
            tuple(child if isinstance(child, TaggedWord) else self._replaced(child, rng) for child in node.children),
        )

    def _replaced(self, node: Constituent, rng: random.Random) -> Constituent:
        if _n_words(node) <= _MAX_WORDS and rng.random() < 0.1:
            return rng.choice(self._by_label[node.label])
        return self._inside(node, rng)


def _n_words(node: Constituent | TaggedWord) -> int:
    return 1 if isinstance(node, TaggedWord) else sum(map(_n_words, node.children))
