"""A link made in one language opens the same view in every other, and so does one that has words of a language."""

import pytest

from tests.app.running import open_in_app, run, warnings
from viz.base.languages import in_language
from viz.base.words import page_text


@pytest.mark.parametrize("written", ["en", "ja", "ko"])
def test_a_link_made_in_one_language_opens_the_same_view_in_the_others(written: str) -> None:
    app = open_in_app("choose_encoding", language=written, need="position")
    assert warnings(app) == []
    assert run(app).session_state["need"] == "position"
    assert dict(app.query_params) == {"language": written, "need": "position"}


@pytest.mark.parametrize("reading", ["en", "ja", "ko"])
@pytest.mark.parametrize("written", ["en", "ja"])
def test_the_words_of_an_old_link_are_read_in_every_language(written: str, reading: str) -> None:
    with in_language(written):
        need = page_text("pages/choose_encoding/choose_encoding")["need position"]
    app = open_in_app("choose_encoding", language=reading, need=need)
    assert warnings(app) == []
    assert app.session_state["need"] == "position"
    assert app.query_params["need"] == "position"
