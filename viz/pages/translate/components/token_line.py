"""A line of tokens, shaded by their probability; pointer or keyboard focus opens its alternatives."""

from collections.abc import Sequence
from html import escape

from viz.base.colours import PALETTES, Theme
from viz.pages.translate.study.records import LineToken


def token_line(tokens: Sequence[LineToken], *, theme: Theme, name: str, token_name: str) -> str:
    """Return HTML for ``tokens``, with every text in them escaped.

    Args:
        tokens: in reading order.
        theme: light or dark.
        name: what the line is, for screen readers.
        token_name: what a token is called there, with ``{token}`` and ``{percent}``.
    """
    palette = PALETTES[theme]
    red, green, blue = palette.hue
    colours = f"--hue:{red} {green} {blue};--surface:{palette.surface};--ink:{palette.ink};--line:{palette.line}"
    parts = [
        (" " if token.starts_word and index else "") + _token(token, token_name, f"token-{index}-alternatives")
        for index, token in enumerate(tokens)
    ]
    return f'<div class="token-line" role="group" aria-label="{escape(name)}" style="{colours}">{"".join(parts)}</div>'


def percent(probability: float) -> str:
    """Return ``probability`` in per cent, with a digit after the point where it is small."""
    return f"{probability:.1%}" if probability < 0.095 else f"{probability:.0%}"


def _token(token: LineToken, token_name: str, alternatives_id: str) -> str:
    spoken = token_name.format(token=token.label, percent=percent(token.probability))
    # The spaces keep label and percent apart where the rows are read aloud; on the screen they take no room.
    rows = " ".join(
        _alternative(label, probability, is_chosen=index == token.chosen)
        for index, (label, probability) in enumerate(token.alternatives)
    )
    kind = "line-token slip" if token.is_slip else "line-token"
    return (
        f'<span class="{kind}" tabindex="0" role="group" aria-label="{escape(spoken)}"'
        f' aria-describedby="{alternatives_id}" style="--p:{token.probability:.3f}">{escape(token.label)}'
        f'<span class="alternatives" id="{alternatives_id}">{rows}</span></span>'
    )


def _alternative(label: str, probability: float, *, is_chosen: bool) -> str:
    kind = "alternative chosen" if is_chosen else "alternative"
    return (
        f'<span class="{kind}" style="--p:{probability:.3f}"><span class="label">{escape(label)}</span>'
        f' <span class="bar"></span><span class="percent">{percent(probability)}</span></span>'
    )
