"""Stops of Read along and steps of the labs: their opening state, and other values of controls."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from viz.base.glossary import term_link
from viz.base.languages import LANGUAGES, in_language
from viz.base.words import page_text
from viz.components.browser import as_json
from viz.pages.start.asking import safe
from viz.pages.start.course.lab import Lab, LabStep, labs
from viz.pages.start.read_along import where
from viz.pages.start.reading_path import STOPS
from viz.pages.start.stops import Exercise, Picture, PictureContent, PictureControl, Stop
from viz.shell.old_links import old_names
from viz.site.changes import changes, shared
from viz.site.figures import drawn
from viz.site.links import opens_same_view
from viz.site.prose import html_of

_READ_ALONG, _LABS = "read-along", "labs"


@dataclass(frozen=True)
class _View:
    """Content of a stop for some settings: data, and words as Markdown."""

    data: dict[str, Any]
    prose: Mapping[str, str]


def reading_path(pages: Sequence[str]) -> dict[str, Any]:
    """Return the opening states of Read along's stops under their papers, on a site with these ``pages``."""
    text = page_text("pages/start/read_along")
    papers: dict[str, str] = {paper: text[f"paper {paper}"] for paper in dict.fromkeys(stop.paper for stop in STOPS)}
    return _path(papers, [_stop(number, stop, pages) for number, stop in enumerate(STOPS, start=1)], pages)


def labs_path(pages: Sequence[str]) -> dict[str, Any]:
    """Return the same of the steps of the labs."""
    text = page_text("pages/start/labs")
    titles = {
        lab.id: text["choice"].format(number=number, title=lab.words["title"])
        for number, lab in enumerate(labs(), start=1)
    }
    return _path(titles, [_step(lab, step, pages) for lab in labs() for step in lab.steps], pages)


def view_files(pages: Sequence[str]) -> dict[str, bytes]:
    """Return, by name, what each stop with controls shows by their values: what differs from how it opens.

    A file has all languages, since numbers are the same in each.
    """
    steps = [step for lab in labs() for step in lab.steps]
    numbered: dict[str, Exercise] = {f"{_READ_ALONG}-{number}": stop for number, stop in enumerate(STOPS, start=1)}
    numbered |= {f"{_LABS}-{number}": step for number, step in enumerate(steps, start=1)}
    by_language = {}
    for language in LANGUAGES:
        with in_language(language):
            by_language[language] = _changed_views(numbered, pages)
    files = {}
    for name in by_language[next(iter(LANGUAGES))]:
        of_stop = {language: views[name] for language, views in by_language.items()}
        alike = shared([*of_stop.values()])
        files[f"{name}.json"] = {"all": alike} | {own: changes(alike, views) for own, views in of_stop.items()}
    return {name: as_json(file).encode() for name, file in files.items()}


def listed_controls(picture: Picture) -> tuple[PictureControl, ...]:
    """Return those controls of ``picture`` whose values can all be listed: the others take any text."""
    return tuple(control for control in picture.controls(picture.opening()) if control.values)


def _changed_views(exercises: Mapping[str, Exercise], pages: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return, by exercise and by what its controls are set to, what differs from how it opens."""
    views = {
        (name, key): _view(exercise, settings)
        for name, exercise in exercises.items()
        if exercise.picture and listed_controls(exercise.picture)
        for key, settings in _settings(exercise.picture)
    }
    # All at once: formulas are drawn by a process.
    html = html_of(
        {f"{place} {part}": words for place, view in enumerate(views.values()) for part, words in view.prose.items()},
        pages,
    )
    written = {
        key: view.data | {"html": {part: html[f"{place} {part}"] for part in view.prose}}
        for place, (key, view) in enumerate(views.items())
    }
    by_exercise: dict[str, dict[str, Any]] = {}
    for (name, key), view in written.items():
        opened = written[name, _key_of(exercises[name].picture)]
        by_exercise.setdefault(name, {})[key] = changes(opened, view)
    return by_exercise


def _settings(picture: Picture) -> Iterator[tuple[str, Any]]:
    """Yield all that the controls of ``picture`` can be set to, with what a link carries for their values."""
    controls, opening = listed_controls(picture), picture.opening()
    for values in product(*(control.values for control in controls)):
        pairs = [*zip(controls, values, strict=True)]
        key = " ".join(control.parameter.write(value) for control, value in pairs)
        yield key, replace(opening, **{control.name: value for control, value in pairs})


def _key_of(picture: Picture | None) -> str:
    """Return what a link carries for the values that ``picture`` opens with."""
    return " ".join(control["opens_at"] for control in _described_controls(picture))


def _described_controls(picture: Picture | None) -> list[dict[str, Any]]:
    opening = picture.opening() if picture else None
    old = old_names("read_along")
    return [
        {
            "key": control.parameter.key,
            "old_keys": [old[control.parameter.key]] if control.parameter.key in old else [],
            "kind": control.kind,
            "label": control.label,
            "allowed": control.parameter.allowed.removesuffix("."),
            "opens_at": control.parameter.write(getattr(opening, control.name)),
            "values": [control.parameter.write(value) for value in control.values],
            "labels": [control.label_of(value) for value in control.values],
        }
        for control in (listed_controls(picture) if picture else ())
    ]


def _path(
    chapters: Mapping[str, str], stops: Sequence[tuple[Stop | LabStep, str, Mapping[str, str]]], pages: Sequence[str]
) -> dict[str, Any]:
    """Return ``stops``, each with its chapter and its words, under the titles of their ``chapters``."""
    views = []
    for stop, _, beside in stops:
        view = _view(stop, stop.picture.opening() if stop.picture else None)
        views.append(replace(view, prose={**beside, **view.prose}))
    # All at once: formulas are drawn by a process.
    html = html_of(
        {f"{place} {name}": words for place, view in enumerate(views) for name, words in view.prose.items()}, pages
    )
    return {
        "chapters": chapters,
        "stops": [
            {
                "chapter": chapter,
                "title": stop.words["title"],
                "controls": _described_controls(stop.picture),
                "takes_text": _takes_text(stop.picture),
                **view.data,
                "html": {name: html[f"{place} {name}"] for name in view.prose},
            }
            for place, ((stop, chapter, _), view) in enumerate(zip(stops, views, strict=True))
        ],
    }


def _takes_text(picture: Picture | None) -> bool:
    return picture is not None and any(not control.values for control in picture.controls(picture.opening()))


def _stop(number: int, stop: Stop, pages: Sequence[str]) -> tuple[Stop, str, dict[str, str]]:
    """Return a stop, its chapter, and the words beside its picture as Markdown."""
    text = page_text("pages/start/read_along")
    terms = text["terms"].format(terms=" · ".join(map(term_link, stop.terms))) if stop.terms else ""
    parts = (stop.words["summary"], stop.words.get("formula", ""), terms)
    links = (f"[{label}]({address})" for address, label in stop.links if opens_same_view(address, pages))
    prose = {
        "where": where(number, stop),
        "words": "\n\n".join(filter(None, parts)),
        "links": "\n".join(f"- {link}" for link in links),
    }
    return stop, stop.paper, prose


def _step(lab: Lab, step: LabStep, pages: Sequence[str]) -> tuple[LabStep, str, dict[str, str]]:
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
        if opens_same_view(step.address, pages)
        else page_text("site/site")["view in the app"].format(view=step.words["link"]),
    }
    return step, lab.id, prose | ({"good answer": good} if good else {})


def _as_list(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _view(stop: Exercise, settings: Any) -> _View:
    """Return what ``stop`` shows of ``settings``, with the words under its picture and about an answer."""
    text = page_text("pages/start/read_along")
    shown = stop.picture.show(settings) if stop.picture else PictureContent(())
    prose = {"below": "\n\n".join(filter(None, (shown.note, shown.words)))}
    answer = stop.question(settings) if stop.question else None
    if answer:
        hint, reason = (safe(stop.words[part], answer) for part in ("hint", "reason"))
        prose |= {
            "question": safe(stop.words["question"], answer),
            "hint": hint,
            "right": text["right"].format(reason=reason),
            "wrong once": text["wrong once"].format(given="{given}", hint=hint),
            "wrong": text["wrong"].format(given="{given}", reason=reason),
        }
        for place, line in enumerate(stop.words.lines("mistakes") if answer.mistakes else ()):
            prose[f"mistake {place}"] = text["wrong once"].format(given="{given}", hint=safe(line, answer))
    data = {
        "charts": [drawn(chart) for chart in shown.charts],
        "table": shown.table,
        "answer": answer and {name: getattr(answer, name) for name in ("right", "options", "within", "mistakes")},
    }
    return _View(data, prose)
