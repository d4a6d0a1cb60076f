"""Measure what shipped translators write with other positions, over dev sentences that had no part in their training.

``python -m pretrained.publishing.swapped_positions NAME…``.

BLEU is that of translations by greedy search. A table goes to ``pretrained/swapped_positions/NAME.parquet``.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd

from model.analysis.interventions.swapped_positions import SIDES, Swap, swap_edits
from model.checkpoint import DamagedWeightsError
from model.data.loading import DATA_DIR_VARIABLE, CorpusMissingError
from model.decoding.options import DecodingOptions
from model.hooks import intervene
from model.training.history import commit
from model.training.translation.score import bleu_for
from pretrained.publishing.dev_sentences import dev_sentences
from pretrained.publishing.metrics import read_metrics
from pretrained.swapped_positions import CHANGES, SWAPPED, swapped, swapped_path
from pretrained.translators import FOLDER, METRICS, WEIGHTS, load_translator

N_SENTENCES = 400
# Without the right positions a model may never end a translation by itself.
_SEARCH = DecodingOptions(beam_size=1, max_extra_length=20)


def swapped_positions(name: str, *, data_dir: Path | None, device: str | None) -> pd.DataFrame:
    """Return what :func:`pretrained.swapped_positions.swapped_positions` reads, of the translator ``name``.

    Raises:
        CorpusMissingError: the dev sentences are not in ``data_dir``.
        ValueError: the translator adds no sinusoids.
    """
    translator, dev = load_translator(name, device), dev_sentences(name, data_dir)
    pairs, bleu = dev.scoring[:N_SENTENCES], bleu_for(dev.target_language)
    sources, references = [pair.source for pair in pairs], [pair.target for pair in pairs]
    known: dict[Swap, float] = {}

    def measured(swap: Swap) -> float:
        if swap not in known:
            with intervene(swap_edits(translator.model, swap)):
                translations = translator.translate_all(sources, _SEARCH)
            known[swap] = float(bleu.corpus_score(translations, [references]).score)
        return known[swap]

    metrics = read_metrics(FOLDER / name / METRICS)
    rows: list[dict[str, Any]] = [
        {"change": change, "value": float(value), "side": swap.side, "bleu": measured(swap)}
        for change, value, swap in _swaps()
    ]
    return pd.DataFrame(rows).assign(
        sentences=len(pairs),
        weights=metrics["sha256"][WEIGHTS],
        commit=commit(),
        command=f"python -m pretrained.publishing.swapped_positions {name}",
    )


def _swaps() -> Iterator[tuple[str, float, Swap]]:
    for side, (change, values) in product(SIDES, CHANGES.items()):
        yield from ((change, value, swapped(change, value, side)) for value in values)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and write; return the process's exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m pretrained.publishing.swapped_positions", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("names", nargs="+", metavar="NAME", help="folders in pretrained/")
    parser.add_argument("--data-dir", type=Path, help=f"folder of the corpora (else ${DATA_DIR_VARIABLE})")
    parser.add_argument("--device", help="cuda, mps or cpu (default: the first that there is)")
    given = parser.parse_args(arguments)
    SWAPPED.mkdir(exist_ok=True)
    for name in given.names:
        try:
            table = swapped_positions(name, data_dir=given.data_dir, device=given.device)
        except (OSError, ValueError, CorpusMissingError, DamagedWeightsError) as error:
            sys.stderr.write(f"{error}\n")
            return 2
        table.to_parquet(swapped_path(name), index=False)
        worst = table.sort_values("bleu").iloc[0]
        sys.stdout.write(
            f"{name}: {len(table)} rows over {table['sentences'].iloc[0]} sentences; the lowest BLEU, "
            f"{worst['bleu']:.2f}, with {worst['change']} {worst['value']:g} in {worst['side']}\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
