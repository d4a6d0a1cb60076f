import re
from itertools import pairwise, product
from pathlib import Path

import pytest

import viz
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

VIZ = Path(viz.__file__).parent
# Of letters by WCAG 2, level AA.
READABLE = 4.5
# What a share of a colour in a style sheet is at most: "0.04 + 0.3", of calc(0.04 + 0.3 * var(--p)).
TINT = re.compile(r"/ calc\(([\d. +]+) \* var\(")


def channels(colour: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue


def contrast(letters: tuple[int, int, int], ground: tuple[int, int, int]) -> float:
    low, high = sorted((luminance(letters), luminance(ground)))
    return (high + 0.05) / (low + 0.05)


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
def test_letters_can_be_read_on_every_cell(theme: Theme) -> None:
    for depth in range(-1000, 1001):
        ground = cell_colour(theme, depth / 1000)
        assert contrast(channels(ink_on(ground)), ground) >= READABLE


def test_letters_can_be_read_on_every_colour() -> None:
    for ground in product(range(0, 256, 15), repeat=3):
        assert contrast(channels(ink_on(ground)), ground) >= READABLE


@pytest.mark.parametrize("theme", list(PALETTES))
def test_the_ink_of_the_theme_can_be_read_on_every_tint(theme: Theme) -> None:
    palette = PALETTES[theme]
    surface = channels(palette.surface)
    sheets = [path.read_text() for path in VIZ.rglob("*.css")]
    tints = [sum(map(float, re.findall(r"[\d.]+", tint))) for sheet in sheets for tint in TINT.findall(sheet)]
    scripts = (VIZ / "components/browser/colours.js").read_text()
    tints.append(float(re.search(r"MOST_TINT = ([\d.]+);", scripts)[1]))
    assert len(tints) > 5
    for hue in (palette.hue, palette.opposite):
        pairs = list(zip(surface, hue, strict=True))
        for tint in tints:
            ground = tuple(round(low + (high - low) * tint) for low, high in pairs)
            assert contrast(channels(palette.ink), ground) >= READABLE, tint
