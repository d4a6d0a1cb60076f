"""The project's Markdown as HTML, as far as the site needs it: links, tables and formulas."""

import re
from collections.abc import Collection, Mapping
from string import Formatter

from markdown_it import MarkdownIt

from viz.site.formulas import as_mathml
from viz.site.links import opens_same_view

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_LINK = re.compile(r'<a href="(?P<address>[^"]*)"(?P<rest>[^>]*)>(?P<label>.*?)</a>', re.DOTALL)
_FORMULA = re.compile(r"\$\$(?P<whole>.+?)\$\$|\$(?P<within>[^$\n]+?)\$", re.DOTALL)
# A browser that translates the page is to leave it as it is.
_CODE = re.compile("<code\\b")
# Letters that no text has, around the number of a formula: Markdown leaves them alone.
_PLACE = re.compile("\ue000(\\d+)\ue001")
# Stands for the first field of a text: a number that is in no words, because TeX and Markdown leave numbers alone.
_FIRST_FIELD = 900_000_000
_FIELD = re.compile(r"9000\d{5}")


def html_of(texts: Mapping[str, str], pages: Collection[str]) -> dict[str, str]:
    """Return each of ``texts`` as HTML, in which links to other pages than ``pages`` are plain text.

    So are those to parts and views of these pages that the site does not have.
    """
    formulas: list[tuple[str, bool]] = []

    def taken_out(match: re.Match[str]) -> str:
        formulas.append((match["whole"] or match["within"], match["whole"] is not None))
        return f"\ue000{len(formulas) - 1}\ue001"

    rendered = {
        name: _CODE.sub('<code translate="no"', _MARKDOWN.render(_FORMULA.sub(taken_out, text)))
        for name, text in texts.items()
    }
    drawn = as_mathml(formulas)

    def kept(link: re.Match[str]) -> str:
        address = link["address"]
        return link[0] if "://" in address or opens_same_view(address, pages) else link["label"]

    return {
        name: _PLACE.sub(lambda place: drawn[int(place[1])], _LINK.sub(kept, html)) for name, html in rendered.items()
    }


def html_with_fields(texts: Mapping[str, str], pages: Collection[str]) -> dict[str, str]:
    """Return :func:`html_of` each of ``texts`` with its ``{fields}``, also in formulas, left to fill."""
    fields = sorted({name for text in texts.values() for _, name, _, _ in Formatter().parse(text) if name})
    numbers = {name: _FIRST_FIELD + place for place, name in enumerate(fields)}
    html = html_of({name: text.format(**numbers) for name, text in texts.items()}, pages)

    def named(field: re.Match[str]) -> str:
        return f"{{{fields[int(field[0]) - _FIRST_FIELD]}}}"

    return {name: _FIELD.sub(named, text) for name, text in html.items()}
