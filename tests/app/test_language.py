"""A link in the words of one language opens the same view in every other."""

import pytest

from tests.app.running import open_in_app, warnings
from viz.base.languages import in_language
from viz.base.words import page_text


@pytest.mark.parametrize("reading", ["en", "ja", "ko"])
@pytest.mark.parametrize("written", ["en", "ja"])
def test_a_choice_is_read_in_every_language(written: str, reading: str) -> None:
    with in_language(written):
        need = page_text("pages/choose_encoding/choose_encoding")["need position"]
    app = open_in_app("choose_encoding", language=reading, need=need)
    assert warnings(app) == []
    assert app.session_state["need"] == "position"
    with in_language(reading):
        assert app.query_params["need"] == page_text("pages/choose_encoding/choose_encoding")["need position"]


def test_an_encoding_is_found_by_its_english_title() -> None:
    app = open_in_app("compare_encodings", language="ja", v1="Rotary")
    assert warnings(app) == []
    assert app.session_state["v1"] == "rotary"
