"""The explorer as one HTML file, which holds its data and reaches for nothing."""

import base64
import gzip
import re
import secrets
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from viz.base.attention_maps import AttentionKind
from viz.base.colours import PALETTES, Theme
from viz.base.languages import language
from viz.components.attention_explorer.header import ExplorerOptions
from viz.components.attention_explorer.payload import pack
from viz.components.attention_explorer.view import MAX_PINS, ExplorerView
from viz.components.browser import bundle, menu_header, style, with_lists

_FOLDER = Path(__file__).parent
_TEMPLATE = (_FOLDER / "shared_page.html").read_text(encoding="utf-8")
MOST_EXACT = 2_000_000
"""Weights that a page holds in full precision besides; of more it holds their bytes."""

_ENTRY = "export default mounted("
_PLACE = re.compile(r"\{\{(\w+)\}\}")


def template() -> str:
    """Return the page in the reader's language, with placeholders for its parts in double braces.

    In the browser ``sharing.js`` fills it.
    """
    return _TEMPLATE.replace("{{language}}", language())


def page_file(kinds: Sequence[AttentionKind], *, view: ExplorerView, text: Mapping[str, str], theme: Theme) -> str:
    """Return an HTML page that shows ``kinds`` in the explorer.

    Nothing of the labels stands in its markup, and it runs no script but the explorer. Weights are as in the app: bytes
    to draw with, and up to ``MOST_EXACT`` of them in full precision too, for pinned rows and for what the page saves.

    Args:
        kinds: the recording.
        view: what is shown first.
        text: the words on the screen: the sections of ``attention_explorer.md``.
        theme: light or dark.
    """
    header: ExplorerOptions = {
        "view": view.fitted(kinds),
        "max_pins": MAX_PINS,
        "is_echo": False,
        "is_alone": True,
        "names": ("", ""),
        "measure": "",
        "text": with_lists(text),
        "menu": menu_header(),
        "page": template(),
    }
    is_exact = sum(kind.weights.size for kind in kinds) <= MOST_EXACT
    data = pack(kinds, theme=theme, header=header, wants_numbers=lambda _: is_exact)
    before, _, after = bundle(_FOLDER / "main.js").rpartition(_ENTRY)
    parts = {
        "nonce": secrets.token_hex(16),
        "title": escape(text["shared title"]),
        "surface": PALETTES[theme].surface,
        "css": style(_FOLDER / "attention_explorer.css"),
        "payload": base64.b64encode(gzip.compress(data, compresslevel=6, mtime=0)).decode(),
        "source": f"{before}const open = mounted({after}".rstrip(),
    }
    return _PLACE.sub(lambda place: parts[place[1]], template())
