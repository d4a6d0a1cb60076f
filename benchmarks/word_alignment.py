"""How well words align without any attention, on the pairs whose links ship.

    python -m benchmarks.word_alignment [--data-dir FOLDER]

Prints the alignment error rate of the diagonal, of IBM Model 1 (Brown et al. 1993, §4.2) learned from the corpora of
the English–German translators, and of both directions of it where they agree. As with attention, each target word has
one link; Model 1 may leave it without.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from jaxtyping import Float64, Int64

from benchmarks.command import parser_of, run_command
from model.analysis.maps.alignment import GoldLinks, Link, alignment_error_rate
from model.data.loading import load_parallel
from pretrained.alignments import GoldPair, gold_pairs

CORPORA = ("tatoeba-eng-deu", "multi30k-eng-deu")
N_ROUNDS = 5
_MARKS = '.,!?"“”„;:()'

Words = tuple[Sequence[str], Sequence[str]]


class Model1:
    """t(target word | source word or none), learned by expectation maximisation from ``pairs``."""

    def __init__(self, pairs: Sequence[Words], n_rounds: int = N_ROUNDS) -> None:
        """Learn it, all translations of a word alike at first."""
        self._ids: tuple[dict[str, int], dict[str, int]] = ({"": 0}, {})
        places, sentences, n = [], [], 0
        for source, target in pairs:
            ours, theirs = (
                np.array([ids.setdefault(word, len(ids)) for word in words])
                for ids, words in zip(self._ids, (("", *source), target), strict=True)
            )
            places.append((theirs[:, None] + (ours[None] << 32)).ravel())
            sentences.append(np.repeat(np.arange(n, n + len(target)), len(ours)))
            n += len(target)
        self._pairs, at = np.unique(np.concatenate(places), return_inverse=True)
        self._t = _estimate(at, np.concatenate(sentences), self._pairs >> 32, n_rounds)

    def links(self, source: Sequence[str], target: Sequence[str]) -> set[Link]:
        """Return the most probable source word of each target word, where one is more probable than none."""
        found = ((target_place, self._best(word, source)) for target_place, word in enumerate(target))
        return {(best - 1, place) for place, best in found if best > 0}

    def _best(self, word: str, source: Sequence[str]) -> int:
        return int(np.argmax([self._probability(word, one) for one in ("", *source)]))

    def _probability(self, target: str, source: str) -> float:
        ours, theirs = self._ids[0].get(source), self._ids[1].get(target)
        if ours is None or theirs is None:
            return 0.0
        key = theirs + (ours << 32)
        place = int(np.searchsorted(self._pairs, key))
        return float(self._t[place]) if place < len(self._pairs) and self._pairs[place] == key else 0.0


def _estimate(
    at: Int64[np.ndarray, " cell"],
    target_place: Int64[np.ndarray, " cell"],
    source: Int64[np.ndarray, " pair"],
    n_rounds: int,
) -> Float64[np.ndarray, " pair"]:
    t = np.ones(len(source))
    for _ in range(n_rounds):
        likely = t[at]
        share = likely / np.bincount(target_place, likely)[target_place]
        counts = np.bincount(at, share, minlength=len(source))
        t = counts / np.bincount(source, counts)[source]
    return t


def tokens(text: str) -> list[str]:
    """Return the words of ``text`` in small letters, its marks apart."""
    return "".join(f" {letter} " if letter in _MARKS else letter for letter in text.lower()).split()


def diagonal(pair: GoldPair) -> set[Link]:
    """Link each target word with the source word that is as far into its sentence."""
    source, target = map(len, pair.words)
    return {(round(place * (source - 1) / max(target - 1, 1)), place) for place in range(target)}


def main() -> None:
    """Print the rates of each kind of pair and of all."""
    parser = parser_of(__file__, __doc__)
    parser.add_argument("--data-dir", type=Path, help="folder of the corpora")
    given = parser.parse_args()
    corpus = [
        (tokens(pair.source), tokens(pair.target)) for name in CORPORA for pair in load_parallel(name, given.data_dir)
    ]
    to_german, to_english = Model1(corpus), Model1([(german, english) for english, german in corpus])
    found: dict[str, list[tuple[str, set[Link], GoldLinks]]] = {}
    for pair in gold_pairs():
        english, german = ([word.lower() for word in words] for words in pair.words)
        forth = to_german.links(english, german)
        back = {(source, target) for target, source in to_english.links(german, english)}
        links = {
            "diagonal, each German word": diagonal(pair),
            "Model 1, each German word": forth,
            "Model 1, each English word": back,
            "Model 1, both agree": forth & back,
        }
        for name, of_pair in links.items():
            found.setdefault(name, []).append((pair.kind, of_pair, pair.gold))
    for name, of_pairs in found.items():
        rates = {
            part: alignment_error_rate([(links, gold) for kind, links, gold in of_pairs if part in ("all", kind)])
            for part in ("all", *dict.fromkeys(kind for kind, *_ in of_pairs))
        }
        print(f"{name}: " + ", ".join(f"{part} {rate:.1%}" for part, rate in rates.items()))


if __name__ == "__main__":
    run_command(main)
