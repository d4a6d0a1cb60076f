"""A text's language is guessed among those that can be translated."""

import pytest

from model.text import languages
from model.text.languages import CONFIDENT, LANGUAGES, LanguageGuess, guess_language, identify_language

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
    assert identify_language("Hotel", ALL, at_least=CONFIDENT) is None
    assert identify_language("qzxw vrkt pljb ghnm", ALL, at_least=CONFIDENT) is None
    assert identify_language("Der Hund jagt die Katze durch den Garten.", ALL, at_least=CONFIDENT) == "German"


@pytest.mark.parametrize("text", ["", " ", "123 + 4 = 127", "\U0001f600!", "..."])
def test_without_a_letter_nothing_is_told(text: str) -> None:
    assert identify_language(text, ALL) is None


@pytest.mark.parametrize("text", ["\ud800x", "a" * 5000, "<script>", "\x00a"])
def test_any_text_can_be_guessed(text: str) -> None:
    assert identify_language(text, ALL) in (*ALL, None)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Frau M\u00fcller lives in K\u00f6ln.", "English"),
        ("Le Monde reports it.", "English"),
        ("Mr. Smith wohnt in London.", "German"),
        ("Frau M\u00fcller est ici.", "French"),
        ("Le Monde\u3092\u8aad\u3080\u3002", "Japanese"),
        ("Das Haus brennt.", "German"),
        ("Of course not", "English"),
        ("WHAT TIME IS IT?", "English"),
        ("Kim Min-su lives in Seoul.", "English"),
        ("Vas-tu bien ?", "French"),
        ("www.das-haus-ist.de is good.", "English"),
        ("@the_house_of ist toll, #goodday.", "German"),
        ("Please write to der.hund@und-die.de today.", "English"),
        ("\u8a73\u3057\u304f\u306fhttps://example.com/the/dog/of/all\u3092\u898b\u3066", "Japanese"),
    ],
)
def test_names_of_another_language_do_not_decide(text: str, language: str) -> None:
    guess = guess_language(text, ALL)
    assert guess is not None
    assert (guess.language, guess.doubt) == (language, None)


@pytest.mark.parametrize(
    "text", ["Pardon", "Auto", "Hotel", "OK", "Tom", "qzxw vrkt", "a b c", "a@b.de", "www.das-ist.de"]
)
def test_a_text_that_is_too_short_is_read_in_one_language_and_may_be_in_the_others(text: str) -> None:
    guess = guess_language(text, ALL)
    assert guess is not None
    assert guess.doubt == "short"
    assert {guess.language, *guess.others} == {"English", "German", "French"}


@pytest.mark.parametrize("text", ["Ich love dich.", "I will das nicht.", "Hello. Ich bin hier. Where are you?"])
def test_a_text_in_two_languages_is_mixed(text: str) -> None:
    guess = guess_language(text, ALL)
    assert guess is not None
    assert guess.doubt == "mixed"


def test_one_language_alone_is_sure() -> None:
    guess = guess_language("Hotel", ["German", "Japanese"])
    assert guess == LanguageGuess("German", (), None)
    assert guess_language("\ub098\ub294", ALL) is None
    assert guess_language("12", ALL) is None


@pytest.mark.usefixtures("no_temporary_folder")
def test_without_a_temporary_folder_words_tell_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    languages._identifier.cache_clear()
    assert languages.identify_language("Das ist ein Haus.", ["German", "English"]) == "German"
    assert languages.identify_language("qzxw", ["German", "English"]) is None
    monkeypatch.undo()
    assert languages.identify_language("Das ist ein Haus.", ["German", "English"]) == "German"


@pytest.mark.parametrize("text", ["I am.", "I am. " * 100, "I am here", "Am I late?"])
def test_the_word_i_is_no_name_though_it_is_written_large(text: str) -> None:
    guess = guess_language(text, ALL)
    assert guess is not None
    assert (guess.language, guess.doubt) == ("English", None)


def test_the_number_of_a_king_is_not_the_word() -> None:
    guess = guess_language("C'est le roi François I.", ALL)
    assert guess is not None
    assert (guess.language, guess.doubt) == ("French", None)
