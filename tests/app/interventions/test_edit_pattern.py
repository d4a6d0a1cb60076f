"""Edit a pattern, run by Streamlit without a browser."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.app.running import EXAMPLES, charts, open_in_app, open_page, run, translations, warnings, written
from tests.fixtures.each_translator import each_translator
from tests.fixtures.payload import unpack

open_app = partial(open_page, "edit_pattern")


def edited(app: AppTest) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    (found,) = [element.proto for element in app.get("bidi_component") if element.key == "pattern-after"]
    return unpack(found.bytes)


def test_it_opens_with_an_edit_that_changes_the_translation() -> None:
    app = open_app()
    assert not app.warning
    first, second = translations(app)
    assert first != second
    assert "The first step that changes is token" in written(app)
    assert {*charts(app)} == {"pattern-before"}
    header, blocks = edited(app)
    assert blocks["pattern"].shape == (len(header["rows"]), len(header["columns"]))


@each_translator()
def test_every_translator_has_heads_that_can_be_edited(name: str) -> None:
    app = open_app(translator=name, look="uniform")
    assert not app.warning
    header, blocks = edited(app)
    np.testing.assert_allclose(blocks["pattern"], 1 / len(header["columns"]), rtol=1e-5)
    assert all(header["edited"])


def test_an_edit_is_in_the_link_which_reopens_it_and_places_are_forgotten_with_the_sentence() -> None:
    link = {"edit-head": "encoder.1.3", "look": "token", "row": "2", "to": "2", "head-scale": "-2"}
    app = open_app(text=EXAMPLES[3], **link)
    assert not app.warning
    assert dict(app.query_params) == {"text": EXAMPLES[3], **link, "head-scale": app.query_params["head-scale"]}
    edited = translations(app)
    app.selectbox(key="edit-head").select_index(0)
    assert "row" in app.query_params
    app.text_area(key="text").set_value(EXAMPLES[4])
    run(app)
    assert "row" not in app.query_params
    assert app.query_params["look"] == "token"
    assert translations(open_app(text=EXAMPLES[3], **link)) == edited


def test_without_an_edit_nothing_changes_and_the_page_says_so() -> None:
    app = open_app(look="as is")
    first, second = translations(app)
    assert first == second
    assert "Nothing is edited yet" in written(app)


@pytest.mark.parametrize("link", [{"row": "99"}, {"text": " "}])
def test_a_link_to_what_is_not_there_gets_one_sentence(link: dict[str, str]) -> None:
    app = open_app(**link)
    assert len(warnings(app)) == 1
    assert charts(app)


def test_a_chosen_token_is_looked_at_at_once() -> None:
    app = open_app()
    assert app.button_group(key="look").value == "same"
    app.selectbox(key="to-of-translation").select_index(3)
    run(app)
    assert (app.button_group(key="look").value, app.query_params["to"][0]) == ("token", "4")
    _, blocks = edited(app)
    assert (blocks["pattern"].argmax(1) == 3).all()


@pytest.mark.parametrize(
    "page",
    ["edit_pattern", "switch_heads_off", "why_this_word", "direct_attribution", "patch_activations", "translate"],
)
def test_no_list_has_the_backslashes_of_markdown(page: str) -> None:
    app = open_in_app(page, text="Don't stop - (ever) *now*. He said: [no] _more_ #1.", translator="translation-en-de")
    options = [option for box in (*app.selectbox, *app.multiselect, *app.select_slider) for option in box.options]
    assert not [option for option in options if "\\" in option]
