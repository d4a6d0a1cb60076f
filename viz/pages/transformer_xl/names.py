"""Labels of the language models, each with a fixed style in every figure."""

from collections.abc import Iterable

from viz.base.words import page_text

# The order of the words is that of the looks.
_NAMES = page_text("pages/transformer_xl/names")


def model_title(name: str) -> str:
    """Return what the model ``name`` is called; its own name where it has no other."""
    return _NAMES.get(name, name)


def model_number(name: str) -> int:
    """Return the place of the model ``name`` in the fixed order of looks."""
    known = list(_NAMES)
    return known.index(name) if name in known else len(known)


def in_order(names: Iterable[str]) -> list[str]:
    """Return ``names`` in the order of their looks, others behind by the alphabet."""
    return sorted(names, key=lambda name: (model_number(name), name))
