"""Sentences of the view with tokens and numbers in them, as HTML in which nothing given is markup."""

from collections.abc import Mapping
from html import escape

from viz.base.tokens import shorten
from viz.components.matrix_view import written

_LONGEST = 24
_EMPTY = "␣"


def filled(text: Mapping[str, str], key: str, /, **parts: object) -> str:
    """Return the section ``key`` of ``text`` with ``parts``, which are HTML already, in its places."""
    return escape(text[key]).format(**parts)


def token(label: str) -> str:
    """Return HTML for a token: shortened if long, in full as a tooltip, isolated from its surroundings."""
    shown = shorten(label, _LONGEST) or _EMPTY
    title = f' title="{escape(label)}"' if shown != label else ""
    return f'<bdi class="token" translate="no"{title}>{escape(shown)}</bdi>'


def linked(value: float, name: str) -> str:
    """Return HTML for a number of several steps; hovering over it highlights all of that ``name``."""
    return f'<b class="link of-{name}">{written(value)}</b>'
