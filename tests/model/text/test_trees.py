"""Penn brackets, read and written, and what a tree consists of."""

import pytest
from nltk import Tree as NltkTree

from model.text.trees import Constituent, Span, TaggedWord, constituents, read_trees, spans, to_brackets, words

TEXT = """
(ROOT (S (NP-SBJ (DT The) (NN dog)) (VP (VBZ barks) (PRN (-LRB- -LRB-) (ADVP (RB loudly)) (-RRB- -RRB-))) (. .)))

( (X (UH Yes)) (UH well))
"""


def test_brackets_are_read_without_functions() -> None:
    first, second = read_trees(TEXT)
    assert [word.text for word in words(first)] == ["The", "dog", "barks", "(", "loudly", ")", "."]
    assert [node.label for node in constituents(first)] == ["S", "NP", "VP", "PRN", "ADVP"]
    assert second == (Constituent("X", (TaggedWord("UH", "Yes"),)), TaggedWord("UH", "well"))


def test_spans_are_those_of_nltk() -> None:
    (tree, *_) = read_trees(TEXT)
    other = NltkTree.fromstring(to_brackets(tree))
    expected = []
    for position in other.treepositions():
        node = other[position]
        if isinstance(node, NltkTree) and node.height() > 2 and node.label() != "ROOT":
            start = sum(other.leaf_treeposition(leaf) < position for leaf in range(len(other.leaves())))
            expected.append(Span(node.label(), start, start + len(node.leaves())))
    assert spans(tree) == expected


def test_what_is_written_reads_back() -> None:
    for tree in read_trees(TEXT):
        assert read_trees(to_brackets(tree)) == [tree]


@pytest.mark.parametrize("text", ["(S (NP (DT The)", "(S ())", "S", "(NN dog)", "(S (NN dog cat))"])
def test_what_is_no_tree_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"bracket|words|root"):
        read_trees(text)
