"""The palette: a sequential and a diverging scale, and colours of heads and encodings, light and dark.

Scales run from fully transparent, so zero is the page's own surface in either theme.

A figure is drawn without a theme, in tokens: names of the palette such as :data:`INK`, which :func:`coloured` replaces
by a theme's colours when the figure leaves.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Literal

Theme = Literal["light", "dark"]
Scale = Sequence[tuple[float, str]]

# As CSS names what style_variables gives, which Plotly takes for a colour.
HUE, OPPOSITE, SURFACE = "var(--hue)", "var(--opposite)", "var(--surface)"
INK, MUTED, LINE = "var(--ink)", "var(--muted)", "var(--line)"
# A name, and where it stands for more than one colour what else it depends on.
_TOKEN = re.compile(r"var\(--(\w+)(?: ([^)]+))?\)")

# Okabe and Ito 2008, without black, which no dark page shows; the order is fixed.
OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")

# Yellow is left out: a thin line of it is lost on white.
_LINE_COLOURS = OKABE_ITO[:6]
# Widths in a swatch, in pixels: drawn, not drawn, and again.
_DASHES = {"solid": (1,), "dash": (5, 3), "dot": (2, 2), "dashdot": (5, 2, 2, 2), "longdash": (10, 3)}

_N_STOPS = 17
# Below 1, so that the weights of a diffuse head, 1/n each, still leave the surface.
_OPACITY_EXPONENT = 0.75
# Of what lies under a line. The opacity of the light hardly lightens a dark page.
_BAND_OPACITY: dict[Theme, float] = {"light": 0.09, "dark": 0.24}
# At which black and white have the same contrast by WCAG 2, √21 or 4.58: on every ground the better one has as much.
_MIDDLE_LUMINANCE = 0.179


@dataclass(frozen=True)
class Palette:
    """Colours of figures and hand-written HTML in one theme; ``hue`` and ``opposite`` are RGB."""

    hue: tuple[int, int, int]
    opposite: tuple[int, int, int]
    surface: str
    ink: str
    muted: str
    line: str


PALETTES: dict[Theme, Palette] = {
    "light": Palette((13, 52, 133), (166, 67, 0), "#ffffff", "#1b1f24", "#59616c", "#d5d9e0"),
    "dark": Palette((130, 180, 255), (255, 163, 92), "#0f1216", "#e4e7eb", "#9aa3af", "#353b45"),
}


@dataclass(frozen=True)
class LineLook:
    """Look of one of many lines: its colour, and Plotly's name of its dashes."""

    colour: str
    dash: str

    @property
    def swatch(self) -> str:
        """The same look as the background of a little box, in CSS."""
        stops, start = [], 0
        for colour, width in zip(cycle((self.colour, "transparent")), _DASHES[self.dash], strict=False):
            stops.append(f"{colour} {start}px {start + width}px")
            start += width
        return f"repeating-linear-gradient(90deg,{','.join(stops)})"


def line_look(number: int) -> LineLook:
    """Return the look of the line ``number``, from 0.

    No two of thirty are alike; after that they begin again.
    """
    n_colours = len(_LINE_COLOURS)
    return LineLook(_LINE_COLOURS[number % n_colours], tuple(_DASHES)[number // n_colours % len(_DASHES)])


def style_variables(theme: Theme) -> str:
    """Return the palette as CSS custom properties, for a ``style`` attribute of hand-written HTML."""
    palette = PALETTES[theme]
    hue, opposite = (" ".join(map(str, colour)) for colour in (palette.hue, palette.opposite))
    plain = {"surface": palette.surface, "ink": palette.ink, "muted": palette.muted, "line": palette.line}
    return ";".join(f"--{name}:{value}" for name, value in {"hue": hue, "opposite": opposite, **plain}.items())


def faded(token: str, opacity: float) -> str:
    """Return the token of a colour of the palette in that opacity, from 0 to 1."""
    return f"{token.removesuffix(')')} {opacity})"


def band(colour: str) -> str:
    """Return the token of ``colour``, written as #rrggbb, as pale as a band under lines is."""
    return f"var(--band {colour})"


def letters_on(depth: float) -> str:
    """Return the token of letters on a cell; ``depth`` goes from −1 to 1 as along :data:`DIVERGING`."""
    return f"var(--letters {depth})"


def coloured(text: str, theme: Theme) -> str:
    """Return ``text`` with the colours of ``theme`` in place of all tokens."""
    return _TOKEN.sub(lambda token: _colour(theme, *token.groups()), text)


def sequential(theme: Theme) -> Scale:
    """Return the scale for weights from 0 to 1, for what is no figure."""
    return [(value, coloured(token, theme)) for value, token in SEQUENTIAL]


def diverging(theme: Theme) -> Scale:
    """Return the scale for signed values, for what is no figure."""
    return [(value, coloured(token, theme)) for value, token in DIVERGING]


def mixed(theme: Theme, n: int) -> list[tuple[int, int, int]]:
    """Return ``n`` colours of the scale for weights as red, green and blue: for pictures of bytes.

    They lie on the surface.
    """
    surface = _channels(PALETTES[theme].surface)
    shares = [(index / (n - 1)) ** _OPACITY_EXPONENT for index in range(n)]
    return [_between(surface, PALETTES[theme].hue, share) for share in shares]


def cell_colour(theme: Theme, depth: float) -> tuple[int, int, int]:
    """Return the colour of a cell on the surface: ``depth`` goes from −1 to 1 as along :data:`DIVERGING`."""
    palette = PALETTES[theme]
    surface = _channels(palette.surface)
    return _between(surface, palette.hue if depth >= 0 else palette.opposite, min(abs(depth), 1) ** _OPACITY_EXPONENT)


def ink_on(ground: tuple[int, int, int]) -> str:
    """Return black or white, whichever has more contrast on ``ground`` (WCAG 2): 4.5 to 1 or more."""
    return "#000000" if luminance(ground) > _MIDDLE_LUMINANCE else "#ffffff"


def luminance(colour: tuple[int, int, int]) -> float:
    """Return the relative luminance of red, green and blue, from 0 to 1 (WCAG 2)."""
    shares = (channel / 255 for channel in colour)
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _between(start: Sequence[int], end: Sequence[int], share: float) -> tuple[int, int, int]:
    red, green, blue = (round(low + (high - low) * share) for low, high in zip(start, end, strict=True))
    return red, green, blue


def _colour(theme: Theme, name: str, detail: str | None) -> str:
    if name == "letters":
        return ink_on(cell_colour(theme, float(detail or 0)))
    if name == "band":
        return _transparent(_channels(detail or ""), _BAND_OPACITY[theme])
    colour = getattr(PALETTES[theme], name)
    if detail is None:
        return colour if isinstance(colour, str) else f"rgb{colour}"
    return _transparent(_channels(colour), float(detail))


def _channels(colour: str | tuple[int, int, int]) -> tuple[int, int, int]:
    if not isinstance(colour, str):
        return colour
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue


def _transparent(colour: tuple[int, int, int], opacity: float) -> str:
    red, green, blue = colour
    return f"rgba({red},{green},{blue},{opacity:.3f})"


_STOPS = [index / (_N_STOPS - 1) for index in range(_N_STOPS)]
SEQUENTIAL: Scale = tuple((value, faded(HUE, value**_OPACITY_EXPONENT)) for value in _STOPS)
"""The scale for weights from 0 to 1."""
DIVERGING: Scale = (
    *((0.5 - value / 2, faded(OPPOSITE, value**_OPACITY_EXPONENT)) for value in reversed(_STOPS)),
    *((0.5 + value / 2, faded(HUE, value**_OPACITY_EXPONENT)) for value in _STOPS[1:]),
)
"""The scale for signed values: 0 is the far negative end, 0.5 the neutral middle, 1 the far positive end."""
