"""Training pairs of Japanese in which nouns are ever other ones, so that a verb is learned apart from who does what.

A verb that is not frequent is seen with few nouns: in 60,000 sentences ten chase, and it is mostly a dog that does.
Where a noun and its translation stand once on either side, another noun and its own can stand there as well; Japanese
nouns have no forms that would have to change with them. After Fadaee et al. 2017 (Data Augmentation for Low-Resource
Neural Machine Translation), who exchange frequent words for rare ones that a language model finds likely.
"""

import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from model.data.loading import Pair
from model.training.japanese import HIRAGANA, IDEOGRAPHS, KATAKANA

# Japanese puts no spaces, but mostly writes a noun in one script, and what follows it in another one.
_WORD = re.compile(f"[{IDEOGRAPHS}]+|[{HIRAGANA}]+|[{KATAKANA}]+|[A-Za-z]+(?:'[a-z]+)?")
_JAPANESE = re.compile(f"[{IDEOGRAPHS}{KATAKANA}]")
# The particles ga, wo and ha, which stand behind a subject, an object or a topic; and those that end no verb.
_PARTICLES = ("\u304c", "\u3092", "\u306f")
_NO_VERB = "".join(_PARTICLES) + "\u306b\u3067\u306e\u3068\u3078\u3082\u3084"
# How a verb begins; what comes later are its forms.
_VERB = re.compile(f"[{IDEOGRAPHS}]+(?![{_NO_VERB}])[{HIRAGANA}]{{1,3}}")
# What stands before a noun. Some verbs and adjectives are nouns in Japanese: to drive, ready, popular.
_DETERMINERS = ("the", "a", "an", "this", "that", "some", "my", "your", "his", "her", "our", "their", "of")
_EDGE = ""

_FEWEST = 5
_N_COMMON = 100
_N_ALIKE = 12
_RARE = 20
_AGAIN = 3


@dataclass(frozen=True)
class Noun:
    """A noun in both languages."""

    english: str
    japanese: str


class NounExchange:
    """Sentence pairs whose nouns can be exchanged for others that stand in like places, or for one another.

    Args:
        pairs: of Japanese and English, in either order, to learn the nouns from. Those of other languages may stand
            among them.
        share: of the pairs with such a noun, how many are varied.
    """

    def __init__(self, pairs: Sequence[Pair], share: float) -> None:
        """Find the nouns of ``pairs``, and which of them are alike."""
        self._share = share
        self._alike = _alike(find_nouns(pairs), pairs)
        self._nouns = {noun.english: noun for noun, alike in self._alike.items() if alike}
        self._n_with_verb = Counter(verb for pair in pairs for verb in _verbs(pair))

    def varied(self, pairs: Iterable[Pair], seed: int) -> list[Pair]:
        """Return ``pairs`` in their order, some of them with other nouns; ``seed`` decides which, and by what.

        After them come those with a rare verb again, three times, with other nouns if they have any to exchange.
        """
        chance = random.Random(f"nouns {seed}")
        varied: list[Pair] = []
        again: list[Pair] = []
        for pair in pairs:
            nouns = self._exchangeable(pair)
            is_varied = nouns and chance.random() < self._share
            varied.append(self._exchange(pair, nouns, chance) if is_varied else pair)
            if nouns and any(self._n_with_verb[verb] <= _RARE for verb in _verbs(pair)):
                again += [self._exchange(pair, nouns, chance) for _ in range(_AGAIN)]
        return varied + again

    def _exchangeable(self, pair: Pair) -> list[Noun]:
        source, target = _WORD.findall(pair.source), _WORD.findall(pair.target)
        found = [self._nouns[word] for word in (*source, *target) if word in self._nouns]
        n_found = Counter(noun.japanese for noun in found)
        return [noun for noun in found if n_found[noun.japanese] == 1 and _stands_once(noun, source, target)]

    def _exchange(self, pair: Pair, nouns: Sequence[Noun], chance: random.Random) -> Pair:
        others = [chance.choice(self._alike[noun]) for noun in nouns]
        # Of two that are alike, either can do to the other what the other does to it.
        if len(nouns) == 2 and nouns[0] in self._alike[nouns[1]] and chance.random() < 0.5:
            others = [nouns[1], nouns[0]]
        words: dict[str, str] = {}
        for noun, other in zip(nouns, others, strict=True):
            words |= {noun.english: other.english, noun.japanese: other.japanese}
        return Pair(_exchanged(pair.source, words), _exchanged(pair.target, words))


def find_nouns(pairs: Sequence[Pair]) -> list[Noun]:
    """Return the nouns that ``pairs`` nearly always translate by one another, and the English ones' plurals.

    Japanese words count as nouns that are often followed by the particle of a subject, an object or a topic.
    """
    together: dict[str, Counter[str]] = defaultdict(Counter)
    n_english: Counter[str] = Counter()
    n_japanese: Counter[str] = Counter()
    n_marked: Counter[str] = Counter()
    for pair in pairs:
        words = [*_WORD.findall(pair.source), _EDGE, *_WORD.findall(pair.target), _EDGE]
        # In order, since ties are decided by who came first, and a set's order is another one in every process.
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
        # A sixth of all marked: nouns of time, and adjectives that are like nouns, never are.
        if n_marked[japanese_word] < n_japanese[japanese_word] / 6:
            continue
        (english_word, n), *others = [*Counter(_without(with_it, common)).most_common(2), (_EDGE, 0)]
        is_mutual = n >= 0.6 * n_japanese[japanese_word] and n >= 0.5 * n_english[english_word]
        if n >= _FEWEST and is_mutual and others[0][1] <= 0.6 * n:
            best[english_word] = max(best.get(english_word, (0, _EDGE)), (n, japanese_word))
    nouns = [Noun(english_word, japanese_word) for english_word, (_, japanese_word) in sorted(best.items())]
    plurals = (Noun(_plural(noun.english), noun.japanese) for noun in nouns)
    return nouns + [noun for noun in plurals if noun.english not in best and _often(noun, together)]


def _plural(english: str) -> str:
    if english.endswith(("s", "x", "ch", "sh")):
        return f"{english}es"
    return f"{english[:-1]}ies" if english.endswith("y") and english[-2] not in "aeiou" else f"{english}s"


def _often(noun: Noun, together: Mapping[str, Counter[str]]) -> bool:
    return together[noun.japanese][noun.english] >= _FEWEST


def _verbs(pair: Pair) -> set[str]:
    return {verb for side in (pair.source, pair.target) for verb in _VERB.findall(side)}


def _without(counts: Mapping[str, int], words: set[str]) -> dict[str, int]:
    return {word: n for word, n in counts.items() if word not in words}


def _stands_once(noun: Noun, source: Sequence[str], target: Sequence[str]) -> bool:
    in_english, in_japanese = (source, target) if noun.english in source else (target, source)
    return in_english.count(noun.english) == in_japanese.count(noun.japanese) == 1


def _exchanged(text: str, words: Mapping[str, str]) -> str:
    return _WORD.sub(lambda found: words.get(found[0], found[0]), text)


def _alike(nouns: Sequence[Noun], pairs: Sequence[Pair]) -> dict[Noun, list[Noun]]:
    """Return for each noun those that take the same article and number and have the most alike neighbours."""
    neighbours = _neighbours({word for noun in nouns for word in (noun.english, noun.japanese)}, pairs)
    groups: dict[tuple[bool, str], list[Noun]] = defaultdict(list)
    for noun in nouns:
        before = neighbours[noun.english]
        if sum(before[f"<{word}"] for word in _DETERMINERS) >= before.total() / 10:
            groups[_form(noun.english, before)].append(noun)
    return {noun: _nearest(noun, group, neighbours) for group in groups.values() for noun in group}


def _nearest(noun: Noun, group: Sequence[Noun], neighbours: Mapping[str, Counter[str]]) -> list[Noun]:
    def likeness(other: Noun) -> float:
        sides = ((noun.english, other.english), (noun.japanese, other.japanese))
        return sum(_cosine(neighbours[one], neighbours[another]) for one, another in sides)

    return sorted((other for other in group if other != noun), key=likeness, reverse=True)[:_N_ALIKE]


def _neighbours(words: set[str], pairs: Sequence[Pair]) -> dict[str, Counter[str]]:
    """Return for each of ``words`` how often each word stands before it ("<the") and behind it (">is")."""
    found: dict[str, Counter[str]] = {word: Counter() for word in words}
    for text in _texts(pairs):
        around = [_EDGE, *_WORD.findall(text), _EDGE]
        for before, word, after in zip(around, around[1:], around[2:], strict=False):
            if word in found:
                found[word].update((f"<{before.lower()}", f">{after.lower()}"))
    return found


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
    """Return the cosine of the square roots of the counts, which the most frequent neighbours lead less."""
    shared = sum(math.sqrt(n * other[word]) for word, n in one.items() if word in other)
    return shared / math.sqrt(one.total() * other.total())
