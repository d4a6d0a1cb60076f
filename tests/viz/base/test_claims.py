"""A claim says its sentence where it holds, other words where it does not, and nothing where there are none."""

import pytest

from viz.base.claims import Claim, Names

TEXT = {"ranks": "{first} leads.", "ranks otherwise": "Nobody leads.", "grows": "It grows to {size}."}


def test_a_claim_that_holds_says_its_sentence() -> None:
    assert Claim(True, {"first": "A"}).sentence(TEXT, "ranks") == "A leads."


def test_a_claim_that_does_not_hold_has_other_words_or_none() -> None:
    assert Claim(False, {"first": "A"}).sentence(TEXT, "ranks") == "Nobody leads."
    assert Claim(False, {"size": 3}).sentence(TEXT, "grows") == ""


def test_a_field_without_a_value_is_a_mistake_of_the_code() -> None:
    with pytest.raises(KeyError):
        Claim(True).sentence(TEXT, "grows")


def test_names_of_the_code_are_read_by_their_titles() -> None:
    claim = Claim(True, {"first": Names("encoding", ("none", "t5"))})
    assert claim.sentence(TEXT, "ranks", {"encoding": str.upper}) == "NONE, T5 leads."
    assert claim.sentence(TEXT, "ranks") == "none, t5 leads."


def test_titles_with_a_comma_are_told_apart_by_semicolons() -> None:
    names = Names("encoding", ("none", "rotary"))
    assert (
        names.titled({"encoding": lambda name: f"{name}, 25 %" if name == "rotary" else name}) == "none; rotary, 25 %"
    )
