import numpy as np
import plotly.graph_objects as go
import pytest

from viz.base.colours import (
    DIVERGING,
    HUE,
    INK,
    LINE,
    MUTED,
    OPPOSITE,
    PALETTES,
    SEQUENTIAL,
    SURFACE,
    Theme,
    band,
    cell_colour,
    diverging,
    faded,
    ink_on,
    letters_on,
    sequential,
)
from viz.figures.base import canvas, in_theme, legend_below, number_axis, upright_axis, upright_pixels

TOKENS = (SURFACE, INK, MUTED, LINE, HUE, OPPOSITE, faded(MUTED, 0.5), band("#0072B2"), letters_on(-0.5))


def every_token() -> go.Figure:
    figure = canvas(width=None, height=100, margin={}, xaxis=number_axis(), coloraxis={"colorscale": SEQUENTIAL})
    figure.update_layout(colorway=TOKENS, shapes=[{"type": "line", "line": {"color": MUTED}}])
    figure.add_scatter(y=[1] * len(TOKENS), marker={"color": TOKENS, "line": {"color": np.array(TOKENS)}})
    figure.add_heatmap(z=[[1]], colorscale=DIVERGING)
    return figure


@pytest.mark.parametrize("theme", list(PALETTES))
def test_a_figure_in_a_theme_has_no_token_left(theme: Theme) -> None:
    figure, palette = every_token(), PALETTES[theme]
    drawn = in_theme(figure, theme)
    assert "var(--" not in drawn.to_json()
    assert figure.to_json() == every_token().to_json()
    scatter, heatmap = drawn.data
    assert scatter.marker.color == scatter.marker.line.color
    assert scatter.marker.color[:4] == (palette.surface, palette.ink, palette.muted, palette.line)
    assert scatter.marker.color[-1] == ink_on(cell_colour(theme, -0.5))
    assert drawn.layout.coloraxis.colorscale == tuple(sequential(theme))
    assert heatmap.colorscale == tuple(diverging(theme))
    assert drawn.layout.paper_bgcolor == palette.surface


def test_a_text_that_looks_like_a_token_stays_as_it_is() -> None:
    figure = canvas(width=None, height=100, margin={}, title={"text": INK}, xaxis={"ticktext": [INK]})
    figure.add_scatter(y=[1], text=[INK], name=INK)
    drawn = in_theme(figure, "dark")
    assert (drawn.layout.title.text, drawn.layout.xaxis.ticktext) == (INK, (INK,))
    assert (drawn.data[0].name, drawn.data[0].text) == (INK, (INK,))


@pytest.mark.parametrize("picture_height", [120, 300])
def test_a_legend_below_leaves_room_for_the_axis_and_its_name(picture_height: int) -> None:
    legend = legend_below(picture_height)
    assert legend["yanchor"] == "top"
    assert 42 <= -legend["y"] * picture_height <= 60


def test_east_asian_labels_stand_letter_under_letter_and_others_are_turned() -> None:
    latin, japanese = upright_axis(["dog", "⟨end⟩"], [0, 1]), upright_axis(["トークン", "FFN 3", "<b"], [0, 1, 2])
    assert (latin["ticktext"], latin["tickangle"]) == (["dog", "⟨end⟩"], -90)
    assert (japanese["ticktext"][:2], japanese["tickangle"]) == (["ト<br>\uff5c<br>ク<br>ン", "FFN<br>3"], 0)
    assert "<b>" not in "".join(japanese["ticktext"]).replace("<br>", "")
    # A stack of long Latin words would be as high as the picture.
    assert upright_axis(["猫", "representation"], [0, 1])["tickangle"] == -90
    assert upright_pixels(["トークン", "FFN 3"]) >= 4 * 13 > upright_pixels(["dog"])
