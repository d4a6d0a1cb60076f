"""Measure translators that learned from short sentences on longer ones, and publish the results.

``python -m pretrained.publishing.publish_longer --run runs/length``.

It may be given at any time, also while the sweep goes on: runs that are finished and not yet published are measured.
With ``--ship`` the weights of telling variants are written too, in eight bits.
"""

import argparse
import hashlib
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import pandas as pd
import torch
from safetensors.torch import save_file

from model.checkpoint import load_state
from model.config import config_to_json
from model.data.loading import DATA_DIR_VARIABLE, CorpusMissingError, load_split
from model.data.sentence_lengths import LengthSet, by_length, held_out_by_length, n_words
from model.decoding.options import GREEDY
from model.decoding.translator import MAX_SOURCE_TOKENS, Translator
from model.device import use_one_thread
from model.text.repetition import repetitions
from model.training.history import read_history
from model.training.loss import TokenLoss, sequence_loss
from model.training.runs import ROWS
from model.training.translation.batches import Batch, BucketedBatches, encode_pairs
from model.training.translation.config import Data
from model.training.translation.finished import load_finished
from model.training.translation.join_sentences import JoinedSentences
from model.training.translation.score import corpus_scores, mean_cross_entropy
from pretrained.longer_sentences import LONGER, RESULTS, SHIPPED, longer_results
from pretrained.publishing.metrics import write_metrics
from pretrained.publishing.rows import merged_rows
from pretrained.quantization import quantized
from pretrained.translators import CONFIG, METRICS, TOKENIZER, WEIGHTS

BASE = "sinusoidal"
_KEYS = ("variant", "seed")
_MOST, _SEED = 100, 1
_JOINED = 60
"""How many joined sentences are drawn from, for each short caption: few are of the greatest lengths."""
_WORD = re.compile(r"\w+")


def length_sets(data: Data, data_dir: Path | None) -> list[LengthSet]:
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
    written = translator.translate_all([pair.source for pair in test.pairs], GREEDY)
    scores = corpus_scores(written, references, language)
    n_written = [len(text.split()) for text in written]
    return {
        "kind": test.kind,
        "shortest": test.shortest,
        "longest": test.longest,
        "words": test.mean_words,
        "n": len(test.pairs),
        "loss": _loss(translator, test),
        "bleu": scores["sacrebleu"],
        "chrf": scores["chrf"],
        "length_ratio": sum(n_written) / sum(len(text.split()) for text in references),
        "repeats": fmean(any(repetitions(_WORD.findall(text.lower()))) for text in written),
    }


def _loss(translator: Translator, test: LengthSet) -> float:
    model = translator.model
    encoded = encode_pairs(test.pairs, translator.tokenizer, max_length=MAX_SOURCE_TOKENS)
    batches = BucketedBatches(encoded, tokens_per_batch=Data.tokens_per_batch, seed=_SEED)

    def cross_entropy(batch: Batch) -> TokenLoss:
        return sequence_loss(model, batch.source, batch.target, label_smoothing=0.0)

    with torch.inference_mode():
        return mean_cross_entropy(cross_entropy, batches.epoch(0), torch.device("cpu"))


def publish(runs: Path, *, data_dir: Path | None, path: Path = RESULTS) -> int:
    """Measure what is finished in ``runs`` and not in the results at ``path``; return how many runs these hold then.

    Raises:
        CorpusMissingError: the captions are not in ``data_dir``.
        ValueError: a run was trained by code that no commit holds.
    """
    use_one_thread()
    found = longer_results(path)
    known = set() if found.empty else set(zip(found.variant, found.seed, strict=True))
    for run in sorted(place.parent for place in runs.glob(f"*/{ROWS}")):
        finished, history = load_finished(run, torch.device("cpu")), read_history(run)
        variant, seed = _variant(run), finished.training.seed
        if (variant, seed) in known:
            continue
        (commit,) = {segment["commit"] for segment in history}
        if commit.endswith("-dirty"):
            raise ValueError(f"files were changed since the commit that trained {run}; train it anew")
        data = finished.training.data
        rows = [
            {"variant": variant, "seed": seed, **measured(finished.translator, test, data.target_language)}
            for test in length_sets(data, data_dir)
        ]
        found = merged_rows(found, pd.DataFrame(rows).assign(trained_to=data.max_source_words, commit=commit), _KEYS)
        path.parent.mkdir(parents=True, exist_ok=True)
        found.sort_values([*_KEYS, "kind", "shortest"], ignore_index=True).to_parquet(
            path, index=False, compression="zstd"
        )
    return 0 if found.empty else len(found[list(_KEYS)].drop_duplicates())


def ship(runs: Path, folder: Path = LONGER) -> None:
    """Write weights, configuration and checksums of the shipped variants, and their tokenizer, to ``folder``.

    Raises:
        ValueError: a run is not finished, or has a tokenizer of its own.
    """
    for variant in SHIPPED:
        (run,) = (place for place in runs.glob(f"*-{_SEED}") if _variant(place) == variant)
        finished, place = load_finished(run, torch.device("cpu")), folder / variant
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        tokenizer = finished.translator.tokenizer.serialized
        if variant != SHIPPED[0] and (folder / TOKENIZER).read_bytes() != tokenizer:
            raise ValueError(f"{run} has another tokenizer than the runs before it; they must share one")
        (folder / TOKENIZER).write_bytes(tokenizer)
        (place / CONFIG).write_text(config_to_json(finished.training.model), encoding="utf-8")
        save_file(quantized(load_state(run / "best.pt")["weights"]), place / WEIGHTS)
        files = (place / WEIGHTS, place / CONFIG, folder / TOKENIZER)
        write_metrics(
            place / METRICS,
            sha256={file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files},
            commit=read_history(run)[-1]["commit"],
            seed=_SEED,
        )


def _variant(run: Path) -> str:
    """Return the variant of the run in a folder such as ``length-rotary-1``; that of ``length-1`` is the base."""
    return "-".join(run.name.split("-")[1:-1]) or BASE


def main(arguments: Sequence[str] | None = None) -> int:
    """Publish what the arguments name; return the process's exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m pretrained.publishing.publish_longer",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--run", type=Path, default=Path("runs/length"), help="folder of the sweep")
    parser.add_argument("--data-dir", type=Path, help=f"folder of the corpora (else ${DATA_DIR_VARIABLE})")
    parser.add_argument("--ship", action="store_true", help="write the weights of telling variants as well")
    given = parser.parse_args(arguments)
    try:
        n_runs = publish(given.run, data_dir=given.data_dir)
        if given.ship:
            ship(given.run)
    except (OSError, ValueError, CorpusMissingError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{RESULTS}: {n_runs} runs\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
