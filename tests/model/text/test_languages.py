"""A text's language is guessed among those that can be translated."""

import tempfile

import pytest

from model.text import languages
from model.text.languages import CONFIDENT, LANGUAGES, identify_language

ALL = LANGUAGES


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The cat sleeps.", "English"),
        ("Ich bin m\u00fcde.", "German"),
        ("Je suis fatigu\u00e9.", "French"),
        ("\u72ac\u304c\u732b\u3092\u8ffd\u3044\u304b\u3051\u308b", "Japanese"),
        ("WO IST DER BAHNHOF?", "German"),
    ],
)
def test_the_language_of_a_short_sentence_is_told(text: str, language: str) -> None:
    assert identify_language(text, ALL) == language


def test_only_a_language_that_was_asked_for_is_told() -> None:
    assert identify_language("Ich bin m\u00fcde.", ["English", "Klingon"]) == "English"
    assert identify_language("Ich bin m\u00fcde.", ["Klingon"]) is None


def test_an_unsure_guess_is_not_told() -> None:
    assert identify_language("Hund", ALL, at_least=CONFIDENT) is None
    assert identify_language("qzxw vrkt pljb ghnm", ALL, at_least=CONFIDENT) is None
    assert identify_language("Der Hund jagt die Katze durch den Garten.", ALL, at_least=CONFIDENT) == "German"


@pytest.mark.parametrize("text", ["", " ", "123 + 4 = 127", "\U0001f600!", "..."])
def test_without_a_letter_nothing_is_told(text: str) -> None:
    assert identify_language(text, ALL) is None


@pytest.mark.parametrize("text", ["\ud800x", "a" * 5000, "<script>", "\x00a"])
def test_any_text_can_be_guessed(text: str) -> None:
    assert identify_language(text, ALL) in (*ALL, None)


def test_without_a_temporary_folder_no_language_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_is_usable(**_: object) -> None:
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr(tempfile, "TemporaryFile", none_is_usable)
    languages._identifier.cache_clear()
    assert languages.identify_language("Das ist ein Haus.", ["German", "English"]) is None
    monkeypatch.undo()
    assert languages.identify_language("Das ist ein Haus.", ["German", "English"]) == "German"
