"""How well the heads of cross-attention align words, where nobody linked these by hand: against IBM Model 1.

The links are those of :func:`model.training.translation.word_alignment.align`, learned from the training pairs too. The
decoder reads the reference; the row of a token is the one that writes it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float64

from model.analysis.maps.alignment import Link, Span, at_step, links_of, word_weights
from model.architectures.encoder_decoder import EncoderDecoder
from model.data.loading import Pair, Split
from model.hooks import record
from model.text.tokenizer import Tokenizer, Word
from model.training.translation.word_alignment import align


@dataclass(frozen=True)
class AlignedPair:
    """Tokens of a pair, the spans of its words in them, and the links between words that align each other."""

    source: list[int]
    target: list[int]
    source_words: list[Span]
    target_words: list[Span]
    links: frozenset[Link]


def aligned_pairs(split: Split, pairs: Sequence[Pair], tokenizer: Tokenizer) -> list[AlignedPair]:
    """Return those of ``pairs`` that have links, which IBM Model 1 learns from the training pairs and from these."""
    every = [*split.train, *pairs]
    encoded = [(tokenizer.encode(pair.source), tokenizer.encode(pair.target)) for pair in every]
    words = [tuple(map(tokenizer.words, both)) for both in encoded]
    texts = [[[word.text.lower() for word in sides[side]] for sides in words] for side in (0, 1)]
    links = align(texts[0], texts[1])
    found = [
        AlignedPair(*both, _spans(sides[0]), _spans(sides[1]), frozenset(linked))
        for both, sides, linked in zip(encoded, words, links, strict=True)
    ]
    return [pair for pair in found[len(split.train) :] if pair.links]


def alignment(model: EncoderDecoder, aligned: Sequence[AlignedPair]) -> Float64[np.ndarray, "layer head"]:
    """Return the share of links that each head finds by its largest weight."""
    found = np.zeros((model.config.n_decoder_layers, model.config.n_heads))
    for pair in aligned:
        for layer, heads in enumerate(_maps(model, pair)):
            for head, rows in enumerate(heads):
                weights = word_weights(at_step(rows, "output"), pair.target_words, pair.source_words)
                found[layer, head] += len(links_of(weights) & pair.links)
    return found / sum(len(pair.links) for pair in aligned)


def _maps(model: EncoderDecoder, pair: AlignedPair) -> Iterator[np.ndarray]:
    """Yield the maps [head, row, source token] of every layer; the rows read BOS and the reference."""
    config = model.config
    source, read = torch.tensor([[*pair.source, config.eos_id]]), torch.tensor([[config.bos_id, *pair.target]])
    with torch.inference_mode(), record("decoder.*.cross_attention.pattern") as seen:
        model(source, read)
    for layer in range(config.n_decoder_layers):
        yield seen[f"decoder.{layer}.cross_attention.pattern"][0].numpy()


def _spans(words: Sequence[Word]) -> list[Span]:
    return [(word.start, word.end) for word in words]
