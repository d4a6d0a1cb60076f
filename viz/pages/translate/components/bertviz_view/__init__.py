"""BertViz's head view and model view (Vig 2019, arXiv:1906.05714), offline and in an isolated frame.

The drawing code is BertViz's own, read from the installed package and run as it is; the package itself is never
imported, because that would bring IPython and transformers with it. What is ours is the page around that code: the
libraries it would fetch from elsewhere, the weights once instead of twice, tokens that cannot be taken for markup, and
a policy under which only the one script that is meant to run does.
"""

import base64
import hashlib
import json
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from importlib.metadata import distribution
from itertools import accumulate
from pathlib import Path
from typing import Literal, get_args

import numpy as np
import streamlit as st

from viz.base.attention_maps import AttentionKind
from viz.base.colours import PALETTES, Theme
from viz.base.languages import language

ViewName = Literal["head", "model"]
VIEWS: tuple[ViewName, ...] = get_args(ViewName)

MAX_WEIGHTS = 100_000
"""Weights up to which BertViz is shown. It draws a line for each: so many take seconds, and a click almost a second."""

_FOLDER = Path(__file__).parent
_LIBRARIES = ("vendor/jquery-2.1.4/jquery.min.js", "vendor/d3-5.7.0/d3.min.js", "requirejs.js")
_PARAMETERS = "const params = PYTHON_PARAMS;"
_REST_OF_LINE = " // HACK: PYTHON_PARAMS is a template marker that is replaced by actual params."
_ROOT = "bertviz"
_DECIMALS = 3
# Over black a line of an eighth of its colour is hardly seen: there the root of each opacity is drawn.
_SEEN_IN_THE_DARK = (
    '<svg width="0" height="0" aria-hidden="true"><filter id="seen" color-interpolation-filters="sRGB">'
    '<feComponentTransfer><feFuncA type="gamma" exponent="0.5"/></feComponentTransfer></filter></svg>'
)
_TALLEST = 720
# Inside a string of the script they stand for the same characters, and the HTML parser sees none of them.
_ESCAPES = str.maketrans({character: f"\\u{ord(character):04x}" for character in "<>&"})

# Registered once: components v2 warns of a second one of the same name.
_mount = st.components.v2.component(
    "bertviz_view",
    css=(_FOLDER / "frame.css").read_text(encoding="utf-8"),
    js=(_FOLDER / "frame.js").read_text(encoding="utf-8"),
)


@dataclass(frozen=True)
class _View:
    """A view of BertViz: its script, its select box, the columns for a token, and its height in pixels."""

    script: str
    choice: str
    label_columns: int
    height: Callable[[AttentionKind], float]


def bertviz_view(view: ViewName, kind: AttentionKind, *, text: Mapping[str, str], theme: Theme, key: str) -> None:
    """Show ``kind`` in BertViz's ``view``; where it has too many weights, a sentence that says so.

    Args:
        view: ``head`` for the heads of one layer, ``model`` for all heads of all layers.
        kind: the attention.
        text: the words around the view: the sections of ``bertviz_view.md``.
        theme: light or dark.
        key: of the widget.
    """
    try:
        html = bertviz_html(view, kind, text=text, theme=theme)
    except ValueError as error:
        st.info(str(error))
        return
    data = {"html": html, "title": _title(view, kind, text), "height": min(_VIEWS[view].height(kind), _TALLEST)}
    _mount(key=key, data=data)


def bertviz_html(view: ViewName, kind: AttentionKind, *, text: Mapping[str, str], theme: Theme) -> str:
    """Return ``view`` of ``kind`` as one HTML document that needs no network and runs nothing but BertViz.

    Weights have three decimals; layers and heads are counted from 1; a token that is wider than BertViz's column for it
    ends in an ellipsis. The other arguments are those of :func:`bertviz_view`.

    Raises:
        ValueError: more than :data:`MAX_WEIGHTS` weights.
    """
    if kind.weights.size > MAX_WEIGHTS:
        layers, heads, queries, keys = kind.weights.shape
        sizes = {"layers": layers, "heads": heads, "queries": queries, "keys": keys}
        raise ValueError(text["too many"].format(given=f"{kind.weights.size:,}", most=f"{MAX_WEIGHTS:,}", **sizes))
    shown = _VIEWS[view]
    script = _script(shown.script, _parameters(kind, theme, shown.label_columns))
    style = _style(theme)
    policy = (
        f"default-src 'none'; base-uri 'none'; form-action 'none'; script-src {_hash(script)}; style-src {_hash(style)}"
    )
    return (
        f'<!doctype html><html lang="{language()}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>{escape(_title(view, kind, text))}</title><style>{style}</style></head><body>"
        f'<div id="{_ROOT}">{shown.choice.format(layer=escape(text["layer"]))}<div id="vis"></div></div>'
        f"{_SEEN_IN_THE_DARK if theme == 'dark' else ''}<script>{script}</script></body></html>"
    )


def libraries() -> str:
    """Return the libraries that BertViz's scripts fetch, as one script: jQuery, d3 and their loader."""
    return "\n".join((_FOLDER / library).read_text(encoding="utf-8") for library in _LIBRARIES)


def fitted(label: str, columns: int) -> str:
    """Return ``label``, cut with an ellipsis if wider than ``columns``; a wide character counts as two."""
    ends = list(accumulate(map(_columns, label)))
    if not ends or ends[-1] <= columns:
        return label
    return label[: sum(end < columns for end in ends)] + "…"


def _title(view: ViewName, kind: AttentionKind, text: Mapping[str, str]) -> str:
    return text["title"].format(view=text[view], kind=text[kind.name])


def _parameters(kind: AttentionKind, theme: Theme, label_columns: int) -> dict[str, object]:
    """Return what BertViz's scripts read; each view leaves alone what it does not know."""
    layers, heads = kind.weights.shape[:2]
    shown = {
        "name": None,
        # In double precision, as numbers are written with the fewest digits that tell them apart in their own.
        "attn": kind.weights.astype(np.float64).round(_DECIMALS).tolist(),
        "left_text": [fitted(label, label_columns) for label in kind.queries.labels],
        "right_text": [fitted(label, label_columns) for label in kind.keys.labels],
    }
    return {
        "attention": [shown],
        "default_filter": "0",
        "root_div_id": _ROOT,
        "display_mode": theme,
        "layer": None,
        "heads": None,
        "include_layers": list(range(1, layers + 1)),
        "include_heads": list(range(1, heads + 1)),
        "total_heads": heads,
    }


def _script(name: str, parameters: Mapping[str, object]) -> str:
    path = Path(str(distribution("bertviz").locate_file(f"bertviz/{name}")))
    before, marker, after = path.read_text(encoding="utf-8").partition(_PARAMETERS)
    if not marker:
        raise RuntimeError(f"{name} of BertViz has no '{_PARAMETERS}'; install the version in requirements.txt.")
    data = json.dumps(parameters, separators=(",", ":")).translate(_ESCAPES)
    return f"{libraries()}\n{before}const params = {data};{after.removeprefix(_REST_OF_LINE)}"


def _style(theme: Theme) -> str:
    palette = PALETTES[theme]
    colours = f"--scheme:{theme};--surface:{palette.surface};--ink:{palette.ink};--line:{palette.line}"
    return f":root{{{colours}}}\n{(_FOLDER / 'page.css').read_text(encoding='utf-8')}"


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _head_view_height(kind: AttentionKind) -> float:
    return 80 + 22.5 * float(max(kind.weights.shape[2:]))


def _model_view_height(kind: AttentionKind) -> float:
    layers, heads = kind.weights.shape[:2]
    tokens = max(kind.weights.shape[2:])
    overview = 38 + layers * (10 + tokens * 84 / heads)
    detail = 55 + 18 * tokens
    return float(36 + max(overview, detail))


_VIEWS: dict[ViewName, _View] = {
    "head": _View(
        "head_view.js", '<label class="choice">{layer} <select id="layer"></select></label>', 12, _head_view_height
    ),
    "model": _View("model_view.js", "", 11, _model_view_height),
}
