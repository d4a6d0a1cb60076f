"""The pages on what memory is worth and costs, run by Streamlit without a browser, on made-up results."""

import csv
import json
from base64 import b64decode
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pretrained.language_models import CONTEXTS, RESULTS, SPEED
from tests.app.running import charts, open_source, run, saved_files, written
from tests.fixtures.language_models import publish_measurements

SCRIPT = """
from viz.pages.transformer_xl import context, results
results.show()
context.show()
"""


@pytest.fixture
def measured(no_language_models: Path) -> Path:
    no_language_models.mkdir()
    publish_measurements(no_language_models)
    return no_language_models


def show(**url: str) -> AppTest:
    return open_source(SCRIPT, **url)


@pytest.mark.usefixtures("measured")
def test_memory_past_training_is_said_with_all_numbers() -> None:
    app = show()
    said = " ".join(written(app).split())
    assert "Transformer-XL</td><td>1.8515</td><td>1.6930</td>" in said
    assert "<td>Transformer-XL</td><td>1.693</td><td>128</td><td>2 seeds, 1.683 to 1.703</td>" in said
    assert "<td>Trained without memory</td><td>2.300</td><td>0</td><td>one seed</td>" in said
    assert "for Transformer-XL, Trained without memory" in charts(app)["curves-memory"].alt
    assert "**" not in charts(app)["curves-memory"].alt


@pytest.mark.usefixtures("measured")
def test_each_page_opens_on_its_answer() -> None:
    first, *_ = show().markdown
    assert first.value.startswith("**A memory saves 0.61 [bits](")
    assert "the memory that suits it best, 128 characters" in first.value
    assert "a memory makes reading" in written(show())


@pytest.mark.usefixtures("measured")
def test_memories_can_be_seen_without_none() -> None:
    app = show(**{"close-up": "true"})
    chart = charts(app)["curves-memory"]
    assert "for Transformer-XL. Transformer-XL 1.693" in chart.alt
    places = [
        np.frombuffer(b64decode(trace["x"]["bdata"]), trace["x"]["dtype"]) for trace in json.loads(chart.spec)["data"]
    ]
    assert set(np.concatenate(places).tolist()) == {32, 128}
    assert "<td>Trained without memory</td><td>2.300</td><td>0</td>" in written(app)


@pytest.mark.usefixtures("measured")
def test_the_ablation_stands_beside_that_of_the_paper_and_their_orders_are_compared() -> None:
    page = " ".join(written(show()).split())
    assert "<td>26.77 (attention over 500)</td><td>1.683, 1.703 (read with a memory of 128)</td>" in page
    assert "<td>29.02 (attention over 260)</td><td>2.300 (read without memory)</td><td>not measured</td>" in page
    assert "<td>27.94 (attention over 256)</td><td>not trained</td><td>not measured</td>" in page
    assert "both here and in the paper: 1. In the same order in both: 1." in page


def test_a_model_without_memory_is_shown_through_a_sliding_window_too(measured: Path) -> None:
    entries = json.loads((measured / RESULTS).read_text())
    entries.append({**entries[-1], "reading": {"kind": "ThroughWindow", "window": 32}, "bits_per_character": 1.75})
    (measured / RESULTS).write_text(json.dumps(entries))
    assert "<td>2.300 (read without memory)</td><td>1.750 (window of 32)</td>" in " ".join(written(show()).split())


def test_memories_are_compared_over_the_same_seeds(measured: Path) -> None:
    entries = json.loads((measured / RESULTS).read_text())
    (only,) = (entry for entry in entries if entry["name"] == "no_recurrence")
    more = {**only, "reading": {**only["reading"], "mem_len": 16}, "bits_per_character": 2.25}
    (measured / RESULTS).write_text(json.dumps([*entries, more, {**only, "seed": 2, "bits_per_character": 2.9}]))
    assert "Trained without memory</td><td>2.3000</td><td>2.2500</td>" in " ".join(written(show()).split())


def test_a_pair_in_another_order_than_in_the_paper_is_named(measured: Path) -> None:
    entries = json.loads((measured / RESULTS).read_text())
    for entry in entries:
        entry["bits_per_character"] += 5 * (entry["name"] == "transformer_xl")
    (measured / RESULTS).write_text(json.dumps(entries))
    assert "**Trained without memory** before **Transformer-XL**" in written(show())


@pytest.mark.usefixtures("measured")
def test_lengths_stand_beside_those_of_the_paper() -> None:
    page = written(show())
    assert "<td>Transformer-XL</td><td>24, 24</td><td>900 (151 M parameters), 700 (128 M parameters)</td>" in page
    assert "<td>Trained without memory</td><td>≤ 8</td><td>300 (128 M parameters)</td>" in page
    assert "<td>QRNN</td><td>–</td><td>500 (151 M parameters)</td>" in page


@pytest.mark.usefixtures("measured")
def test_lengths_follow_the_share_and_the_step() -> None:
    app = show(hardest="0.5", **{"context-step": "16"})
    assert "for the hardest share 0.5 and steps of 16 characters" in charts(app)["curves-gains"].alt
    assert "r = 0.5" in written(app)
    app.select_slider(key="hardest").set_value(0.2)
    assert "not given for this r" in written(run(app))


@pytest.mark.usefixtures("measured")
def test_cost_names_the_machine_and_the_ratio() -> None:
    app = show()
    assert "Measured on Abacus, 2 cores" in written(app)
    assert "256: 100; 2,048: 800." in charts(app)["curves-cost"].alt
    assert "363 × at 800" in written(app)


@pytest.mark.usefixtures("no_language_models")
def test_where_nothing_was_measured_each_part_names_its_command() -> None:
    app = show()
    assert not charts(app)
    assert not app.warning
    assert len(app.code) == 4
    assert "benchmarks.evaluation_speed" in app.code[3].value


@pytest.mark.parametrize("file", [RESULTS, *CONTEXTS, SPEED])
@pytest.mark.parametrize("content", [b"nonsense", b'[{"a": 1}]'])
def test_a_damaged_file_gets_one_sentence_and_the_rest_is_shown(measured: Path, file: str, content: bytes) -> None:
    (measured / file).write_bytes(content)
    app = show()
    assert len(app.warning) == 1
    assert len(charts(app)) == 2


@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize(
    ("name", "columns", "wanted"),
    [
        ("ablation.csv", 6, ["yes", "Transformer-XL", "all of a segment", "26.77 (attention over 500)"]),
        ("bits-by-memory.csv", 5, ["Transformer-XL", "1", "0"]),
        ("effective-context.csv", 3, ["Transformer-XL", "24, 24"]),
        ("context-losses.csv", 5, ["Trained without memory", "1", "8", "1"]),
        ("evaluation-speed.csv", 5, ["256", "0.25", "25", "20", "100"]),
    ],
)
def test_every_number_can_be_saved(monkeypatch: pytest.MonkeyPatch, name: str, columns: int, wanted: list[str]) -> None:
    saved = saved_files(monkeypatch, "viz.shell.picture", "viz.pages.transformer_xl.ablation")
    show()
    rows = list(csv.reader(saved[name].splitlines()))
    assert {len(row) for row in rows} == {columns}
    assert any(row[: len(wanted)] == wanted for row in rows)
