"""What the browser loads of a page when it is opened: charts, as Plotly takes them in either theme, and their words."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from viz.base.colours import PALETTES, Theme
from viz.base.glossary import term_link
from viz.base.languages import LANGUAGES, in_language
from viz.base.words import page_text
from viz.components.browser import as_json
from viz.figures.chart import Chart
from viz.pages.choose_encoding.answers import NEEDS, answer, without_need
from viz.pages.positional_encoding.embedding_sum import lengths_figure, parts_figure
from viz.pages.positional_encoding.new_order import MAX_TOKENS
from viz.pages.positional_encoding.study.word_order import read_sentence, sum_as_trained
from viz.pages.positional_encoding.word_order import SENTENCE
from viz.pages.start.asking import safe
from viz.pages.start.course.lab import Lab, Step, labs
from viz.pages.start.read_along import where
from viz.pages.start.reading_path import STOPS
from viz.pages.start.stops import Shown, Stop
from viz.shared.encodings import with_meanings
from viz.shared.shipped import DEFAULT_TRANSLATOR, translator
from viz.site.figures import data_of
from viz.site.lengths import lengths_of_tasks
from viz.site.prose import html_of


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
                "charts": [_drawn(chart, text["download"]) for chart in shown.charts],
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
        "parts": _template("embedding-sum", text["sum title"], lambda theme: parts_figure(sentence, shown, theme)),
        "lengths": _template("embedding-lengths", text["length"], lambda theme: lengths_figure(sentence, shown, theme)),
        "why": html_of({"why": page_text("site/site")["why added"]}, pages)["why"],
        "words": html_of(outcomes | {"scale": f"**{text['why scaled']}** {text['about scale']}"}, pages),
    }


def _reading_path(pages: Sequence[str]) -> dict[str, Any]:
    text = page_text("pages/start/read_along")
    papers: dict[str, str] = {paper: text[f"paper {paper}"] for paper in dict.fromkeys(stop.paper for stop in STOPS)}
    return _path(papers, [_stop(number, stop, pages) for number, stop in enumerate(STOPS, start=1)], pages)


def _labs(pages: Sequence[str]) -> dict[str, Any]:
    text = page_text("pages/start/labs")
    titles = {
        lab.id: text["choice"].format(number=number, title=lab.words["title"])
        for number, lab in enumerate(labs(), start=1)
    }
    return _path(titles, [_step(lab, step, pages) for lab in labs() for step in lab.steps], pages)


def _path(
    chapters: Mapping[str, str], stops: Sequence[tuple[dict[str, Any], dict[str, str]]], pages: Sequence[str]
) -> dict[str, Any]:
    """Return ``stops``, each as it opens and its words as Markdown, under the titles of their ``chapters``."""
    # All at once: formulas are drawn by a process.
    html = html_of(
        {f"{place} {name}": words for place, (_, prose) in enumerate(stops) for name, words in prose.items()}, pages
    )
    return {
        "chapters": chapters,
        "stops": [
            stop | {"html": {name: html[f"{place} {name}"] for name in prose}}
            for place, (stop, prose) in enumerate(stops)
        ],
    }


def _stop(number: int, stop: Stop, pages: Sequence[str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return a stop as it opens, its charts and its answer; and its words as Markdown, with what an answer gets."""
    text = page_text("pages/start/read_along")
    terms = text["terms"].format(terms=" · ".join(map(term_link, stop.terms))) if stop.terms else ""
    parts = (stop.words["summary"], stop.words.get("formula", ""), terms)
    links = (f"[{label}]({address})" for address, label in stop.links if re.split("[?#]", address)[0] in pages)
    prose = {
        "where": where(number, stop),
        "words": "\n\n".join(filter(None, parts)),
        "links": "\n".join(f"- {link}" for link in links),
    }
    return _exercise(stop, stop.paper, prose)


def _step(lab: Lab, step: Step, pages: Sequence[str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the same of a step of a lab; the goals stand at its beginning, and what is open at its end."""
    text, number = page_text("pages/start/labs"), lab.steps.index(step) + 1
    place = {"number": labs().index(lab) + 1, "total": len(labs()), "step": number, "steps": len(lab.steps)}
    goals = f"**{text['goals']}**\n\n{_as_list(lab.words.lines('goals'))}" if step == lab.steps[0] else ""
    ending = (
        f"**{text['open question']}**\n\n{lab.words['open question']}",
        f"**{text['sources']}**\n\n{_as_list(lab.words.lines('sources'))}",
    )
    good = "\n\n".join(filter(None, (step.good_answer, lab.words["good answer"] if step == lab.steps[-1] else "")))
    view = text["open"].format(view=step.words["link"])
    prose = {
        "where": text["where"].format(minutes=step.minutes, **place),
        "words": "\n\n".join(filter(None, (step.text, goals, *(ending if step == lab.steps[-1] else ())))),
        "links": f"[{view}]({step.address})"
        if step.page in pages and "part" not in step.query
        else page_text("site/site")["view in the app"].format(view=step.words["link"]),
    }
    return _exercise(step, lab.id, prose | ({"good answer": good} if good else {}))


def _as_list(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _exercise(stop: Stop | Step, chapter: str, prose: dict[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what ``stop`` shows as it opens, and its words with those about it and about an answer."""
    text, settings = page_text("pages/start/read_along"), stop.picture.opening() if stop.picture else None
    shown = stop.picture.show(settings) if stop.picture else Shown(())
    prose = prose | {"below": "\n\n".join(filter(None, (shown.note, shown.words)))}
    answer = stop.question.answer(settings) if stop.question else None
    if answer:
        hint, reason = (safe(stop.words[part], answer) for part in ("hint", "reason"))
        prose |= {
            "question": safe(stop.words["question"], answer),
            "hint": hint,
            "right": text["right"].format(reason=reason),
            "wrong once": text["wrong once"].format(given="{given}", hint=hint),
            "wrong": text["wrong"].format(given="{given}", reason=reason),
        }
    opened = {
        "chapter": chapter,
        "title": stop.words["title"],
        "charts": [_drawn(chart, "") for chart in shown.charts],
        "table": shown.table,
        "answer": answer and {"right": answer.right, "options": answer.options, "within": answer.within},
    }
    return opened, prose


def _template(name: str, alt: str, draw: Callable[[Theme], go.Figure]) -> dict[str, Any]:
    figures = {theme: data_of(draw(theme)) for theme in PALETTES}
    for trace in (trace for figure in figures.values() for trace in figure["data"]):
        trace.pop("z", None)
        trace.pop("y", None)
    return {"name": name, "heading": "", "alt": alt, "figures": figures, "table": None}


_CONTENTS: Mapping[str, Callable[[Sequence[str]], dict[str, Any]]] = {
    "choose-encoding": _choices,
    "cliff": _lengths,
    "word-order": _sum,
    "read-along": _reading_path,
    "labs": _labs,
}
"""What the page at an address shows, in the language of whoever reads, on a site with these pages."""


def _drawn(chart: Chart, label: str) -> dict[str, Any]:
    return {
        "name": chart.name,
        "heading": chart.heading,
        "alt": chart.alt,
        "figures": {theme: data_of(chart.figure(theme)) for theme in PALETTES},
        "table": {"label": label, "name": f"{chart.name}.csv", "content": chart.table()} if chart.table else None,
    }
