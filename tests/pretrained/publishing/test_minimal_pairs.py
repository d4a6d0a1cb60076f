"""Templates of minimal pairs: each has pairs enough, and the two sides of a pair are never right with one word."""

import pytest

from pretrained.minimal_pairs import PHENOMENA
from pretrained.publishing.pair_templates import TEMPLATES, Template, TemplateNoun, candidates


def test_there_is_a_template_for_every_phenomenon() -> None:
    assert tuple(template.name for template in TEMPLATES) == PHENOMENA


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
def test_a_template_makes_pairs_enough_and_always_the_same(template: Template) -> None:
    made = [*candidates(template)]
    assert len(made) >= 100
    assert made == [*candidates(template)]
    assert len({(pair.sources, pair.begun) for pair in made}) == len(made)
    for pair in made:
        assert (pair.sources[0], pair.begun[0]) != (pair.sources[1], pair.begun[1])
        assert not {*pair.expected[0]} & {*pair.expected[1]}
        assert all(text[0].isupper() and text[-1] in ".?" for text in pair.sources)
        assert all(text == text.strip() and "{" not in text for text in (*pair.sources, *pair.begun))


def test_a_field_is_filled_with_the_english_word_or_what_is_asked_of_it() -> None:
    nouns = (TemplateNoun("dog", "Hund", "der"), TemplateNoun("woman", "Frau", "die", "women"))
    template = Template(
        "two", ("the {a} is here.", "the {a.many} are here."), ("{a.the}|{a.german}", "x"), {"a": nouns}
    )
    by_source = {pair.sources: pair.expected for pair in candidates(template)}
    assert by_source == {
        ("The dog is here.", "The dogs are here."): (("der", "Hund"), ("x",)),
        ("The woman is here.", "The women are here."): (("die", "Frau"), ("x",)),
    }


def test_combinations_that_one_word_is_right_for_are_left_out() -> None:
    nouns = (TemplateNoun("dog", "Hund", "der"), TemplateNoun("man", "Mann", "der"))
    template = Template("none", ("the {a}.", "the {b}."), ("{a.the}", "{b.the}"), {"a": nouns, "b": nouns})
    assert [*candidates(template)] == []
