"""Ten phenomena, run by Streamlit without a browser."""

from collections.abc import Iterator
from functools import partial

import pandas as pd
import pytest
import streamlit as st

from pretrained.minimal_pairs import PHENOMENA
from tests.app.running import charts, markdown, open_in_app, run, warnings

open_app = partial(open_in_app, "phenomena")


def test_the_grid_is_drawn_and_every_phenomenon_told_of() -> None:
    app = open_app()
    assert not app.warning
    assert "phenomena" in charts(app)
    assert not app.text_area
    assert not any("tokens" in caption.value for caption in app.caption)
    texts = set()
    for name in PHENOMENA:
        app.selectbox(key="phenomenon").set_value(name)
        texts.add(markdown(run(app)))
        assert not app.warning
    assert len(texts) == len(PHENOMENA)


def test_the_choice_is_in_the_link() -> None:
    app = open_app()
    app.selectbox(key="phenomenon").set_value("tense")
    before = markdown(run(app))
    assert dict(app.query_params) == {"phenomenon": "tense"}
    linked = open_app(phenomenon="tense")
    assert not linked.warning
    assert markdown(linked) == before


def test_a_pair_opens_the_circuit_of_its_word() -> None:
    app = open_app(phenomenon="tense")
    app.button(key="pair-0").click()
    link = dict(run(app).query_params)
    circuit = open_in_app("why_this_word", text=link["text"], step=link["step"])
    assert not circuit.warning
    assert circuit.button_group(key="step-of-translation").value == int(link["step"])


@pytest.fixture
def no_measurements(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What ships is as good as missing, and is not remembered as that."""
    for name in ("minimal_pairs", "mean_circuits"):
        monkeypatch.setattr(f"viz.pages.interventions.phenomena.{name}", pd.DataFrame)
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()


@pytest.mark.usefixtures("no_measurements")
def test_without_measurements_the_page_says_so() -> None:
    (warning,) = warnings(open_app())
    assert "minimal_pairs" in warning
