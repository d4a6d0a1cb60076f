"""Measure how sure a translator is of what it knows and of what it does not: ``python -m pretrained.familiarity NAME``.

The measure is the mean log-probability of a token of the translation. Of dev sentences, which are of the kind trained
on, a small share comes out less sure than a quantile of it; of texts of other kinds nearly all should.
"""

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from model.data import Pair
from model.translator import Translator
from pretrained.dev_sentences import dev_sentences
from pretrained.loader import load_translator
from pretrained.measuring import measure_and_write

SHARES = (0.01, 0.02, 0.05)
"""Of the dev sentences, how many lie below each of the quantiles that are kept."""
_N_STRANGE = 300


def familiarity(name: str, *, data_dir: Path | None, device: str | None) -> dict[str, Any]:
    """Return quantiles of the measure on the dev sentences that had no say in the choice of the checkpoint.

    With them comes which share of texts of other kinds lies below each.
    """
    translator = load_translator(name, device)
    dev = dev_sentences(name, data_dir).scoring
    quantiles = np.quantile(_sureness(translator, [pair.source for pair in dev]), SHARES)
    strange = {
        kind: _sureness(translator, [make(pair) for pair in dev[:_N_STRANGE]])
        for kind, make in _strange_kinds().items()
    }
    return {
        "sentences": len(dev),
        "quantiles": {f"{share:g}": round(float(at), 4) for share, at in zip(SHARES, quantiles, strict=True)},
        "below": {
            kind: {
                f"{share:g}": round(float((found < at).mean()), 3) for share, at in zip(SHARES, quantiles, strict=True)
            }
            for kind, found in strange.items()
        },
        "command": f"python -m pretrained.familiarity {name}",
    }


def _sureness(translator: Translator, texts: Sequence[str]) -> np.ndarray:
    found = translator.search_all(texts)
    return np.array([np.mean(best.log_probabilities) for best in found if best is not None])


def _strange_kinds() -> dict[str, Callable[[Pair], str]]:
    """Return what makes a text of another kind from a pair: the other language, and noise."""
    chance = random.Random(1)

    def shuffled_letters(pair: Pair) -> str:
        return " ".join("".join(chance.sample(word, len(word))) for word in pair.source.split())

    def shuffled_words(pair: Pair) -> str:
        words = pair.source.split()
        return " ".join(chance.sample(words, len(words)))

    return {
        "target language": lambda pair: pair.target,
        "letters shuffled": shuffled_letters,
        "words shuffled": shuffled_words,
    }


def main(arguments: list[str] | None = None) -> int:
    """Measure, write it into the model's metrics and print it; return the process's exit status."""
    parser = argparse.ArgumentParser(prog="python -m pretrained.familiarity", description=__doc__.splitlines()[0])
    return measure_and_write("familiarity", familiarity, parser, arguments)


if __name__ == "__main__":
    sys.exit(main())
