"""All questions of the reading path as one HTML page to print, with the answers on a page of their own."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path

from viz.base.words import listed, page_text
from viz.pages.start.stops import Answer, Stop

TEXT = page_text("pages/start/exercise_sheet")
_PAPERS = page_text("pages/start/read_along")
_STYLE = Path(__file__).with_name("exercise_sheet.css")


@dataclass(frozen=True)
class _Exercise:
    heading: str
    question: str
    options: str
    reason: str


def exercise_sheet(stops: Iterable[Stop]) -> str:
    """Return the questions of ``stops`` and, on the last page, their answers, all as the app opens."""
    exercises = [
        _exercise(number, stop, stop.question.answer(stop.picture.opening() if stop.picture else None))
        for number, stop in enumerate(stops, start=1)
        if stop.question
    ]
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


def _exercise(number: int, stop: Stop, answer: Answer) -> _Exercise:
    words = stop.words
    heading = TEXT["exercise"].format(
        number=number, title=words["title"], paper=_PAPERS[f"paper {stop.paper}"], section=stop.section
    )
    options = TEXT["options"].format(options=listed(answer.options)) if answer.options else ""
    return _Exercise(heading, filled(words["question"], answer), options, filled(words["reason"], answer))


def _question(exercise: _Exercise) -> str:
    options = f"<p>{escape(exercise.options)}</p>" if exercise.options else ""
    return (
        f"<li><h2>{escape(exercise.heading)}</h2><p>{escape(exercise.question)}</p>{options}"
        f'<p class="line">{escape(TEXT["answer"])}</p></li>'
    )
