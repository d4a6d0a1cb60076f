"""Charts of the app as the browser draws them: what Plotly takes in either theme, and the words around them."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from viz.base.colours import PALETTES, Theme
from viz.base.languages import LANGUAGES, in_language
from viz.base.words import page_text
from viz.components.browser import as_json
from viz.figures.chart import Chart
from viz.pages.choose_encoding.answers import NEEDS, answer, without_need
from viz.pages.positional_encoding.embedding_sum import lengths_figure, parts_figure
from viz.pages.positional_encoding.new_order import MAX_TOKENS
from viz.pages.positional_encoding.study.word_order import read_sentence, sum_as_trained
from viz.pages.positional_encoding.word_order import SENTENCE
from viz.shared.encodings import with_meanings
from viz.shared.shipped import DEFAULT_TRANSLATOR, translator
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


def _sum(pages: Sequence[str]) -> dict[str, Any]:
    """Return the charts of an example, in which the browser has other numbers and rows."""
    text, loaded = page_text("pages/positional_encoding/embedding_sum"), translator(DEFAULT_TRANSLATOR)
    sentence = read_sentence(loaded, SENTENCE)
    shown = sum_as_trained(loaded, sentence)
    outcomes = {name: text[f"sum {name}"] for name in ("embedding", "encoding", "balance", "both")}
    return {
        "most": MAX_TOKENS,
        "sentences": {DEFAULT_TRANSLATOR: SENTENCE},
        "parts": _template("embedding-sum", lambda theme: parts_figure(sentence, shown, theme)),
        "lengths": _template("embedding-lengths", lambda theme: lengths_figure(sentence, shown, theme)),
        "words": html_of(outcomes | {"scale": f"**{text['why scaled']}** {text['about scale']}"}, pages),
    }


def _template(name: str, draw: Callable[[Theme], go.Figure]) -> dict[str, Any]:
    figures = {theme: json.loads(draw(theme).to_json()) for theme in PALETTES}
    for trace in (trace for figure in figures.values() for trace in figure["data"]):
        trace.pop("z", None)
        trace.pop("y", None)
    return {"name": name, "heading": "", "alt": "", "figures": figures, "table": None}


_CONTENTS: Mapping[str, Callable[[Sequence[str]], dict[str, Any]]] = {
    "choose-encoding": _choices,
    "word-order": _sum,
}
"""What the page at an address shows, in the language of whoever reads, on a site with these pages."""


def _drawn(chart: Chart, label: str) -> dict[str, Any]:
    return {
        "name": chart.name,
        "heading": chart.heading,
        "alt": chart.alt,
        "figures": {theme: json.loads(chart.figure(theme).to_json()) for theme in PALETTES},
        "table": {"label": label, "name": f"{chart.name}.csv", "content": chart.table()} if chart.table else None,
    }
