"""Find the places in dev sentences that excite each hidden unit of shipped translators most."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import torch
from torch import Tensor

from model.analysis.interventions.ablation import unit_points
from model.decoding.translator import Translator
from model.hooks import record
from model.text.tokenizer import Tokenizer
from pretrained.publishing.command import DataDir, Device, Names, command, command_line
from pretrained.publishing.dev_sentences import EncodedPair, dev_sentences, encoded_pairs, may_be_passed_on
from pretrained.publishing.shipping import provenance, write_table
from pretrained.translators import load_translator, read_card
from pretrained.unit_examples import unit_examples_path

N_SENTENCES = 2000
N_EXAMPLES = 3


@command("unit_examples")
def write_unit_examples(names: Names, *, data_dir: DataDir = None, device: Device = None) -> Iterator[str]:
    """Find the places that excite each hidden unit of translators most, in dev sentences.

    The encoder reads the sources, the decoder the references. A table goes to ``pretrained/unit_examples/NAME.parquet``
    where the corpus may be passed on.
    """
    for name in names:
        corpus = read_card(name).corpora[0]
        if not may_be_passed_on(corpus):
            yield f"{name}: the sentences of {corpus} may not be passed on"
            continue
        table = unit_example_table(name, data_dir=data_dir, device=device)
        write_table(table, unit_examples_path(name))
        yield f"{name}: {len(table)} examples of {table.groupby(['point', 'unit']).ngroups} units"


def unit_example_table(name: str, *, data_dir: Path | None, device: str | None) -> pd.DataFrame:
    """Return what :func:`pretrained.unit_examples.unit_examples` reads, of the translator ``name``.

    Of a sentence only the strongest place counts, so that the examples of a unit are different ones.
    """
    translator = load_translator(name, device)
    pairs = encoded_pairs(translator, dev_sentences(name, data_dir).scoring[:N_SENTENCES])
    best: dict[str, list[tuple[Tensor, Tensor]]] = {point: [] for point in unit_points(translator.model.config)}
    for source, target in pairs:
        for point, hidden in _hidden(translator, source, target).items():
            best[point].append(tuple(hidden.max(0)))  # type: ignore[arg-type]  # activations and positions, [F]
    rows = [row for point, of_sentences in best.items() for row in _rows(translator, point, of_sentences, pairs)]
    return pd.DataFrame(rows).assign(sentences=len(pairs), **provenance(name, command_line("unit_examples", name)))


@torch.inference_mode()
def _hidden(translator: Translator, source: Sequence[int], target: Sequence[int]) -> Mapping[str, Tensor]:
    """Return the activations of all hidden units at each position, [P, F]."""
    read = [translator.model.config.bos_id, *target[:-1]]
    with record("*.feed_forward.hidden") as seen:
        device = translator.model.embedding.weight.device
        translator.model(torch.tensor([list(source)], device=device), torch.tensor([read], device=device))
    return {point: hidden[0].cpu() for point, hidden in seen.items()}


def _rows(
    translator: Translator,
    point: str,
    of_sentences: Sequence[tuple[Tensor, Tensor]],
    pairs: Sequence[EncodedPair],
) -> Iterator[dict[str, Any]]:
    activations, positions = (torch.stack([*parts]) for parts in zip(*of_sentences, strict=True))  # [sentence, F]
    strongest = activations.topk(N_EXAMPLES, dim=0)
    for unit in range(activations.shape[1]):
        for activation, sentence in zip(
            strongest.values[:, unit].tolist(), strongest.indices[:, unit].tolist(), strict=True
        ):
            if activation > 0:
                source, target = pairs[sentence]
                read = source if point.startswith("encoder") else [translator.model.config.bos_id, *target[:-1]]
                place = _place(translator.tokenizer, read, int(positions[sentence, unit]))
                yield {"point": point, "unit": unit, "activation": activation, **place}


def _place(tokenizer: Tokenizer, tokens: Sequence[int], position: int) -> dict[str, str]:
    """Return the text around the token at ``position``, and its own."""
    texts = [tokenizer.decode([*tokens[:end]]) for end in (position, position + 1, len(tokens))]
    before, through, whole = texts
    return {
        "before": before,
        "text": through[len(before) :],
        "after": whole[len(through) :],
        "piece": tokenizer.pieces([tokens[position]])[0],
    }
