"""The normal form of a text."""

import string

import pytest

from model.text.normalization import changed_characters, join_elisions, lower_capitals, normalize, simplify

LETTERS = {*string.ascii_letters, *string.digits, *"\"'-.,!?ー", *"アガカ"}


def test_control_characters_and_white_space_become_one_space() -> None:
    assert normalize("a\x00\x07b \t\r\n c\x85\u3000d") == "a b c d"
    assert normalize("noire\u00a0? noire\u202f?") == "noire ? noire ?"
    for code in range(0x20):
        assert normalize(f"a{chr(code)}b") == "a b"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("\u201cYes,\u201d she said.", '"Yes," she said.'),
        ("\u201eJa\u201c, sagte sie \u2013 leise\u2026", '"Ja", sagte sie - leise...'),
        ("It\u2019s \u2018late\u2019", "It's 'late'"),
        ("\uff34om \uff11\uff12\uff01", "Tom 12!"),
        ("\uff76\uff9e\uff71", "ガア"),
        ("soft\u00adhyphen, zero\u200bwidth", "softhyphen, zerowidth"),
        ("\ufb01sh, m\u00b2", "fish, m2"),
    ],
)
def test_what_a_vocabulary_lacks_is_written_in_plain_forms(text: str, plain: str) -> None:
    assert normalize(simplify(text, LETTERS.__contains__)) == plain


def test_what_a_vocabulary_has_stays_and_a_pair_stays_a_pair() -> None:
    text = "\u201cA\u201d \u2013 \uff21"
    assert simplify(text, {*text}.__contains__) == text
    assert simplify("\u201cA\u201d", {*'\u201cA"'}.__contains__) == '"A"'


def test_what_has_no_known_form_stays() -> None:
    assert simplify("\u00bd \N{DOG FACE} \u201ca", {"a"}.__contains__) == "\u00bd \N{DOG FACE} \u201ca"


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("A MAN IS CLIMBING A ROCK.", "A man is climbing a rock."),
        ("WHERE AM I? I AM HERE!", "Where am I? I am here!"),
        ("I am here. WHERE ARE YOU?", "I am here. Where are you?"),
        ('"GEH NACH HAUSE"', '"Geh nach hause"'),
        ("I live in the USA.", "I live in the USA."),
        ("QUELS COOKIES ET QUELS TRACEURS ?", "Quels cookies et quels traceurs ?"),
        ("GAS RUN/INSPECTION PROPANE FIREPOTS", "Gas run/inspection propane firepots"),
        ("Dog", "dog"),
        ("Dog!", "dog!"),
        ("Table for two", "table for two"),
        ("Dogs bark.", "Dogs bark."),
        ("The animal is tired", "The animal is tired"),
        ("It costs 204.72 USD.", "It costs 204.72 USD."),
        ("DOG", "dog"),
        ("I am", "i am"),
        ("12:30!", "12:30!"),
        ("\u72ac\u3060", "\u72ac\u3060"),
        ("", ""),
    ],
)
def test_sentences_in_capitals_are_read_in_small_letters(typed: str, read: str) -> None:
    def n_capitals(text: str) -> int:
        return sum(map(str.isupper, text))

    assert lower_capitals(typed, n_capitals) == read


@pytest.mark.parametrize(
    ("typed", "read"), [("Zoo", "Zoo"), ("Guten Morgen", "Guten Morgen"), ("DAS AUTO.", "Das auto."), ("auto", "auto")]
)
def test_where_nouns_have_a_capital_that_of_a_word_alone_stays(typed: str, read: str) -> None:
    def n_capitals(text: str) -> int:
        return sum(map(str.isupper, text))

    assert lower_capitals(typed, n_capitals, has_capital_nouns=True) == read


@pytest.mark.parametrize(
    ("text", "read", "changed"),
    [
        ("Guten Tag", "guten Tag", []),
        ("a\tb\nc  d", "a b c d", []),
        ("a\u2581b", "a b", ["\u2581"]),
        ("noire\u00a0? non\u202f!", "noire ? non !", ["\u00a0", "\u202f"]),
        ("e\u0301te\u0301", "\u00e9t\u00e9", ["\u0301"]),
        ("a\u200db soft\u00adhyphen", "ab softhyphen", ["\u200d", "\u00ad"]),
        ("\ufb01ne", "fine", ["\ufb01"]),
        ("\u1e9e", "\u00df", []),
        ("STRASSE", "Strasse", []),
        ("", "", []),
    ],
)
def test_what_a_model_reads_otherwise_is_told_and_nothing_else(text: str, read: str, changed: list[str]) -> None:
    assert list(changed_characters(text, read)) == changed


def test_capitals_that_a_vocabulary_has_stay() -> None:
    assert lower_capitals("USA", {"USA": 1, "Usa": 2, "uSA": 3}.__getitem__) == "USA"
    assert lower_capitals("Tom", {"Tom": 1, "tom": 2}.__getitem__) == "Tom"


@pytest.mark.parametrize(
    ("written", "joined"),
    [
        ("L' animal n' a pas traversé.", "L'animal n'a pas traversé."),
        ("Jusqu' à ce qu' il vienne", "Jusqu'à ce qu'il vienne"),
        ("the dogs' owners", "the dogs' owners"),
        ("rock 'n' roll", "rock 'n' roll"),
        ("l' 8 mai", "l' 8 mai"),
    ],
)
def test_french_elisions_are_written_together(written: str, joined: str) -> None:
    assert join_elisions(written) == joined
