"""How often the language of a sentence is guessed right, of everyday sentences of every language of the corpora.

    python -m benchmarks.language_guess [--data-dir FOLDER]

Prints, by language: sentences, how many of a hundred are told among all four languages, and microseconds a sentence.
"""

import argparse
import random
import time
from pathlib import Path

from model.data import load_parallel
from viz.languages import guessed_language

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
    guessed_language("to load", SENTENCES)
    for language, corpus in SENTENCES.items():
        drawn = random.Random(1).sample([pair.source for pair in load_parallel(corpus, given.data_dir)], N)
        start = time.perf_counter()
        n_right = sum(guessed_language(text, SENTENCES) == language for text in drawn)
        microseconds = (time.perf_counter() - start) / N * 1e6
        print(
            f"{language:9} {N:,} sentences  {100 * n_right / N:6.2f} % right  {microseconds:5.1f} \N{MICRO SIGN}s each"
        )


if __name__ == "__main__":
    main()
