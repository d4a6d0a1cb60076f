"""The language models under the names that people read, each with a look that it keeps in every figure."""

from viz.colours import LineLook, line_look
from viz.text import page_text

# The order of the words is that of the looks.
_NAMES = page_text("xl_names")


def model_title(name: str) -> str:
    """Return what the model ``name`` is called; its own name where it has no other."""
    return _NAMES.get(name, name)


def model_look(name: str) -> LineLook:
    """Return how the line of the model ``name`` is drawn."""
    known = list(_NAMES)
    return line_look(known.index(name) if name in known else len(known))


def in_order(names: set[str]) -> list[str]:
    """Return ``names`` in the order of their looks, others behind by the alphabet."""
    known = list(_NAMES)
    return sorted(names, key=lambda name: (known.index(name) if name in known else len(known), name))
