"""Names of tasks and encodings have no mark that parts the items of a list; hooks, and large numbers."""

import re

import pytest

from model.hooks import HOOKS
from model.positional import PositionalConfig
from model.positional import registered as encodings
from model.tasks import registered as tasks
from model.zoo.plan import ENCODINGS
from viz.base.languages import ENGLISH, LANGUAGES, in_language
from viz.base.words import listed
from viz.shared.encodings import encoding_title
from viz.shared.model_words import in_millions, model_words, task_title


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


@pytest.mark.parametrize(
    ("language", "small", "large"),
    [("en", "2.1 M", "107 M"), ("ja", "210万", "1億700万"), ("ko", "210만", "1억 700만")],
)
def test_a_large_number_is_counted_as_the_language_does(language: str, small: str, large: str) -> None:
    with in_language(language):
        assert in_millions(2_098_176, "{n} M", 1) == small
        assert in_millions(107_234_567, "{n} M") == large
