"""What the site's browser reads in each language."""

import json

import pytest

from viz.base.languages import ENGLISH, LANGUAGES
from viz.components.browser import as_json
from viz.shared.shipped import DEFAULT_TRANSLATOR, translator_info
from viz.site import words as site_words
from viz.site.models import largest_difference
from viz.site.parts import PAGES
from viz.site.words import words_of

# Eight bits are a 254th of a row's largest weight; what is seen of it after all layers stays small.
MOST = 0.05


def shape(value: object) -> object:
    """Return the keys of ``value``, at every depth."""
    return {key: shape(inner) for key, inner in value.items()} if isinstance(value, dict) else None


def test_every_language_has_the_same_parts_and_no_field_is_left_open() -> None:
    info = translator_info(DEFAULT_TRANSLATOR)
    english, *others = (json.loads(as_json(words_of(language, [info], PAGES))) for language in LANGUAGES)
    for other in others:
        assert shape(other) == shape(english)
    for words in (english, *others):
        assert "{" not in words["translators"][0]["eightBits"]


def test_a_largest_difference_is_never_understated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_words, "largest_difference", lambda _: 0.0121)
    described = words_of(ENGLISH, [translator_info(DEFAULT_TRANSLATOR)], PAGES)["translators"][0]
    assert "0.013" in described["eightBits"]


def test_attention_in_eight_bits_is_nearly_that_of_the_app() -> None:
    assert 0 < largest_difference(DEFAULT_TRANSLATOR) < MOST
