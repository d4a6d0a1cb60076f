"""The pairs whose words people linked: what every block must hold, and what is refused."""

import re
from pathlib import Path

import pytest

from model.analysis.maps.alignment import alignment_error_rate
from pretrained.alignments import ALIGNMENTS, GoldPair, gold_pairs

FUNCTION_WORDS = {"for", "dass", "so", "Es", ","}
# Its translation leaves it out.
LEFT_OUT = {"Maintaining"}


def test_there_are_fifty_pairs_of_each_kind_and_none_twice() -> None:
    pairs = gold_pairs()
    assert [pair.name for pair in pairs] == [
        f"{kind}-{number:02}" for kind in ("everyday", "caption") for number in range(1, 51)
    ]
    assert len({pair.texts for pair in pairs}) == 100


@pytest.mark.parametrize("pair", gold_pairs(), ids=lambda pair: pair.name)
def test_every_link_joins_two_words_and_every_word_of_content_has_one(pair: GoldPair) -> None:
    english, german = pair.words
    assert pair.gold.sure
    assert pair.gold.sure <= pair.gold.possible
    assert all(source in range(len(english)) and target in range(len(german)) for source, target in pair.gold.possible)
    for words, side in ((english, 0), (german, 1)):
        linked = {link[side] for link in pair.gold.possible}
        assert {words[place] for place in {*range(len(words))} - linked} <= FUNCTION_WORDS | LEFT_OUT
    # The mark at the end ends both sentences.
    assert (len(english) - 1, len(german) - 1) in pair.gold.sure


def test_the_text_is_the_words_without_a_space_before_a_mark() -> None:
    for pair in gold_pairs():
        for text, words in zip(pair.texts, pair.words, strict=True):
            assert text.replace(" ", "") == "".join(words)
            assert not re.search(r" [.,!?]|  ", text)
            assert all(re.fullmatch(r"[\w'-]+|[.,!?]", word) for word in words)


def test_turned_pairs_have_the_same_links_the_other_way() -> None:
    for pair in gold_pairs():
        assert pair.turned().gold.sure == {(german, english) for english, german in pair.gold.sure}
        assert pair.turned().turned() == pair


def test_links_that_people_made_agree_with_themselves() -> None:
    assert alignment_error_rate([({*pair.gold.sure}, pair.gold) for pair in gold_pairs()]) == 0


def test_a_block_with_other_lines_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "en-de.txt"
    path.write_text("id: a\nen: A\nlinks: 0-0\n", encoding="utf-8")
    with pytest.raises(ValueError, match="id, en, de, links"):
        gold_pairs(path)


def test_the_rules_ship_beside_the_links() -> None:
    rules = (ALIGNMENTS / "guidelines.md").read_text(encoding="utf-8")
    assert "CC BY 2.0" in rules
    assert "**Sure**" in rules
