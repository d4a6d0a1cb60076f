"""A line of tokens, shaded by their probability; pointer or keyboard focus opens its alternatives."""

from collections.abc import Sequence
from html import escape

import numpy as np
from jaxtyping import Float

from viz.base.colours import PALETTES, Theme
from viz.pages.translate.study.records import LineToken, SourceToken

LEAST_READ = 0.05
"""The share of a row's largest weight from which on a source token is shaded."""


def token_line(tokens: Sequence[LineToken], *, theme: Theme, name: str, token_name: str) -> str:
    """Return HTML for ``tokens``, with every text in them escaped.

    Args:
        tokens: in reading order.
        theme: light or dark.
        name: what the line is, for screen readers.
        token_name: what a token is called there, with ``{token}`` and ``{percent}``.
    """
    parts = [
        (" " if token.starts_word and index else "") + _token(token, token_name, index)
        for index, token in enumerate(tokens)
    ]
    return _line("token-line", name, theme, parts)


def source_line(tokens: Sequence[SourceToken], *, theme: Theme, name: str) -> str:
    """Return HTML for the tokens of the source; ``name`` is for screen readers."""
    parts = [
        (" " if token.starts_word and index else "")
        + f'<span class="source-token{" slip" if token.is_slip else ""} source-{index}">{escape(token.label)}</span>'
        for index, token in enumerate(tokens)
    ]
    return _line("source-line", name, theme, parts)


def reading_rules(weights: Float[np.ndarray, "target source"]) -> str:
    """Return a style sheet that shades the source by a translated token's weights on hover or focus.

    A source token is as deep as its weight beside the largest of the row; what is under a twentieth of that stays bare.
    """
    relative = weights / weights.max(1, keepdims=True)
    rules = [
        f".token-line:has(.target-{target}:is(:hover, :focus)) ~ .source-line .source-{source}"
        f" {{ --read: {relative[target, source]:.2f} }}"
        for target, source in np.argwhere(relative > LEAST_READ).tolist()
    ]
    return f"<style>{' '.join(rules)}</style>"


def percent(probability: float) -> str:
    """Return ``probability`` in per cent, with a digit after the point where it is small."""
    return f"{probability:.1%}" if probability < 0.095 else f"{probability:.0%}"


def _line(kind: str, name: str, theme: Theme, parts: Sequence[str]) -> str:
    """Return the element of the class ``kind`` around ``parts``, which a browser is not to translate."""
    attributes = f'class="{kind}" translate="no" role="group" aria-label="{escape(name)}" {_colours(theme)}'
    return f"<div {attributes}>{''.join(parts)}</div>"


def _colours(theme: Theme) -> str:
    palette = PALETTES[theme]
    red, green, blue = palette.hue
    return f'style="--hue:{red} {green} {blue};--surface:{palette.surface};--ink:{palette.ink};--line:{palette.line}"'


def _token(token: LineToken, token_name: str, index: int) -> str:
    alternatives_id = f"token-{index}-alternatives"
    spoken = token_name.format(token=token.label, percent=percent(token.probability))
    # The spaces keep label and percent apart where the rows are read aloud; on the screen they take no room.
    rows = " ".join(
        _alternative(label, probability, is_chosen=index == token.chosen)
        for index, (label, probability) in enumerate(token.alternatives)
    )
    kind = "line-token slip" if token.is_slip else "line-token"
    return (
        f'<span class="{kind} target-{index}" tabindex="0" role="group" aria-label="{escape(spoken)}"'
        f' aria-describedby="{alternatives_id}" style="--p:{token.probability:.3f}">{escape(token.label)}'
        f'<span class="alternatives" id="{alternatives_id}">{rows}</span></span>'
    )


def _alternative(label: str, probability: float, *, is_chosen: bool) -> str:
    kind = "alternative chosen" if is_chosen else "alternative"
    return (
        f'<span class="{kind}" style="--p:{probability:.3f}"><span class="label">{escape(label)}</span>'
        f' <span class="bar"></span><span class="percent">{percent(probability)}</span></span>'
    )
