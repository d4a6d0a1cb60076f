"""What any good parser gives, asked of each that ships."""

import pytest

from model.text.bracket_scores import corpus_scores
from model.text.trees import read_trees, words
from pretrained.parsers import GOLD, PARSERS, load_parser, shipped_parsers


@pytest.mark.parametrize("name", shipped_parsers())
def test_it_finds_most_constituents_of_the_trees_beside_it(name: str) -> None:
    parser = load_parser(name).parser
    gold = read_trees((PARSERS / name / GOLD).read_text(encoding="utf-8"))
    found = [parser.parse([word.text for word in words(tree)], beam_size=1).tree for tree in gold]
    scores = corpus_scores([tree or () for tree in found], gold)
    assert scores["f1"] > 50
    assert scores["unlabelled_f1"] >= scores["f1"]


def test_a_parser_that_does_not_ship_is_named() -> None:
    with pytest.raises(ValueError, match="no parser 'none' ships"):
        load_parser("none")
