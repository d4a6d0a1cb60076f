"""Reach in, run by Streamlit without a browser, on a tiny published zoo."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import pytest
import streamlit as st

from pretrained import zoo as zoo_store
from tests.app.running import alt, open_source, run, written
from tests.fixtures.zoo import publish_tiny_zoo
from viz.pages.length_generalization.study.edited_models import Point
from viz.shell import heavy

SECTION = """\
from pretrained import zoo
from viz.pages.length_generalization.edit_model import show_edit_model

show_edit_model(zoo.zoo_results(zoo.ZOO), "copy_repeat")
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    models = [("copy_repeat", name) for name in ("none", "rotary", "learned")]
    return publish_tiny_zoo(tmp_path_factory.mktemp("tiny"), *models)


@pytest.fixture
def zoo(made: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(zoo_store, "ZOO", made)
    st.cache_data.clear()
    st.cache_resource.clear()
    yield made
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.mark.usefixtures("zoo")
def test_it_opens_on_the_model_as_trained_and_measures_nothing() -> None:
    app = open_source(SECTION)
    assert "Nothing is changed yet" in written(app)
    assert "models of [seed](" in written(app)
    assert "Changed:" not in alt(app)


def test_a_change_is_measured_and_said(zoo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    del zoo
    monkeypatch.setattr(
        "viz.pages.length_generalization.edit_model.answer",
        lambda _model, tau, _task, length: Point(0.75 if length == 40 and tau > 1 else 0.25, 3),
    )
    app = open_source(SECTION, **{"reach-tau": "1.5"})
    assert "**At length 40, exact match went from 0.25 to 0.75** on the same 3 inputs." in written(app)
    assert "0.75 (40)" in alt(app)


def test_logits_that_grow_with_the_length_are_measured_with_more_at_each(
    zoo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del zoo
    taus = {}
    monkeypatch.setattr(
        "viz.pages.length_generalization.edit_model.answer",
        lambda _model, tau, _task, length: taus.setdefault(length, tau) and Point(1.0, 30),
    )
    open_source(SECTION, **{"reach-growth": "log"})
    assert taus[20] == 1
    assert 1 < taus[30] < taus[40]


def test_a_change_that_changes_no_answer_moves_nothing(zoo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    del zoo
    # Fewer inputs than were measured after training, so another share of them.
    monkeypatch.setattr("viz.pages.length_generalization.edit_model.answer", lambda *_: Point(0.5, 3))
    assert "Nothing moved" in written(open_source(SECTION, **{"reach-shift": "10"}))


@pytest.mark.usefixtures("zoo")
def test_reset_goes_back_to_the_model_as_trained() -> None:
    app = open_source(SECTION, **{"reach-tau": "1.5", "reach-shift": "7"})
    assert "Nothing moved" in written(app)
    app.button(key="reach-reset").click()
    assert "Nothing is changed yet" in written(run(app))
    assert app.number_input(key="reach-tau").value == 1
    assert app.number_input(key="reach-shift").value == 0


@pytest.mark.usefixtures("zoo")
def test_only_what_rotates_has_a_base_and_a_scaling() -> None:
    assert "reach-base" not in {field.key for field in open_source(SECTION).number_input}
    app = open_source(SECTION, reach="rotary")
    app.number_input(key="reach-base").set_value(500.0)
    assert "Nothing is changed" not in written(run(app))


@pytest.mark.usefixtures("zoo")
@pytest.mark.parametrize("scaling", ["rotary_interpolation", "rotary_ntk", "rotary_yarn"])
def test_every_scaling_is_measured(scaling: str) -> None:
    app = open_source(SECTION, reach="rotary", **{"reach-scaling": scaling})
    assert "Changed:" in alt(app)
    assert not app.warning


@pytest.mark.usefixtures("zoo")
def test_an_encoding_with_weights_is_not_offered() -> None:
    offered = open_source(SECTION).selectbox(key="reach-swap").options
    assert {"As trained", "ALiBi", "Rotary"} <= set(offered)
    assert not {"T5 bias", "Learned", "NoPE"} & set(offered)


@pytest.mark.usefixtures("zoo")
def test_positions_that_a_table_lacks_get_one_sentence_and_the_rest_is_shown() -> None:
    app = open_source(SECTION, reach="learned", **{"reach-shift": "1000"})
    (warning,) = app.warning
    assert "is past the learned table of 512 rows" in warning.value
    assert "as trained" in alt(app).lower()


def test_a_lost_weights_file_names_the_command_that_trains_it(
    zoo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = shutil.copytree(zoo, tmp_path / "zoo")
    (broken / "copy_repeat" / "none.safetensors").unlink()
    monkeypatch.setattr(zoo_store, "ZOO", broken)
    (warning,) = open_source(SECTION).warning
    assert "python -m model.training.zoo --tasks copy_repeat --encodings none --seeds 1" in warning.value


@pytest.mark.usefixtures("zoo")
def test_a_full_queue_gets_one_sentence_and_the_model_as_trained_is_shown() -> None:
    others = [heavy.queue().enter(heavy.COMPUTING) for _ in range(1 + heavy.COMPUTING.most_waiting)]
    app = open_source(SECTION, **{"reach-tau": "1.5"})
    (warning,) = app.warning
    assert f"{heavy.COMPUTING.most_waiting} visitors are waiting" in warning.value
    assert "Changed:" not in alt(app)
    others[0].leave()


@pytest.mark.usefixtures("zoo")
def test_it_waits_for_its_turn_and_gives_it_back() -> None:
    other = heavy.queue().enter(heavy.COMPUTING)
    Timer(1.0, other.leave).start()
    assert "Changed:" in alt(open_source(SECTION, **{"reach-tau": "1.5"}))
    assert other.is_left
    assert heavy.queue().enter(heavy.COMPUTING).n_ahead == 0


@pytest.mark.usefixtures("no_zoo")
def test_without_a_model_it_says_so() -> None:
    assert "No model of this task ships with the app" in written(open_source(SECTION))
