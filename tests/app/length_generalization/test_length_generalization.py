"""The cliff of the page Length generalization, run by Streamlit without a browser, on a made-up zoo."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from model.tasks import find
from model.zoo.crasp import crasp_runs
from pretrained.zoo import CRASP, INDEX, RESULTS, zoo_results
from tests.app.running import ROOT, open_page, open_script, open_source, page_file, run, written
from tests.fixtures.crasp import of_bins
from tests.fixtures.zoo import publish_zoo
from tests.fixtures.zoo_results import zoo_runs
from viz.base.colours import coloured
from viz.figures.cliff import grey_look
from viz.pages.length_generalization.accuracy import tasks_measured
from viz.shared.zoo import shipped
from viz.shell.navigation import PART

PAGE = "cliff"


def cliffs(app: AppTest) -> list[Any]:
    return [chart for chart in app.get("plotly_chart") if chart.key.startswith("cliff")]


@pytest.mark.usefixtures("zoo")
def test_it_opens_on_what_was_measured_with_names_for_people() -> None:
    app = open_page(PAGE)
    (chart,) = cliffs(app)
    assert "ended at 20" in chart.proto.alt
    assert chart.proto.alt.endswith("Encodings: NoPE, ALiBi.")
    assert "<td>0.50</td><td>0.75,\N{NO-BREAK SPACE}0.25</td><td>2</td>" in written(app)


@pytest.mark.usefixtures("zoo")
def test_what_guessing_gets_right_is_told_where_it_is_something(tmp_path: Path) -> None:
    publish_zoo(tmp_path, task="lego")
    app = open_page(PAGE, task="lego")
    (chart,) = cliffs(app)
    assert chart.proto.alt.endswith("Guessing gets 0.5.")
    assert "Guessing** gets 0.5 of this task right" in written(app)
    assert "0.5 by guessing; in the paper as a plot only" in written(open_page("ranking"))
    app = open_page(PAGE)
    assert "uessing" not in cliffs(app)[0].proto.alt


@pytest.mark.usefixtures("zoo")
def test_the_table_follows_the_length() -> None:
    app = open_page(PAGE)
    app.select_slider(key="length").set_value("20")
    assert "<td>1.00</td><td>1.00,\N{NO-BREAK SPACE}1.00</td><td>2</td>" in written(run(app))


@pytest.mark.usefixtures("zoo")
def test_a_link_carries_the_length_and_the_encodings_shown() -> None:
    app = open_page(PAGE, length="20", encodings="alibi")
    assert app.select_slider(key="length").value == 20
    (chart,) = cliffs(app)
    assert chart.proto.alt.endswith("Encodings: ALiBi.")


@pytest.mark.usefixtures("zoo")
def test_lines_and_table_follow_the_training_step_and_the_claim_is_of_the_best_checkpoint() -> None:
    app = open_page(PAGE)
    claim = app.markdown[1].value
    app.select_slider(key="training-step").set_value("2")
    run(app)
    assert "<td>0.00</td><td>0.00,\N{NO-BREAK SPACE}0.00</td><td>2</td>" in written(app)
    assert "fter 2 training steps" in cliffs(app)[0].proto.alt
    assert app.markdown[1].value == claim
    linked = open_page(PAGE, **{"training-step": "2"})
    assert linked.select_slider(key="training-step").value == "2"
    assert "<td>0.00</td>" in written(linked)


@pytest.mark.usefixtures("zoo")
def test_what_did_not_learn_its_task_is_listed_and_what_did_is_not() -> None:
    (said,) = [line for line in written(open_page(PAGE)).splitlines() if "Did not learn the task" in line]
    assert "ALiBi (0.75)" in said
    assert "NoPE" not in said


@pytest.mark.usefixtures("zoo")
def test_what_did_not_learn_its_task_is_drawn_only_where_it_is_chosen_and_counted_where_numbers_are_first_met(
    tmp_path: Path,
) -> None:
    learned, failed = (1.0, 1.0, 0.4), (0.9, 0.75, 0.2)
    publish_zoo(tmp_path, {("none", 1): learned, ("rotary", 1): learned, ("alibi", 1): failed})
    app = open_page(PAGE)
    assert "ALiBi" not in cliffs(app)[0].proto.alt
    (said,) = [line for line in written(app).splitlines() if line.startswith("**Past the trained length")]
    assert "2 of 3 encodings learned the task" in said
    assert said.endswith("did not learn it are not drawn: 1.")
    chosen = open_page(PAGE, encodings=["none", "alibi"])
    assert cliffs(chosen)[0].proto.alt.endswith("Encodings: NoPE, ALiBi.")


@pytest.mark.usefixtures("zoo")
def test_where_one_alone_learned_its_task_all_are_drawn_and_nothing_is_compared() -> None:
    app = open_page(PAGE)
    assert "ALiBi" in cliffs(app)[0].proto.alt
    (said,) = [line for line in written(app).splitlines() if "learned the task** with every seed" in line]
    assert said.startswith("**[NoPE]")


@pytest.mark.usefixtures("zoo")
def test_an_encoding_behind_has_one_grey_in_the_picture_and_in_the_table(tmp_path: Path) -> None:
    publish_zoo(tmp_path, {("rotary", 1): (1.0, 1.0, 0.4), ("t5", 1): (1.0, 0.9, 0.3)})
    app = open_page(PAGE)
    grey = coloured(grey_look().colour, "light")
    assert grey in cliffs(app)[0].proto.spec
    assert grey in written(app)
    assert grey_look().colour not in cliffs(app)[0].proto.spec + written(app)


@pytest.mark.usefixtures("zoo")
def test_a_task_without_results_is_not_offered() -> None:
    titles = open_page(PAGE).selectbox(key="task").options
    assert find("copy_repeat").description.title in titles
    assert find("reverse").description.title not in titles
    (warning,) = open_page(PAGE, task=find("reverse").description.title).warning
    assert find("reverse").description.title in warning.value


@pytest.mark.usefixtures("no_zoo")
def test_without_a_zoo_the_page_names_the_command() -> None:
    app = open_page(PAGE)
    assert not cliffs(app)
    assert "model.training.zoo" in app.code[0].value


@pytest.mark.parametrize(("page", "name"), [(PAGE, RESULTS), ("race", RESULTS), ("race", INDEX)])
def test_a_damaged_file_gets_one_sentence(zoo: Path, page: str, name: str) -> None:
    (zoo / name).write_bytes(b"neither Parquet nor JSON")
    assert len(open_page(page).warning) == 1


@pytest.mark.usefixtures("zoo")
def test_the_task_is_still_there_after_a_page_without_it(tmp_path: Path) -> None:
    publish_zoo(tmp_path, task="reverse")
    app = open_source("""
import streamlit as st
from viz.pages.length_generalization.task import choose_task
if not st.checkbox("elsewhere"):
    choose_task()
""")
    app.selectbox(key="task").set_value("reverse")
    run(app)
    app.checkbox[0].check()
    assert not run(app).selectbox
    app.checkbox[0].uncheck()
    assert run(app).selectbox(key="task").value == "reverse"
    assert app.query_params["task"] == "reverse"


@pytest.mark.usefixtures("zoo")
def test_the_answers_at_a_length_are_one_press_away_and_the_link_has_what_the_new_part_shows() -> None:
    app = open_script(ROOT / "app.py")
    app.switch_page(str(page_file("cliff").relative_to(ROOT)))
    app.query_params["encodings"] = "none"
    run(app)
    length = app.select_slider(key="length").value
    next(button for button in app.button if button.label.startswith("See all answers")).click()
    run(app)
    assert app.query_params[PART] == "race"
    assert "encodings" not in app.query_params
    assert f"Length of this input: {length} " in written(app)


def publish_predictions(folder: Path, *reached: float) -> None:
    """Publish one run of unique copy at random offsets that reached so much in each bin."""
    (run,) = crasp_runs(["unique_copy"], ["shifted"])
    rows = pd.DataFrame(of_bins(run.task, run.encoding, *reached))
    rows.assign(configuration=run.to_json()).to_parquet(folder / CRASP)


@pytest.mark.parametrize(
    ("near", "sentence"),
    [(0.97, "cases measured here, the theory is right."), (0.4, "Unique copy (Learned, shifted positions)")],
)
def test_what_is_predicted_stands_beside_what_was_measured(zoo: Path, near: float, sentence: str) -> None:
    assert not open_page(PAGE).expander
    publish_predictions(zoo, 1.0, near, 0.9)
    app = open_page(PAGE)
    (fold,) = app.expander
    assert "C-RASP" in fold.label
    assert f"<td>holds; {near:.2f}, 0.90</td>" in written(app)
    assert sentence in written(app)


def test_path_and_the_published_forms_have_their_folds(zoo: Path) -> None:
    runs = {"none": [0.5, 0.6], "path": [0.9, 1.0], "path_published": [0.7, 0.8]}
    zoo_runs("parity", runs).to_parquet(zoo / RESULTS)
    app = open_page(PAGE, task="parity")
    assert [fold.label.partition(":")[0] for fold in app.expander] == ["PaTH", "As published"]
    assert (
        "on 1 of the 1 tasks that were trained with more seeds of PaTH and that each of these learned: Parity"
        in written(app)
    )
    assert '<td><span class="whole">0.95 (0.90 to 1.00,</span> 2 seeds)</td><td>NoPE: 0.60</td>' in written(app)
    assert (
        '<td><span class="whole">0.95 (0.90 to 1.00)</span> → <span class="whole">0.75 (0.70 to 0.80)</span></td>'
        in written(app)
    )
    assert "All seeds of the published form lie below: Parity (PaTH, as published)" in written(app)


def test_a_window_as_wide_as_every_trained_row_is_left_out(zoo: Path) -> None:
    runs = {"path": [0.5, 0.6], "path_published": [0.7, 0.8], "rnope": [0.5, 0.6], "rnope_window": [0.7, 0.8]}
    pd.concat([zoo_runs("reverse", runs), zoo_runs("parity", runs)]).to_parquet(zoo / RESULTS)
    said = written(open_page(PAGE, task="parity"))
    assert said.count("<td>left out</td>") == 1
    assert "a window, of 20 tokens in these runs" in said


def test_published_forms_that_were_trained_once_are_not_judged(zoo: Path) -> None:
    zoo_runs("parity", {"path": [0.9, 1.0], "path_published": [0.2]}).to_parquet(zoo / RESULTS)
    said = written(open_page(PAGE, task="parity"))
    assert "trained once each so far" in said
    assert "→ 0.20" in said
    assert "above all seeds" not in said


@pytest.mark.parametrize("page", ["race", "edit_model"])
def test_a_task_that_has_results_alone_is_said_to_have_no_models(page: str) -> None:
    """Of many tasks the app ships results and no weights."""
    with_models = [task for task in tasks_measured(zoo_results()) if shipped(task)]
    others = [task for task in tasks_measured(zoo_results()) if not shipped(task)]
    assert with_models
    words = written(open_page(page, task=others[0]))
    assert "No model of this task ships with the app" in words
    assert find(with_models[0]).description.title in words


def test_answers_are_offered_where_a_model_can_give_them() -> None:
    def offers(task: str) -> bool:
        return any(button.label.startswith("See all answers") for button in open_page(PAGE, task=task).button)

    tasks = tasks_measured(zoo_results())
    assert offers(next(task for task in tasks if shipped(task)))
    assert not offers(next(task for task in tasks if not shipped(task)))
