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

from model.checkpoint import DamagedWeightsError
from model.data import DATA_DIR_VARIABLE, CorpusMissingError, Pair, load_split
from model.decoding import DecodingOptions
from model.translator import Translator
from pretrained.loader import FOLDER, METRICS, load_translator
from pretrained.metrics import read_metrics, write_metrics

SHARES = (0.01, 0.02, 0.05)
"""Of the dev sentences, how many lie below each of the quantiles that are kept."""
_N_STRANGE = 300


def familiarity(name: str, *, data_dir: Path | None, device: str | None) -> dict[str, Any]:
    """Return quantiles of the measure on the dev sentences that had no say in the choice of the checkpoint.

    With them comes which share of texts of other kinds lies below each.
    """
    translator = load_translator(name, device)
    training = read_metrics(FOLDER / name / METRICS)["training"]
    split = load_split(
        [training["corpus"]], training["n_dev"], dev_corpus=training.get("dev_corpus", ""), data_dir=data_dir
    )
    dev = split.dev[training["n_validated"] :]
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
    found = translator.search_all(texts, DecodingOptions())
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
    parser.add_argument("name", help="folder in pretrained/")
    parser.add_argument("--data-dir", type=Path, help=f"folder of the corpora (else ${DATA_DIR_VARIABLE})")
    parser.add_argument("--device", help="cuda, mps or cpu (default: the first that there is)")
    given = parser.parse_args(arguments)
    try:
        found = familiarity(given.name, data_dir=given.data_dir, device=given.device)
    except (OSError, ValueError, CorpusMissingError, DamagedWeightsError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    write_metrics(FOLDER / given.name / METRICS, familiarity=found)
    sys.stdout.writelines(f"{entry}: {value}\n" for entry, value in found.items())
    return 0


if __name__ == "__main__":
    sys.exit(main())
