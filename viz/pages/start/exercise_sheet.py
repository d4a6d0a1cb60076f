"""All questions of the reading path as one HTML page to print, with the answers on a page of their own."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path

from viz.base.words import listed, page_text
from viz.pages.start.stops import Answer, Numbers, Stop

TEXT = page_text("pages/start/exercise_sheet")
_PAPERS = page_text("pages/start/read_along")
_STYLE = Path(__file__).with_name("exercise_sheet.css")


@dataclass(frozen=True)
class _Exercise:
    heading: str
    question: str
    address: str
    given: str
    numbers: str
    options: str
    reason: str


def exercise_sheet(stops: Iterable[Stop], page: str) -> str:
    """Return the questions of ``stops`` and, on the last page, their answers, all as the app opens.

    What a question needs of its picture is printed in words, or as a table of its numbers. ``page`` is the address of
    the page of the stops, to which each question leads.
    """
    answers_by_stop = [
        (place, stop, stop.question.answer(stop.picture.opening() if stop.picture else None))
        for place, stop in enumerate(stops, start=1)
        if stop.question
    ]
    exercises = [_exercise(number, page, *asked) for number, asked in enumerate(answers_by_stop, start=1)]
    title = escape(TEXT["title"])
    questions = "".join(_question(exercise) for exercise in exercises)
    answers = "".join(f"<li><h3>{escape(one.heading)}</h3><p>{escape(one.reason)}</p></li>" for one in exercises)
    return (
        f'<!doctype html><html lang="{TEXT["language"]}"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE.read_text(encoding='utf-8')}</style></head><body><main><h1>{title}</h1>"
        f'<p class="name">{escape(TEXT["name"])}</p><p>{escape(TEXT["how"])}</p><ol>{questions}</ol>'
        f'<section class="answers"><h2>{escape(TEXT["answers"])}</h2><ol>{answers}</ol></section></main></body></html>'
    )


def filled(text: str, answer: Answer) -> str:
    """Return the words ``text`` with the values of ``answer`` in them."""
    right = answer.right if isinstance(answer.right, str) else f"{answer.right:,.4g}"
    whole = isinstance(answer.right, int) or (isinstance(answer.right, float) and answer.right.is_integer())
    return text.format(**answer.values, right=f"{answer.right:,.0f}" if whole else right)


def _exercise(number: int, page: str, place: int, stop: Stop, answer: Answer) -> _Exercise:
    words = stop.words
    heading = TEXT["exercise"].format(
        number=number, title=words["title"], stop=place, paper=_PAPERS[f"paper {stop.paper}"], section=stop.section
    )
    given = TEXT["given"].format(given=filled(words["given"], answer)) if "given" in words else ""
    options = TEXT["options"].format(options=listed(answer.options)) if answer.options else ""
    return _Exercise(
        heading,
        filled(words["question"], answer),
        f"{page}?stop={place}",
        given,
        _table(answer.numbers) if answer.numbers else "",
        options,
        filled(words["reason"], answer),
    )


def _table(numbers: Numbers) -> str:
    def row(name: str, cells: Iterable[str]) -> str:
        return f"<tr><th>{escape(name)}</th>{''.join(cells)}</tr>"

    head = row("", (f"<th>{escape(column)}</th>" for column in numbers.columns))
    body = (
        row(name, (f"<td>{'–' if math.isnan(value) else f'{value:.2f}'}</td>" for value in values))
        for name, values in numbers.rows.items()
    )
    return f"<table><thead>{head}</thead><tbody>{''.join(body)}</tbody></table>"


def _question(exercise: _Exercise) -> str:
    given, options = (f"<p>{escape(text)}</p>" if text else "" for text in (exercise.given, exercise.options))
    address = escape(exercise.address)
    return (
        f'<li><h2>{escape(exercise.heading)}</h2><div class="stop"><a href="{address}">{address}</a></div>'
        f"<p>{escape(exercise.question)}</p>{given}{exercise.numbers}{options}"
        f'<p class="line">{escape(TEXT["answer"])}</p></li>'
    )
