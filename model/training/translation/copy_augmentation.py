"""Replace names and numbers of training pairs by new ones on both sides, to teach a model to copy.

A corpus of everyday sentences has a few dozen names and hardly a number above 100: a model learns to write these, not
to copy what it reads. A word that stands on both sides can be replaced on both. Currey et al. 2017 (Copied Monolingual
Data Improves Low-Resource Neural Machine Translation) copy whole sentences for the same purpose.
"""

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set

from model.data.loading import Pair
from model.text.scripts import HIRAGANA, IDEOGRAPHS, KATAKANA
from model.training.translation.drop_end_marks import END_MARKS
from model.training.translation.transliteration import SPELLED, find_transliterated

# Japanese puts no spaces: a word shared with another language stands between Japanese characters.
_COMMON = rf"[^\W{HIRAGANA}{KATAKANA}{IDEOGRAPHS}]+"
_WORD = re.compile(rf"{_COMMON}(?:[.:,@/-]{_COMMON})*|{SPELLED}")
# Full-width letters and digits are those of ASCII, offset by 0xFEE0.
_HALF_WIDTH = {code + 0xFEE0: code for code in range(0x21, 0x7F) if chr(code).isalnum()}
_DIGITS = "0123456789"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_START, _STOP = "^", "$"
_MAX_NAME_LENGTH = 14
_N_NUMBER_REPEATS = 10
_ENDINGS = ("com", "org", "net", "de", "fr", "io", "html", "pdf", "txt", "jpg")

# Emoji of one character, and the characters that combine into others.
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


class CopyAugmentation:
    """Sentence pairs whose shared words can be replaced.

    A shared word stands once on each side, and either has a digit, or is capitalised and in no source in lower case.
    A name on one side that Japanese spells by its sound on the other is shared as well. The new word is written alike
    on both sides.

    Args:
        pairs: the pairs to vary.
        share: share of the pairs with a shared word that are varied. A quarter of this share of all pairs get an emoji
            at the end of both sides, or a number or name in brackets.
    """

    def __init__(self, pairs: Sequence[Pair], share: float) -> None:
        """Find the shared words, and learn from the names among them how names are spelled."""
        self._pairs = pairs
        self._share = share
        self._spelled = find_transliterated(pairs)
        # Beside Japanese, both sides show what is a name; German capitalises all nouns, so there only sources do.
        normal = [_half_width(pair) for pair in pairs]
        texts = [text for pair in normal for text in ((pair.source, pair.target) if self._spelled else (pair.source,))]
        words = [word for text in texts for word in _WORD.findall(text)]
        lower_case = {word for word in words if word.islower()}
        self._shared = [_shared_words(pair, lower_case, self._spelled) for pair in normal]
        names = [word for words in self._shared for word in words if word.isalpha()]
        self._names = _NameMaker(names + [word for word in words if self._spelled and _is_name(word, lower_case)])

    def varied(self, seed: int) -> list[Pair]:
        """Return all pairs in their order, some with new words; ``seed`` decides which, and which words.

        The pairs with a number follow, several times with new words: fewer than one everyday sentence in two hundred
        has a number.
        """
        rng = random.Random(f"copying {seed}")
        with_shared = list(zip(self._pairs, self._shared, strict=True))
        varied = [self._vary(pair, shared, rng) for pair, shared in with_shared]
        for pair, shared in with_shared:
            if any(map(_is_number, shared)):
                varied += [
                    self._replace_words(pair, shared, rng) for _ in range(round(_N_NUMBER_REPEATS * self._share))
                ]
        return varied

    def _replace_words(self, pair: Pair, shared: Sequence[str], rng: random.Random) -> Pair:
        others = {word: self._other(word, rng) for word in shared}
        others |= {self._spelled[word]: other for word, other in others.items() if word in self._spelled}
        pair = _half_width(pair)
        return Pair(_read(pair.source, others), _read(pair.target, others))

    def _vary(self, pair: Pair, shared: Sequence[str], rng: random.Random) -> Pair:
        if shared and rng.random() < self._share:
            pair = self._replace_words(pair, shared, rng)
        if rng.random() < self._share / 4:
            added, is_last = self._added(rng), rng.random() < 0.5
            pair = Pair(_with_end(pair.source, added, is_last), _with_end(pair.target, added, is_last))
        return pair

    def _added(self, rng: random.Random) -> str:
        kind = rng.random()
        if kind < 0.5:
            return _emoji(rng)
        return f"({_number(rng)})" if kind < 0.8 else f"({self._other_name(rng)})"

    def _other(self, word: str, rng: random.Random) -> str:
        if _is_number(word):
            return _other_number(word, rng)
        return self._other_name(rng)

    def _other_name(self, rng: random.Random) -> str:
        kind = rng.random()
        if kind < 0.75:
            return self._names.make(rng)
        if kind < 0.85:
            return "".join(rng.choices(_LETTERS.upper(), k=rng.randint(2, 5)))
        if kind < 0.9:
            return f"{rng.choice(_LETTERS.upper())}{rng.randint(1, 999)}"
        domain = "".join(rng.choices(_LETTERS, k=rng.randint(3, 8)))
        ending = rng.choice(_ENDINGS)
        return f"{self._names.make(rng).lower()}{rng.choice('@.')}{domain}.{ending}"


class _NameMaker:
    """A Markov chain over the two letters before, fitted to known names, that invents new ones."""

    def __init__(self, names: Iterable[str]) -> None:
        self._next: dict[str, list[str]] = defaultdict(list)
        # Each name counts once: otherwise every second one would be "Tom".
        for name in sorted(set(names)) or ["Tom", "Anna"]:
            letters = f"{_START}{_START}{name.lower()}{_STOP}"
            for place in range(2, len(letters)):
                self._next[letters[place - 2 : place]].append(letters[place])

    def make(self, rng: random.Random) -> str:
        name = ""
        while len(name) < _MAX_NAME_LENGTH:
            letter = rng.choice(self._next[f"{_START}{_START}{name}"[-2:]])
            if letter == _STOP:
                break
            name += letter
        return name.capitalize()


def _shared_words(pair: Pair, lower_case: Set[str], spelled: Mapping[str, str]) -> tuple[str, ...]:
    source, target = _WORD.findall(pair.source), _WORD.findall(pair.target)
    once = (word for word in source if source.count(word) == target.count(word) == 1)
    shared = [word for word in once if _is_number(word) or _is_name(word, lower_case)]
    sides = ((source, target), (target, source))
    by_sound = [
        word for side, other in sides for word in side if side.count(word) == other.count(spelled.get(word, "")) == 1
    ]
    return (*shared, *by_sound)


def _half_width(pair: Pair) -> Pair:
    return Pair(pair.source.translate(_HALF_WIDTH), pair.target.translate(_HALF_WIDTH))


def _is_number(word: str) -> bool:
    return any(character in _DIGITS for character in word)


def _is_name(word: str, lower_case: Set[str]) -> bool:
    return len(word) > 2 and word.isalpha() and word[0].isupper() and word.lower() not in lower_case


def _read(text: str, others: dict[str, str]) -> str:
    return _WORD.sub(lambda match: others.get(match[0], match[0]), text)


def _other_number(word: str, rng: random.Random) -> str:
    """Return ``word`` with new digits, sometimes one more; no zero is put first.

    Half of the time only one digit is new: the beginnings of years and round numbers have pieces of their own.
    """
    places = [place for place, character in enumerate(word) if character in _DIGITS]
    is_near = rng.random() < 0.5
    digits = list(word)
    for place in [rng.choice(places)] if is_near else places:
        allowed = _DIGITS[1:] if place == 0 and word[0] != "0" else _DIGITS
        digits[place] = rng.choice(allowed.replace(word[place], "") if is_near else allowed)
    is_longer = not is_near and word.isdigit() and rng.random() < 0.5
    return "".join(digits) + (rng.choice(_DIGITS) if is_longer else "")


def _number(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.7:
        return str(rng.randrange(10 ** rng.randint(1, 5)))
    if kind < 0.85:
        return f"{rng.randrange(24)}:{rng.randrange(60):02d}"
    return f"{rng.randrange(1000):03d}-{rng.randrange(10_000):04d}"


def _emoji(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.7:
        return rng.choice(_EMOJI)
    if kind < 0.85:
        return rng.choice(_OLD_EMOJI) + rng.choice(("", _VARIANT))
    if kind < 0.9:
        return "".join(chr(_FIRST_FLAG + rng.randrange(26)) for _ in range(2))
    if kind < 0.95:
        return rng.choice(("👋", "👍", "🙏", "💪", "👏", "🤝")) + rng.choice(_TONES)
    return _JOINER.join(rng.choices(_PEOPLE, k=rng.randint(2, 4)))


def _with_end(text: str, added: str, is_last: bool) -> str:
    """Return ``text`` with ``added`` at its very end, or else before the marks that end it."""
    if is_last:
        return f"{text} {added}"
    end = END_MARKS.search(text)
    place = end.start() if end else len(text)
    return f"{text[:place]} {added}{text[place:]}"
