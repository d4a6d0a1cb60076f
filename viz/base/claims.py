"""A claim on the screen: a sentence whose numbers are computed, and which is only shown where it holds.

A topic's ``study`` has functions of shipped results or models that each return a `Claim`, and beside them
``COMPUTED_CLAIMS``, which names for each the words that it fills in. ``tests/shipped/test_claims.py`` goes through all.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Claim:
    """What was computed for a sentence: whether it ``holds``, and the ``values`` of the fields in its words."""

    holds: bool
    values: Mapping[str, object] = field(default_factory=dict)

    def sentence(self, text: Mapping[str, str], key: str) -> str:
        """Return ``## key`` of ``text`` where the claim holds, else ``## key otherwise``; nothing where there is none.

        Raises:
            KeyError: the words have a field that the claim has no value for.
        """
        if self.holds:
            return text[key].format(**self.values)
        return text.get(f"{key} otherwise", "").format(**self.values)


Claims = Mapping[tuple[str, str], Callable[..., Claim]]
"""What computes each claim, by the words that it fills in: the name of a file for ``page_text``, and a heading.

A function's arguments are what it is computed from, each under the name of a fixture of the tests.
"""
