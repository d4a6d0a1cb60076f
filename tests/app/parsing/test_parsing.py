"""Parsing, run by Streamlit without a browser."""

import pytest
from streamlit.testing.v1 import AppTest

from model.decoding.parser import MAX_WORDS
from tests.app.running import charts, open_page, run, warnings, written
from viz.pages.parsing import parsing
from viz.pages.parsing.parsing import parsed


def test_it_opens_on_a_tree() -> None:
    app = open_page("parsing")
    alt = charts(app)["parse-tree"].alt
    assert alt.startswith("The tree of 8 words")
    assert "(ROOT (S (NP (XX I)) (VP (XX saw)" in alt
    assert "**Heads that match brackets.**" in written(app)
    assert "a [PCFG]" in written(app)
    # The length at which the parser is behind is a column of its own.
    assert "| up to 10 words | 11–20 | 21–30 | 31–40 |" in written(app)
    assert "**In short sentences the parser is ahead of the grammar, in long ones behind.**" in written(app)
    assert "in one run of each." in written(app)


@pytest.mark.parametrize("text", ["Dog", "😀 😀", "<b>x</b> & ((", "東京 ist großartig", "…", "a" * 400])
def test_whatever_is_typed_gets_a_tree(text: str) -> None:
    app = open_page("parsing", parse=text)
    assert not app.warning
    assert "parse-tree" in charts(app)


@pytest.mark.parametrize("text", ["私は昨日本を読んだ。", "나는 어제 책을 읽었다."])
def test_a_text_in_another_script_gets_a_tree_and_a_warning(text: str) -> None:
    app = open_page("parsing", parse=text)
    (warning,) = warnings(app)
    assert "English alone" in warning
    assert "parse-tree" in charts(app)


def test_nothing_and_too_much_get_one_sentence() -> None:
    app = open_page("parsing", parse=" ")
    assert [entry.value for entry in app.info] == [
        "Type a sentence, or choose one below: there is nothing to parse yet."
    ]
    (warning,) = warnings(open_page("parsing", parse="word " * (MAX_WORDS + 1)))
    assert f"has {MAX_WORDS + 1} words and marks; at most {MAX_WORDS}" in warning


def test_a_sentence_with_a_gold_tree_is_compared() -> None:
    app = open_page("parsing")
    box = app.selectbox(key="parse-gold")
    box.set_value(box.options[0])
    app = run(app)
    assert app.text_input(key="parse").value == box.options[0]
    assert "**Against the tree made by people:**" in written(app)


def test_a_step_that_is_not_there_is_named() -> None:
    (warning,) = warnings(open_page("parsing", **{"parse-step": "9999"}))
    assert "9999" in warning


def test_brackets_may_be_free() -> None:
    app = open_page("parsing", free="true")
    assert not app.exception
    assert app.toggle(key="free").value


def test_a_link_decides_the_brackets_in_the_first_run_of_a_session_that_chose_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[bool] = []
    monkeypatch.setattr(parsing, "parsed", lambda words, well_formed: read.append(well_formed) or parsed(words, True))
    app = AppTest.from_string("from viz.pages.parsing.parsing import show\n\nshow()\n", default_timeout=120)
    app.session_state["free"] = False
    app.query_params["free"] = "true"
    assert run(app).toggle(key="free").value
    assert read == [False]
