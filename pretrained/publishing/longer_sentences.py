"""Measure translators that learned from short sentences on longer ones, and ship the results."""

import re
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

import pandas as pd
import torch
from safetensors.torch import save_file
from torch import Tensor

from model.data.loading import load_split
from model.data.sentence_lengths import LengthSet, by_length, held_out_by_length, n_words
from model.decoding.options import GREEDY
from model.decoding.translator import MAX_SOURCE_TOKENS, Translator
from model.device import use_one_thread
from model.text.repetition import repetitions
from model.training.runs import finished_folders
from model.training.translation.config import TranslationData
from model.training.translation.finished import load_finished
from model.training.translation.join_sentences import JoinedSentences
from model.training.translation.score import corpus_scores, pair_loss
from pretrained.longer_sentences import LONGER, RESULTS, SHIPPED, longer_results
from pretrained.publishing.command import DataDir, command
from pretrained.publishing.shipping import committed_history, merged_rows, ship_variants, write_table
from pretrained.quantization import quantized
from pretrained.translators import CARD

BASE = "sinusoidal"
_KEYS = ("variant", "seed")
_MEASURED = (*_KEYS, "commit")
"""What says whether a run was measured: one that was trained again has another commit."""
_MOST, _SEED = 100, 1
_JOINED = 60
"""How many joined sentences are drawn from, for each short caption: few are of the greatest lengths."""
_WORD = re.compile(r"\w+")


@command("longer_sentences")
def ship_longer_sentences(
    *,
    run: Annotated[Path, "folder of the sweep"] = Path("runs/length"),
    ship: Annotated[bool, "write the weights of telling variants as well, in eight bits"] = False,
    data_dir: DataDir = None,
    path: Path = RESULTS,
    folder: Path = LONGER,
) -> str:
    """Measure translators that learned from short sentences on longer ones, and ship the results.

    It may run at any time, also while the sweep goes on: runs that are finished and not yet measured are measured.
    """
    use_one_thread()
    results = longer_results(path)
    known = set() if results.empty else set(results[list(_MEASURED)].itertuples(index=False, name=None))
    places = finished_folders(run)
    if not places:
        raise FileNotFoundError(f"{run} has no finished run; python -m model.training.sweep trains them")
    for place in places:
        history, finished = committed_history(place), load_finished(place, torch.device("cpu"))
        variant, seed, data = _variant(place), finished.training.seed, finished.training.data
        if (variant, seed, history[-1]["commit"]) in known:
            continue
        rows = [
            {"variant": variant, "seed": seed, **measured(finished.translator, test, data.target_language)}
            for test in length_sets(data, data_dir)
        ]
        table = pd.DataFrame(rows).assign(trained_to=data.max_source_words, commit=history[-1]["commit"])
        results = merged_rows(results, table, _KEYS).sort_values([*_KEYS, "kind", "shortest"], ignore_index=True)
        write_table(results, path)
    if ship:
        runs = {_variant(place): place for place in places if place.name.endswith(f"-{_SEED}")}
        if missing := [variant for variant in SHIPPED if variant not in runs]:
            raise ValueError(f"{run} has no finished run of {missing[0]} with seed {_SEED}, which ships")
        ship_variants(
            folder,
            {variant: runs[variant] for variant in SHIPPED},
            seed=_SEED,
            save=_save_quantized,
            keep=(RESULTS.name, CARD),
        )
    return f"{path}: {0 if results.empty else len(results[list(_KEYS)].drop_duplicates())} runs"


def _save_quantized(weights: Mapping[str, Tensor], path: Path) -> None:
    save_file(quantized(weights), path)


def length_sets(data: TranslationData, data_dir: Path | None) -> list[LengthSet]:
    """Return the test sets of runs on ``data``: captions that they have not trained on, and joined short ones.

    Raises:
        CorpusMissingError: the captions are not in ``data_dir``.
    """
    split = load_split(data.corpora, data.n_dev, dev_corpus=data.dev_corpus, data_dir=data_dir)
    whole = held_out_by_length(split.dev, split.train, data.max_source_words)
    short = [pair for pair in split.dev if n_words(pair) <= data.max_source_words]
    joined = [
        pair
        for pair in JoinedSentences(short, _JOINED, data.languages).made(_SEED)
        if n_words(pair) > data.max_source_words
    ]
    return [
        *by_length(whole, "whole", most=_MOST, seed=_SEED),
        *by_length(joined, "joined", most=_MOST, seed=_SEED),
    ]


def measured(translator: Translator, test: LengthSet, language: str) -> dict[str, Any]:
    """Return a row of the results but for the names of the run, as :func:`longer_results` describes it."""
    references = [pair.target for pair in test.pairs]
    written = translator.translate_all([pair.source for pair in test.pairs], GREEDY, as_typed=True)
    scores = corpus_scores(written, references, language)
    n_written = [len(text.split()) for text in written]
    return {
        "kind": test.kind,
        "shortest": test.shortest,
        "longest": test.longest,
        "words": test.mean_words,
        "n": len(test.pairs),
        "loss": pair_loss(translator, test.pairs, max_length=MAX_SOURCE_TOKENS),
        "bleu": scores["sacrebleu"],
        "chrf": scores["chrf"],
        "length_ratio": sum(n_written) / sum(len(text.split()) for text in references),
        "repeats": fmean(any(repetitions(_WORD.findall(text.lower()))) for text in written),
    }


def _variant(run: Path) -> str:
    """Return the variant of the run in a folder such as ``length-rotary-1``; that of ``length-1`` is the base."""
    return "-".join(run.name.split("-")[1:-1]) or BASE
