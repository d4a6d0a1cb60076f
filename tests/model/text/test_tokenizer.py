"""The tokenizer: every text survives it, nothing is unknown, and pieces make words."""

import random
import subprocess
import sys
import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest

from model.text.normalization import normalize
from model.text.tokenizer import BOS_ID, EOS_ID, PAD_ID, UNKNOWN_ID, Tokenizer

TEXTS = [
    "My dog sees the ball.",
    "Die Straße, einen grünen Baum",
    "🙂 👩‍👩‍👧 🇩🇪",
    "مرحبا بالعالم",
    "שלום",
    "你好\uff0c世界",
    "e\u0301 \u0301x a\u0308\u0323",
    "\ufb01 \u2047 \ufffd \ufffe \ufeff \u200d \U0010ffff",
    "<unk> <s> </s> <pad> <0x41>",
    "</script><script>alert(1)</script>",
    "a" * 500,
    "▁a ▁ b▁",
    "\ud800x\udfff",
    "tab\tline\nreturn\r\nnull\x00bell\x07delete\x7fnext\x85line",
    "  many   spaces\u3000wide\u00a0fixed\u2028 ",
]


@pytest.mark.parametrize("text", TEXTS)
def test_any_text_comes_back(tokenizer: Tokenizer, text: str) -> None:
    ids = tokenizer.encode(text)
    assert tokenizer.decode(ids) == normalize(text)
    assert not {PAD_ID, UNKNOWN_ID, BOS_ID, EOS_ID} & set(ids)


def test_random_characters_come_back(tokenizer: Tokenizer) -> None:
    for _ in range(200):
        text = "".join(chr(random.randrange(0x110000)) for _ in range(20))
        ids = tokenizer.encode(text)
        assert tokenizer.decode(ids) == normalize(text)
        assert UNKNOWN_ID not in ids
        assert "".join(separated(tokenizer, ids)) == normalize(text)


@pytest.mark.parametrize("text", ["", " ", "\n\t\x00", "\ud800", "▁"])
def test_of_nothing_nothing_comes(tokenizer: Tokenizer, text: str) -> None:
    assert normalize(text) == ""
    assert tokenizer.encode(text) == []
    assert tokenizer.decode([]) == ""
    assert tokenizer.words([]) == []


def test_composed_and_decomposed_letters_are_one_text(tokenizer: Tokenizer) -> None:
    assert tokenizer.encode(unicodedata.normalize("NFD", "hört grünen")) == tokenizer.encode("hört grünen")


def test_without_dropout_pieces_are_those_of_plain_encoding(tokenizer: Tokenizer) -> None:
    assert tokenizer.encode_with_dropout(TEXTS, dropout=0.0, seed=1) == [tokenizer.encode(text) for text in TEXTS]


def test_dropout_cuts_the_same_text_into_smaller_pieces(tokenizer: Tokenizer) -> None:
    text = "The big dog sees my ball and the green tree."
    cuts = tokenizer.encode_with_dropout([text] * 50, dropout=0.3, seed=1)
    assert {tokenizer.decode(ids) for ids in cuts} == {text}
    assert len({tuple(ids) for ids in cuts}) > 10
    assert sum(map(len, cuts)) > 1.1 * 50 * len(tokenizer.encode(text))


def test_the_seed_decides_which_merges_are_dropped(tokenizer: Tokenizer) -> None:
    texts = ["My dog sees the ball."] * 50
    first = tokenizer.encode_with_dropout(texts, dropout=0.3, seed=1)
    tokenizer.encode_with_dropout(texts[:7], dropout=0.9, seed=5)
    assert tokenizer.encode_with_dropout(texts, dropout=0.3, seed=1) == first
    assert tokenizer.encode_with_dropout(texts, dropout=0.3, seed=2) != first


def test_the_seed_decides_it_in_another_process_too(tokenizer: Tokenizer, tmp_path: Path) -> None:
    (tmp_path / "tokenizer.model").write_bytes(tokenizer.serialized)
    program = (
        "import sys; from pathlib import Path; from model.text.tokenizer import Tokenizer; "
        "tokenizer = Tokenizer.load(Path(sys.argv[1])); "
        "print(tokenizer.encode_with_dropout(['My dog sees the ball.'] * 20, dropout=0.3, seed=4))"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "tokenizer.model")]
    found = subprocess.run(command, cwd=Path(__file__).parents[3], capture_output=True, text=True, check=True)
    expected = tokenizer.encode_with_dropout(["My dog sees the ball."] * 20, dropout=0.3, seed=4)
    assert found.stdout.strip() == str(expected)


def test_special_tokens_leave_no_trace(tokenizer: Tokenizer) -> None:
    ids = tokenizer.encode("My dog sees the ball.")
    assert tokenizer.decode([BOS_ID, *ids, EOS_ID, PAD_ID, PAD_ID]) == "My dog sees the ball."


def test_broken_bytes_are_shown_as_such(tokenizer: Tokenizer) -> None:
    assert "\ufffd" in tokenizer.decode(tokenizer.encode("🙂")[:-1])


def test_a_saved_tokenizer_is_the_same(tokenizer: Tokenizer, tmp_path) -> None:
    path = tmp_path / "tokenizer.model"
    path.write_bytes(tokenizer.serialized)
    loaded = Tokenizer.load(path)
    assert loaded.vocabulary_size == tokenizer.vocabulary_size == 320
    assert loaded.encode("My dog sees 🙂.") == tokenizer.encode("My dog sees 🙂.")


@pytest.mark.parametrize("size", [10, 100_000])
def test_a_vocabulary_that_does_not_fit_the_text_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"no {size} pieces can be learned from this text"):
        Tokenizer.train(["a few words", "and no more"], size)


def separated(tokenizer: Tokenizer, ids: list[int]) -> list[str]:
    """The words of ``ids`` with the spaces between them, as the pieces have them."""
    pieces = tokenizer.pieces(ids)
    words = tokenizer.words(ids)
    texts = [(" " if pieces[word.start].startswith("▁") else "") + word.text.removeprefix("▁") for word in words]
    return [texts[0].removeprefix(" "), *texts[1:]] if texts else []


@pytest.mark.parametrize("text", TEXTS)
def test_words_partition_the_pieces_and_join_back_to_the_text(tokenizer: Tokenizer, text: str) -> None:
    ids = [*tokenizer.encode(text), EOS_ID]
    words = tokenizer.words(ids)
    assert words[0].start == 0
    assert words[-1].end == len(ids)
    assert all(word.start < word.end for word in words)
    assert all(left.end == right.start for left, right in pairwise(words))
    assert words[-1].text == "</s>"
    assert "".join(separated(tokenizer, ids[:-1])) == normalize(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My dog didn't see it.", ["My", "dog", "didn't", "see", "it", "."]),
        ("Tom's ball, Mary's bread!", ["Tom's", "ball", ",", "Mary's", "bread", "!"]),
        ("Where? Here...", ["Where", "?", "Here", "..."]),
        ("well-known 3.5 U.S.A.", ["well-known", "3.5", "U.S.A", "."]),
        ("Das Café, l'été.", ["Das", "Café", ",", "l'été", "."]),
        ("grün", ["grün"]),
        ("مرحبا.", ["مرحبا", "."]),
        ("now (5%)!", ["now", "(5", "%)!"]),
        ('He said "bread".', ["He", "said", '"bread', '".']),
    ],
)
def test_apostrophes_stay_in_words_and_closing_punctuation_stands_alone(
    tokenizer: Tokenizer, text: str, expected: list[str]
) -> None:
    assert [word.text for word in tokenizer.words(tokenizer.encode(text))] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("犬が猫を追う。", ["犬", "が", "猫", "を", "追", "う", "。"]),
        ("「猫」と犬、", ["「", "猫", "」", "と", "犬", "、"]),
        ("コーヒーを2杯", ["コーヒー", "を", "2", "杯"]),
        ("Tomが 犬を", ["Tom", "が", "犬", "を"]),
    ],
)
def test_without_spaces_every_piece_is_a_word_and_so_is_a_run_of_katakana(text: str, expected: list[str]) -> None:
    # Every character is a piece here, since none stands beside another twice; Tom is three.
    tokenizer = Tokenizer.train(["犬 が 猫 を 追 う 。 「 」 と 、 コ ー ヒ 2 杯 T o m"], 256 + 4 + 20)
    words = tokenizer.words(tokenizer.encode(text))
    assert [word.text for word in words if word.text != "▁"] == expected


def test_every_special_token_is_a_word_of_its_own(tokenizer: Tokenizer) -> None:
    ids = [BOS_ID, *tokenizer.encode("My dog"), EOS_ID, PAD_ID]
    assert [word.text for word in tokenizer.words(ids)] == ["<s>", "My", "dog", "</s>", "<pad>"]


def test_a_character_that_is_known_is_not_cut_into_bytes(tokenizer: Tokenizer) -> None:
    for character in "aZ.,é犬🙂\u201d":
        pieces = tokenizer.pieces(tokenizer.encode(character))
        assert tokenizer.knows(character) == (not any(piece.startswith("<0x") for piece in pieces))
