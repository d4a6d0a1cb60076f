"""Charts of the app as the browser draws them: what Plotly takes in either theme, and the words around them."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from viz.base.colours import PALETTES
from viz.base.languages import LANGUAGES, in_language
from viz.base.words import page_text
from viz.components.browser import as_json
from viz.figures.chart import Chart
from viz.pages.choose_encoding.answers import NEEDS, answer, without_need
from viz.shared.encodings import with_meanings
from viz.site.prose import html_of


def charts_files(pages: Sequence[str]) -> dict[str, bytes]:
    """Return, by name, what each page that shows charts reads in each language."""
    files: dict[str, bytes] = {}
    for language in LANGUAGES:
        with in_language(language):
            files |= {
                f"{name}-{language}.json": as_json(content(pages)).encode() for name, content in _CONTENTS.items()
            }
    return files


def _choices(pages: Sequence[str]) -> dict[str, Any]:
    text = page_text("pages/choose_encoding/choose_encoding")
    default = without_need()
    prose = {"default": "\n\n".join((*(default or ()), text["intro"]))}
    needs = {need: answer(need) for need in NEEDS}
    for need, shown in needs.items():
        parts = (text[f"{part} {need}"] for part in ("measured", "published", "sure"))
        prose[need] = "\n\n".join(filter(None, (*shown.sentences, shown.how, *parts)))
    html = html_of({name: with_meanings(words) for name, words in prose.items()}, pages)
    return {
        "default": html["default"],
        "none": text["none"],
        "needs": {
            need: {
                "name": text[f"need {need}"],
                "charts": [_drawn(chart, text["download"]) for chart in shown.charts],
                "words": html[need],
                "table": shown.families,
            }
            for need, shown in needs.items()
        },
    }


_CONTENTS: Mapping[str, Callable[[Sequence[str]], dict[str, Any]]] = {"choose-encoding": _choices}
"""What the page at an address shows, in the language of whoever reads, on a site with these pages."""


def _drawn(chart: Chart, label: str) -> dict[str, Any]:
    return {
        "name": chart.name,
        "heading": chart.heading,
        "alt": chart.alt,
        "figures": {theme: json.loads(chart.figure(theme).to_json()) for theme in PALETTES},
        "table": {"label": label, "name": f"{chart.name}.csv", "content": chart.table()},
    }
