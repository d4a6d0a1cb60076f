"""What stands at every picture: the files it offers, and room for Save and Full screen."""

import plotly.graph_objects as go
import pytest
import streamlit as st

from viz.base.colours import PALETTES, Theme
from viz.figures.base import canvas, name_above
from viz.shell import picture
from viz.shell.controls import key_class
from viz.shell.picture import BAR_HEIGHT, File, draw_picture, offered


def drawn(monkeypatch: pytest.MonkeyPatch, **layout: object) -> go.Figure:
    """Return the figure that is drawn of one of 200 pixels with 6 above it."""
    figures: list[go.Figure] = []
    monkeypatch.setattr(st, "plotly_chart", lambda figure, **_: figures.append(figure))
    figure = canvas(width=None, height=200, margin={"t": 6}, **layout)
    draw_picture(figure, key="curve", file_name="curve", alt="A curve. It falls.")
    return figures[0]


def test_a_picture_without_a_title_gets_room_above_it_and_keeps_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    layout = drawn(monkeypatch).layout
    assert layout.margin.t == 6 + BAR_HEIGHT
    assert layout.height == 200 + BAR_HEIGHT


@pytest.mark.parametrize("theme", list(PALETTES))
def test_it_is_drawn_in_the_theme_of_the_page(theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture, "theme", lambda: theme)
    figure = drawn(monkeypatch)
    assert figure.layout.paper_bgcolor == PALETTES[theme].surface
    assert "var(--" not in figure.to_json()


def test_a_title_shares_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    layout = drawn(monkeypatch, **name_above("bits", has_legend=False)).layout
    assert (layout.margin.t, layout.height) == (6, 200)


def test_a_file_is_made_when_it_is_asked_for_and_its_button_is_found_by_its_class(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    buttons: dict[str, object] = {}
    monkeypatch.setattr(st, "download_button", lambda _, content, *, key, **_more: buttons.update({key: content}))
    made: list[str] = []
    file = File("Numbers (CSV)", lambda: made.append("now") or "a,b", "numbers.csv")
    (entry,) = offered([file], "curve")
    ((key, content),) = buttons.items()
    assert entry == {"label": "Numbers (CSV)", "button": key_class(key)}
    assert entry["button"].startswith("st-key-offered-")
    assert made == []
    assert callable(content)
    # The mark by which Excel reads all letters.
    assert content() == "\ufeffa,b"


def test_two_pictures_may_offer_the_same_file() -> None:
    keys = {entry["button"] for key in ("left", "right") for entry in offered([File("All", str, "all.csv")], key)}
    assert len(keys) == 2


def test_a_class_is_what_streamlit_makes_of_a_key() -> None:
    assert key_class("offered sum 1.5 all.npz") == "st-key-offered-sum-1-5-all-npz"
