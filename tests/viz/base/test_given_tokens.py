"""Tokens of other people's vocabularies, as labels and as words."""

import pytest

from viz.base.given_tokens import row_of_tokens


@pytest.mark.parametrize(
    ("tokens", "labels", "words"),
    [
        (["[CLS]", "un", "##real", "[SEP]"], ["[CLS]", "un", "·real", "[SEP]"], ["[CLS]", "unreal", "[SEP]"]),
        (["un", "real", "Ġcat", "<|end|>"], ["un", "·real", "cat", "<|end|>"], ["unreal", "cat", "<|end|>"]),
        (["<s>", "▁un", "real", "</s>"], ["<s>", "un", "·real", "</s>"], ["<s>", "unreal", "</s>"]),
        (["un", "real</w>", "cat</w>"], ["un", "·real", "cat"], ["unreal", "cat"]),
        (["▁", "a"], ["␣", "·a"], ["␣a"]),
        (["the", "cat"], ["the", "cat"], []),
    ],
)
def test_marks_of_a_vocabulary_become_words(tokens: list[str], labels: list[str], words: list[str]) -> None:
    row = row_of_tokens(tokens)
    assert list(row.labels) == labels
    assert list(row.word_labels) == words


def test_labels_that_were_saved_are_read_again() -> None:
    row = row_of_tokens(["[CLS]", "un", "##real", "[SEP]"])
    assert row_of_tokens(row.labels) == row


def test_tokens_stay_as_they_are_where_that_is_wanted() -> None:
    assert row_of_tokens(["Ġthe", "Ċ"], prettify=False).labels == ("Ġthe", "Ċ")
    assert row_of_tokens(["a\nb\u202e"]).labels == ("a⟨U+000A⟩b⟨U+202E⟩",)
