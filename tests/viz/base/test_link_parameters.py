"""States of pages and views, written in links and read back."""

from dataclasses import dataclass
from typing import Any

import pytest

from viz.base.languages import in_language
from viz.base.link_parameters import (
    Choice,
    Number,
    Text,
    bad_links,
    choice_of,
    in_link,
    is_readable,
    labelled,
    link_of,
    query_of,
    read_fields,
    read_link,
    switch,
)
from viz.components.attention_explorer.view import Heads

WHOLE, BROKEN = Number("n", 5, 1, 9), Number("x", 2.5, 1.5, 9.5)


@pytest.mark.parametrize("text", ["1", "9", "5"])
def test_what_lies_in_the_range_is_accepted(text: str) -> None:
    assert is_readable(WHOLE, text)


@pytest.mark.parametrize("text", ["0", "10", "5.5", "nan", "inf", "", "five", "1e400"])
def test_what_does_not_is_refused(text: str) -> None:
    assert not is_readable(WHOLE, text)


@pytest.mark.parametrize(
    ("text", "is_accepted"), [("1.5", True), ("1e0", False), ("nan", False), ("-inf", False), ("9", True)]
)
def test_a_number_with_a_default_that_is_not_whole_need_not_be_whole(text: str, is_accepted: bool) -> None:
    assert is_readable(BROKEN, text) is is_accepted


def test_a_choice_is_named_by_its_label() -> None:
    rule = choice_of("by", ["Pieces", "Words"])
    assert is_readable(rule, "Words")
    assert not is_readable(rule, "words")
    assert rule.allowed == "Pieces, Words"


def test_a_choice_holds_values_of_any_type() -> None:
    heads, way = Choice("heads", 4, (1, 2, 4)), labelled("by", {"reverse": "Reversed", "own": "Your own"}, "own")
    assert (heads.read("2"), heads.write(2), heads.allowed) == (2, "2", "1, 2, 4")
    assert (way.read("reverse"), way.write("own"), way.default) == ("reverse", "own", "own")
    assert (heads.label(2), way.label("own")) == ("2", "Your own")
    assert not is_readable(heads, "3")
    assert not is_readable(way, "Reversed")


def test_a_switch_is_written_as_a_toggle_does() -> None:
    assert (switch("on", False).default, switch("on", False).read("true")) == (False, True)
    assert not is_readable(switch("on", True), "True")


def test_a_text_has_an_end() -> None:
    assert is_readable(Text("t", "", 3), "abc")
    assert not is_readable(Text("t", "", 3), "abcd")


@dataclass(frozen=True)
class Sampling:
    """A state of a page."""

    search: str = in_link(choice_of("search", ["beam", "sample"]))
    temperature: float = in_link(Number("temperature", 0.8, 0.1, 2.0, 0.1))
    top_k: int = in_link(Number("top-k", 0, 0, 1000))


def test_a_link_carries_what_is_not_as_by_default() -> None:
    assert query_of(Sampling()) == {}
    assert link_of(Sampling(top_k=5)) == {"search": None, "temperature": None, "top-k": "5"}


@pytest.mark.parametrize("state", [Sampling(), Sampling("sample", 1.25, 1000), Sampling(temperature=0.1)])
def test_a_state_is_read_back_from_its_link(state: Sampling) -> None:
    assert read_link(Sampling, {**query_of(state), "other": "x"}) == (state, [])


def test_what_a_link_may_not_carry_is_named_and_the_rest_is_read() -> None:
    state, bad = read_link(Sampling, {"search": "sample", "temperature": "hot`", "top-k": "7"})
    assert state == Sampling("sample", top_k=7)
    assert [(link.key, link.text, link.allowed) for link in bad] == [("temperature", "hot'", "0.1 – 2")]


def test_what_is_allowed_ends_a_sentence_with_one_full_stop() -> None:
    sentences = choice_of("pair", ["A dog runs.", "The cat sleeps."])
    (bad,) = bad_links([sentences], {"pair": "none"})
    assert f"It takes: {bad.allowed}." == "It takes: A dog runs., The cat sleeps."


def test_how_long_a_text_may_be_is_said_with_its_unit() -> None:
    (bad,) = bad_links([Text("text", "", 1000)], {"text": "x" * 1001})
    assert bad.allowed == "at most 1,000 characters"
    with in_language("ko"):
        assert bad_links([Text("text", "", 5)], {"text": "123456"})[0].allowed == "5자 이하의 텍스트"


def test_an_example_is_called_one() -> None:
    assert Heads("heads", ()).allowed == "values such as 1.1-2.8"


def test_many_options_are_named_by_the_first_and_the_last() -> None:
    letters = choice_of("letter", "abcdefghi")
    (bad,) = bad_links([letters], {"letter": "none"})
    assert bad.allowed == "a, b, c, …, i"
    assert choice_of("letter", "abcdefgh").allowed == "a, b, c, d, e, f, g, h"


@pytest.mark.parametrize("text", ["9" * 400, "9" * 5000, "inf", "nan", "\ud800", "<b>", "٣" * 30])
def test_any_text_is_a_value_or_named(text: str) -> None:
    assert [link.key for link in read_link(Sampling, {"temperature": text})[1]] == ["temperature"]


def test_a_browser_sends_fields_by_their_names() -> None:
    assert read_fields(Sampling, {"search": "sample", "top_k": 3}) == Sampling("sample", top_k=3)


@pytest.mark.parametrize("sent", [{"top_k": -1}, {"top_k": "many"}, {"search": 1}, {"temperature": [1]}])
def test_a_browser_that_sends_what_cannot_be_is_not_followed(sent: dict[str, Any]) -> None:
    assert read_fields(Sampling, sent) is None


def test_a_choice_whose_only_value_has_no_text_says_that_it_takes_nothing() -> None:
    assert choice_of("model", [""]).allowed == "nothing now"
    assert choice_of("model", ["", "mine"]).allowed == "mine"
