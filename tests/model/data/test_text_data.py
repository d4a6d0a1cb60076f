"""Running texts: found by name or path, stripped of what is not theirs, and split without overlap."""

import hashlib
from pathlib import Path

import pytest

from model.data.corpora import TEXT_CORPORA, CorpusFile, TextCorpus
from model.data.loading import CorpusMissingError, load_text, split_text, strip_gutenberg

BOOK = "CHAPTER I\n\nIt was in July, 1805.\n"
WRAPPED = [
    f"The Project Gutenberg EBook of X\n\n*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n\n\n{BOOK}\n\n"
    "*** END OF THIS PROJECT GUTENBERG EBOOK X ***\nLicence",
    f"Title: X\n\n***START OF THE PROJECT GUTENBERG EBOOK A LONG\nTITLE***\n{BOOK}"
    "***END OF THE PROJECT GUTENBERG EBOOK X***\n",
    f"*** START OF THE PROJECT GUTENBERG EBOOK X ***\n{BOOK}",
    f"{BOOK}\n*** END OF THE PROJECT GUTENBERG EBOOK X ***\n",
]


@pytest.fixture
def tiny_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TextCorpus:
    content = ("\ufeff" + BOOK.replace("\n", "\r\n")).encode()
    (tmp_path / "tiny.txt").write_bytes(content)
    file = CorpusFile("tiny.txt", hashlib.sha256(content).hexdigest())
    corpus = TextCorpus("tiny-text", "Tiny", "https://example.org/tiny.txt", "CC0", file)
    monkeypatch.setitem(TEXT_CORPORA, corpus.name, corpus)
    return corpus


@pytest.mark.usefixtures("tiny_text")
def test_a_text_is_read_by_name_and_by_path(tmp_path: Path) -> None:
    assert load_text("tiny-text", tmp_path) == BOOK
    assert load_text(str(tmp_path / "tiny.txt")) == BOOK


@pytest.mark.usefixtures("tiny_text")
def test_another_content_is_refused_by_name_but_not_by_path(tmp_path: Path) -> None:
    (tmp_path / "tiny.txt").write_text("Something else.\n")
    with pytest.raises(CorpusMissingError, match="has SHA-256"):
        load_text("tiny-text", tmp_path)
    assert load_text(str(tmp_path / "tiny.txt")) == "Something else.\n"


@pytest.mark.usefixtures("tiny_text")
def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(CorpusMissingError, match=r"example\.org/tiny\.txt, as plain text in UTF-8, and place it there"):
        load_text("tiny-text", tmp_path / "nowhere")
    with pytest.raises(
        ValueError, match=r"'klingon' is neither a text corpus nor a file; the corpora are war-and-peace"
    ):
        load_text("klingon", tmp_path)
    (tmp_path / "latin.txt").write_bytes(b"na\xefve")
    with pytest.raises(ValueError, match=r"latin\.txt is no text in UTF-8"):
        load_text(str(tmp_path / "latin.txt"))


@pytest.mark.parametrize("wrapped", WRAPPED)
def test_what_gutenberg_adds_is_left_out(wrapped: str) -> None:
    assert strip_gutenberg(wrapped) == BOOK


def test_a_text_that_only_speaks_of_gutenberg_is_left_alone() -> None:
    text = "\n\nHe told us at the end of the Project Gutenberg dinner. *** START ***\n\n"
    assert strip_gutenberg(text) == text


@pytest.mark.parametrize("length", [20, 21, 399, 1000])
def test_the_parts_follow_each_other_without_overlap(length: int) -> None:
    text = "".join(chr(1000 + place) for place in range(length))
    split = split_text(text)
    assert split.train + split.validation + split.test == text
    assert [len(part) / length for part in (split.train, split.validation, split.test)] == pytest.approx(
        [0.9, 0.05, 0.05], abs=1 / length
    )


def test_too_short_a_text_is_refused() -> None:
    with pytest.raises(ValueError, match=r"the text has 9 characters, too few"):
        split_text("too short")
