"""Length generalization, run by Streamlit without a browser, on made-up results."""

from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from model.tasks import find
from tests.app.running import open_page, run, written

PAGE = "length_generalization"
LENGTHS = (10, 20, 40)
EXACT = {
    ("copy_repeat", "none", 1): (1.0, 1.0, 0.75),
    ("copy_repeat", "none", 2): (1.0, 1.0, 0.25),
    ("copy_repeat", "alibi", 1): (1.0, 0.5, 0.125),
}


def made_up() -> pd.DataFrame:
    rows = [
        (task, encoding, seed, checkpoint, length, 200, value, 20)
        for (task, encoding, seed), values in EXACT.items()
        for checkpoint, factor in (("best", 1.0), ("last", 0.0))
        for length, value in zip(LENGTHS, (factor * value for value in values), strict=True)
    ]
    columns = ["task", "encoding", "seed", "checkpoint", "length", "n", "exact_match", "longest_trained"]
    return pd.DataFrame(rows, columns=columns)


def cliffs(app: AppTest) -> list[Any]:
    return [chart for chart in app.get("plotly_chart") if chart.key.startswith("cliff")]


@pytest.fixture
def _zoo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pretrained.zoo_store.zoo_results", made_up)


@pytest.mark.usefixtures("_zoo")
def test_it_opens_on_what_was_measured() -> None:
    app = open_page(PAGE)
    (chart,) = cliffs(app)
    assert "ended at 20" in chart.proto.alt
    assert "<td>0.50</td><td>0.75, 0.25</td><td>2</td>" in written(app)


@pytest.mark.usefixtures("_zoo")
def test_the_table_follows_the_length() -> None:
    app = open_page(PAGE)
    app.select_slider(key="length-copy_repeat").set_value(20)
    assert "<td>1.00</td><td>1.00, 1.00</td><td>2</td>" in written(run(app))


@pytest.mark.usefixtures("_zoo")
def test_what_did_not_learn_its_task_is_listed_and_what_did_is_not() -> None:
    (said,) = [line for line in written(open_page(PAGE)).splitlines() if line.startswith("Below 0.95")]
    assert "alibi (0.75)" in said
    assert "none" not in said


@pytest.mark.usefixtures("_zoo")
def test_what_is_not_trained_is_listed_with_the_command_that_trains_it() -> None:
    app = open_page(PAGE)
    (said,) = [line for line in written(app).splitlines() if line.startswith("Planned")]
    assert "none (3)" in said
    assert "alibi (2, 3)" in said
    assert "--tasks copy_repeat" in app.code[0].value


@pytest.mark.usefixtures("_zoo")
def test_a_task_without_results_says_so_and_the_page_lives() -> None:
    app = open_page(PAGE)
    app.selectbox(key="task").set_value("reverse")
    run(app)
    assert not cliffs(app)
    assert find("reverse").description.explanation in written(app)
    assert "--tasks reverse" in app.code[0].value


def test_without_a_zoo_the_page_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pretrained.zoo_store.zoo_results", pd.DataFrame)
    app = open_page(PAGE)
    assert not cliffs(app)
    assert "model.training.zoo" in app.code[0].value


def test_damaged_results_get_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged() -> pd.DataFrame:
        raise ValueError("not Parquet")

    monkeypatch.setattr("pretrained.zoo_store.zoo_results", damaged)
    assert len(open_page(PAGE).warning) == 1


@pytest.mark.usefixtures("_zoo")
def test_a_link_to_no_task_gets_one_sentence() -> None:
    assert len(open_page(PAGE, task="<b>").warning) == 1
