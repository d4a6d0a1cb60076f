"""The section on segments, run by Streamlit without a browser, on tiny models with fresh weights."""

import csv
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from torch import Tensor

from model.architectures.decoder_only import DecoderOnly
from pretrained.language_models import RESULTS
from tests.app.running import run, saved_files, written
from tests.fixtures.language_models import MEM_LEN, SEGMENT_LENGTH, publish_measurements
from tests.fixtures.payload import unpack
from viz.pages.transformer_xl.state import sample_text
from viz.pages.transformer_xl.study.segments import N_SEGMENTS, n_segments

SCRIPT = """
from viz.pages.transformer_xl.segments import show_segments
from viz.pages.transformer_xl.state import given_text, language_model
loaded = language_model("transformer_xl")
show_segments(loaded, given_text(loaded.vocabulary))
"""
OPENS_ON = 3 * MEM_LEN // SEGMENT_LENGTH + 2


def show(**url: str) -> AppTest:
    app = AppTest.from_string(SCRIPT, default_timeout=120)
    for key, value in url.items():
        app.query_params[key] = value
    return run(app)


def header(app: AppTest) -> dict[str, Any]:
    (view,) = app.get("bidi_component")
    return unpack(view.proto.bytes)[0]


@pytest.mark.usefixtures("language_models")
def test_it_opens_where_as_much_lies_before_as_can_be_seen() -> None:
    app = show()
    sent = header(app)
    assert sent["segment"] == OPENS_ON
    assert sent["total"] == n_segments(len(sample_text()), SEGMENT_LENGTH)
    assert [one["label"] for one in sent["series"]] == [
        "With memory",
        "Same model, memory emptied",
        "Trained without memory",
    ]
    assert "segment" not in app.query_params
    assert not app.warning


@pytest.mark.usefixtures("language_models")
def test_a_link_opens_a_segment_and_sends_what_lies_around_it() -> None:
    app = show(segment="50")
    sent = header(app)
    assert sent["segment"] == 49
    assert sent["first"] == 49 // N_SEGMENTS * N_SEGMENTS - 1
    assert sent["text"] == sample_text()[sent["shown_from"] :][: len(sent["text"])]
    assert app.query_params["segment"] == "50"


@pytest.mark.usefixtures("language_models")
@pytest.mark.parametrize("asked", ["0", "9999", "x", "-1", "", "²", "1e3", "9" * 5000])
def test_a_link_to_no_segment_gets_one_sentence(asked: str) -> None:
    app = show(segment=asked)
    assert len(app.warning) == 1
    assert header(app)["segment"] == OPENS_ON


@pytest.mark.usefixtures("language_models")
@pytest.mark.parametrize("text", ["ab", "Pierre smiled. " * 30, "你好世界" * 50, "\n" * 100, "x" * 100_000])
def test_any_text_is_read(text: str) -> None:
    app = show()
    app.text_area(key="xl-own-text").set_value(text)
    sent = header(run(app))
    assert 0 <= sent["segment"] < sent["total"] == n_segments(len(text), SEGMENT_LENGTH)
    assert set(sent["text"]) == set(text)


@pytest.mark.usefixtures("language_models")
def test_of_a_long_text_only_what_is_seen_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    app, read, forward = show(), [], DecoderOnly.forward

    def counted(model: DecoderOnly, tokens: Tensor, **more: Any) -> Tensor:
        read.append(tokens.numel())
        return forward(model, tokens, **more)

    monkeypatch.setattr(DecoderOnly, "forward", counted)
    app.text_area(key="xl-own-text").set_value("word " * 20_000)
    run(app)
    # Both ways of reading, a third model, and what lies before it.
    assert 0 < sum(read) <= 4 * (N_SEGMENTS + 1) * SEGMENT_LENGTH + 3 * MEM_LEN


def test_without_the_model_cut_apart_its_line_is_left_out(language_models: Path) -> None:
    (language_models / "no_recurrence").rename(language_models / "other")
    assert len(header(show())["series"]) == 2


def test_a_damaged_model_cut_apart_is_said(language_models: Path) -> None:
    (language_models / "no_recurrence" / "weights.safetensors").write_bytes(b"")
    app = show()
    (warning,) = app.warning
    assert "its line is left out" in warning.value
    assert len(header(app)["series"]) == 2


@pytest.mark.usefixtures("language_models")
def test_before_positions_were_measured_the_command_is_named() -> None:
    app = show()
    assert not app.get("plotly_chart")
    assert "evaluate_language_model" in app.code[0].value


def test_positions_are_those_of_the_results(language_models: Path) -> None:
    publish_measurements(language_models)
    (chart,) = show().get("plotly_chart")
    said = chart.proto.alt
    assert "After one character of a segment: With memory 2.85, Same model, memory emptied 3.01" in said
    assert "Trained without memory 3.30" in said


def test_damaged_results_get_one_sentence(language_models: Path) -> None:
    (language_models / RESULTS).write_text("{", encoding="utf-8")
    assert len(show().warning) == 1


def test_every_character_can_be_saved(language_models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish_measurements(language_models)
    saved = saved_files(monkeypatch, "viz.shell.picture")
    app = show(segment="1")
    headings, *rows = csv.reader(saved["segments.csv"].splitlines())
    assert headings[:3] == ["Place", "Character", "With memory"]
    assert len(rows) == N_SEGMENTS * SEGMENT_LENGTH
    assert rows[0][:2] == ["2", sample_text()[1]]
    assert len(saved["bits-by-position.csv"].splitlines()) == SEGMENT_LENGTH + 1
    assert "Read for this view: characters 1 to 65" in written(app)
