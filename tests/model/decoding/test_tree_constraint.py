"""Whatever a model prefers, what it may write is a tree."""

import random

import pytest
import torch

from model.decoding.tree_constraint import MAX_UNBROKEN, WellFormedTree, longest_tree
from model.text.linear_trees import TreeSymbols, tree_of
from model.text.trees import read_trees, words

# A model is called often.
pytestmark = pytest.mark.unchecked


def write(symbols: TreeSymbols, n_words: int, rng: random.Random) -> list[int]:
    """Return a target that is drawn at random from what the constraint allows, brackets more often than words."""
    constraint, tokens = WellFormedTree(symbols, n_words), []
    while not tokens or tokens[-1] != symbols.end_id:
        scores = torch.zeros(1, symbols.vocabulary_size)
        constraint([tokens], scores)
        allowed = (scores[0] > -torch.inf).nonzero()[:, 0].tolist()
        tokens.append(rng.choice(allowed))
    return tokens


@pytest.mark.parametrize("tags", [False, True])
def test_a_thousand_random_targets_are_trees(tags: bool) -> None:
    rng, symbols = random.Random(3), TreeSymbols(5, tags)
    for _ in range(500):
        n_words = rng.randint(1, 12)
        tokens = write(symbols, n_words, rng)
        tree = tree_of([symbols.symbol(token) for token in tokens], ["word"] * n_words)
        assert len(words(tree)) == n_words
        assert len(tokens) <= longest_tree(n_words)


def test_every_symbol_of_a_true_tree_is_allowed() -> None:
    symbols = TreeSymbols(5)
    (tree,) = read_trees("(ROOT (S (NP (NP (DT The) (NN dog)) (PP (IN of) (NP (NNS men)))) (VP (VBZ barks)) (. .)))")
    tokens = [*symbols.encode(tree), symbols.end_id]
    constraint = WellFormedTree(symbols, len(words(tree)))
    for place, token in enumerate(tokens):
        scores = torch.zeros(1, symbols.vocabulary_size)
        constraint([tokens[:place]], scores)
        assert scores[0, token] == 0


def test_rows_are_told_apart_and_pieces_ruled_out() -> None:
    symbols = TreeSymbols(5)
    (tree,) = read_trees("(ROOT (NP (NN dog)))")
    opened, word, closed = symbols.encode(tree)
    scores = torch.zeros(2, symbols.vocabulary_size)
    WellFormedTree(symbols, 1)([[opened, word], [opened, opened]], scores)
    assert (scores[:, :5] == -torch.inf).all()
    assert (scores[0] == 0).nonzero()[:, 0].tolist() == [closed]
    assert scores[1, closed] == -torch.inf
    assert scores[1, word] == 0


def test_what_no_tree_begins_with_ends() -> None:
    symbols = TreeSymbols(5)
    (tree,) = read_trees("(ROOT (NP (NN dog)))")
    opened, _, closed = symbols.encode(tree)
    scores = torch.zeros(3, symbols.vocabulary_size)
    WellFormedTree(symbols, 3)([[4, 4], [opened, closed], [closed, opened]], scores)
    assert [(row == 0).nonzero()[:, 0].tolist() for row in scores] == [[symbols.end_id]] * 3


def test_brackets_cannot_open_for_ever() -> None:
    symbols = TreeSymbols(5)
    (tree,) = read_trees("(ROOT (NP (NN dog)))")
    opened, word, _ = symbols.encode(tree)
    scores = torch.zeros(1, symbols.vocabulary_size)
    WellFormedTree(symbols, 1)([[opened] * MAX_UNBROKEN], scores)
    assert (scores[0] == 0).nonzero()[:, 0].tolist() == [word]


def test_a_tree_has_a_word() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        WellFormedTree(TreeSymbols(5), 0)
