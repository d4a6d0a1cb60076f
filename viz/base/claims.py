"""Claims on the screen: sentences with computed numbers, shown only where they hold.

A topic's ``study`` has functions of shipped results or models that each return a `Claim`, and beside them
``COMPUTED_CLAIMS``, which names for each the words that it fills in. ``tests/shipped/test_claims.py`` goes through all.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from viz.base.words import listed, listed_apart

_COMMAS = ",、"

Titles = Mapping[str, Callable[[str], str]]
"""What makes the title of a thing from its name in the code, by the kind of thing."""


@dataclass(frozen=True)
class Names:
    """Things of one ``kind`` by their names in the code, where the sentence has their titles."""

    kind: str
    names: tuple[str, ...]

    def titled(self, titles: Titles) -> str:
        """Return the titles as a list within a sentence; the names themselves for a kind without titles.

        Where a title has a comma of its own, semicolons stand between them.
        """
        parts = [*map(titles.get(self.kind, str), self.names)]
        has_comma = any(comma in part for part in parts for comma in _COMMAS)
        return listed_apart(parts) if has_comma else listed(parts)


@dataclass(frozen=True)
class Claim:
    """The result behind a sentence: whether it ``holds``, and the ``values`` of the fields in its words."""

    holds: bool
    values: Mapping[str, object] = field(default_factory=dict)

    def sentence(self, text: Mapping[str, str], key: str, titles: Titles | None = None) -> str:
        """Return the words of the claim: ``## key`` of ``text`` where it holds, else ``## key otherwise``.

        Empty where ``text`` has no such section.

        `Names` among the values are read as ``titles`` have them.

        Raises:
            KeyError: the words have a field that the claim has no value for.
        """
        words = text[key] if self.holds else text.get(f"{key} otherwise", "")
        return words.format(
            **{
                name: value.titled(titles or {}) if isinstance(value, Names) else value
                for name, value in self.values.items()
            }
        )


Claims = Mapping[tuple[str, str], Callable[..., Claim] | tuple[Callable[..., Claim], ...]]
"""What computes each claim, by the words that it fills in: the name of a file for ``page_text``, and a heading.

Words that are read for several things, such as needs, have a function for each. A function's arguments are what it is
computed from, each under the name of a fixture of the tests; those with a default, as ``partial`` gives them, stay.
"""
