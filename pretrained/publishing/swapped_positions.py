"""Measure what shipped translators write with other positions, over dev sentences that they were not trained on."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd

from model.analysis.interventions.swapped_positions import SIDES, Swap, swap_edits
from model.hooks import intervene
from pretrained.publishing.command import DataDir, Device, Names, command, command_line
from pretrained.publishing.dev_sentences import dev_sentences, greedy_bleu
from pretrained.publishing.shipping import provenance, write_table
from pretrained.swapped_positions import CHANGES, swapped, swapped_path
from pretrained.translators import load_translator

N_SENTENCES = 400


@command("swapped_positions")
def write_swapped_positions(names: Names, *, data_dir: DataDir = None, device: Device = None) -> Iterator[str]:
    """Measure what translators write with other positions, over dev sentences.

    BLEU is that of translations by greedy search. A table goes to ``pretrained/swapped_positions/NAME.parquet``.
    """
    for name in names:
        table = swapped_positions(name, data_dir=data_dir, device=device)
        write_table(table, swapped_path(name))
        worst = table.sort_values("bleu").iloc[0]
        yield (
            f"{name}: {len(table)} rows over {table['sentences'].iloc[0]} sentences; the lowest BLEU, "
            f"{worst['bleu']:.2f}, with {worst['change']} {worst['value']:g} in {worst['side']}"
        )


def swapped_positions(name: str, *, data_dir: Path | None, device: str | None) -> pd.DataFrame:
    """Return what :func:`pretrained.swapped_positions.swapped_positions` reads, of the translator ``name``.

    Raises:
        CorpusMissingError: the dev sentences are not in ``data_dir``.
        ValueError: the translator adds no sinusoids.
    """
    translator, dev = load_translator(name, device), dev_sentences(name, data_dir)
    pairs = dev.scoring[:N_SENTENCES]
    known: dict[Swap, float] = {}

    def measured(swap: Swap) -> float:
        if swap not in known:
            with intervene(swap_edits(translator.model, swap)):
                known[swap] = greedy_bleu(translator, pairs, dev.target_language)
        return known[swap]

    rows: list[dict[str, Any]] = [
        {"change": change, "value": float(value), "side": swap.side, "bleu": measured(swap)}
        for change, value, swap in _swaps()
    ]
    return pd.DataFrame(rows).assign(sentences=len(pairs), **provenance(name, command_line("swapped_positions", name)))


def _swaps() -> Iterator[tuple[str, float, Swap]]:
    for side, (change, values) in product(SIDES, CHANGES.items()):
        yield from ((change, value, swapped(change, value, side)) for value in values)
