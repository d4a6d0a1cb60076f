"""Measure what every head of shipped models does, over sentences or inputs that had no part in their training."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from unicodedata import category

import numpy as np
import pandas as pd
from tqdm import tqdm

from model.analysis.maps.head_roles import (
    MAX_OFFSET,
    MEASURES,
    Kind,
    SentenceMeasures,
    measured_rows,
    measured_sentences,
)
from model.data.loading import Pair
from model.device import use_one_thread
from model.tasks import Row, find
from model.text.tokenizer import UNKNOWN_ID, Tokenizer
from model.training.history import commit
from model.zoo.data import held_out_rows
from pretrained.head_catalogue import examples_path, roles_path
from pretrained.publishing.command import DataDir, Device, Names, command, command_line
from pretrained.publishing.dev_sentences import dev_sentences, may_be_passed_on
from pretrained.publishing.shipping import provenance, translator_metrics, write_table
from pretrained.translators import load_translator
from pretrained.zoo import HEADS, ZOO, ZooModel, load_zoo_model, shipped_zoo

N_SENTENCES = 1000
N_EXAMPLES = 3
N_INPUTS = 1000
EXAMPLES_OF = (
    *("previous", "same", "next", "first", "last", "sink", "marks"),
    *("duplicate", "induction", "rare", "confidence"),
)
# In a very short sentence every head does everything.
MIN_WORDS, MAX_WORDS = 5, 12
_SORTED = ("task", "encoding", "layer", "head")

Measured = Mapping[tuple[Kind, int], SentenceMeasures]
"""The measures of one sentence, by kind and layer from 0."""


@command("head_catalogue")
def write_head_catalogue(names: Names, *, data_dir: DataDir = None, device: Device = None) -> Iterator[str]:
    """Measure what every head of translators does, over dev sentences.

    The decoder reads the references. A table of all heads goes to ``pretrained/head_catalogue/NAME.parquet``, and the
    sentences in which each head does a thing most and least to a file beside it, where the corpus may be passed on.
    """
    for name in names:
        roles, examples = head_catalogue(name, data_dir=data_dir, device=device)
        write_table(roles, roles_path(name))
        if len(examples):
            write_table(examples, examples_path(name))
        yield f"{name}: {len(roles)} heads over {roles['sentences'].iloc[0]:,} sentences"


@command("zoo_heads")
def write_zoo_heads(*, folder: Path = ZOO, n: int = N_INPUTS) -> str:
    """Measure what every head of the zoo's models does, over inputs with their right answers.

    The table of all is ``pretrained/zoo/heads.parquet``.
    """
    use_one_thread()
    shipped = shipped_zoo(folder)
    inputs = {task: held_out_inputs(task, n) for task in dict.fromkeys(model.run.task for model in shipped)}
    measured = tqdm(shipped, unit="model", disable=None)
    rows = [row for model in measured for row in _rows_of(model, inputs[model.run.task], folder)]
    if rows:
        table = pd.DataFrame(rows).assign(commit=commit(), command=command_line("zoo_heads"))
        table = table.sort_values([*_SORTED], ignore_index=True)
        write_table(table.astype(dict.fromkeys(table.select_dtypes("float").columns, "float32")), folder / HEADS)
    return f"zoo: {len(rows):,} heads"


def head_catalogue(name: str, *, data_dir: Path | None, device: str | None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the table of the heads of ``name``, and that of its sentences, which is empty for captions."""
    translator, pairs = load_translator(name, device), dev_sentences(name, data_dir).scoring[:N_SENTENCES]
    encode = translator.tokenizer.encode
    encoded = [(encode(pair.source), encode(pair.target)) for pair in pairs]
    sentences = [*measured_sentences(translator.model, encoded, marks=mark_tokens(translator.tokenizer))]
    source = {"sentences": len(pairs), **provenance(name, command_line("head_catalogue", name))}
    roles = [row | source for row in head_rows(sentences)]
    may_ship = may_be_passed_on(translator_metrics(name)["training"]["data"]["corpus"])
    examples = [
        {"kind": kind, "layer": layer + 1, "head": head + 1, **row}
        for (kind, layer), measured in by_layer(sentences).items()
        for head in range(len(measured[0].offsets))
        for measure in EXAMPLES_OF
        for row in _examples(measure, np.array([one.values[measure][head] for one in measured]), pairs)
    ]
    return pd.DataFrame(roles), pd.DataFrame(examples if may_ship else [])


def mark_tokens(tokenizer: Tokenizer) -> frozenset[int]:
    """Return the tokens that are nothing but punctuation, with a blank before them or without."""
    texts = {
        token: tokenizer.decode([token]).strip() for token in range(tokenizer.vocabulary_size) if token != UNKNOWN_ID
    }
    return frozenset(token for token, text in texts.items() if text and all(category(one)[0] == "P" for one in text))


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


def by_layer(sentences: Iterable[Measured]) -> dict[tuple[Kind, int], list[SentenceMeasures]]:
    """Return the measures of each layer, sentence after sentence."""
    layers: dict[tuple[Kind, int], list[SentenceMeasures]] = {}
    for of_sentence in sentences:
        for layer, measures in of_sentence.items():
            layers.setdefault(layer, []).append(measures)
    return layers


def head_rows(sentences: Iterable[Measured]) -> Iterator[dict[str, Any]]:
    """Yield for each head its kind, its layer and number from 1, and the means of its measures.

    ``offset`` is the relative position that its largest weight falls on most often, and ``offset_share`` how often.
    """
    for (kind, layer), measured in by_layer(sentences).items():
        counts = np.sum([one.offsets for one in measured], axis=0)  # [H, offset]
        offsets = counts / np.maximum(sum(one.n_places for one in measured), 1)[:, None]
        for head in range(len(offsets)):
            best = int(np.argmax(offsets[head]))
            yield {
                "kind": kind,
                "layer": layer + 1,
                "head": head + 1,
                **{name: _mean(np.array([one.values[name][head] for one in measured])) for name in MEASURES},
                "offset": best - MAX_OFFSET,
                "offset_share": float(offsets[head, best]),
            }


def _mean(values: np.ndarray) -> float:
    return float("nan") if np.isnan(values).all() else float(np.nanmean(values))


def held_out_inputs(task: str, n: int) -> Sequence[Row]:
    """Return held-out inputs of the trained lengths, as many of each as there are in equal parts."""
    kind = find(task)
    lengths = kind.training_lengths()
    return [row for length in lengths for row in held_out_rows(kind, length, -(-n // len(lengths)))]


def _rows_of(shipped: ZooModel, inputs: Sequence[Row], folder: Path) -> Iterator[dict[str, Any]]:
    about = {
        "task": shipped.run.task,
        "encoding": shipped.run.encoding,
        "seed": shipped.run.seed,
        "sentences": len(inputs),
        "weights": shipped.sha256,
    }
    model = load_zoo_model(shipped, folder)
    yield from (about | row for row in head_rows(measured_rows(model, inputs)))
