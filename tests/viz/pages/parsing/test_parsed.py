"""A parse as the page shows it."""

import numpy as np
import pytest

from model.decoding.parser import Parse, WrittenSymbol
from model.text.linear_trees import TreeSymbols, tree_of
from model.text.trees import Span, read_trees, spans, words
from viz.pages.parsing.figures.tree import DrawnNode, tree_figure, tree_width
from viz.pages.parsing.study.parsed import errors, following_heads, nodes_of, weights_on_words

(TREE,) = read_trees("(ROOT (S (NP (NN dogs)) (VP (VBP chase) (NP (NN cats))) (. .)))")
(GOLD,) = read_trees("(ROOT (S (NP (NN dogs)) (VP (VBP chase)) (NP (NN cats)) (. .)))")


@pytest.fixture
def parse() -> Parse:
    """The tree with two decoder layers of two heads: the last head of all follows brackets."""
    symbols = TreeSymbols(0)
    tokens = [*symbols.encode(TREE), symbols.end_id]
    written = tuple(WrittenSymbol(symbols.symbol(token), 0.5, ()) for token in tokens)
    n_steps, n_pieces = len(tokens), 6
    patterns = {}
    for layer in range(2):
        patterns[f"decoder.{layer}.self_attention.pattern"] = np.tril(np.full((2, n_steps, n_steps), 0.1, np.float32))
        cross = np.full((2, n_steps, n_pieces), 1 / n_pieces, np.float32)
        patterns[f"decoder.{layer}.cross_attention.pattern"] = cross
    opened = []
    for step, one in enumerate(written):
        if one.symbol.kind == "open":
            opened.append(step)
        if one.symbol.kind == "close":
            patterns["decoder.1.self_attention.pattern"][1, step, opened.pop() + 1] = 0.9
    texts = tuple(word.text for word in words(TREE))
    return Parse(texts, written, tree_of([one.symbol for one in written], texts), "", patterns, (0, 1, 3, 4, 5))


def test_nodes_are_the_spans_of_the_tree_with_their_steps(parse: Parse) -> None:
    nodes = nodes_of(parse)
    assert [node.span for node in nodes] == spans(TREE)
    assert [node.depth for node in nodes] == [0, 1, 1, 2]
    for node in nodes:
        assert str(parse.symbols[node.opened].symbol) == f"({node.label}"
        assert str(parse.symbols[node.closed].symbol) == f"){node.label}"


def test_errors_are_told_on_both_sides(parse: Parse) -> None:
    found = errors(nodes_of(parse), GOLD)
    assert {nodes_of(parse)[place].span for place in found.wrong} == {Span("VP", 1, 3)}
    assert found.missing == (Span("VP", 1, 2),)
    assert errors(nodes_of(parse), TREE).missing == ()


def test_pieces_of_a_word_are_added_up(parse: Parse) -> None:
    weights = weights_on_words(parse, 0)
    assert weights.shape == (len(parse.symbols), 4)
    np.testing.assert_allclose(weights[0], [1 / 6, 2 / 6, 1 / 6, 1 / 6], rtol=1e-6)


def test_the_head_that_follows_brackets_comes_first(parse: Parse) -> None:
    first, *rest = following_heads(parse, nodes_of(parse))
    assert (first.layer, first.head) == (1, 1)
    assert first.weight == pytest.approx(0.9)
    assert len(rest) == 3


def test_the_picture_holds_every_word_and_label(parse: Parse) -> None:
    drawn = [
        DrawnNode(node.label, node.start, node.end, node.depth, node.label, is_wrong=place == 2, is_chosen=place == 0)
        for place, node in enumerate(nodes_of(parse))
    ]
    figure = tree_figure(drawn, ["<b>dogs</b>", *parse.words[1:]], [0.1, 0.5, 0.2, 0])
    _, texts, labels = figure.data
    assert texts.text[0] == "&lt;b&gt;dogs&lt;/b&gt;"
    assert list(labels.text) == ["<b>[S]</b>", "NP", "VP ✗", "NP"]
    # Each label stands above everything in it.
    assert list(labels.y) == [0, 2, 1, 2]
    assert len(figure.layout.shapes) == 4
    assert tree_width(["a"] * 50) > tree_width(["a"] * 5)


def test_a_bare_word_is_drawn_without_a_tree() -> None:
    figure = tree_figure([], ["yes"], [1.0])
    assert list(figure.data[1].text) == ["yes"]
