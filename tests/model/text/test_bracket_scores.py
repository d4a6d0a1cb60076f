"""Bracketing scores: cases by hand, EVALB's rules, and agreement with NLTK on random trees."""

import random

import pytest
from nltk import Tree as NltkTree
from nltk.metrics.scores import f_measure, precision, recall

from model.text.bracket_scores import BracketCounts, bracket_counts, corpus_scores, counts_by_label
from model.text.trees import Constituent, TaggedWord, Tree, read_trees, to_brackets


def tree(text: str) -> Tree:
    (only,) = read_trees(text)
    return only


GOLD = tree("(ROOT (S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (DT a) (NN hat)))) (. .)))")
OTHER = tree(
    "(ROOT (S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (DT a) (NN hat))))) (. .)))"
)


def test_an_attachment_costs_one_bracket() -> None:
    counts = bracket_counts(OTHER, GOLD)
    assert counts == BracketCounts(shared=6, predicted=7, gold=6)
    assert (counts.precision, counts.recall) == (6 / 7, 1)
    assert counts.f1 == pytest.approx(12 / 13)


def test_labels_can_be_left_out() -> None:
    relabelled = tree(
        "(ROOT (X (X (PRP I)) (X (VBD saw) (X (DT a) (NN man)) (X (IN with) (X (DT a) (NN hat)))) (. .)))"
    )
    assert bracket_counts(relabelled, GOLD).shared == 0
    assert bracket_counts(relabelled, GOLD, labelled=False).f1 == 1


def test_punctuation_is_taken_out_of_both() -> None:
    inside = tree(
        "(ROOT (S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (DT a) (NN hat))) (. .))))"
    )
    assert bracket_counts(inside, GOLD).f1 == 1


def test_particles_count_as_adverbs() -> None:
    one, other = tree("(ROOT (VP (VB get) (PRT (RP up))))"), tree("(ROOT (VP (VB get) (ADVP (RB up))))")
    assert bracket_counts(one, other).f1 == 1


def test_a_unary_chain_counts_each_time() -> None:
    twice, once = tree("(ROOT (NP (NP (NN dog))))"), tree("(ROOT (NP (NN dog)))")
    assert bracket_counts(twice, once) == BracketCounts(shared=1, predicted=2, gold=1)


def test_what_is_no_tree_has_no_brackets() -> None:
    assert corpus_scores([(), GOLD], [GOLD, GOLD]) == {
        "f1": 66.67, "precision": 100.0, "recall": 50.0, "unlabelled_f1": 66.67
    }  # fmt: skip
    assert bracket_counts((), ()).f1 == 0


def test_labels_are_counted_apart() -> None:
    by_label = counts_by_label(OTHER, GOLD)
    assert by_label["NP"] == BracketCounts(shared=3, predicted=4, gold=3)
    assert by_label["PP"] == BracketCounts(shared=1, predicted=1, gold=1)


def random_tree(rng: random.Random, texts: list[str]) -> Tree:
    """Return a random tree over ``texts`` in which no two constituents have the same words."""
    if len(texts) == 1:
        return (TaggedWord("NN", texts[0]),)
    cut = rng.randint(1, len(texts) - 1)
    parts = random_tree(rng, texts[:cut]), random_tree(rng, texts[cut:])
    return (Constituent(rng.choice(("S", "NP", "VP")), (*parts[0], *parts[1])),)


def test_random_trees_score_as_nltk_scores_their_spans() -> None:
    rng = random.Random(5)
    for _ in range(100):
        texts = [f"w{number}" for number in range(rng.randint(2, 15))]
        one, gold = random_tree(rng, texts), random_tree(rng, texts)
        counts, found, true = bracket_counts(one, gold), nltk_spans(one), nltk_spans(gold)
        assert counts.precision == pytest.approx(precision(true, found))
        assert counts.recall == pytest.approx(recall(true, found))
        assert counts.f1 == pytest.approx(f_measure(true, found))


def nltk_spans(tree: Tree) -> set[tuple[str, ...]]:
    root = NltkTree.fromstring(to_brackets(tree))
    return {
        (node.label(), *node.leaves()) for node in root.subtrees(lambda node: node.height() > 2) if node is not root
    }
