"""Words and short phrases with their translations, taken out of sentence pairs.

People type "Dog" first of all. A phrase pair is what Koehn et al. 2003 (Statistical Phrase-Based Translation, §3)
extract: words side by side, linked among each other and to no word outside. The commonest translation of a phrase is
kept.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from model.data.loading import Pair
from model.training.translation.initials import Initials, capitalize
from model.training.translation.word_alignment import Links, align

MAX_WORDS = 4
MIN_COUNT = 4
"""A phrase with its translation stands in so many pairs at least, and in …"""
MIN_SHARE = 0.35
"""… so large a share of those with the phrase."""
ENDINGS = ("en", "er", "es", "em", "e", "s")
"""Endings of inflected words; a lone "n" is none, because it makes the infinitive of a German verb."""
MIN_STEM, MIN_STEM_SHARE = 3, 0.1
"""How long a word without its ending is at least, and how common beside the inflected one."""

_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*['\u2019]?")
_MARKED = 0.15


class Phrases:
    """The phrases of ``pairs``.

    Args:
        pairs: sentence pairs of languages that put spaces between words.
        share: how many phrases an epoch has, as a share of all pairs.
    """

    def __init__(self, pairs: Sequence[Pair], share: float) -> None:
        """Align the words of all pairs, and count what translates what."""
        phrases = phrases_of(pairs)
        words = [pair for pair in phrases if " " not in pair.source]
        self._n = round(share * len(pairs))
        self._kinds = [kind for kind in (words, [pair for pair in phrases if " " in pair.source]) if kind]

    def made(self, seed: int) -> list[Pair]:
        """Return the phrases of an epoch, half of them words.

        They are as they stand or with a capital, some with a full stop.
        """
        rng = random.Random(f"phrases {seed}")
        return [_as_typed(rng.choice(rng.choice(self._kinds)), rng) for _ in range(self._n)] if self._kinds else []


def phrases_of(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the phrases of ``pairs``, each once, written as inside a sentence."""
    sources, targets = [pair.source for pair in pairs], [pair.target for pair in pairs]
    sources, targets = list(map(Initials(sources).lower, sources)), list(map(Initials(targets).lower, targets))
    looking_ahead = [
        (source, target, i, j)
        for source, target in zip(sources, targets, strict=True)
        if (i := list(_WORD.finditer(source))) and (j := list(_WORD.finditer(target)))
    ]
    links = align(*([[match[0] for match in texts[side]] for texts in looking_ahead] for side in (2, 3)))
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for (source, target, i, j), linked in zip(looking_ahead, links, strict=True):
        for (first, last), (start, stop) in _spans(linked, len(i)):
            phrase, translation = source[i[first].start() : i[last].end()], target[j[start].start() : j[stop].end()]
            if not any(map(_is_broken, (phrase, translation))):
                counts[phrase][translation] += 1
    kept = []
    for phrase, translations in sorted(counts.items()):
        translation, n = _without_endings(translations).most_common(1)[0]
        if n >= MIN_COUNT and n >= MIN_SHARE * translations.total():
            kept.append(Pair(phrase, translation))
    return kept


def _without_endings(translations: Counter[str]) -> Counter[str]:
    """Return the counts of ``translations`` with those of inflected words added to the word's plain form.

    A plain form is one of them that begins the inflected one, and is not much rarer: "groß" of "großen".
    """
    counts: Counter[str] = Counter()
    for word, n in translations.items():
        stems = (word.removesuffix(ending) for ending in ENDINGS)
        plain = (stem for stem in stems if len(stem) >= MIN_STEM and translations[stem] > MIN_STEM_SHARE * n)
        counts[next(plain, word)] += n
    return counts


def _spans(links: Links, n_source: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the first and last place of source and target of each phrase whose outermost words are linked."""
    for first in range(n_source):
        for last in range(first, min(first + MAX_WORDS, n_source)):
            inside = [(i, j) for i, j in links if first <= i <= last]
            if not {first, last} <= {i for i, _ in inside}:
                continue
            start, stop = min(j for _, j in inside), max(j for _, j in inside)
            # Unlinked words of the target may stand between, but no more than there are words in the source.
            if stop - start < MAX_WORDS and all(first <= i <= last for i, j in links if start <= j <= stop):
                yield (first, last), (start, stop)


def _is_broken(phrase: str) -> bool:
    """Tell whether a mark stands between the words of ``phrase``."""
    return any(not character.isalnum() and character not in " '\u2019-" for character in phrase)


def _as_typed(pair: Pair, rng: random.Random) -> Pair:
    if rng.random() < 0.5:
        pair = Pair(capitalize(pair.source), capitalize(pair.target))
    return Pair(f"{pair.source}.", f"{pair.target}.") if rng.random() < _MARKED else pair
