"""All questions of the reading path as one printable HTML page, with the answers on a separate page."""

import math
from collections.abc import Iterable
from html import escape
from pathlib import Path

from viz.base.languages import language
from viz.base.words import listed, page_text
from viz.pages.start.stops import Answer, Exercise, Numbers, Stop

TEXT = page_text("pages/start/exercise_sheet")
_PAPERS = page_text("pages/start/read_along")
_STYLE = Path(__file__).with_name("exercise_sheet.css")


def exercise_sheet(stops: Iterable[Stop], page: str) -> str:
    """Return the questions of ``stops`` and, on the last page, their answers, all as the app opens.

    What a question needs of its picture is printed in words, or as a table of its numbers. ``page`` is the address of
    the page of the stops, to which each question leads.
    """
    asked = [(place, stop) for place, stop in enumerate(stops, start=1) if stop.question]
    exercises = [
        printed(stop, _heading(number, place, stop), f"{page}?stop={place}")
        for number, (place, stop) in enumerate(asked, start=1)
    ]
    questions, answers = ("".join(entries) for entries in zip(*exercises, strict=True))
    return sheet_of(
        TEXT["title"],
        f"<p>{escape(TEXT['how'])}</p><ol>{questions}</ol>"
        f'<section class="answers"><h2>{escape(TEXT["answers"])}</h2><ol>{answers}</ol></section>',
    )


def sheet_of(title: str, body: str) -> str:
    """Return an HTML page to print, which stands alone: ``title``, a line for a name, and ``body``, HTML."""
    return (
        f'<!doctype html><html lang="{language()}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE.read_text(encoding='utf-8')}</style></head><body><main><h1>{escape(title)}</h1>"
        f'<p class="name">{escape(TEXT["name"])}</p>{body}</main></body></html>'
    )


def filled(text: str, answer: Answer) -> str:
    """Return the words ``text`` with the values of ``answer`` in them."""
    return text.format(**answer.values, right=answer_text(answer.right))


def answer_text(value: float | str) -> str:
    """Return an answer as it is written: a whole number in full, another one with four digits."""
    if isinstance(value, str):
        return value
    written = f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4g}"
    return written.replace("-", "\N{MINUS SIGN}")


def printed(exercise: Exercise, heading: str, address: str) -> tuple[str, str]:
    """Return the question of ``exercise`` as its picture opens, and the answer, as entries of lists.

    The question has what it needs of the picture, whose ``address`` it leads to, and a line to answer on.

    Raises:
        ValueError: it asks nothing.
    """
    if exercise.question is None:
        raise ValueError(f"{exercise.name} has no question")
    answer = exercise.question(exercise.picture.opening() if exercise.picture else None)
    words = exercise.words
    fact = TEXT["given"].format(given=filled(words["given"], answer)) if "given" in words else ""
    options = TEXT["options"].format(options=listed(answer.options)) if answer.options else ""
    facts = (_paragraph(fact), _table(answer.numbers) if answer.numbers else "", _paragraph(options))
    title, place = escape(heading), escape(address)
    question = (
        f'<li><h2>{title}</h2><div class="stop"><a href="{place}">{place}</a></div>'
        f"{_paragraph(filled(words['question'], answer))}{''.join(facts)}"
        f'<p class="line">{escape(TEXT["answer"])}</p></li>'
    )
    return question, f"<li><h3>{title}</h3>{_paragraph(filled(words['reason'], answer))}</li>"


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>" if text else ""


def _heading(number: int, place: int, stop: Stop) -> str:
    return TEXT["exercise"].format(
        number=number,
        title=stop.words["title"],
        stop=place,
        paper=_PAPERS[f"paper {stop.paper}"],
        section=stop.section,
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
