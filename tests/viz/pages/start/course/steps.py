"""The steps of the labs, and what their words are filled in with."""

from collections.abc import Mapping

from viz.pages.start.course.lab import LabStep, labs
from viz.pages.start.stops import Answer, Stop


def answer_of(step: LabStep | Stop) -> Answer:
    """Return the answer to the question of ``step``, of a lab or of *Read along*, as its page opens."""
    assert step.question
    return step.question(step.picture.opening() if step.picture else None)


def step_named(name: str) -> LabStep:
    """Return the step that its lab and its key name."""
    return next(step for lab in labs() for step in lab.steps if step.name == name)


def values_of(name: str) -> Mapping[str, object]:
    """Return what the words of a step are filled in with."""
    step = step_named(name)
    return {**step.facts(), **(answer_of(step).values if step.question else {})}


def number(shown: object) -> float:
    """Return the number that a field shows."""
    return float(str(shown).rstrip("%").replace(",", "").replace("\N{MINUS SIGN}", "-"))
