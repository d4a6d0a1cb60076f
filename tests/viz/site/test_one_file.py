"""The site as one file opens on a sentence, as the one that the browser saves."""

import json

from viz.components.browser import as_json
from viz.site.one_file import opening_on
from viz.site.parts import WORD_FILES


def test_the_file_opens_on_its_sentence_and_offers_it_once() -> None:
    described = {"name": "one", "sentence": "A dog.", "examples": ["A dog.", "A cat."]}
    assets = {name: as_json({"translators": [described]}).encode() for name in WORD_FILES.values()}
    for text, examples in (("A cat.", ["A cat.", "A dog."]), ("A tree.", ["A tree.", "A dog.", "A cat."])):
        changed = opening_on(text, assets)
        assert changed.keys() == assets.keys()
        for words in changed.values():
            assert json.loads(words) == {"translators": [described | {"sentence": text, "examples": examples}]}
