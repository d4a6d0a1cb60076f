import re
from itertools import pairwise

import pytest

from viz.base.colours import (
    HUE,
    INK,
    LINE,
    MUTED,
    OKABE_ITO,
    OPPOSITE,
    PALETTES,
    SURFACE,
    Theme,
    cell_colour,
    coloured,
    diverging,
    ink_on,
    luminance,
    sequential,
    style_variables,
)


def opacity(colour: str) -> float:
    return float(re.fullmatch(r"rgba\(\d+,\d+,\d+,([\d.]+)\)", colour)[1])


@pytest.mark.parametrize("theme", list(PALETTES))
def test_zero_is_the_surface_and_one_is_solid(theme: Theme) -> None:
    scale = sequential(theme)
    assert (scale[0][0], opacity(scale[0][1])) == (0, 0)
    assert (scale[-1][0], opacity(scale[-1][1])) == (1, 1)
    assert all(low < high for (low, _), (high, _) in pairwise(scale))


@pytest.mark.parametrize("theme", list(PALETTES))
def test_the_middle_of_signed_values_is_the_surface(theme: Theme) -> None:
    scale = diverging(theme)
    middle = dict(scale)[0.5]
    assert opacity(middle) == 0
    assert opacity(scale[0][1]) == opacity(scale[-1][1]) == 1
    assert scale[0][1] != scale[-1][1]


@pytest.mark.parametrize("theme", list(PALETTES))
def test_a_token_is_the_colour_of_the_same_name_in_css(theme: Theme) -> None:
    in_css = dict(variable.split(":") for variable in style_variables(theme).split(";"))
    for token in (SURFACE, INK, MUTED, LINE, HUE, OPPOSITE):
        value = in_css[token.removeprefix("var(").removesuffix(")")]
        assert coloured(token, theme) in (value, f"rgb({value.replace(' ', ', ')})")


def test_heads_have_distinct_colours() -> None:
    assert len(set(OKABE_ITO)) == len(OKABE_ITO)


@pytest.mark.parametrize("theme", list(PALETTES))
def test_letters_have_the_ink_with_more_contrast_on_every_cell(theme: Theme) -> None:
    for depth in range(-100, 101):
        ground = luminance(cell_colour(theme, depth / 100))
        # APCA 0.1.9 without its clamps: letters darker than the ground, and lighter ones.
        contrasts = {"#000000": ground**0.56, "#ffffff": 1 - ground**0.65}
        assert contrasts[ink_on(cell_colour(theme, depth / 100))] > max(contrasts.values()) - 0.01
