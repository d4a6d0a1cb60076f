"""The key of a lab for teachers, as Markdown, made by the functions that grade the answers."""

from collections.abc import Iterator

from viz.base.words import page_text
from viz.pages.start.asking import safe
from viz.pages.start.course.lab import Lab, LabStep
from viz.pages.start.exercise_sheet import answer_text
from viz.pages.start.stops import Question

TEXT = page_text("pages/start/course/course")


def key_of(lab: Lab) -> str:
    """Return the key of ``lab``: answers, likely mistakes, other good answers, and minutes per step."""
    parts = [f"# {TEXT['key title'].format(title=lab.words['title'])}", TEXT["key how"].format(minutes=lab.minutes)]
    for number, step in enumerate(lab.steps, start=1):
        title = TEXT["key step"].format(number=number, title=step.words["title"], minutes=step.minutes)
        parts += [f"## {title}", f"<{step.address}>"]
        if step.question:
            parts += _answer(step, step.question)
        elif step.good_answer:
            parts.append(_good(step.good_answer))
    parts += [f"## {TEXT['open question']}", lab.words["open question"], _good(lab.words["good answer"])]
    return "\n\n".join(parts) + "\n"


def _good(answer: str) -> str:
    return TEXT["key good"].format(answer=answer)


def _answer(step: LabStep, question: Question) -> Iterator[str]:
    answer = question(step.picture.opening() if step.picture else None)
    words = step.words
    yield safe(words["question"], answer)
    yield TEXT["key answer"].format(right=answer_text(answer.right), reason=safe(words["reason"], answer))
    if answer.within:
        yield TEXT["key within"].format(share=f"{answer.within:.0%}")
    yield TEXT["key hint"].format(hint=safe(words["hint"], answer))
    for response, mistake in zip(answer.mistakes, words.lines("mistakes"), strict=True):
        yield TEXT["key mistake"].format(given=answer_text(response), mistake=safe(mistake, answer))
