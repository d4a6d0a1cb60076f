"""The project's Markdown as HTML, as far as the site needs it: links, tables and formulas."""

import re
from collections.abc import Collection, Mapping

from markdown_it import MarkdownIt

from viz.site.formulas import as_mathml

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_LINK = re.compile(r'<a href="(?P<address>[^"]*)"(?P<rest>[^>]*)>(?P<label>.*?)</a>', re.DOTALL)
_FORMULA = re.compile(r"\$\$(?P<whole>.+?)\$\$|\$(?P<within>[^$\n]+?)\$", re.DOTALL)
# Letters that no text has, around the number of a formula: Markdown leaves them alone.
_PLACE = re.compile("\ue000(\\d+)\ue001")


def html_of(texts: Mapping[str, str], pages: Collection[str]) -> dict[str, str]:
    """Return each of ``texts`` as HTML, in which links to other pages than ``pages`` are plain text."""
    formulas: list[tuple[str, bool]] = []

    def taken_out(found: re.Match[str]) -> str:
        formulas.append((found["whole"] or found["within"], found["whole"] is not None))
        return f"\ue000{len(formulas) - 1}\ue001"

    rendered = {name: _MARKDOWN.render(_FORMULA.sub(taken_out, text)) for name, text in texts.items()}
    drawn = as_mathml(formulas)

    def kept(link: re.Match[str]) -> str:
        address = link["address"]
        is_here = "://" in address or re.split("[?#]", address)[0] in pages
        return link[0] if is_here else link["label"]

    return {
        name: _PLACE.sub(lambda place: drawn[int(place[1])], _LINK.sub(kept, html)) for name, html in rendered.items()
    }
