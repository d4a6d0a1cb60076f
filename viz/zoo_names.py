"""What the encodings and tasks of the zoo are called on the screen, and how an encoding looks in every picture."""

from collections.abc import Iterable

from model.tasks import find
from model.training.zoo.plan import ENCODINGS
from viz.colours import DASHES, OKABE_ITO
from viz.text import page_text

TEXT = page_text("zoo_names")


def encoding_title(name: str) -> str:
    """Return the title of the encoding ``name``; one that the zoo no longer plans keeps its name."""
    return TEXT.get(name, name)


def task_title(name: str) -> str:
    """Return the title of the task ``name``."""
    return find(name).description.title


def in_order(encodings: Iterable[str], first: Iterable[str] = ()) -> tuple[str, ...]:
    """Return ``encodings``: those of ``first`` in its order, then the others in the plan's."""
    found = set(encodings)
    order = dict.fromkeys((*first, *ENCODINGS, *sorted(found)))
    return tuple(name for name in order if name in found)


def colour_of(encoding: str) -> str:
    """Return the colour that ``encoding`` has in every picture; the palette begins anew where it ends."""
    return OKABE_ITO[_place(encoding) % len(OKABE_ITO)]


def dash_of(encoding: str) -> str:
    """Return how the line of ``encoding`` is dashed in every picture; two of one colour differ in it."""
    return DASHES[_place(encoding) // len(OKABE_ITO) % len(DASHES)]


def _place(encoding: str) -> int:
    names = tuple(ENCODINGS)
    return names.index(encoding) if encoding in names else len(names)
