"""The site has the controls that a stop has in the app: all but those that take a text."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.running import open_in_app
from viz.pages.start.reading_path import STOPS
from viz.site.parts import PAGES
from viz.site.stops import reading_path

NAMES = [stop.name for stop in STOPS]


@pytest.fixture(scope="module")
def on_the_site() -> list[dict[str, Any]]:
    """The stops as the site has them."""
    stops: list[dict[str, Any]] = reading_path(PAGES)["stops"]
    return stops


def numbers(low: int, high: int) -> list[str]:
    return [str(number) for number in range(low, high + 1)]


def in_the_app(app: AppTest) -> list[tuple[str, str, list[str], str]]:
    """Return the key, the label, the values and the default of each control, in their order."""
    sliders = [(box.key, box.label, box.options, str(box.value)) for box in app.select_slider]
    rows = [(box.key, box.label, box.options, box.options[box.indices[0]]) for box in app.button_group]
    lists = [(box.key, box.label, box.options, box.options[box.index or 0]) for box in app.selectbox]
    boxes = [
        (box.key, box.label, numbers(int(box.min), int(box.max)), str(box.value))
        for box in app.number_input
        if box.min is not None and box.max is not None
    ]
    # The list of stops has a key, and the answer to a question none.
    return [one for one in (*sliders, *rows, *lists, *boxes) if one[0] not in (None, "stop")]


@pytest.mark.parametrize("name", NAMES)
def test_each_control_has_the_same_values_and_default(name: str, on_the_site: list[dict[str, Any]]) -> None:
    app = open_in_app("read_along", stop=str(NAMES.index(name) + 1))
    stop = on_the_site[NAMES.index(name)]
    controls = [
        (one["key"], one["label"], one["labels"], one["labels"][one["values"].index(one["opens_at"])])
        for one in stop["controls"]
    ]
    assert controls == in_the_app(app)
    assert stop["takes_text"] == bool(app.text_input)


def test_most_pictures_can_be_changed_on_the_site(on_the_site: list[dict[str, Any]]) -> None:
    assert sum(bool(stop["controls"]) for stop in on_the_site) >= 18
