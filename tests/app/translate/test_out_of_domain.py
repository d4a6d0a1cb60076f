"""The sentence on the page Translate that says why a translation is to be taken with care, and its absence."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.running import EXAMPLES
from tests.app.translate.shown import open_app


def cares(app: AppTest) -> list[str]:
    return [entry.value for entry in app.caption if "care" in entry.value]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Der Hund jagt die Katze durch den Garten.", "German"),
        ("Je ne sais pas où est la gare.", "French"),
        ("猫が犬を追いかける", "Japanese"),
    ],
)
def test_a_text_in_another_language_is_said_calmly(text: str, language: str) -> None:
    said = f"Take this with care: the sentence looks like {language}, and this model has learned to read English only."
    for search in ("Beam 4", "Sample"):
        app = open_app(text=text, translator="translation-en-de", search=search)
        assert cares(app) == [said]


@pytest.mark.parametrize("text", ["Kot nie przekroczył drogi bo była za szeroka", "asdf 😀 猫が qwer zxcv !!"])
def test_a_text_outside_of_what_was_learned_is_said_calmly(text: str) -> None:
    app = open_app(text=text)
    assert [entry.split(":")[0] for entry in cares(app)] == ["Take this with care"]
    assert not app.warning
    for other in (open_app(text=text, begin="57"), open_app(text=text, search="sample")):
        assert not cares(other)


@pytest.mark.parametrize("text", ["-", "!!! ??? ((("])
def test_of_a_text_without_words_it_is_said_that_there_are_none(text: str) -> None:
    (care,) = cares(open_app(text=text))
    assert "nothing to translate" in care


@pytest.mark.parametrize("text", ["Hi!", "I'm Tom.", "I love you 😍", "It's 3:30 p.m.", "Yes."])
def test_of_a_short_text_that_is_known_nothing_is_said(text: str) -> None:
    assert not cares(open_app(text=text))


@pytest.mark.parametrize("text", EXAMPLES)
def test_of_a_known_kind_nothing_is_said(text: str) -> None:
    for search in ("Beam 4", "Greedy"):
        assert not cares(open_app(text=text, search=search))
