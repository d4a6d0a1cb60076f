"""Choose the length penalty that a shipped translator searches with.

``python -m pretrained.publishing.length_penalty NAME``.

A model that ends its sentences too early needs a larger one than the default. It is selected on the sentences that
selected the checkpoint, so that those which score the translator have no part in it.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

from model.decoding.options import DecodingOptions
from model.training.translation.score import bleu_for
from pretrained.publishing.dev_sentences import dev_sentences
from pretrained.publishing.measuring import measure_and_write
from pretrained.translators import load_translator

LENGTH_PENALTIES = (0.6, 1.0, 1.2, 1.4, 1.6)
"""Those to choose from, the default first (Vaswani et al. 2017, §6.1)."""
ENOUGH = 0.5
"""Points of BLEU that another must gain: on 500 sentences, less means little."""


def chosen(scores: dict[float, float]) -> float:
    """Return the length penalty to search with: the first, unless the best is ahead of it by :data:`ENOUGH`.

    Args:
        scores: BLEU with each length penalty, at least one.
    """
    default, best = next(iter(scores)), max(scores, key=lambda penalty: scores[penalty])
    return best if scores[best] >= scores[default] + ENOUGH else default


def length_penalty(name: str, *, data_dir: Path | None, device: str | None) -> dict[str, Any]:
    """Return the length penalty that the translator ``name`` is to search with, and its sacreBLEU with each."""
    translator = load_translator(name, device)
    dev = dev_sentences(name, data_dir)
    sources, references = [pair.source for pair in dev.choosing], [[pair.target for pair in dev.choosing]]
    bleu = bleu_for(dev.target_language)
    scores: dict[float, float] = {}
    for penalty in LENGTH_PENALTIES:
        translations = translator.translate_all(sources, DecodingOptions(length_penalty=penalty))
        scores[penalty] = round(bleu.corpus_score(translations, references).score, 2)
    return {
        "chosen": chosen(scores),
        "sacrebleu": {f"{penalty:g}": score for penalty, score in scores.items()},
        "sentences": len(sources),
        "command": f"python -m pretrained.publishing.length_penalty {name}",
    }


def main(arguments: list[str] | None = None) -> int:
    """Measure, write it into the model's metrics and print it; return the process's exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m pretrained.publishing.length_penalty", description=__doc__.splitlines()[0]
    )
    return measure_and_write("length_penalty", length_penalty, parser, arguments)


if __name__ == "__main__":
    sys.exit(main())
