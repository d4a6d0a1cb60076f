"""Trains a parser from its configuration: trees, tokenizer, batches, model, validation."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor

from model.architectures.encoder_decoder import EncoderDecoder
from model.data.treebanks import load_treebank
from model.decoding.parser import encode_words, looking_ahead
from model.text.linear_trees import TreeSymbols
from model.text.tokenizer import Tokenizer
from model.text.trees import Tree, words
from model.training.encoder_decoder import encoder_decoder_trainer, kept_tokenizer
from model.training.loop import Trainer
from model.training.loss import TokenLoss, predicting_states, projected_cross_entropy
from model.training.parsing.config import ParserTraining
from model.training.parsing.swap_subtrees import SubtreeSwap
from model.training.processes import ALONE, Processes
from model.training.translation.batches import Batch, BucketedBatches, EncodedPair, ResampledBatches
from model.training.translation.score import mean_cross_entropy


def parser_trainer(
    training: ParserTraining,
    *,
    folder: Path,
    device: torch.device,
    data_dir: Path | None = None,
    processes: Processes = ALONE,
) -> Trainer[Any]:
    """Return the trainer of ``training``, at its first step or where the run in ``folder`` stopped.

    The tokenizer in ``folder`` is kept; without one, pieces are learned from the words of the trees.

    Raises:
        CorpusMissingError: the treebank is not in ``data_dir``.
        ValueError: the tokenizer in ``folder`` has more or fewer pieces than the vocabulary has room for.
    """
    data, symbols = training.data, training.symbols
    train, validation = split_trees(load_treebank(data.treebank, "train", data_dir), data.n_validated)
    with processes.in_turn():
        texts = (" ".join(word.text for word in words(tree)) for tree in train)
        tokenizer = kept_tokenizer(folder, texts, symbols.first)
    swap = SubtreeSwap([tree for tree in train if len(words(tree)) <= data.max_words], training.augment.swap_subtrees)

    def encoded(seed: int) -> list[EncodedPair]:
        trees = swap.varied(seed)
        short = [tree for tree in trees if len(words(tree)) <= data.max_words]
        return encode_trees(short, tokenizer, symbols, reads_ahead=data.reads_ahead)

    batches = ResampledBatches(
        encoded, tokens_per_batch=data.tokens_per_batch, seed=training.seed, end_id=symbols.end_id
    )
    validated = encode_trees(validation, tokenizer, symbols, reads_ahead=data.reads_ahead)
    return encoder_decoder_trainer(
        training,
        batches,
        loss=lambda model: partial(symbol_loss, model, symbols, label_smoothing=training.label_smoothing),
        validation=partial(_validation, training, validated, device),
        folder=folder,
        device=device,
        processes=processes,
    )


def split_trees(trees: Sequence[Tree], n_validated: int) -> tuple[list[Tree], list[Tree]]:
    """Return the trees to train on, and ``n_validated`` trees to select weights by.

    These are spread evenly over ``trees``.

    Raises:
        ValueError: nothing would be left to train on.
    """
    if n_validated >= len(trees):
        raise ValueError(f"n_validated is {n_validated}, of {len(trees)} trees; leave some to train on")
    chosen = {place * len(trees) // n_validated for place in range(n_validated)}
    parts: tuple[list[Tree], list[Tree]] = ([], [])
    for place, tree in enumerate(trees):
        parts[place in chosen].append(tree)
    return parts


def encode_trees(
    trees: Sequence[Tree], tokenizer: Tokenizer, symbols: TreeSymbols, *, reads_ahead: bool
) -> list[EncodedPair]:
    """Return each tree as the pieces of its words, and the symbols as the decoder reads them."""
    encoded = []
    for tree in trees:
        source, target = encode_words([word.text for word in words(tree)], tokenizer), symbols.encode(tree)
        encoded.append(EncodedPair(source.ids, looking_ahead(target, source, symbols) if reads_ahead else target))
    return encoded


def symbol_loss(model: EncoderDecoder, symbols: TreeSymbols, batch: Batch, *, label_smoothing: float) -> TokenLoss:
    """Return the loss of predicting each symbol of the batch's trees among the symbols alone.

    Pieces are no choice.
    """
    hidden, labels = predicting_states(model, batch.source, batch.target)
    table: Tensor = model.embedding.weight[symbols.first :]
    return projected_cross_entropy(hidden, table, _written(labels, symbols), label_smoothing=label_smoothing)


def _written(tokens: Int[Tensor, " token"], symbols: TreeSymbols) -> Int[Tensor, " token"]:
    """Return the places of ``tokens`` among the symbols: of XX where a word is read as it is."""
    return tokens.where(tokens >= symbols.first, symbols.word_id) - symbols.first


def _validation(
    training: ParserTraining, pairs: Sequence[EncodedPair], device: torch.device, model: EncoderDecoder
) -> Callable[[], dict[str, float]]:
    symbols = training.symbols
    batches = BucketedBatches(
        pairs, tokens_per_batch=training.data.tokens_per_batch, seed=training.seed, end_id=symbols.end_id
    )

    def validate() -> dict[str, float]:
        loss = partial(symbol_loss, model, symbols, label_smoothing=0.0)
        dev_loss = mean_cross_entropy(loss, batches.epoch(0), device)
        return {"dev_loss": dev_loss, "score": _accuracy(model, symbols, batches, device)}

    return validate


def _accuracy(model: EncoderDecoder, symbols: TreeSymbols, batches: BucketedBatches, device: torch.device) -> float:
    """Return the share of symbols that are the most probable one, each after the true ones before it."""
    right = total = 0
    for batch in batches.epoch(0):
        on_device = batch.to(device)
        hidden, labels = predicting_states(model, on_device.source, on_device.target)
        predicted = (hidden @ model.embedding.weight[symbols.first :].T).argmax(-1)
        right, total = right + int((predicted == _written(labels, symbols)).sum()), total + len(labels)
    return right / total
