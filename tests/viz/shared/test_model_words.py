"""Names of tasks and encodings have no mark that parts the items of a list; hooks, published rows, large numbers."""

import json
import re

import pytest

from model.hooks import HOOKS
from model.positional import PositionalConfig
from model.positional import registered as encodings
from model.tasks import registered as tasks
from model.zoo.plan import ENCODINGS
from viz.base.languages import ENGLISH, LANGUAGES, in_language
from viz.base.words import listed, sections_in
from viz.pages.start.study.published import DATA as PUBLISHED
from viz.shared.encodings import encoding_title
from viz.shared.model_words import in_millions, model_words, task_title

# A language that is begun may lack some.
COMPLETE = {"ja", "ko"}


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != ENGLISH])
def test_a_name_has_no_mark_of_a_list_outside_brackets(language: str) -> None:
    with in_language(language):
        mark = listed(["", ""])
        names = [task_title(name) for name in tasks()]
        names += [encoding_title(config) for config in (*map(PositionalConfig, encodings()), *ENCODINGS.values())]
        assert [name for name in names if mark in re.sub(r"[\uff08(][^()\uff08\uff09]*[)\uff09]", "", name)] == []


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != ENGLISH])
def test_every_hook_is_described_in_every_language(language: str) -> None:
    with in_language(language):
        assert [point.name for point in HOOKS if model_words(point.description) == point.description] == []


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != ENGLISH])
def test_every_encoding_with_trained_models_is_explained_in_every_language(language: str) -> None:
    described = [encodings()[name].description for name in {config.name for config in ENCODINGS.values()}]
    texts = {text for one in described for text in (one.explanation, one.note) if text}
    assert texts - {*sections_in(language, "shared/model_words")} == set()


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != ENGLISH])
def test_words_between_the_papers_of_an_encoding_are_translated(language: str) -> None:
    papers = [encoding.description.paper for encoding in encodings().values()]
    with_words = {paper for paper in papers if re.search(r"(?<!et )\b(?!al\b|et\b)[a-z]{2,}\b", paper)}
    assert with_words - {*sections_in(language, "shared/model_words")} == set()


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != ENGLISH])
def test_words_in_the_rows_and_sources_of_published_numbers_are_translated(language: str) -> None:
    columns = json.loads(PUBLISHED.read_text(encoding="utf-8")).values()
    rows = {row for column in columns for row in (*column["values"], column["source"])}
    with_words = {row for row in rows if re.search(r"\b[a-z]{3,}\b", row)}
    assert with_words - {*sections_in(language, "shared/model_words")} == set()


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != ENGLISH])
def test_what_is_not_translated_yet_of_a_task_or_an_encoding_is_told(language: str) -> None:
    texts = {name: (one.description.explanation, one.description.note) for name, one in encodings().items()} | {
        name: (one.description.title, one.description.explanation, one.description.unit, one.description.symbols)
        for name, one in tasks().items()
    }
    translated = sections_in(language, "shared/model_words")
    lacking = [f"{name}: {text}" for name, own in texts.items() for text in own if text and text not in translated]
    to_do = f"translate them in viz/shared/words/{language}/model_words.md, each under its English text as a heading"
    assert not lacking or language not in COMPLETE, f"{lacking}: {to_do}"
    if lacking:
        pytest.skip(f"{LANGUAGES[language]} lacks {'; '.join(lacking)}")


@pytest.mark.parametrize(
    ("language", "small", "large"),
    [("en", "2.1 M", "107 M"), ("ja", "210万", "1億700万"), ("ko", "210만", "1억 700만")],
)
def test_a_large_number_is_counted_as_the_language_does(language: str, small: str, large: str) -> None:
    with in_language(language):
        assert in_millions(2_098_176, "{n} M", 1) == small
        assert in_millions(107_234_567, "{n} M") == large
