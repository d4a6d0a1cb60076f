"""What the app shows by itself has no word of suicide, violence, sex or insults."""

import pytest

from model.text.unsuitable_words import unsuitable_word
from pretrained import shipped
from pretrained.alignments import gold_pairs
from pretrained.head_catalogue import head_examples
from pretrained.minimal_pairs import minimal_pairs
from pretrained.unit_examples import UNIT_EXAMPLES, unit_examples
from viz.base.words import page_text, sections_in, text_names
from viz.pages.start.study.findings import ANIMAL, BROTHER, HOUSE, NEGATED

CODES = {"English": "en", "German": "de", "French": "fr", "Japanese": "ja"}
# Among the examples of Start; the others are English.
GERMAN = {"Der Hund jagt die Katze."}


@pytest.mark.parametrize("name", shipped())
def test_sentences_of_the_catalogue(name: str) -> None:
    rows = head_examples(name)
    texts = [] if rows.empty else rows.text.unique()
    assert [text for text in texts if unsuitable_word(text, name.split("-")[1])] == []


@pytest.mark.parametrize("name", sorted(path.stem for path in UNIT_EXAMPLES.glob("*.parquet")))
def test_sentences_that_excite_units(name: str) -> None:
    rows = unit_examples(name)
    _, source, target, *_ = name.split("-")
    of_encoder = rows.point.str.startswith("encoder")
    for language, part in ((source, rows[of_encoder]), (target, rows[~of_encoder])):
        texts = (part.before + part.text + part.after).unique()
        assert len(texts) > 1000
        assert [text for text in texts if unsuitable_word(text, language)] == []


@pytest.mark.parametrize("kind", list(page_text("shared/examples")))
def test_examples_to_try(kind: str) -> None:
    language = CODES[kind.split(maxsplit=1)[0]]
    assert [text for text in page_text("shared/examples")[kind].splitlines() if unsuitable_word(text, language)] == []


def test_what_pages_open_with() -> None:
    lines = {
        (name, line)
        for name in text_names()
        for key, text in sections_in("en", name).items()
        if key.startswith(("opening", "example"))
        for line in text.splitlines()
    }
    assert {line for _, line in lines} >= GERMAN
    assert [one for one in lines if unsuitable_word(one[1], "de" if one[1] in GERMAN else "en")] == []


def test_pairs_of_sentences() -> None:
    pairs = minimal_pairs()
    english = {*pairs.source_clean, *pairs.source_corrupted, *(pair.texts[0] for pair in gold_pairs())}
    assert len(english) > 1000
    assert [text for text in english if unsuitable_word(text, "en")] == []
    assert [pair.texts[1] for pair in gold_pairs() if unsuitable_word(pair.texts[1], "de")] == []


def test_sentences_of_the_findings() -> None:
    assert [text for text in (ANIMAL, BROTHER, HOUSE, *NEGATED) if unsuitable_word(text, "en")] == []
