"""Join training pairs to longer sentences.

A model that has read only short ones leaves the end of a long one out. Kondo et al. 2021 (Sentence Concatenation
Approach to Data Augmentation for Neural Machine Translation) join two sentences by a separator; here the joint is one
that people write: a comma, a semicolon or a conjunction.
"""

import random
from collections.abc import Sequence

from model.data.loading import Pair
from model.training.translation.initials import Initials

CONJUNCTIONS = {"English": "and", "French": "et", "German": "und"}
"""The languages whose sentences can be joined, and the word that joins them."""

_COUNTS, _WEIGHTS = (2, 3, 4, 5), (4, 3, 2, 1)
_MARK = "."


class JoinedSentences:
    """Sentences of several pairs.

    Args:
        pairs: the pairs to join; those that do not end with a full stop on both sides are left out.
        share: how many joined sentences an epoch has, as a share of all pairs.
        languages: of source and target; keys of :data:`CONJUNCTIONS`.
    """

    def __init__(self, pairs: Sequence[Pair], share: float, languages: tuple[str, str]) -> None:
        """Find what can be joined, and which words keep their capital."""
        self._n = round(share * len(pairs))
        self._stated = [pair for pair in pairs if pair.source.endswith(_MARK) and pair.target.endswith(_MARK)]
        sides = ([pair.source for pair in pairs], [pair.target for pair in pairs])
        self._initials = tuple(Initials(side) for side in sides)
        joints = [f" {CONJUNCTIONS[language]} " for language in languages]
        self._joints = ((", ", ", "), ("; ", "; "), (joints[0], joints[1]), (f",{joints[0]}", f",{joints[1]}"))

    def made(self, seed: int) -> list[Pair]:
        """Return the joined sentences of an epoch; ``seed`` decides which."""
        rng = random.Random(f"joined {seed}")
        return [self._joined(rng) for _ in range(self._n)] if self._stated else []

    def _joined(self, rng: random.Random) -> Pair:
        pairs = rng.choices(self._stated, k=rng.choices(_COUNTS, _WEIGHTS)[0])
        source, target = pairs[0].source, pairs[0].target
        for pair in pairs[1:]:
            joint = rng.choice(self._joints)
            source, target = (
                written.removesuffix(_MARK) + joint[side] + self._initials[side].lower(added)
                for side, (written, added) in enumerate(((source, pair.source), (target, pair.target)))
            )
        return Pair(source, target)
