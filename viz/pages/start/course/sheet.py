"""A lab as one printable HTML page: the task of each step and lines for answers, without answers."""

from collections.abc import Iterable
from html import escape

from viz.base.words import page_text
from viz.pages.start.course.lab import Lab, LabStep
from viz.pages.start.exercise_sheet import printed, sheet_of

TEXT = page_text("pages/start/course/course")
# To write on what is not graded.
_LINES = '<p class="line"></p>' * 3


def lab_sheet(lab: Lab, number: int, page: str) -> str:
    """Return the sheet of ``lab`` with its ``number``; ``page`` is the address of the labs' page."""
    words, root = lab.words, page.rpartition("/")[0]
    steps = "".join(
        _step(
            root,
            f"{page.rpartition('/')[2]}?part=labs&lab={lab.id}&lab-step={n}",
            TEXT["sheet step"].format(number=n, title=step.words["title"], minutes=step.minutes),
            step,
        )
        for n, step in enumerate(lab.steps, start=1)
    )
    questions = "".join(
        printed(
            step,
            TEXT["question heading"].format(number=n, title=step.words["title"]),
            f"{page}?part=labs&lab={lab.id}&lab-step={lab.steps.index(step) + 1}",
        )[0]
        for n, step in enumerate(lab.asked, start=1)
    )
    body = (
        f"<h2>{escape(TEXT['goals'])}</h2>{_listed(words.lines('goals'))}"
        f"<h2>{escape(TEXT['steps'])}</h2><ol>{steps}</ol><ol>{questions}</ol>"
        f"<h2>{escape(TEXT['open question'])}</h2><p>{escape(words['open question'])}</p>{_LINES}"
        f"<h2>{escape(TEXT['sources'])}</h2>{_listed(words.lines('sources'))}"
    )
    return sheet_of(TEXT["sheet title"].format(number=number, title=words["title"]), body)


def _step(root: str, place: str, heading: str, step: LabStep) -> str:
    """Return an entry of a list, with the address of the lab's step.

    The address of the step's state is not printed, since it may reveal an answer.
    """
    lines = _LINES if step.good_answer else ""
    return (
        f'<li><h3>{escape(heading)}</h3><div class="stop"><a href="{escape(f"{root}/{step.address}")}">'
        f"{escape(step.words['link'])}</a>: {escape(place)}</div><p>{escape(step.text)}</p>{lines}</li>"
    )


def _listed(lines: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"
