"""How well texts are cut into sentences, beside two packages: on our own cases, and on joined corpus sentences.

    pip install sentencex pysbd
    TRANSFORMER_DATA_DIR=… python -m benchmarks.sentence_splitting

The cases lie in ``tests/model/text/sentence_cases``: all sentences of a text must be right. For the second figure,
pairs of Tatoeba sentences, drawn by a seed, are joined, and the joint must be among the cuts. Prints a line for each
language and splitter.
"""

import argparse
import random
from collections.abc import Callable
from importlib import import_module
from itertools import accumulate
from pathlib import Path

from model.data.loading import load_parallel
from model.text.sentences import split_sentences

CASES = Path(__file__).parents[1] / "tests" / "model" / "text" / "sentence_cases"
CORPORA = {"en": "tatoeba-eng-deu", "de": "tatoeba-deu-eng", "fr": "tatoeba-fra-eng", "ja": "tatoeba-jpn-eng"}
Splitter = Callable[[str], list[str]]


def splitters(language: str) -> dict[str, Splitter]:
    """Return ours and those of the packages, by name."""
    sentencex, pysbd = (import_module(name) for name in ("sentencex", "pysbd"))
    segmenter = pysbd.Segmenter(language=language, clean=False)
    return {
        "ours": lambda text: list(split_sentences(text)),
        "sentencex": lambda text: stripped(sentencex.segment(language, text)),
        "pysbd": lambda text: stripped(segmenter.segment(text)),
    }


def stripped(sentences: list[str]) -> list[str]:
    return [text for sentence in sentences if (text := sentence.strip())]


def cases(language: str, blank: str) -> list[tuple[str, list[str]]]:
    """Return every text and its sentences."""
    lines = (CASES / f"{language}.txt").read_text(encoding="utf-8").splitlines()
    return [(blank.join(parts), parts) for parts in (line.split("|") for line in lines)]


def cuts(sentences: list[str]) -> set[int]:
    """Return after how many characters that are no blanks a sentence ends."""
    return {*accumulate(len("".join(sentence.split())) for sentence in sentences)}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sentence_splitting", description=__doc__)
    parser.add_argument("--n-pairs", type=int, default=2000, help="joined sentences a language (default: 2000)")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--data-dir", type=Path, help="folder of the corpora")
    given = parser.parse_args()
    for language, corpus in CORPORA.items():
        blank = "" if language == "ja" else " "
        rng = random.Random(given.seed)
        sentences = [pair.source for pair in load_parallel(corpus, given.data_dir)]
        pairs = [(rng.choice(sentences), rng.choice(sentences)) for _ in range(given.n_pairs)]
        for name, split in splitters(language).items():
            right = [split(text) == parts for text, parts in cases(language, blank)]
            joints = [cuts([first]) <= cuts(split(f"{first}{blank}{second}")) for first, second in pairs]
            print(f"{language} {name:10} cases {sum(right)}/{len(right)}, joints {sum(joints) / len(joints):.4f}")


if __name__ == "__main__":
    main()
