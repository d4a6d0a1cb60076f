"""Measure a shipped translator on the dev set that its training never saw.

``python -m pretrained.publishing.evaluate_translator NAME``.
"""

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from model.checkpoint import DamagedWeightsError
from model.data.loading import DATA_DIR_VARIABLE, CorpusMissingError
from model.training.translation.score import corpus_scores
from pretrained.publishing.dev_sentences import dev_sentences
from pretrained.translators import load_translator


def evaluate(name: str, *, data_dir: Path | None, device: str | None, beam_size: int) -> dict[str, Any]:
    """Return sacreBLEU and chrF of ``name`` (cased, detokenised, one reference a sentence), with their signatures.

    They are measured on the part of the dev set that had no say in the choice of the checkpoint.
    """
    translator, dev = load_translator(name, device), dev_sentences(name, data_dir)
    options = replace(translator.options, beam_size=beam_size)
    start = time.perf_counter()
    translations = translator.translate_all([pair.source for pair in dev.scoring], options)
    seconds = time.perf_counter() - start
    return {
        **corpus_scores(translations, [pair.target for pair in dev.scoring], dev.target_language),
        "sentences": len(dev.scoring),
        "beam_size": beam_size,
        "length_penalty": options.length_penalty,
        "sentences_per_second": round(len(dev.scoring) / seconds, 1),
        "command": f"python -m pretrained.publishing.evaluate_translator {name} --beam-size {beam_size}",
    }


def main(arguments: list[str] | None = None) -> int:
    """Print the scores; return the process's exit status."""
    parser = argparse.ArgumentParser(prog="python -m pretrained.publishing.evaluate_translator", description=__doc__)
    parser.add_argument("name", help="folder in pretrained/")
    parser.add_argument("--data-dir", type=Path, help=f"folder of the corpora (else ${DATA_DIR_VARIABLE})")
    parser.add_argument("--device", help="cuda, mps or cpu (default: the first that there is)")
    parser.add_argument("--beam-size", type=int, default=4, help="1 is greedy (default: 4)")
    given = parser.parse_args(arguments)
    try:
        scores = evaluate(given.name, data_dir=given.data_dir, device=given.device, beam_size=given.beam_size)
    except (OSError, ValueError, CorpusMissingError, DamagedWeightsError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.writelines(f"{measure}: {value}\n" for measure, value in scores.items())
    return 0


if __name__ == "__main__":
    sys.exit(main())
