"""Measure what every head of shipped models does, over sentences or inputs that had no part in their training.

``python -m pretrained.publishing.head_catalogue NAME…`` is for translators, with ``--zoo`` for all models of the zoo.

The decoder of a translator reads the references. A table of all heads goes to
``pretrained/head_catalogue/NAME.parquet``, and the sentences in which each head does a thing most and least to a file
beside it, where the corpus may be passed on. A model of the zoo reads inputs with their right answers; the table of all
is ``pretrained/zoo/heads.parquet``.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from model.analysis.maps.head_roles import measured_sentences
from model.checkpoint import DamagedWeightsError
from model.data.corpora import PARALLEL_CORPORA
from model.data.loading import DATA_DIR_VARIABLE, CorpusMissingError, Pair
from model.training.history import commit
from pretrained.head_catalogue import CATALOGUE, examples_path, roles_path
from pretrained.publishing.dev_sentences import dev_sentences
from pretrained.publishing.head_rows import by_layer, head_rows
from pretrained.publishing.metrics import read_metrics
from pretrained.publishing.zoo_heads import write_zoo_heads
from pretrained.translators import FOLDER, METRICS, WEIGHTS, load_translator

COMMAND = "python -m pretrained.publishing.head_catalogue"
N_SENTENCES = 1000
N_EXAMPLES = 3
EXAMPLES_OF = ("previous", "same", "next", "first", "sink", "duplicate", "induction", "rare", "confidence")
# In a very short sentence every head does everything.
MIN_WORDS, MAX_WORDS = 5, 12


def head_catalogue(name: str, *, data_dir: Path | None, device: str | None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the table of the heads of ``name``, and that of its sentences, which is empty for captions."""
    translator, pairs = load_translator(name, device), dev_sentences(name, data_dir).scoring[:N_SENTENCES]
    encode = translator.tokenizer.encode
    encoded = [(encode(pair.source), encode(pair.target)) for pair in pairs]
    sentences = [*measured_sentences(translator.model, encoded)]
    metrics = read_metrics(FOLDER / name / METRICS)
    source = {
        "sentences": len(pairs),
        "weights": metrics["sha256"][WEIGHTS],
        "commit": commit(),
        "command": f"{COMMAND} {name}",
    }
    roles = [row | source for row in head_rows(sentences)]
    may_ship = PARALLEL_CORPORA[metrics["training"]["data"]["corpus"]].kind == "everyday"
    examples = [
        {"kind": kind, "layer": layer + 1, "head": head + 1, **row}
        for (kind, layer), measured in by_layer(sentences).items()
        for head in range(len(measured[0].offsets))
        for measure in EXAMPLES_OF
        for row in _examples(measure, np.array([one.values[measure][head] for one in measured]), pairs)
    ]
    return pd.DataFrame(roles), pd.DataFrame(examples if may_ship else [])


def _examples(measure: str, values: np.ndarray, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    usable = [
        place
        for place, pair in enumerate(pairs)
        if MIN_WORDS <= _length(pair.source) <= MAX_WORDS and not np.isnan(values[place])
    ]
    ordered = sorted(usable, key=lambda place: float(values[place]))
    if len(ordered) < 2 * N_EXAMPLES:
        return []
    chosen = [(True, place) for place in ordered[: -N_EXAMPLES - 1 : -1]]
    chosen += [(False, place) for place in ordered[:N_EXAMPLES]]
    return [
        {"measure": measure, "is_most": is_most, "value": float(values[place]), "text": pairs[place].source}
        for is_most, place in chosen
    ]


def _length(text: str) -> int:
    """Return how many words ``text`` has, or would have of three characters each in a language without spaces."""
    return max(len(text.split()), len(text) // 3 if text and not text.isascii() and " " not in text else 0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and write; return the process's exit status."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="folders of translators in pretrained/")
    parser.add_argument("--zoo", action="store_true", help="every shipped model of the zoo")
    parser.add_argument("--data-dir", type=Path, help=f"folder of the corpora (else ${DATA_DIR_VARIABLE})")
    parser.add_argument("--device", help="of translators: cuda, mps or cpu (default: the first that there is)")
    given = parser.parse_args(arguments)
    if not (given.names or given.zoo):
        parser.error("give the NAME of a translator, or --zoo")
    try:
        for name in given.names:
            _write(name, *head_catalogue(name, data_dir=given.data_dir, device=given.device))
        if given.zoo:
            heads = write_zoo_heads(command=f"{COMMAND} --zoo", show_progress=True)
            sys.stdout.write(f"zoo: {len(heads):,} heads\n")
    except (OSError, ValueError, CorpusMissingError, DamagedWeightsError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _write(name: str, roles: pd.DataFrame, examples: pd.DataFrame) -> None:
    CATALOGUE.mkdir(exist_ok=True)
    roles.to_parquet(roles_path(name), index=False)
    if len(examples):
        examples.to_parquet(examples_path(name), index=False)
    sys.stdout.write(f"{name}: {len(roles)} heads over {roles['sentences'].iloc[0]:,} sentences\n")


if __name__ == "__main__":
    sys.exit(main())
