"""Swap nouns between Japanese pairs.

So a model learns verbs apart from the nouns that they are mostly seen with. A rare verb is seen with few nouns: ten of
60,000 sentences have "chase", and mostly a dog does it. Where a noun and its translation stand once on each side,
another noun and its translation can take their places; Japanese nouns have no inflections that would have to follow.
After Fadaee et al. 2017 (Data Augmentation for Low-Resource Neural Machine Translation), who replace frequent words by
rare ones that a language model finds likely.
"""

import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from model.data.loading import Pair
from model.text.scripts import HIRAGANA, IDEOGRAPHS, KATAKANA

# Japanese puts no spaces, but mostly writes a noun in one script and what follows it in another one.
_WORD = re.compile(f"[{IDEOGRAPHS}]+|[{HIRAGANA}]+|[{KATAKANA}]+|[A-Za-z]+(?:'[a-z]+)?")
_JAPANESE = re.compile(f"[{IDEOGRAPHS}{KATAKANA}]")
# The particles ga, wo and ha, which follow a subject, an object or a topic; and those that end no verb.
_PARTICLES = ("\u304c", "\u3092", "\u306f")
_NO_VERB = "".join(_PARTICLES) + "\u306b\u3067\u306e\u3068\u3078\u3082\u3084"
# The beginning of a verb; its inflections come later.
_VERB = re.compile(f"[{IDEOGRAPHS}]+(?![{_NO_VERB}])[{HIRAGANA}]{{1,3}}")
# Words before a noun: some English verbs and adjectives are nouns in Japanese, such as "drive" and "popular".
_DETERMINERS = ("the", "a", "an", "this", "that", "some", "my", "your", "his", "her", "our", "their", "of")
_EDGE = ""

_MIN_PAIRS = 5
_N_COMMON = 100
_MAX_SIMILAR = 12
_MAX_RARE = 20
_N_RARE_REPEATS = 3


@dataclass(frozen=True)
class Noun:
    """A noun in both languages."""

    english: str
    japanese: str


class NounSwap:
    """Replaces nouns of sentence pairs by others that stand in similar places, or swaps two of one pair.

    Args:
        pairs: pairs of Japanese and English, in either order, in which to find nouns. Pairs of other languages may be
            among them.
        share: share of the pairs with such a noun that are varied.
    """

    def __init__(self, pairs: Sequence[Pair], share: float) -> None:
        """Find the nouns of ``pairs``, and which of them are similar."""
        self._share = share
        self._similar = _similar_nouns(find_nouns(pairs), pairs)
        self._nouns = {noun.english: noun for noun, similar in self._similar.items() if similar}
        self._n_with_verb = Counter(verb for pair in pairs for verb in _verbs(pair))

    def varied(self, pairs: Iterable[Pair], seed: int) -> list[Pair]:
        """Return ``pairs`` in their order, some with other nouns.

        ``seed`` decides which pairs and which nouns. Those with a rare verb and a noun follow three more
        times with other nouns.
        """
        rng = random.Random(f"nouns {seed}")
        varied: list[Pair] = []
        repeats: list[Pair] = []
        for pair in pairs:
            nouns = self._swappable(pair)
            is_varied = nouns and rng.random() < self._share
            varied.append(self._replace_nouns(pair, nouns, rng) if is_varied else pair)
            if nouns and any(self._n_with_verb[verb] <= _MAX_RARE for verb in _verbs(pair)):
                repeats += [self._replace_nouns(pair, nouns, rng) for _ in range(_N_RARE_REPEATS)]
        return varied + repeats

    def _swappable(self, pair: Pair) -> list[Noun]:
        source, target = _WORD.findall(pair.source), _WORD.findall(pair.target)
        nouns = [self._nouns[word] for word in (*source, *target) if word in self._nouns]
        n_nouns = Counter(noun.japanese for noun in nouns)
        return [noun for noun in nouns if n_nouns[noun.japanese] == 1 and _stands_once(noun, source, target)]

    def _replace_nouns(self, pair: Pair, nouns: Sequence[Noun], rng: random.Random) -> Pair:
        others = [rng.choice(self._similar[noun]) for noun in nouns]
        # Two similar nouns can change places: either can do to the other what the other does to it.
        if len(nouns) == 2 and nouns[0] in self._similar[nouns[1]] and rng.random() < 0.5:
            others = [nouns[1], nouns[0]]
        words: dict[str, str] = {}
        for noun, other in zip(nouns, others, strict=True):
            words |= {noun.english: other.english, noun.japanese: other.japanese}
        return Pair(_read(pair.source, words), _read(pair.target, words))


def find_nouns(pairs: Sequence[Pair]) -> list[Noun]:
    """Return the nouns that ``pairs`` nearly always translate by each other, and their English plurals.

    A Japanese word counts as a noun if the particle of a subject, an object or a topic often follows it.
    """
    together: dict[str, Counter[str]] = defaultdict(Counter)
    n_english: Counter[str] = Counter()
    n_japanese: Counter[str] = Counter()
    n_marked: Counter[str] = Counter()
    for pair in pairs:
        words = [*_WORD.findall(pair.source), _EDGE, *_WORD.findall(pair.target), _EDGE]
        # Sorted: the first of equals wins, and the order of a set differs between processes.
        japanese = sorted({word for word in words if _JAPANESE.match(word)})
        english = sorted({word for word in words if len(word) > 1 and word.isascii() and word.islower()})
        n_english.update(english)
        n_japanese.update(japanese)
        n_marked.update({word for word, after in pairwise(words) if after.startswith(_PARTICLES)})
        for word in japanese:
            together[word].update(english)
    common = {word for word, _ in n_english.most_common(_N_COMMON)}
    best: dict[str, tuple[int, str]] = {}
    for japanese_word, with_it in together.items():
        # Nouns of time, and adjectives like nouns, are marked by a particle less often than one time in six.
        if n_marked[japanese_word] < n_japanese[japanese_word] / 6:
            continue
        (english_word, n), *others = [*Counter(_without(with_it, common)).most_common(2), (_EDGE, 0)]
        is_mutual = n >= 0.6 * n_japanese[japanese_word] and n >= 0.5 * n_english[english_word]
        if n >= _MIN_PAIRS and is_mutual and others[0][1] <= 0.6 * n:
            best[english_word] = max(best.get(english_word, (0, _EDGE)), (n, japanese_word))
    nouns = [Noun(english_word, japanese_word) for english_word, (_, japanese_word) in sorted(best.items())]
    plurals = (Noun(_plural(noun.english), noun.japanese) for noun in nouns)
    return nouns + [noun for noun in plurals if noun.english not in best and _is_frequent(noun, together)]


def _plural(english: str) -> str:
    if english.endswith(("s", "x", "ch", "sh")):
        return f"{english}es"
    return f"{english[:-1]}ies" if english.endswith("y") and english[-2] not in "aeiou" else f"{english}s"


def _is_frequent(noun: Noun, together: Mapping[str, Counter[str]]) -> bool:
    return together[noun.japanese][noun.english] >= _MIN_PAIRS


def _verbs(pair: Pair) -> set[str]:
    return {verb for side in (pair.source, pair.target) for verb in _VERB.findall(side)}


def _without(counts: Mapping[str, int], words: set[str]) -> dict[str, int]:
    return {word: n for word, n in counts.items() if word not in words}


def _stands_once(noun: Noun, source: Sequence[str], target: Sequence[str]) -> bool:
    in_english, in_japanese = (source, target) if noun.english in source else (target, source)
    return in_english.count(noun.english) == in_japanese.count(noun.japanese) == 1


def _read(text: str, words: Mapping[str, str]) -> str:
    return _WORD.sub(lambda match: words.get(match[0], match[0]), text)


def _similar_nouns(nouns: Sequence[Noun], pairs: Sequence[Pair]) -> dict[Noun, list[Noun]]:
    """Return for each noun those of the same article and number with the most similar neighbours."""
    neighbours = _neighbours({word for noun in nouns for word in (noun.english, noun.japanese)}, pairs)
    groups: dict[tuple[bool, str], list[Noun]] = defaultdict(list)
    for noun in nouns:
        before = neighbours[noun.english]
        if sum(before[f"<{word}"] for word in _DETERMINERS) >= before.total() / 10:
            groups[_form(noun.english, before)].append(noun)
    return {noun: _nearest(noun, group, neighbours) for group in groups.values() for noun in group}


def _nearest(noun: Noun, group: Sequence[Noun], neighbours: Mapping[str, Counter[str]]) -> list[Noun]:
    def similarity(other: Noun) -> float:
        sides = ((noun.english, other.english), (noun.japanese, other.japanese))
        return sum(_cosine(neighbours[word], neighbours[of_other]) for word, of_other in sides)

    return sorted((other for other in group if other != noun), key=similarity, reverse=True)[:_MAX_SIMILAR]


def _neighbours(words: set[str], pairs: Sequence[Pair]) -> dict[str, Counter[str]]:
    """Return for each of ``words`` how often each word stands before it ("<the") and after it (">is")."""
    neighbours: dict[str, Counter[str]] = {word: Counter() for word in words}
    for text in _texts(pairs):
        around = [_EDGE, *_WORD.findall(text), _EDGE]
        for before, word, after in zip(around, around[1:], around[2:], strict=False):
            if word in neighbours:
                neighbours[word].update((f"<{before.lower()}", f">{after.lower()}"))
    return neighbours


def _texts(pairs: Iterable[Pair]) -> Iterator[str]:
    for pair in pairs:
        yield pair.source
        yield pair.target


def _form(word: str, neighbours: Counter[str]) -> tuple[bool, str]:
    """Return whether ``word`` looks like a plural, and which indefinite article it takes."""
    is_plural = word.endswith("s") and not word.endswith("ss")
    articles = [article for article in ("an", "a") if neighbours[f"<{article}"] > neighbours.total() / 40]
    return is_plural, articles[0] if articles else ""


def _cosine(one: Counter[str], other: Counter[str]) -> float:
    """Return the cosine of the square roots of the counts: the most frequent neighbours weigh less."""
    shared = sum(math.sqrt(n * other[word]) for word, n in one.items() if word in other)
    return shared / math.sqrt(one.total() * other.total())
