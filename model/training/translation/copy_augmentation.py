"""Training pairs in which names, numbers and emoji are ever new ones, so that a model learns to hand them on.

A corpus of everyday sentences knows a few dozen names, and hardly a number above 100: what a model learns of it is to
write these, not to copy what it reads. Where a word stands on both sides, another one can stand there as well. Currey
et al. 2017 (Copied Monolingual Data Improves Low-Resource Neural Machine Translation) copy whole sentences to the same
end.
"""

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set

from model.data.loading import Pair
from model.training.japanese import HIRAGANA, IDEOGRAPHS, KATAKANA
from model.training.translation.drop_end_marks import END_MARKS
from model.training.translation.transliteration import SPELLED, find_transliterated

# Japanese puts no spaces: what it has in common with others stands between its own characters.
_COMMON = rf"[^\W{HIRAGANA}{KATAKANA}{IDEOGRAPHS}]+"
_WORD = re.compile(rf"{_COMMON}(?:[.:,@/-]{_COMMON})*|{SPELLED}")
# Its letters and digits as wide as its own characters are those of others, 0xFEE0 further on.
_USUAL_WIDTH = {code + 0xFEE0: code for code in range(0x21, 0x7F) if chr(code).isalnum()}
_DIGITS = "0123456789"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_START, _STOP = "^", "$"
_LONGEST_NAME = 14
_AGAIN = 10
_ENDINGS = ("com", "org", "net", "de", "fr", "io", "html", "pdf", "txt", "jpg")

# Emoji that are one character, and what makes others out of them.
_EMOJI = tuple(
    chr(code)
    for first, last in (
        (0x1F300, 0x1F320),
        (0x1F330, 0x1F37C),
        (0x1F400, 0x1F43E),
        (0x1F440, 0x1F4FC),
        (0x1F600, 0x1F64F),
    )
    for code in range(first, last + 1)
)
_OLD_EMOJI = "☀☁☂☃☕☘☝☺♥♨♻⚓⚠⚡⚽⚾⛄⛅⛔⛪⛵✂✅✈✉✊✋✌✨❄❌❓❤➡⭐"
_TONES = ("\U0001f3fb", "\U0001f3fc", "\U0001f3fd", "\U0001f3fe", "\U0001f3ff")
_PEOPLE = ("👩", "👨", "👧", "👦", "❤\ufe0f")
_JOINER, _VARIANT, _FIRST_FLAG = "\u200d", "\ufe0f", 0x1F1E6


class CopyingPairs:
    """Sentence pairs whose shared words can be exchanged for others.

    A shared word is one with a digit, or a capitalised one that no source writes small, which stands once on both
    sides; or a name on one side that Japanese spells by its sound on the other. What is exchanged is written alike on
    both sides.

    Args:
        pairs: to vary.
        share: of the pairs with a shared word, how many are varied; of all pairs, a quarter as many get an emoji at the
            end of both sides, or a number or name in brackets.
    """

    def __init__(self, pairs: Sequence[Pair], share: float) -> None:
        """Find the shared words, and learn from the names among them what names look like."""
        self._pairs = pairs
        self._share = share
        self._spelled = find_transliterated(pairs)
        # Beside Japanese every text tells what is a name; in German all nouns look like names.
        usual = [_of_usual_width(pair) for pair in pairs]
        texts = [text for pair in usual for text in ((pair.source, pair.target) if self._spelled else (pair.source,))]
        words = [word for text in texts for word in _WORD.findall(text)]
        small = {word for word in words if word.islower()}
        self._shared = [_shared_words(pair, small, self._spelled) for pair in usual]
        names = [word for words in self._shared for word in words if word.isalpha()]
        self._names = _NameMaker(names + [word for word in words if self._spelled and _is_name(word, small)])

    def varied(self, seed: int) -> list[Pair]:
        """Return all pairs in their order, some of them with other words; ``seed`` decides which, and by what.

        After them come those with a number again, several times, with words exchanged: of everyday sentences not
        one in two hundred has a number.
        """
        chance = random.Random(f"copying {seed}")
        known = list(zip(self._pairs, self._shared, strict=True))
        varied = [self._vary(pair, shared, chance) for pair, shared in known]
        for pair, shared in known:
            if any(map(_is_number, shared)):
                varied += [self._exchange(pair, shared, chance) for _ in range(round(_AGAIN * self._share))]
        return varied

    def _exchange(self, pair: Pair, shared: Sequence[str], chance: random.Random) -> Pair:
        others = {word: self._other(word, chance) for word in shared}
        others |= {self._spelled[word]: other for word, other in others.items() if word in self._spelled}
        pair = _of_usual_width(pair)
        return Pair(_exchanged(pair.source, others), _exchanged(pair.target, others))

    def _vary(self, pair: Pair, shared: Sequence[str], chance: random.Random) -> Pair:
        if shared and chance.random() < self._share:
            pair = self._exchange(pair, shared, chance)
        if chance.random() < self._share / 4:
            added, is_last = self._added(chance), chance.random() < 0.5
            pair = Pair(_with_end(pair.source, added, is_last), _with_end(pair.target, added, is_last))
        return pair

    def _added(self, chance: random.Random) -> str:
        kind = chance.random()
        if kind < 0.5:
            return _emoji(chance)
        return f"({_number(chance)})" if kind < 0.8 else f"({self._other_name(chance)})"

    def _other(self, word: str, chance: random.Random) -> str:
        if _is_number(word):
            return _other_number(word, chance)
        return self._other_name(chance)

    def _other_name(self, chance: random.Random) -> str:
        kind = chance.random()
        if kind < 0.75:
            return self._names.make(chance)
        if kind < 0.85:
            return "".join(chance.choices(_LETTERS.upper(), k=chance.randint(2, 5)))
        if kind < 0.9:
            return f"{chance.choice(_LETTERS.upper())}{chance.randint(1, 999)}"
        domain = "".join(chance.choices(_LETTERS, k=chance.randint(3, 8)))
        ending = chance.choice(_ENDINGS)
        return f"{self._names.make(chance).lower()}{chance.choice('@.')}{domain}.{ending}"


class _NameMaker:
    """Invents names, letter by letter, each chosen by the two before it as in the names it was given."""

    def __init__(self, names: Iterable[str]) -> None:
        self._next: dict[str, list[str]] = defaultdict(list)
        # Each name counts once: "Tom" alone would otherwise be half of all.
        for name in sorted(set(names)) or ["Tom", "Anna"]:
            letters = f"{_START}{_START}{name.lower()}{_STOP}"
            for place in range(2, len(letters)):
                self._next[letters[place - 2 : place]].append(letters[place])

    def make(self, chance: random.Random) -> str:
        name = ""
        while len(name) < _LONGEST_NAME:
            letter = chance.choice(self._next[f"{_START}{_START}{name}"[-2:]])
            if letter == _STOP:
                break
            name += letter
        return name.capitalize()


def _shared_words(pair: Pair, small: Set[str], spelled: Mapping[str, str]) -> tuple[str, ...]:
    source, target = _WORD.findall(pair.source), _WORD.findall(pair.target)
    once = (word for word in source if source.count(word) == target.count(word) == 1)
    shared = [word for word in once if _is_number(word) or _is_name(word, small)]
    sides = ((source, target), (target, source))
    by_sound = [
        word for one, other in sides for word in one if one.count(word) == other.count(spelled.get(word, "")) == 1
    ]
    return (*shared, *by_sound)


def _of_usual_width(pair: Pair) -> Pair:
    return Pair(pair.source.translate(_USUAL_WIDTH), pair.target.translate(_USUAL_WIDTH))


def _is_number(word: str) -> bool:
    return any(character in _DIGITS for character in word)


def _is_name(word: str, small: Set[str]) -> bool:
    return len(word) > 2 and word.isalpha() and word[0].isupper() and word.lower() not in small


def _exchanged(text: str, others: dict[str, str]) -> str:
    return _WORD.sub(lambda found: others.get(found[0], found[0]), text)


def _other_number(word: str, chance: random.Random) -> str:
    """Return ``word`` with other digits, sometimes one more; what begins with no zero keeps doing so.

    Half of the time just one digit is another one: what begins as years and round numbers do has pieces of its own.
    """
    places = [place for place, character in enumerate(word) if character in _DIGITS]
    is_near = chance.random() < 0.5
    digits = list(word)
    for place in [chance.choice(places)] if is_near else places:
        allowed = _DIGITS[1:] if place == 0 and word[0] != "0" else _DIGITS
        digits[place] = chance.choice(allowed.replace(word[place], "") if is_near else allowed)
    is_longer = not is_near and word.isdigit() and chance.random() < 0.5
    return "".join(digits) + (chance.choice(_DIGITS) if is_longer else "")


def _number(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.7:
        return str(chance.randrange(10 ** chance.randint(1, 5)))
    if kind < 0.85:
        return f"{chance.randrange(24)}:{chance.randrange(60):02d}"
    return f"{chance.randrange(1000):03d}-{chance.randrange(10_000):04d}"


def _emoji(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.7:
        return chance.choice(_EMOJI)
    if kind < 0.85:
        return chance.choice(_OLD_EMOJI) + chance.choice(("", _VARIANT))
    if kind < 0.9:
        return "".join(chr(_FIRST_FLAG + chance.randrange(26)) for _ in range(2))
    if kind < 0.95:
        return chance.choice(("👋", "👍", "🙏", "💪", "👏", "🤝")) + chance.choice(_TONES)
    return _JOINER.join(chance.choices(_PEOPLE, k=chance.randint(2, 4)))


def _with_end(text: str, added: str, is_last: bool) -> str:
    """Return ``text`` with ``added`` behind everything, or else before the marks that end it."""
    if is_last:
        return f"{text} {added}"
    end = END_MARKS.search(text)
    place = end.start() if end else len(text)
    return f"{text[:place]} {added}{text[place:]}"
