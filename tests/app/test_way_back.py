"""The way back from a page to the step of a lab that led to it, run by Streamlit without a browser."""

from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.links import opened
from viz.base.languages import LANGUAGES, in_language
from viz.base.words import page_text
from viz.pages.start.course.lab import labs
from viz.shell.back import back_link
from viz.shell.navigation import Place, place_at

PAGE = "logit-lens"
TEXT = page_text("shell/back")


def on_a_page(place: Place, **link: str) -> AppTest:
    app = opened(place, {name: [value] for name, value in link.items()})
    assert not app.exception
    return app


def ways_back(app: AppTest, step: int) -> list[dict[str, list[str]]]:
    links = [link.proto for link in app.get("page_link")]
    return [parse_qs(link.query_string) for link in links if link.label == TEXT["back"].format(step=step)]


@pytest.mark.parametrize("reading", [*LANGUAGES])
def test_a_page_leads_back_to_the_step_that_led_to_it(reading: str) -> None:
    lab = labs()[3]
    app = on_a_page(place_at(PAGE), language=reading, **back_link(lab.id, 1))
    with in_language(reading):
        (way,) = ways_back(app, 1)
    assert way == {"part": ["labs"], "lab": [lab.id], "lab-step": ["1"]}
    # The link keeps it, for a reload.
    assert app.query_params["back"] in (f"{lab.id}.1", [f"{lab.id}.1"])


def test_a_page_that_no_step_led_to_has_no_way_back() -> None:
    assert ways_back(on_a_page(place_at(PAGE)), 1) == []


@pytest.mark.parametrize("given", ["circuit", "circuit.0", "3", "circuit.1.2", "Circuit.1"])
def test_a_link_back_to_no_step_gets_one_sentence(given: str) -> None:
    (warning,) = on_a_page(place_at(PAGE), back=given).warning
    assert warning.value.startswith(f"The link asks for `{given}` as back.")
