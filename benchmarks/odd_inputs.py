"""What a translator makes of texts that nobody would write, and of what it should hand on as it is.

    python -m benchmarks.odd_inputs [--name translation-en-de] [--n 1000]

Draws texts of 1 to 2,000 characters of many kinds, translates each as the app does, part by part until its patience
ends, and prints how many raised, how many targets were cut off by the length limit, how many repeat themselves, how
long they took, and how many were left unfinished. Then a translator from English translates the sentences of
copying.tsv, whose other columns are names, numbers and emoji, and it prints which share of these stands in the
translations, by kind.
"""

import random
import re
import statistics
import sys
import time
import unicodedata
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.command import parser_of, run_command
from model.decoding.options import GREEDY, DecodingOptions
from model.decoding.translator import Translator
from model.device import use_one_thread
from pretrained import load_translator, read_card
from viz.pages.translate.sentences import PATIENCE_SECONDS

COPYING = Path(__file__).with_name("copying.tsv")
COPYING_LANGUAGE = "English"
LONGEST = 2_000
_SLOW_SECONDS = 5.0
# The same words, four times in a row and more.
_REPEATED = re.compile(r"(\b\w.{0,40}?)(?:\W*\1\b){3,}")
_EMOJI = "😀😂😍🙏👍🏽👩‍👩‍👧‍👦🇩🇪🇯🇵❤️☕⚽🏳️‍🌈1️⃣"
_SCRIPTS = {
    "Cyrillic": (0x0410, 0x044F),
    "Arabic": (0x0621, 0x064A),
    "Devanagari": (0x0905, 0x0939),
    "Han": (0x4E00, 0x9FA5),
    "Hangul": (0xAC00, 0xD7A3),
    "Thai": (0x0E01, 0x0E2E),
    "Greek": (0x0391, 0x03C9),
}
_WORDS = ("the", "dog", "not", "never", "because", "house", "who", "reads", "12", "book", ",", ".", "gave", "I", "you")


def _any_character(chance: random.Random) -> str:
    while True:
        character = chr(chance.randrange(0x110000))
        if unicodedata.category(character) not in ("Cs", "Cn", "Co"):
            return character


def _of_scripts(chance: random.Random) -> str:
    first, last = chance.choice(list(_SCRIPTS.values()))
    return chr(chance.randint(first, last)) + chance.choice(("", "", " "))


KINDS: dict[str, Callable[[random.Random], str]] = {
    "any characters": _any_character,
    "mixed scripts": _of_scripts,
    "ASCII": lambda chance: chr(chance.randint(32, 126)),
    "emoji": lambda chance: chance.choice(_EMOJI),
    "marks and controls": lambda chance: chance.choice("a\u0301\u0300\u200d\u200b\u202e\u0007\u00a0\ufeff\t\n "),
    "digits and signs": lambda chance: chance.choice("0123456789.,:;+-*/=()€$% "),
    "words": lambda chance: chance.choice(_WORDS) + " ",
    "one thing again": _any_character,
}


def odd_text(number: int) -> str:
    """Return the odd text of this number: all kinds take turns, and lengths are as often short as long."""
    chance = random.Random(number)
    kind = list(KINDS)[number % len(KINDS)]
    length = round(LONGEST ** chance.random())
    if kind == "one thing again":
        return ((_any_character(chance) + chance.choice(("", " ", "la ", "!"))) * length)[:length]
    return "".join(KINDS[kind](chance) for _ in range(length))[:length]


@dataclass(frozen=True)
class Found:
    """What came of one text."""

    kind: str
    text: str
    seconds: float
    longest_part: float
    error: str | None
    is_cut_off: bool
    repeats: bool
    is_unfinished: bool


def translate(translator: Translator, number: int, options: DecodingOptions) -> Found:
    """Translate an odd text part by part, as the app does."""
    kind, text = list(KINDS)[number % len(KINDS)], odd_text(number)
    written, lasted, is_cut_off, is_unfinished, error = [], [0.0], False, False, None
    try:
        for part in translator.parts(text):
            if sum(lasted) >= PATIENCE_SECONDS:
                is_unfinished = True
                break
            start = time.perf_counter()
            found = translator.translate(part, options)
            lasted.append(time.perf_counter() - start)
            written.append(found.text)
            is_cut_off |= found.hypotheses[0].tokens[-1] != translator.model.config.eos_id
    except Exception as failure:  # any at all is what this looks for
        error = f"{type(failure).__name__}: {failure}"
    repeats = bool(_REPEATED.search(" ".join(written))) and not _REPEATED.search(text)
    return Found(kind, text, sum(lasted), max(lasted), error, is_cut_off, repeats, is_unfinished)


def kind_of(item: str) -> str:
    """Return whether ``item`` is a number, an emoji or a name."""
    if any(character.isdigit() for character in item):
        return "numbers"
    return "names" if item[0].isascii() else "emoji"


def copied(translator: Translator, options: DecodingOptions) -> dict[str, list[tuple[str, str, bool]]]:
    """Return by kind every item of copying.tsv, what its sentence became, and whether the item stands in that."""
    found = defaultdict(list)
    for line in COPYING.read_text(encoding="utf-8").splitlines():
        sentence, *items = line.split("\t")
        text = translator.translate(sentence, options).text
        for item in items:
            found[kind_of(item)].append((item, text, item in text))
    return found


def main() -> None:
    """Print all."""
    parser = parser_of(__file__, __doc__)
    parser.add_argument("--name", default="translation-en-de", help="of the shipped translator")
    parser.add_argument("--n", type=int, default=1000, help="how many odd texts")
    parser.add_argument("--greedy", action="store_true", help="instead of a beam of 4")
    given = parser.parse_args()
    use_one_thread()
    translator = load_translator(given.name, "cpu")
    options = GREEDY if given.greedy else translator.options
    found = [translate(translator, number, options) for number in range(given.n)]
    print(f"{given.n} odd texts, beam {options.beam_size}, one thread")
    for kind in KINDS:
        ours = [one for one in found if one.kind == kind]
        if not ours:
            continue
        flags = [(one.error is not None, one.is_cut_off, one.repeats, one.is_unfinished) for one in ours]
        raised, cut_off, repeat, unfinished = map(sum, zip(*flags, strict=True))
        seconds, part = [one.seconds for one in ours], max(one.longest_part for one in ours)
        print(
            f"  {kind:20} {len(ours):4}: {raised} raised, {cut_off} cut off, {repeat} repeat, {unfinished} unfinished; "
            f"seconds: median {statistics.median(seconds):.2f}, most {max(seconds):.2f}, for one part {part:.2f}"
        )
    slow = [(one.seconds > _SLOW_SECONDS, one.longest_part > _SLOW_SECONDS) for one in found]
    whole, parts = (sum(column) for column in zip(*slow, strict=True))
    print(f"over {_SLOW_SECONDS:g} seconds: {whole} whole texts, {parts} for one of their parts")
    for one in found:
        if one.error:
            print(f"  {one.error}: {one.text[:60]!r}")
    reads = read_card(given.name).source_language
    if reads != COPYING_LANGUAGE:
        print(f"not asked what is copied: copying.tsv is {COPYING_LANGUAGE}, and {given.name} reads {reads}")
        return
    print("copied, of copying.tsv")
    kept = copied(translator, options)
    for kind, items in kept.items():
        print(f"  {kind}: {sum(is_kept for *_, is_kept in items)} of {len(items)}")
    everything = [item for items in kept.values() for item in items]
    print(f"  together: {sum(is_kept for *_, is_kept in everything) / len(everything):.1%} of {len(everything)}")
    sys.stdout.writelines(f"    lost {item}: {text}\n" for item, text, is_kept in everything if not is_kept)


if __name__ == "__main__":
    run_command(main)
