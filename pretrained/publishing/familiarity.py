"""Measure the confidence of a translator on sentences of the kind trained on, and on others.

``python -m pretrained.publishing.familiarity NAME``.

The measures are the mean log-probability of a token of the translation (confidence) and the number of pieces that the
text is cut into (fertility). ``pretrained.out_of_domain`` should notice few dev sentences, which are of the kind
trained on, and nearly all texts of other kinds.
"""

import argparse
import random
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from model.data.loading import Pair
from model.decoding.translator import Translator
from model.text.fertility import fertility
from pretrained.out_of_domain import FINELY_CUT, RATHER_UNSURE, UNSURE, doubtful_and_finely_cut, unfamiliar
from pretrained.publishing.dev_sentences import dev_sentences
from pretrained.publishing.measuring import measure_and_write
from pretrained.translators import load_translator

_N_STRANGE = 300


def familiarity(name: str, *, data_dir: Path | None, device: str | None) -> dict[str, Any]:
    """Return quantiles of both measures on the dev sentences that had no say in the choice of the checkpoint.

    With them comes which share of these sentences, and of texts of other kinds, is noticed.
    """
    translator = load_translator(name, device)
    dev = dev_sentences(name, data_dir).scoring
    measured = _measured(translator, [pair.source for pair in dev])
    at = {share: np.quantile(measured[0], share) for share in (*UNSURE, RATHER_UNSURE)}
    known = {
        "confidence": {f"{share:g}": round(float(value), 4) for share, value in at.items()},
        "fertility": {f"{FINELY_CUT:g}": round(float(np.quantile(measured[1], 1 - FINELY_CUT)), 4)},
    }
    n_both = sum(doubtful_and_finely_cut(known, *one) for one in measured.T.tolist())
    # Of so many sentences, a smaller share than one cannot be measured.
    limits: dict[str, Any] = {**known, "both": round(max(1, n_both) / len(dev), 4)}
    strange = {
        kind: _measured(translator, [make(pair) for pair in dev[:_N_STRANGE]])
        for kind, make in _strange_kinds().items()
    }
    noticed = {
        kind: round(statistics.mean(unfamiliar(limits, *one) is not None for one in values.T.tolist()), 4)
        for kind, values in ({"known": measured} | strange).items()
    }
    command = f"python -m pretrained.publishing.familiarity {name}"
    return {"sentences": len(dev), **limits, "noticed": noticed, "command": command}


def _measured(translator: Translator, texts: Sequence[str]) -> np.ndarray:
    """Return confidence and fertility of each text, [2, N]."""
    measures = [
        (float(np.mean(best.log_probabilities)), fertility(translator.tokenizer, text))
        for text, best in zip(texts, translator.search_all(texts), strict=True)
        if best is not None
    ]
    return np.array(measures).T


def _strange_kinds() -> dict[str, Callable[[Pair], str]]:
    """Return what makes a text of another kind from a pair: the other language, and noise."""
    rng = random.Random(1)

    def shuffled_letters(pair: Pair) -> str:
        return " ".join("".join(rng.sample(word, len(word))) for word in pair.source.split())

    def shuffled_words(pair: Pair) -> str:
        words = pair.source.split()
        return " ".join(rng.sample(words, len(words)))

    return {
        "target language": lambda pair: pair.target,
        "letters shuffled": shuffled_letters,
        "words shuffled": shuffled_words,
    }


def main(arguments: list[str] | None = None) -> int:
    """Measure, write it into the model's metrics and print it; return the process's exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m pretrained.publishing.familiarity", description=__doc__.splitlines()[0]
    )
    return measure_and_write("familiarity", familiarity, parser, arguments)


if __name__ == "__main__":
    sys.exit(main())
