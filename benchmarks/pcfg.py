"""A PCFG with parent annotation and horizontal markovisation, read off trees with NLTK: the peer of a trained parser.

Johnson 1998 ("PCFG models of linguistic tree representations") annotates each constituent with its parent; horizontal
markovisation of order 1 remembers one sister of a rule that is made binary (Klein and Manning 2003). Words seen less
than twice are known by their form alone.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float64, Int64
from nltk import Tree as NltkTree

from model.text.trees import Constituent, TaggedWord, Tree, escaped, to_brackets

_RARE = 2
_START = "START"
_NEVER = -np.inf
_ENDINGS = ("ing", "ed", "ly", "tion", "ity", "ness", "er", "est", "ous", "al", "ic", "able", "ive", "s")


class Pcfg:
    """A grammar in Chomsky normal form with the log-probabilities of its rules, as ``trees`` count them."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        """Count the rules of ``trees``."""
        frequent = Counter(word for tree in trees for word in NltkTree.fromstring(to_brackets(tree)).leaves())
        self._known = {word for word, count in frequent.items() if count >= _RARE}
        binary: Counter[tuple[str, str, str]] = Counter()
        lexical: Counter[tuple[str, str]] = Counter()
        roots: Counter[str] = Counter()
        for tree in trees:
            root = _normalized(tree)
            roots[root.label()] += 1
            for node in root.subtrees():
                if node.height() == 2:
                    lexical[node.label(), self._form(node[0])] += 1
                else:
                    binary[node.label(), node[0].label(), node[1].label()] += 1
        totals: Counter[str] = Counter()
        for (label, *_), count in (*binary.items(), *lexical.items()):
            totals[label] += count
        self._labels = sorted(totals)
        number = {label: place for place, label in enumerate(self._labels)}
        self._words: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for (label, form), count in lexical.items():
            self._words[form].append((number[label], math.log(count / totals[label])))
        rules = sorted(
            (number[label], number[left], number[right], math.log(count / totals[label]))
            for (label, left, right), count in binary.items()
        )
        # In the order of their parents, which filling the chart needs.
        self._parents, self._lefts, self._rights = np.array([rule[:3] for rule in rules]).T
        self._scores = np.array([rule[3] for rule in rules])
        self._roots = {number[label]: math.log(count / len(trees)) for label, count in roots.items()}

    def parse(self, words: Sequence[str]) -> Tree:
        """Return the most probable tree of ``words``; one without constituents where the grammar has none."""
        words = [escaped(word) for word in words]
        n = len(words)
        chart = np.full((n, n + 1, len(self._labels)), _NEVER)
        for place, word in enumerate(words):
            for label, score in self._words.get(self._form(word)) or self._words[_signature(word)]:
                chart[place, place + 1, label] = score
        back = np.zeros((n, n + 1, len(self._labels), 3), dtype=np.int64)
        for width in range(2, n + 1):
            for i in range(n - width + 1):
                self._fill(chart, back, i, i + width)
        best = max(self._roots, key=lambda root: self._roots[root] + chart[0, n, root])
        if chart[0, n, best] == _NEVER:
            return ()
        tree = self._read(back, words, 0, n, best)
        tree.un_chomsky_normal_form()
        return _tree(tree)

    def _fill(
        self, chart: Float64[np.ndarray, "n m label"], back: Int64[np.ndarray, "n m label 3"], i: int, j: int
    ) -> None:
        """Write the log-probability of the best tree below each label of the span from ``i`` to ``j``."""
        lefts, rights = chart[i, i + 1 : j], chart[i + 1 : j, j]
        has_parts = (lefts.max(0) > _NEVER)[self._lefts] & (rights.max(0) > _NEVER)[self._rights]
        rules = np.flatnonzero(has_parts)
        if not len(rules):
            return
        by_middle = lefts[:, self._lefts[rules]] + rights[:, self._rights[rules]] + self._scores[rules]
        of_rule = by_middle.max(0)
        parents, firsts, counts = np.unique(self._parents[rules], return_index=True, return_counts=True)
        chart[i, j, parents] = np.maximum.reduceat(of_rule, firsts)
        is_best = of_rule == np.repeat(chart[i, j, parents], counts)
        best = np.maximum.reduceat(np.where(is_best, np.arange(len(rules)), -1), firsts)
        middles = i + 1 + by_middle[:, best].argmax(0)
        back[i, j, parents] = np.stack([middles, self._lefts[rules][best], self._rights[rules][best]], axis=1)

    def _read(self, back: Int64[np.ndarray, "n m label 3"], words: Sequence[str], i: int, j: int, a: int) -> NltkTree:
        label = self._labels[a]
        if j == i + 1:
            return NltkTree(label, [words[i]])
        k, left, right = back[i, j, a]
        return NltkTree(label, [self._read(back, words, i, k, left), self._read(back, words, k, j, right)])

    def _form(self, word: str) -> str:
        return word if word in self._known else _signature(word)


def _normalized(tree: Tree) -> NltkTree:
    root = NltkTree.fromstring(to_brackets(tree))
    root.set_label(_START)
    root.collapse_unary(collapsePOS=True, collapseRoot=True)
    root.chomsky_normal_form(horzMarkov=1, vertMarkov=1)
    return root


def _tree(root: NltkTree) -> Tree:
    return tuple(map(_node, root))


def _node(node: NltkTree) -> Constituent | TaggedWord:
    if node.height() == 2:
        return TaggedWord(node.label(), node[0])
    return Constituent(node.label(), tuple(map(_node, node)))


def _signature(word: str) -> str:
    """Return what is known of a rare word: its first letter's case, digits, a hyphen, and its ending."""
    kind = "number" if re.fullmatch(r"[\d.,:/-]*\d[\d.,:/-]*", word) else "capital" if word[:1].isupper() else "small"
    ending = next((end for end in _ENDINGS if word.lower().endswith(end) and len(word) > len(end) + 1), "")
    return f"<{kind}{'-' if '-' in word else ''} {ending}>"
