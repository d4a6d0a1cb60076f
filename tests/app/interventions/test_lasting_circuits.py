"""Does a circuit hold, run by Streamlit without a browser."""

import json
from collections.abc import Iterator
from functools import partial

import pandas as pd
import pytest
import streamlit as st

from pretrained.zoo import CIRCUIT_MODELS, zoo_circuits
from tests.app.running import charts, markdown, open_in_app, run, warnings
from viz.base.words import page_text
from viz.pages.interventions.study.lasting.claims import EDGE, first_edge
from viz.pages.interventions.study.lasting.longer import longer_inputs, shown

open_app = partial(open_in_app, "lasting_circuits")
TEXT = page_text("pages/interventions/lasting_circuits")


def test_both_pictures_are_drawn_and_every_model_is_told_of() -> None:
    app = open_app()
    assert not app.warning
    assert {"longer", "edges"} <= {*charts(app)}
    texts = set()
    for task, encoding in CIRCUIT_MODELS:
        app.selectbox(key="lasting-model").set_value(f"{task}-{encoding}".replace("_", "-"))
        texts.add(markdown(run(app)))
        assert not app.warning
        assert not app.exception
    assert len(texts) == len(CIRCUIT_MODELS)


def test_only_heads_are_called_heads() -> None:
    def name_of(edge: str) -> str:
        return " → ".join(
            f"head {code}" if code[0].isdigit() else code.replace("ffn.", "FFN ") for code in edge.split()
        )

    for task in ("copy_letters", "reverse"):
        app = open_app(**{"lasting-model": f"{task.replace('_', '-')}-rotary"})
        measured = longer_inputs(zoo_circuits(), (task, "rotary"))
        assert first_edge(measured).sentence(TEXT, "claim first edge", {EDGE: name_of}) in markdown(app)
        told = str(json.loads(charts(app)["edges"].spec))
        assert all(name_of(" ".join(edge)) in told for edge in shown(measured.edges).codes)


def test_the_choice_is_in_the_link() -> None:
    app = open_app()
    app.selectbox(key="lasting-model").set_value("sort-none")
    before = markdown(run(app))
    assert dict(app.query_params) == {"lasting-model": "sort-none"}
    linked = open_app(**{"lasting-model": "sort-none"})
    assert not linked.warning
    assert markdown(linked) == before


@pytest.fixture
def no_measurements(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What ships is as good as missing, and is not remembered as that."""
    monkeypatch.setattr("viz.pages.interventions.lasting_circuits.zoo_circuits", pd.DataFrame)
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()


@pytest.mark.usefixtures("no_measurements")
def test_without_measurements_the_page_says_so() -> None:
    (warning,) = warnings(open_app())
    assert "zoo_circuits" in warning


def heads_of_three_trainings() -> pd.DataFrame:
    """Return what would be measured of trainings whose heads all come back under other numbers."""
    points = [f"decoder.{layer}.cross_attention.z" for layer in range(2)]
    parts = [
        {"measure": "part", "seed": seed, "point": point, "head": head, "share": (head + 1) / 72}
        for seed in (1, 2, 3)
        for point in points
        for head in range(8)
    ]
    matches = [
        {"measure": "match", "seed": 1, "other_seed": seed, "point": point, "head": head, "match": head}
        | {"overlap": 0.9, "overlap_of_all": 0.3}
        for seed in (2, 3)
        for point in points
        for head in range(8)
    ]
    return pd.DataFrame([*parts, *matches]).assign(words=200)


@pytest.fixture
def three_trainings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Three trainings were measured."""
    monkeypatch.setattr("viz.pages.interventions.lasting_circuits.seed_circuits", heads_of_three_trainings)
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()


@pytest.mark.usefixtures("three_trainings")
def test_other_trainings_have_a_picture_and_their_claims() -> None:
    app = open_app()
    assert not app.warning
    assert "seeds" in charts(app)
    assert "1.00" in markdown(app)
