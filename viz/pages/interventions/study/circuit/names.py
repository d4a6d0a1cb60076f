"""A reader's own names of the parts of a circuit, as a link carries them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from viz.base.link_parameters import LinkParameter, such_as

MOST_CHARACTERS = 40
"""Of one name."""
Named = tuple[tuple[str, str], ...]
"""Codes of parts, and what each is called."""

_MOST_NAMES = 60
_CODE = re.compile(r"[a-z]+\.\d+\.[a-z0-9]+\.\d+")


@dataclass(frozen=True)
class PartNames(LinkParameter[Named]):
    """Names by the codes of parts: ``cross.3.5.2 article|encoder.1.2.4 noun``."""

    def read(self, text: str) -> Named:
        """Return the names; raises ValueError where ``text`` is of another form."""
        pairs = [entry.partition(" ")[::2] for entry in text.split("|")]
        if len(pairs) > _MOST_NAMES or not all(_is_named(code, name) for code, name in pairs):
            raise ValueError(text)
        return tuple(dict(pairs).items())

    def write(self, value: Named) -> str:
        """Return ``value`` as a link carries it."""
        return "|".join(f"{code} {name}" for code, name in value)

    @property
    def allowed(self) -> str:
        """The form, by an example."""
        return such_as("cross.3.5.2 article|encoder.1.2.4 noun")


def renamed(names: Mapping[str, str], code: str, name: str) -> Named:
    """Return ``names`` with the part ``code`` called ``name``; an empty name removes its entry.

    Blanks are made one, and the sign that stands between names in a link becomes a slash.
    """
    others = {one: its for one, its in names.items() if one != code}
    own = " ".join(name.replace("|", "/").split())[:MOST_CHARACTERS]
    return (*others.items(), (code, own)) if own else tuple(others.items())


def _is_named(code: str, name: str) -> bool:
    return bool(_CODE.fullmatch(code)) and bool(name.strip()) and len(name) <= MOST_CHARACTERS
