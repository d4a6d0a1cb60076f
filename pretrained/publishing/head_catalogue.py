"""Measure what every head of shipped translators does, over dev sentences that had no part in their training.

``python -m pretrained.publishing.head_catalogue NAME…``.

The decoder reads the references. A table of all heads goes to ``pretrained/head_catalogue/NAME.parquet``, and the
sentences in which each head does a thing most and least to a file beside it, where the corpus may be passed on.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from model.analysis.head_roles import MAX_OFFSET, MEASURES, SentenceMeasures, measured_sentences
from model.checkpoint import DamagedWeightsError
from model.data.corpora import PARALLEL_CORPORA
from model.data.loading import DATA_DIR_VARIABLE, CorpusMissingError, Pair
from model.training.history import commit
from pretrained.head_catalogue import CATALOGUE, examples_path, roles_path
from pretrained.publishing.dev_sentences import dev_sentences
from pretrained.publishing.metrics import read_metrics
from pretrained.translators import FOLDER, METRICS, WEIGHTS, load_translator

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
    by_layer: dict[tuple[str, int], list[SentenceMeasures]] = {}
    for of_sentence in measured_sentences(translator.model, encoded):
        for at, measures in of_sentence.items():
            by_layer.setdefault(at, []).append(measures)
    metrics = read_metrics(FOLDER / name / METRICS)
    source = {
        "sentences": len(pairs),
        "weights": metrics["sha256"][WEIGHTS],
        "commit": commit(),
        "command": f"python -m pretrained.publishing.head_catalogue {name}",
    }
    may_ship = PARALLEL_CORPORA[metrics["training"]["data"]["corpus"]].kind == "everyday"
    roles: list[dict[str, Any]] = []
    examples: list[dict[str, Any]] = []
    for (kind, layer), measured in by_layer.items():
        values = {measure: np.stack([one.values[measure] for one in measured]) for measure in MEASURES}
        counts = np.sum([one.offsets for one in measured], axis=0)  # [H, offset]
        offsets = counts / sum(one.n_places for one in measured)
        for head in range(len(offsets)):
            place: dict[str, Any] = {"kind": kind, "layer": layer + 1, "head": head + 1}
            best = int(np.argmax(offsets[head]))
            means = {measure: _mean(values[measure][:, head]) for measure in MEASURES}
            pointed = {"offset": best - MAX_OFFSET, "offset_share": float(offsets[head, best])}
            roles.append({**place, **means, **pointed, **source})
            if may_ship:
                for measure in EXAMPLES_OF:
                    examples += [place | row for row in _examples(measure, values[measure][:, head], pairs)]
    return pd.DataFrame(roles), pd.DataFrame(examples)


def _mean(values: np.ndarray) -> float:
    return float("nan") if np.isnan(values).all() else float(np.nanmean(values))


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
    parser = argparse.ArgumentParser(
        prog="python -m pretrained.publishing.head_catalogue", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("names", nargs="+", metavar="NAME", help="folders in pretrained/")
    parser.add_argument("--data-dir", type=Path, help=f"folder of the corpora (else ${DATA_DIR_VARIABLE})")
    parser.add_argument("--device", help="cuda, mps or cpu (default: the first that there is)")
    given = parser.parse_args(arguments)
    CATALOGUE.mkdir(exist_ok=True)
    for name in given.names:
        try:
            roles, examples = head_catalogue(name, data_dir=given.data_dir, device=given.device)
        except (OSError, ValueError, CorpusMissingError, DamagedWeightsError) as error:
            sys.stderr.write(f"{error}\n")
            return 2
        roles.to_parquet(roles_path(name), index=False)
        if len(examples):
            examples.to_parquet(examples_path(name), index=False)
        sys.stdout.write(f"{name}: {len(roles)} heads over {roles['sentences'].iloc[0]:,} sentences\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
