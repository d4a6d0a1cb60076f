"""Finds names that Japanese spells by their sound, and these spellings: Tom is トム."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from model.data.loading import Pair
from model.text.scripts import IDEOGRAPHS, KATAKANA

# A part of a longer word is no name: the syllables of France also begin the word for French.
_AROUND = f"[{KATAKANA}{IDEOGRAPHS}\u30fb]"
SPELLED = f"(?<!{_AROUND})[{KATAKANA}]+(?!{_AROUND})"
"""Matches a word that may be a name in Japanese."""

_WORD = re.compile(f"[A-Za-z]+|{SPELLED}")
# Within a sentence, where no small word is capitalised: New York.
_LONGER = re.compile("(?<=[a-z] )[A-Z][a-z]+(?: [A-Z][a-z]+)+")
_MIN_PAIRS = 3


def find_transliterated(pairs: Sequence[Pair]) -> dict[str, str]:
    """Return the English names that ``pairs`` mostly spell in one way in Japanese, each with its spelling.

    Either language may come first in a pair; pairs of other languages change nothing.
    """
    together: dict[str, Counter[str]] = defaultdict(Counter)
    n_spelled: Counter[str] = Counter()
    n_names: Counter[str] = Counter()
    n_in_longer: Counter[str] = Counter()
    small: set[str] = set()
    for pair in pairs:
        text = f"{pair.source}\n{pair.target}"
        # Sorted: the first of equals wins, and the order of a set differs between processes.
        words = sorted(set(_WORD.findall(text)))
        small.update(word for word in words if word.islower())
        n_in_longer.update(part for longer in _LONGER.findall(text) for part in longer.split())
        names = [word for word in words if word.isascii() and len(word) > 2 and word.istitle()]
        n_names.update(names)
        for spelled in (word for word in words if not word.isascii()):
            n_spelled[spelled] += 1
            together[spelled].update(names)
    best: dict[str, tuple[int, str]] = {}
    for spelled, with_it in together.items():
        known = [(n, name) for name, n in with_it.items() if name.lower() not in small]
        n, name = max(known, default=(0, ""))
        is_mutual = n >= 0.7 * n_spelled[spelled] and n >= 0.5 * n_names[name]
        if n >= _MIN_PAIRS and is_mutual and n_in_longer[name] < 0.3 * n_names[name]:
            best[name] = max(best.get(name, (0, "")), (n, spelled))
    return {name: spelled for name, (_, spelled) in sorted(best.items())}
