"""Measure what each part of a translator says on average, which mean ablation puts in its place.

``python -m pretrained.publishing.head_means NAME``.

The means are over all tokens of the dev sentences that selected the checkpoint: the encoder reads the sources, the
decoder the references. They ship as a file beside the weights.
"""

import argparse
import hashlib
import sys
from pathlib import Path
from typing import Any

from safetensors.torch import save_file

from model.analysis.interventions.ablation import blocks_of, corpus_means, positions_of
from model.training.history import commit
from pretrained.publishing.dev_sentences import dev_sentences
from pretrained.publishing.measuring import measure_and_write
from pretrained.publishing.metrics import read_metrics
from pretrained.translators import FOLDER, MEANS, METRICS, WEIGHTS, load_translator


def head_means(name: str, *, data_dir: Path | None, device: str | None) -> dict[str, Any]:
    """Write the means of the translator ``name``, and return what they are of and the checksum of their file."""
    translator, pairs = load_translator(name, device), dev_sentences(name, data_dir).choosing
    model, tokenizer = translator.model, translator.tokenizer
    eos = model.config.eos_id
    encoded = [([*tokenizer.encode(pair.source), eos], [*tokenizer.encode(pair.target), eos]) for pair in pairs]
    points = dict.fromkeys(part.point for part in (*blocks_of(model.config), *positions_of(model)))
    path = FOLDER / name / MEANS
    save_file(corpus_means(model, encoded, points), path)
    return {
        "sentences": len(pairs),
        "source_tokens": sum(len(source) for source, _ in encoded),
        "target_tokens": sum(len(target) for _, target in encoded),
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "weights": read_metrics(FOLDER / name / METRICS)["sha256"][WEIGHTS],
        "commit": commit(),
        "command": f"python -m pretrained.publishing.head_means {name}",
    }


def main(arguments: list[str] | None = None) -> int:
    """Measure, write both files and print what was measured; return the process's exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m pretrained.publishing.head_means", description=__doc__.splitlines()[0]
    )
    return measure_and_write("head_means", head_means, parser, arguments)


if __name__ == "__main__":
    sys.exit(main())
