"""Measure how well the cross-attention of a shipped translator aligns words, against links that people made.

``python -m pretrained.publishing.alignment_errors NAME GOLD``.

GOLD is a folder with tokenised sentences in two languages and their links: ``en.txt``, ``fr.txt`` and ``gold.txt``,
whose links have the English word first. The decoder reads the reference. The table goes to
``pretrained/head_catalogue/NAME-alignment.parquet``: the error rate of every head and of the mean of every layer (head
0) and of all (layer 0), at the step that writes a word and at the one that reads it, by α and by ‖αvW_O‖.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch

from model.analysis.alignment import (
    STEPS,
    Gold,
    Link,
    Span,
    alignment_error_rate,
    at_step,
    links_of,
    read_gold,
    word_weights,
)
from model.analysis.contribution import contribution_norms
from model.checkpoint import DamagedWeightsError
from model.decoding.translator import Translator
from model.hooks import record
from model.text.normalization import WORD_START
from model.training.history import commit
from pretrained.head_catalogue import alignment_path
from pretrained.publishing.metrics import read_metrics
from pretrained.translators import FOLDER, METRICS, WEIGHTS, load_translator

CODES = {"English": "en", "French": "fr"}
WEIGHINGS = ("weights", "norms")


@dataclass(frozen=True)
class Sentence:
    """Tokens of a pair, the spans of its words in them, and its gold links as (source, target)."""

    source: list[int]
    target: list[int]
    source_words: list[Span]
    target_words: list[Span]
    gold: Gold


def alignment_errors(name: str, gold: Path, *, device: str | None) -> pd.DataFrame:
    """Return the error rates of the translator ``name`` on the sentences in ``gold``.

    Raises:
        FileNotFoundError: a file of ``gold`` is missing.
        ValueError: it has no file of the translator's languages.
    """
    translator = load_translator(name, device)
    metrics = read_metrics(FOLDER / name / METRICS)
    sentences, n_given = _sentences(translator, gold, metrics["training"]["data"])
    found: dict[tuple[int, int, str, str], list[tuple[set[Link], Gold]]] = {}
    for sentence in sentences:
        for (layer, head, weighing), rows in _maps(translator, sentence):
            for step in STEPS:
                weights = word_weights(at_step(rows, step), sentence.target_words, sentence.source_words)
                found.setdefault((layer, head, step, weighing), []).append((links_of(weights), sentence.gold))
    about = {
        "sentences": len(sentences),
        "given": n_given,
        "gold": gold.name,
        "weights": metrics["sha256"][WEIGHTS],
        "commit": commit(),
        "command": f"python -m pretrained.publishing.alignment_errors {name} {gold.name}",
    }
    table: list[dict[str, Any]] = [
        {
            "layer": layer,
            "head": head,
            "step": step,
            "weighing": weighing,
            "error": alignment_error_rate(pairs),
            **about,
        }
        for (layer, head, step, weighing), pairs in found.items()
    ]
    return pd.DataFrame(table).sort_values(["weighing", "step", "layer", "head"], ignore_index=True)


def _sentences(translator: Translator, gold: Path, data: dict[str, Any]) -> tuple[list[Sentence], int]:
    """Return the pairs whose words the tokenizer keeps apart, and how many were given."""
    languages = [data["source_language"], data["target_language"]]
    if not {*languages} <= CODES.keys():
        raise ValueError(f"{' to '.join(languages)} has no alignments that can be read; {', '.join(CODES)} have")
    source, target = ((gold / f"{CODES[language]}.txt").read_text(encoding="utf-8") for language in languages)
    lines = (gold / "gold.txt").read_text(encoding="utf-8").splitlines()
    pairs = list(zip(source.splitlines(), target.splitlines(), lines, strict=True))
    kept = []
    for source_text, target_text, line in pairs:
        links = read_gold(line) if languages[0] == "English" else _turned(read_gold(line))
        source_ids, target_ids = map(translator.tokenizer.encode, (source_text, target_text))
        source_words, target_words = (_words(translator.tokenizer.pieces(ids)) for ids in (source_ids, target_ids))
        if (len(source_text.split()), len(target_text.split())) == (len(source_words), len(target_words)):
            kept.append(Sentence(source_ids, target_ids, source_words, target_words, links))
    return kept, len(pairs)


def _turned(gold: Gold) -> Gold:
    return Gold(*(frozenset((target, source) for source, target in links) for links in (gold.sure, gold.possible)))


def _words(pieces: Sequence[str]) -> list[Span]:
    starts = [place for place, piece in enumerate(pieces) if piece.startswith(WORD_START)]
    return list(zip(starts, [*starts[1:], len(pieces)], strict=True))


def _maps(translator: Translator, sentence: Sentence) -> Iterator[tuple[tuple[int, int, str], np.ndarray]]:
    """Yield the map [row, source token] of every head, of the mean of every layer and of all, by α and by ‖αvW_O‖."""
    model = translator.model
    config, device = model.config, model.embedding.weight.device
    source = torch.tensor([[*sentence.source, config.eos_id]], device=device)
    read = torch.tensor([[config.bos_id, *sentence.target]], device=device)
    with torch.inference_mode(), record("decoder.*.cross_attention.pattern", "decoder.*.cross_attention.v") as seen:
        model(source, read)
    layers: dict[str, list[np.ndarray]] = {weighing: [] for weighing in WEIGHINGS}
    for layer in range(config.n_decoder_layers):
        pattern, v = (seen[f"decoder.{layer}.cross_attention.{name}"][0] for name in ("pattern", "v"))
        with torch.inference_mode():
            norms = contribution_norms(
                pattern, v, model.get_parameter(f"decoder.layers.{layer}.cross_attention.W_O.weight")
            )
        for weighing, maps in zip(WEIGHINGS, (pattern, norms), strict=True):
            by_head = maps.double().cpu().numpy()
            layers[weighing].append(by_head)
            yield (layer + 1, 0, weighing), by_head.mean(0)
            for head, of_head in enumerate(by_head, start=1):
                yield (layer + 1, head, weighing), of_head
    for weighing, every in layers.items():
        yield (0, 0, weighing), np.concatenate(every).mean(0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write and print; return the process's exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m pretrained.publishing.alignment_errors", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("name", help="folder in pretrained/")
    parser.add_argument("gold", type=Path, help="folder with en.txt, fr.txt and gold.txt")
    parser.add_argument("--device", help="cuda, mps or cpu (default: the first that there is)")
    given = parser.parse_args(arguments)
    try:
        table = alignment_errors(given.name, given.gold, device=given.device)
    except (OSError, ValueError, DamagedWeightsError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    path = alignment_path(given.name)
    path.parent.mkdir(exist_ok=True)
    table.to_parquet(path, index=False)
    sys.stdout.write(f"{table['sentences'].iloc[0]} of {table['given'].iloc[0]} sentences\n")
    sys.stdout.write(table.sort_values("error").head(10)[["layer", "head", "step", "weighing", "error"]].to_string())
    sys.stdout.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
