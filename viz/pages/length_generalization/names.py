"""Labels of the zoo's encodings, and an encoding's style in every picture."""

from collections.abc import Iterable

from model.zoo.plan import ENCODINGS
from viz.base.colours import LineLook, line_look
from viz.base.words import page_text
from viz.pages.length_generalization.study.pairs import pair_of
from viz.shared import encodings
from viz.shared.model_words import task_title

TEXT = page_text("pages/length_generalization/names")


def encoding_title(name: str) -> str:
    """Return the title of the encoding ``name``; one that the zoo no longer plans keeps its name."""
    return encodings.planned_title(name) if name in ENCODINGS else name


def pair_title(name: str) -> str:
    """Return the title of the pair ``name`` of a task and an encoding."""
    task, encoding = pair_of(name)
    return TEXT["pair"].format(task=task_title(task), encoding=encoding_title(encoding))


def in_order(encodings: Iterable[str], first: Iterable[str] = ()) -> tuple[str, ...]:
    """Return ``encodings``: those of ``first`` in its order, then the others in the plan's."""
    names = set(encodings)
    order = dict.fromkeys((*first, *ENCODINGS, *sorted(names)))
    return tuple(name for name in order if name in names)


def encoding_look(encoding: str) -> LineLook:
    """Return the colour and dashes that ``encoding`` has in every picture."""
    return encodings.encoding_look(ENCODINGS[encoding]) if encoding in ENCODINGS else line_look(len(ENCODINGS))
