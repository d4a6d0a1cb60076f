"""The pages on Transformer-XL and their text, run by Streamlit without a browser, on tiny models."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from model.data.loading import DATA_DIR_VARIABLE, load_text, split_text
from tests.app.running import open_in_app, open_page, run, written
from tests.fixtures.language_models import publish_measurements
from viz.pages.transformer_xl import state
from viz.pages.transformer_xl.state import MAX_CHARACTERS, MAX_LINKED, sample_text

PAGE = "segments"


def reading(app: AppTest) -> str:
    (said,) = [line for line in written(app).splitlines() if line.startswith("Reading ")]
    return said


def give(app: AppTest, text: str) -> AppTest:
    app.text_area(key="xl-own-text").set_value(text)
    return run(app)


@pytest.mark.usefixtures("language_models")
def test_it_opens_on_the_sample() -> None:
    app = open_page(PAGE)
    assert reading(app) == f"Reading {len(sample_text()):,} characters: the sample from War and Peace."
    assert not app.warning
    assert "text" not in app.query_params


@pytest.mark.usefixtures("language_models")
@pytest.mark.parametrize("content", [None, b"{", b"\xff\xfe\x00"])
def test_a_damaged_sample_gets_one_sentence_and_its_beginning_is_read(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = tmp_path / "war_and_peace.txt"
    if content is not None:
        sample.write_bytes(content)
    monkeypatch.setattr(state, "_SAMPLE", sample)
    sample_text.cache_clear()
    app = open_page(PAGE)
    sample_text.cache_clear()
    (warning,) = app.warning
    assert "war_and_peace.txt is missing or damaged" in warning.value
    assert "Two months previously" in app.text_area(key="xl-own-text").value


@pytest.mark.usefixtures("no_language_models")
def test_without_a_model_the_page_names_the_commands() -> None:
    app = open_page(PAGE)
    assert "pretrained.publishing language_model" in app.code[0].value
    assert not app.text_area


def test_a_damaged_model_gets_one_sentence(language_models: Path) -> None:
    (language_models / "transformer_xl" / "weights.safetensors").write_bytes(b"nothing")
    app = open_page(PAGE)
    (warning,) = app.warning
    assert "weights.safetensors" in warning.value
    assert not app.text_area


@pytest.mark.usefixtures("language_models")
def test_a_short_text_is_in_the_link_and_a_link_is_read() -> None:
    app = give(open_page(PAGE), "Pierre went to the ball.")
    assert app.query_params["text"] == "Pierre went to the ball."
    assert reading(app) == "Reading 24 characters: the text you gave."
    assert reading(open_page(PAGE, text="Natasha smiled.")) == "Reading 15 characters: the text you gave."
    assert "text" not in give(app, "a" * (MAX_LINKED + 1)).query_params


@pytest.mark.usefixtures("language_models")
def test_the_way_back_keeps_a_text_that_no_link_carries(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "Pierre went to the ball. " * (MAX_LINKED // 20)
    app = give(open_in_app(PAGE), long)
    assert "text" not in app.query_params
    monkeypatch.setattr("viz.shell.link.get_script_run_ctx", lambda: SimpleNamespace(is_history_navigation=True))
    assert run(app).text_area(key="xl-own-text").value == long
    # What a link can carry is as the link of that place has it.
    app.query_params["text"] = "Natasha smiled."
    assert run(app).text_area(key="xl-own-text").value == "Natasha smiled."
    del app.query_params["text"]
    assert run(app).text_area(key="xl-own-text").value == sample_text()


@pytest.mark.usefixtures("language_models")
def test_too_little_is_said_and_the_last_good_text_stays() -> None:
    app = give(open_page(PAGE), "")
    assert "The text has 0 characters" in app.warning[0].value
    assert "Below is still your last text" in app.warning[0].value
    assert "the sample" in reading(app)
    app = give(give(app, "Pierre"), "x")
    (warning,) = app.warning
    assert "The text has 1 character," in warning.value
    assert reading(app) == "Reading 6 characters: the text you gave."


@pytest.mark.usefixtures("language_models")
def test_after_a_short_text_a_long_one_is_shown_where_something_is_remembered() -> None:
    app = open_page("shift")
    opened = app.number_input(key="shift-segment").value
    assert give(app, "Pierre").number_input(key="shift-segment").value == 1
    app = give(app, sample_text())
    assert app.number_input(key="shift-segment").value == opened > 1
    assert not app.info


@pytest.mark.usefixtures("language_models")
def test_a_link_to_nothing_opens_on_the_sample() -> None:
    app = open_page(PAGE, text="")
    assert "Below is the sample" in app.warning[0].value


@pytest.mark.usefixtures("language_models")
def test_too_much_is_cut_and_said() -> None:
    app = give(open_page(PAGE), "word " * 20_001)
    (warning,) = app.warning
    assert "100,005 characters, and 100,000 are read at most" in warning.value
    assert reading(app).startswith(f"Reading {MAX_CHARACTERS:,} characters")


@pytest.mark.usefixtures("language_models")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("你好世界", "4 characters of the text"),
        ("Привет, мир", "9 characters of the text"),
        ("a\u202eb\x00c", "U\\+202E"),
        ("<script>alert(1)</script>", "\\<, \\>"),
        ("*é*", "\\*, é"),
    ],
)
def test_characters_outside_the_vocabulary_are_named_in_one_sentence(text: str, said: str) -> None:
    (warning,) = give(open_page(PAGE), text).warning
    assert said in warning.value


@pytest.mark.usefixtures("language_models")
def test_of_many_unknown_characters_some_are_named_and_the_rest_counted() -> None:
    (warning,) = give(open_page(PAGE), "".join(map(chr, range(0x4E00, 0x4E00 + 50)))).warning
    assert "and 38 more kinds" in warning.value


@pytest.mark.usefixtures("language_models")
def test_the_sample_is_one_click_away() -> None:
    app = give(open_page(PAGE), "Pierre")
    next(button for button in app.button if "sample" in button.label).click()
    assert "the sample" in reading(run(app))


def test_the_sample_is_a_few_thousand_characters_long() -> None:
    assert 3_000 < len(sample_text()) < 8_000


@pytest.mark.skipif(DATA_DIR_VARIABLE not in os.environ, reason=f"the corpus is where {DATA_DIR_VARIABLE} says")
def test_the_sample_was_held_out() -> None:
    split = split_text(load_text("war-and-peace"))
    assert sample_text().strip() in split.test
    assert sample_text().strip()[:200] not in split.train


@pytest.mark.parametrize("name", ["segments", "microscope", "terms", "shift", "generation", "results", "context"])
def test_every_page_opens_without_a_warning(language_models: Path, name: str) -> None:
    publish_measurements(language_models)
    app = open_page(name)
    assert not app.warning
    keys = {chart.key for chart in app.get("plotly_chart")}
    assert ("curves-memory" in keys) is (name == "results")
    assert ({"curves-gains", "curves-cost"} <= keys) is (name == "context")
