import pytest

from viz.base.tokens import (
    escape_plotly,
    label_alone,
    n_columns,
    piece_labels,
    shorten,
    shorten_sentence,
    shown_piece,
    visible,
)


def test_pieces_that_go_on_with_a_word_are_marked() -> None:
    assert piece_labels(["▁foot", "ball", ".", "</s>"], [0, 2, 3]) == ("foot", "·ball", ".", "⟨end⟩")


@pytest.mark.parametrize(
    ("piece", "shown"),
    [
        ("▁play", "play"),
        ("▁", "␣"),
        ("<s>", "⟨start⟩"),
        ("<0xF0>", "⟨F0⟩"),
        ("<0x3C>", "<"),
        ("<0x0A>", "⟨0A⟩"),
        ("<b>", "<b>"),
        ("▁\u202ea\u200b", "⟨U+202E⟩a⟨U+200B⟩"),
    ],
)
def test_a_piece_is_readable(piece: str, shown: str) -> None:
    assert shown_piece(piece) == shown


@pytest.mark.parametrize(
    ("piece", "shown"), [("▁man", "man"), ("man", "·man"), (".", "."), ("</s>", "⟨end⟩"), ("猫", "猫")]
)
def test_a_piece_alone_tells_whether_it_begins_a_word(piece: str, shown: str) -> None:
    assert label_alone(piece) == shown


def test_characters_that_only_steer_the_layout_are_named() -> None:
    assert visible("pay\u202e\ufeff\U000e0041") == "pay⟨U+202E⟩⟨U+FEFF⟩⟨U+E0041⟩"
    assert visible("Fußball 😀 مرحبا") == "Fußball 😀 مرحبا"


def test_a_long_label_keeps_both_ends() -> None:
    short = shorten("Donaudampfschifffahrtsgesellschaft", 14)
    assert len(short) == 14
    assert short.startswith("Donau")
    assert short.endswith("aft")
    assert shorten("kurz") == "kurz"


def test_an_east_asian_character_is_as_wide_as_two_letters() -> None:
    assert [n_columns(text) for text in ("Haus", "注意の重み", "어텐션", "「猫」", "ﾊｳｽ")] == [4, 10, 6, 6, 3]
    assert shorten("位置エンコーディング", 20) == "位置エンコーディング"
    assert shorten("位置エンコーディング", 12).startswith("位置エン")
    assert n_columns(shorten("位置エンコーディング", 12)) <= 12


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The dog chases the cat.", "The dog chases the cat."),
        ("The animal didn't cross the street because it was too wide.", "The animal didn't cross … was too wide."),
        ("The animal didn't cross the street becauseitwastoowide.", "The animal didn't cross the …itwastoowide."),
        ("ab" * 30, "ab" * 14 + "…" + "b" + "ab" * 6),
    ],
)
def test_a_long_sentence_keeps_whole_words_of_both_ends(text: str, shown: str) -> None:
    assert len(shorten_sentence(text, 42)) <= 42
    assert shorten_sentence(text, 42) == shown


def test_plotly_gets_no_markup() -> None:
    assert escape_plotly("</script><b>&amp;") == "&lt;/script&gt;&lt;b&gt;&amp;amp;"
