"""The logit lens, run by Streamlit without a browser."""

import json
from functools import partial

from streamlit.testing.v1 import AppTest

from tests.app.running import EXAMPLES, charts, markdown, open_in_app, run, warnings, written
from tests.fixtures.each_translator import each_translator

open_app = partial(open_in_app, "logit_lens")


def columns(app: AppTest) -> list[str]:
    (chart,) = charts(app).values()
    names: list[str] = json.loads(chart.spec)["layout"]["xaxis"]["ticktext"]
    return names


@each_translator()
def test_every_translator_is_read_after_each_of_its_layers(name: str) -> None:
    app = open_app(translator=name)
    assert not app.warning
    assert columns(app)[:2] == ["Input", "Layer 1"]
    assert "already lead one layer before the end" in markdown(app)


def test_it_is_read_after_each_block_as_well() -> None:
    app = open_app(text=EXAMPLES[3])
    n_layers = len(columns(app)) - 1
    app.button_group(key="after").set_value(True)
    assert len(columns(run(app))) == 1 + 3 * n_layers
    assert columns(open_app(text=EXAMPLES[3], after="block")) == columns(app)


def test_a_long_translation_is_cut_and_says_so() -> None:
    app = open_app(text=" ".join(["I have seen the dog and the cat and"] * 8))
    assert any("Shown are the first 40" in entry.value for entry in app.caption)


def test_an_impossible_text_gets_one_sentence_and_an_example_stays() -> None:
    app = open_app(text="   ")
    assert len(warnings(app)) == 1
    assert charts(app)


def test_the_limits_name_what_is_read() -> None:
    assert "a text in English, French, German or Japanese can be read" in written(open_app())
    assert "has learned to read German alone" in written(open_app(translator="translation-de-en"))
