"""How often the language of a short text is right: words, greetings, names of another language.

    python -m benchmarks.short_texts

The lines of ``short_texts.tsv`` are a language and a text; ``unclear`` is one that several languages have. Prints for
each how many are read in their language and sure, how many are said to be unsure (and how many of these are read in
their language), and how many are wrong. A text in a language that no translator reads is right where none is told.
"""

import argparse
import csv
from collections import Counter, defaultdict
from pathlib import Path

from model.text.languages import LANGUAGES, guess_language

INPUTS = Path(__file__).with_suffix(".tsv")
UNCLEAR = "unclear"


def main() -> None:
    """Print all."""
    argparse.ArgumentParser(prog="python -m benchmarks.short_texts", description=__doc__).parse_args()
    with INPUTS.open(encoding="utf-8") as file:
        rows = [*csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for language, text in rows:
        outcome = outcome_of(language, text)
        counts[language].update(outcome)
        counts["all"].update(outcome)
    for language, of_one in counts.items():
        print(f"{language:9}", ", ".join(f"{of_one[name]} {name}" for name in ("right", "not sure", "wrong")), end="")
        print(f" ({of_one['read in its language']} of those not sure are read in their language)")


def outcome_of(language: str, text: str) -> list[str]:
    """Return what the guess for ``text``, which is in ``language``, counts as."""
    guess = guess_language(text, LANGUAGES)
    if language not in LANGUAGES:
        is_right = guess is None if language != UNCLEAR else guess is not None and guess.doubt is not None
        return ["right" if is_right else "wrong"]
    if guess is None:
        return ["wrong"]
    if guess.doubt is not None:
        return ["not sure", *(["read in its language"] if guess.language == language else [])]
    return ["right" if guess.language == language else "wrong"]


if __name__ == "__main__":
    main()
