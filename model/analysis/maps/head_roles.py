"""The role of each head over many sentences: where it looks, how sharply, at which kind of token.

The roles are those of Voita et al. 2019 (arXiv:1905.09418, §3): a positional head points to one relative position, a
rare word head to the rarest token. The induction score is that of Olsson et al. 2022 (arXiv:2209.11895), over all
earlier occurrences, where :func:`model.analysis.maps.head_scores.induction_score` has the last one only. The beginning
and end of a sentence attract weight that no role explains (attention sinks): they are measured by themselves and left
out of the confidence, of the distance and of what a head points to. Punctuation attracts some as well. A row that may
see nothing but the beginning, a decoder's first, has no choice and counts nowhere.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from jaxtyping import Bool, Float, Int

from model.architectures.decoder_only import DecoderOnly
from model.architectures.encoder_decoder import EncoderDecoder
from model.hooks import record
from model.tasks import Row
from model.zoo.evaluate import equal_batches, forward

Kind = Literal["encoder", "decoder", "cross"]
KINDS: tuple[Kind, ...] = ("encoder", "decoder", "cross")
POINTS: Mapping[Kind, str] = {
    "encoder": "encoder.{layer}.self_attention.pattern",
    "decoder": "decoder.{layer}.self_attention.pattern",
    "cross": "decoder.{layer}.cross_attention.pattern",
}
MEASURES = (
    *("previous", "same", "next", "first", "last", "sink", "marks", "duplicate", "induction"),
    *("rare", "confidence", "entropy", "distance"),
)
"""The measures of a head, as :class:`SentenceMeasures` explains them."""
MAX_OFFSET = 8
"""Relative positions further away than this count as none."""

Maps = Float[np.ndarray, "head query key"]


@dataclass(frozen=True)
class MapTokens:
    """The tokens that the rows and columns of a map are, and which of the columns are sinks.

    Attributes:
        queries: token ids of the rows; those of the decoder are what it has just read.
        keys: token ids of the columns.
        is_sink: whether a column is the beginning or the end of the sentence.
        is_mark: whether a column is nothing but punctuation; None where no token is.
    """

    queries: Sequence[int]
    keys: Sequence[int]
    is_sink: Bool[np.ndarray, " key"]
    is_mark: Bool[np.ndarray, " key"] | None = None


@dataclass(frozen=True)
class SentenceMeasures:
    """The measures of one layer's heads on one sentence, by name; NaN where there is none.

    Attributes:
        values: the mean weight on the place ``previous`` to the query's, on the ``same``, the ``next`` and the
            ``first`` place, on the beginning or end of the sentence (``sink``) and on punctuation (``marks``); where a
            row looks ahead, on the ``last`` place before the end; in the decoder, on earlier tokens like the query's
            (``duplicate``) and on those that followed one (``induction``), over the places that have any; ``rare``, the
            share of places whose largest weight is on the rarest token, which a decoder's mask may still hide; the
            ``confidence``, which is the mean of the largest weight; the ``entropy`` of all weights, in bits; and the
            mean ``distance`` of what is read, in tokens.
        offsets: [head, offset], how often the largest weight is so far from the query, from −MAX_OFFSET to MAX_OFFSET.
        n_places: how many rows of each head these are counts of: those with any weight besides the sinks.
    """

    values: Mapping[str, Float[np.ndarray, " head"]]
    offsets: Float[np.ndarray, "head offset"]
    n_places: Int[np.ndarray, " head"]


def measure_maps(maps: Maps, sides: MapTokens, counts: Mapping[int, int], *, is_causal: bool) -> SentenceMeasures:
    """Return the measures of ``maps``.

    Args:
        maps: weights of the heads of one layer; each row adds up to 1.
        sides: what the rows and columns are.
        counts: how often each token stands in the corpus.
        is_causal: whether a row looks back only, so that what it repeats lies before it.
    """
    n_queries, n_keys = maps.shape[1:]
    offsets = np.arange(n_keys) - np.arange(n_queries)[:, None]  # [Q, K]
    is_seen = offsets <= 0 if is_causal else np.ones_like(offsets, dtype=bool)
    is_content = is_seen & ~sides.is_sink  # [Q, K]
    rows = is_content.any(-1)  # [Q]
    content = np.where(sides.is_sink, 0.0, maps)
    is_pointing = content.any(-1) & rows  # [H, Q]
    n_places = is_pointing.sum(-1)  # [H]
    pointed = content.argmax(-1)  # [H, Q]
    frequency = np.where(sides.is_sink, np.inf, [counts.get(key, 0) for key in sides.keys])  # [K]
    # Of the tokens that a row may see so far it would be the only one in a decoder's first row, whatever a head does.
    is_rarest = ~sides.is_sink & (frequency == frequency.min())
    is_alike = np.equal.outer(np.array(sides.queries), np.array(sides.keys)) & (offsets < 0) & ~sides.is_sink
    followed = np.pad(is_alike, ((0, 0), (1, 0)))[:, :-1] & (offsets <= 0)
    none = np.full(len(maps), np.nan)
    free, read = maps[:, rows], content[:, rows]
    values = {
        **{name: _on_offset(maps, offset, rows) for name, offset in (("previous", -1), ("same", 0), ("next", 1))},
        "first": _mean_of(free[:, :, np.argmin(sides.is_sink)]),
        "last": none if is_causal else _mean_of(free[:, :, n_keys - 1 - np.argmin(sides.is_sink[::-1])]),
        "sink": _mean_of(free[:, :, sides.is_sink].sum(-1)),
        "marks": none if sides.is_mark is None else _mean_of(free[:, :, sides.is_mark].sum(-1)),
        "duplicate": _on(maps, is_alike) if is_causal else none,
        "induction": _on(maps, followed) if is_causal else none,
        "rare": _share(is_rarest[pointed] & is_pointing, n_places),
        "confidence": _mean_of(read.max(-1)),
        "entropy": _mean_of(-(free * np.log2(np.where(free > 0, free, 1))).sum(-1)),
        "distance": (read * np.abs(offsets[rows])).sum((1, 2)) / np.maximum(read.sum((1, 2)), 1e-9),
    }
    places = pointed - np.arange(n_queries)  # [H, Q]
    counted = [((places == offset) & is_pointing).sum(-1) for offset in range(-MAX_OFFSET, MAX_OFFSET + 1)]
    return SentenceMeasures(values, np.stack(counted, axis=-1).astype(float), n_places)


def measured_sentences(
    model: EncoderDecoder, pairs: Sequence[tuple[Sequence[int], Sequence[int]]], *, marks: Collection[int] = ()
) -> Iterator[dict[tuple[Kind, int], SentenceMeasures]]:
    """Yield for each pair the measures of every layer, by kind and layer from 0.

    The decoder reads the target.

    Args:
        model: in evaluation mode.
        pairs: source and target tokens, both without special tokens and not empty.
        marks: tokens that are nothing but punctuation.
    """
    config = model.config
    device = model.embedding.weight.device
    sources, targets = (Counter(token for pair in pairs for token in pair[side]) for side in (0, 1))
    n_layers = dict.fromkeys(KINDS, config.n_decoder_layers) | {"encoder": config.n_encoder_layers}
    for pair in pairs:
        source, read = [*pair[0], config.eos_id], [config.bos_id, *pair[1]]
        ends, begins = np.array(source) == config.eos_id, np.array(read) == config.bos_id
        source_marks, read_marks = (np.isin(side, [*marks]) for side in (source, read))
        sides = {
            "encoder": MapTokens(source, source, ends, source_marks),
            "decoder": MapTokens(read, read, begins, read_marks),
            "cross": MapTokens(read, source, ends, source_marks),
        }
        with torch.inference_mode(), record("*.pattern") as seen:
            model(torch.tensor([source], device=device), torch.tensor([read], device=device))
        yield {
            (kind, layer): measure_maps(
                seen[POINTS[kind].format(layer=layer)][0].double().cpu().numpy(),
                sides[kind],
                targets if kind == "decoder" else sources,
                is_causal=kind == "decoder",
            )
            for kind in KINDS
            for layer in range(n_layers[kind])
        }


def measured_rows(model: DecoderOnly, rows: Sequence[Row]) -> Iterator[dict[tuple[Kind, int], SentenceMeasures]]:
    """Yield for each of ``rows``, by length, the measures of every layer, by kind and layer from 0.

    The model reads a row up to its last token but one. BOS is the only sink: what marks the end of a prompt is content.

    Args:
        model: in evaluation mode.
        rows: inputs of a task with their right answers, none of them empty.
    """
    counts = Counter(token for row in rows for token in row.ids[1:-1])
    for batch in equal_batches(rows):
        with torch.inference_mode(), record(POINTS["decoder"].format(layer="*")) as seen:
            forward(model, batch)
        patterns = [seen[POINTS["decoder"].format(layer=layer)] for layer in range(model.config.n_layers)]
        layers = [pattern.double().cpu().numpy() for pattern in patterns]  # [B, H, Q, K] each
        for number, tokens in enumerate(batch.tokens[:, :-1].tolist()):
            sides = MapTokens(tokens, tokens, np.array(tokens) == model.config.bos_id)
            yield {
                ("decoder", layer): measure_maps(maps[number], sides, counts, is_causal=True)
                for layer, maps in enumerate(layers)
            }


def _mean_of(values: Float[np.ndarray, "head row"]) -> Float[np.ndarray, " head"]:
    """Return the means over the rows; NaN where there is none."""
    return values.mean(-1) if values.shape[-1] else np.full(len(values), np.nan)


def _share(is_so: Bool[np.ndarray, "head query"], n: Int[np.ndarray, " head"]) -> Float[np.ndarray, " head"]:
    """Return how often it is so, of ``n``; NaN where that is 0."""
    return np.where(n > 0, is_so.sum(-1) / np.maximum(n, 1), np.nan)


def _on_offset(maps: Maps, offset: int, rows: Bool[np.ndarray, " query"]) -> Float[np.ndarray, " head"]:
    """Return the mean weight at ``offset`` from the query, over those of ``rows`` that have such a key."""
    queries = np.flatnonzero(rows)
    queries = queries[(queries + offset >= 0) & (queries + offset < maps.shape[2])]
    return _mean_of(maps[:, queries, queries + offset])


def _on(maps: Maps, mask: Bool[np.ndarray, "query key"]) -> Float[np.ndarray, " head"]:
    """Return the mean weight on the keys of ``mask``, over the queries that have one."""
    has_one = mask.any(-1)
    return (maps * mask).sum(-1)[:, has_one].mean(-1) if has_one.any() else np.full(len(maps), np.nan)
