"""The vocabulary of characters: round trips, and what it says of characters it does not know."""

import pytest

from model.text.characters import UNKNOWN_ID, CharacterVocabulary

TEXT = 'Prince Vasíli said:\n"Eh bien!"'


def test_a_text_comes_back_from_its_ids() -> None:
    vocabulary = CharacterVocabulary.of(TEXT)
    encoded = vocabulary.encode(TEXT)
    assert encoded.unknown == ()
    assert len(encoded.ids) == len(TEXT)
    assert UNKNOWN_ID not in encoded.ids.tolist()
    assert int(encoded.ids.max()) < vocabulary.size == len(set(TEXT)) + 1
    assert vocabulary.decode(encoded.ids) == TEXT
    assert vocabulary.decode(encoded.ids.tolist()) == TEXT


def test_the_order_of_the_text_does_not_matter() -> None:
    assert CharacterVocabulary.of(TEXT) == CharacterVocabulary.of(TEXT[::-1] * 2)


def test_unknown_characters_are_said_once_each_in_their_order_and_decoded_as_such() -> None:
    encoded = CharacterVocabulary("abc").encode("aΩbЖΩc\ud800")
    assert encoded.unknown == ("Ω", "Ж", "\ud800")
    assert encoded.ids.tolist() == [1, 0, 2, 0, 0, 3, 0]
    assert CharacterVocabulary("abc").decode(encoded.ids) == "a�b��c�"


def test_an_empty_text_has_no_ids() -> None:
    encoded = CharacterVocabulary("abc").encode("")
    assert encoded.ids.tolist() == []
    assert encoded.unknown == ()
    assert CharacterVocabulary("abc").decode([]) == ""


@pytest.mark.parametrize("characters", ["abc", '"\\\n\t', "日本語ёж 𝄞", "\ud800"])
def test_it_comes_back_from_json(characters: str) -> None:
    vocabulary = CharacterVocabulary(characters)
    assert CharacterVocabulary.from_json(vocabulary.to_json()) == vocabulary


@pytest.mark.parametrize("stored", ["[]", "{}", '{"characters": 3}', '{"characters": "ab", "more": 1}', "nonsense"])
def test_other_json_is_refused(stored: str) -> None:
    with pytest.raises(ValueError, match=r"stored vocabulary|Expecting value"):
        CharacterVocabulary.from_json(stored)


def test_what_makes_no_vocabulary_is_refused() -> None:
    with pytest.raises(ValueError, match="no character"):
        CharacterVocabulary.of("")
    with pytest.raises(ValueError, match="twice"):
        CharacterVocabulary("aba")


@pytest.mark.parametrize("token", [-1, 4])
def test_an_id_that_is_not_there_is_refused(token: int) -> None:
    with pytest.raises(ValueError, match=rf"{token} is no id of this vocabulary; they go from 0 to 3"):
        CharacterVocabulary("abc").decode([1, token])
