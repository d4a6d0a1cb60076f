"""Translators that learned from short sentences, by positional encoding, and how they do on longer ones."""

from pathlib import Path

import pandas as pd

from model.decoding.translator import Translator
from pretrained.quantization import load_quantized
from pretrained.tables import read_table
from pretrained.translators import CONFIG, FOLDER, METRICS, TOKENIZER, WEIGHTS

LONGER = FOLDER / "longer_sentences"
RESULTS = LONGER / "results.parquet"
JOINED = "joined"
HELPED = (JOINED, "randomized")
"""The variants that are no other encoding: the sinusoidal one with joined captions, and at random positions."""
SHIPPED = ("sinusoidal", "rotary", "joined")
"""The variants whose weights ship, each of its first seed."""


def longer_results(path: Path = RESULTS) -> pd.DataFrame:
    """Return what was measured of every run that is finished; empty where none is published.

    A row is a run, which is a ``variant`` and a ``seed``, and a set of test pairs of one ``kind``, "whole" captions or
    "joined" ones, with ``shortest`` to ``longest`` source words, ``words`` on average. It has the cross-entropy of a
    target piece (``loss``, in nats) and, of greedy translations, ``bleu``, ``chrf``, ``length_ratio`` (words written
    for each word of the reference) and ``repeats``, the share in which words stand twice in a row.
    """
    return read_table(path)


def helps_from(results: pd.DataFrame, kind: str) -> int | None:
    """Return from how many words on training on joined captions is ahead on pairs of ``kind``; None is never.

    Only pairs longer than the trained ones count. There and at all greater lengths, every seed with it has a higher
    BLEU than every seed of every encoding alone.
    """
    past = results[(results.kind == kind) & (results.shortest > results.trained_to)]
    first = None
    for shortest in sorted(set(past.shortest.tolist()), reverse=True):
        own = past[past.shortest == shortest]
        if not own[own.variant == JOINED].bleu.min() > own[~own.variant.isin(HELPED)].bleu.max():
            break
        first = shortest
    return first


def files_of(variant: str, folder: Path = LONGER) -> tuple[Path, ...]:
    """Return the files that :func:`load_longer` reads of ``variant``."""
    return (folder / variant / WEIGHTS, folder / variant / CONFIG, folder / variant / METRICS, folder / TOKENIZER)


def load_longer(variant: str, folder: Path = LONGER) -> Translator:
    """Return the translator of ``variant``, one of :data:`SHIPPED`, on the CPU; all share one tokenizer.

    Raises:
        ValueError: no such variant ships.
        DamagedWeightsError: its files are missing or not the recorded ones.
    """
    if variant not in SHIPPED:
        raise ValueError(f"no model of {variant!r} ships; there are {', '.join(SHIPPED)}")
    place = folder / variant
    return load_quantized(place / WEIGHTS, config=place / CONFIG, tokenizer=folder / TOKENIZER)
