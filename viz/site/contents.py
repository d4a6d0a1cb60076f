"""Charts of a page for the browser, as Plotly takes them in either theme, and their words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from viz.base.colours import Theme
from viz.base.languages import LANGUAGES, in_language
from viz.base.words import page_text
from viz.components.browser import as_json
from viz.pages.choose_encoding.answers import NEEDS, answer, without_need
from viz.pages.positional_encoding.embedding_sum import lengths_figure, parts_figure
from viz.pages.positional_encoding.new_order import MAX_TOKENS
from viz.pages.positional_encoding.study.word_order import read_sentence, sum_as_trained
from viz.pages.positional_encoding.word_order import SENTENCE
from viz.shared.encodings import with_meanings
from viz.shared.shipped import DEFAULT_TRANSLATOR, translator
from viz.site.figures import data_of, drawn, in_both_themes
from viz.site.lengths import lengths_of_tasks
from viz.site.prose import html_of
from viz.site.stops import labs_path, reading_path


def content_files(pages: Sequence[str]) -> dict[str, bytes]:
    """Return, by name, what each such page reads in each language, on a site with these ``pages``."""
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
                "charts": [drawn(chart, text["download"]) for chart in shown.charts],
                "words": html[need],
                "table": shown.families,
            }
            for need, shown in needs.items()
        },
    }


def _lengths(pages: Sequence[str]) -> dict[str, Any]:
    tasks = lengths_of_tasks()
    prose = {f"{name} {task}": about[name] for task, about in tasks.items() for name in ("claim", "failed")}
    html = html_of(prose, pages)
    return {
        task: {**about, "claim": html[f"claim {task}"], "failed": html[f"failed {task}"]}
        for task, about in tasks.items()
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
        "parts": _template("embedding-sum", text["sum title"], parts_figure(sentence, shown)),
        "lengths": _template("embedding-lengths", text["length"], lengths_figure(sentence, shown)),
        "why": html_of({"why": page_text("site/site")["why added"]}, pages)["why"],
        "words": html_of(outcomes | {"scale": f"**{text['why scaled']}** {text['about scale']}"}, pages),
    }


def _template(name: str, alt: str, figure: go.Figure) -> dict[str, Any]:
    def without_numbers(theme: Theme) -> dict[str, Any]:
        data = data_of(figure, theme)
        return data | {
            "data": [{key: value for key, value in trace.items() if key not in ("y", "z")} for trace in data["data"]]
        }

    return {"name": name, "heading": "", "alt": alt, "figures": in_both_themes(without_numbers), "table": None}


_CONTENTS: Mapping[str, Callable[[Sequence[str]], dict[str, Any]]] = {
    "choose-encoding": _choices,
    "cliff": _lengths,
    "word-order": _sum,
    "read-along": reading_path,
    "labs": labs_path,
}
"""What the page at an address shows, in the language of whoever reads, on a site with these pages."""
