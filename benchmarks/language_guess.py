"""How often the language of a sentence is guessed right, of everyday sentences of every language of the corpora.

    python -m benchmarks.language_guess [--data-dir FOLDER]

Prints, by language: sentences, how many of a hundred are told among all languages, how many of these are sure and how
many are surely another, how many with shuffled letters are surely another, and microseconds a sentence.
"""

import argparse
import random
import time
from pathlib import Path

from model.data.loading import load_parallel
from model.text.languages import CONFIDENT, identify_language

SENTENCES = {
    "English": "tatoeba-eng-deu",
    "German": "tatoeba-deu-eng",
    "French": "tatoeba-fra-eng",
    "Japanese": "tatoeba-jpn-eng",
}
N = 3000


def main() -> None:
    """Print all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.language_guess", description=__doc__)
    parser.add_argument("--data-dir", type=Path, help="folder of the corpora")
    given = parser.parse_args()
    identify_language("to load", SENTENCES)
    for language, corpus in SENTENCES.items():
        chance = random.Random(1)
        drawn = chance.sample([pair.source for pair in load_parallel(corpus, given.data_dir)], N)
        start = time.perf_counter()
        n_right = sum(identify_language(text, SENTENCES) == language for text in drawn)
        microseconds = (time.perf_counter() - start) / N * 1e6
        sure = [identify_language(text, SENTENCES, at_least=CONFIDENT) for text in drawn]
        nonsense = [" ".join("".join(chance.sample(word, len(word))) for word in text.split()) for text in drawn]
        strange = [identify_language(text, SENTENCES, at_least=CONFIDENT) for text in nonsense]
        shares = {
            "right": n_right,
            "surely": sure.count(language),
            "surely another": _n_others(sure, language),
            "of the shuffled": _n_others(strange, language),
        }
        columns = "  ".join(f"{100 * n / N:6.2f} % {name}" for name, n in shares.items())
        print(f"{language:9} {N:,} sentences  {columns}  {microseconds:5.1f} \N{MICRO SIGN}s each")


def _n_others(found: list[str | None], language: str) -> int:
    return sum(one not in (None, language) for one in found)


if __name__ == "__main__":
    main()
