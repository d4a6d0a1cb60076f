"""Measured effects of a positional encoding on scores: maps, profiles, shifts, parameters, cost."""

import math
import statistics
import time
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Float32, Int
from torch import Tensor

from model.architectures.decoder_only import DecoderOnly
from model.architectures.encoder_decoder import EncoderDecoder
from model.architectures.layers import AttentionLayer
from model.attention.functional import causal_mask, narrowed_mask
from model.attention.multi_head import AttentionPositions, MultiHeadAttention
from model.checkpoint import n_parameters
from model.config import DecoderOnlyConfig, EncoderDecoderConfig
from model.decoding.translator import Translator
from model.hooks import intervene, record
from model.positional import PositionalConfig, PositionalEncoding, QueryKey, StackSpec, build, registered
from model.text.tokenizer import EOS_ID
from viz.pages.compare_encodings.study.own_numbers import OwnNumbers

D_HEAD = 32
N_SAMPLES = 8
OFFSETS = (1, 10, 100, 1000)
SHIFT_TOLERANCE = 1e-3
N_TIMED, TIMED_BATCH = 15, 4
_SEED = 0
_N_SHIFTED = 2

Spread = Float32[np.ndarray, "3 distance"]


@dataclass(frozen=True)
class Setting:
    """The attention that all variants are compared in."""

    length: int
    n_heads: int
    causal: bool

    @property
    def stack(self) -> StackSpec:
        """The stack that an encoding is built for."""
        return StackSpec(
            d_model=self.n_heads * D_HEAD,
            n_heads=self.n_heads,
            d_key=D_HEAD,
            d_value=D_HEAD,
            n_layers=1,
            causal=self.causal,
        )


@dataclass(frozen=True)
class Profile:
    """Scores by distance i − j: the 10 % quantile, mean and 90 % quantile at each of ``distances``."""

    distances: Int[np.ndarray, " distance"]
    spread: Spread


@dataclass(frozen=True)
class Effect:
    """The effect of one encoding.

    Attributes:
        added: what it adds to the embeddings, [position, d_model]; None for nothing.
        scores: what position alone adds to a score, [head, query, key]: mean over random words, each standing at every
            position at once, of the score with the encoding less that without. NaN where the mask or a window forbids.
        random: profile of those differences in each head.
        real: profile of the scores of real words in each head of the shipped model's first layer; None without one.
        shifts: by offset, the largest change of a score when all positions grow by it, over the largest score; None
            where the encoding has no such positions.
        n_parameters: weights of its own, in one layer.
    """

    added: Float32[np.ndarray, "position d_model"] | None
    scores: Float32[np.ndarray, "head query key"]
    random: tuple[Profile, ...]
    real: tuple[Profile, ...] | None
    shifts: Mapping[int, float | None]
    n_parameters: int

    @property
    def is_relative(self) -> bool | None:
        """Whether no shift that could be made changed a score; None if none could be made."""
        made = [change for change in self.shifts.values() if change is not None]
        return max(made) <= SHIFT_TOLERANCE if made else None

    @property
    def counts_keys(self) -> bool:
        """Whether scores depend on the number of keys.

        So it is where no shift changed a score, and yet one distance has other scores where a query has other keys.
        """
        tolerance = SHIFT_TOLERANCE * np.nanmax(np.abs(self.scores))
        length = self.scores.shape[-1]
        diagonals = (self.scores.diagonal(offset, axis1=1, axis2=2) for offset in range(1 - length, length))
        return bool(self.is_relative) and any(np.ptp(same, axis=1).max() > tolerance for same in diagonals)

    @property
    def is_nothing(self) -> bool:
        """Whether position changes no score at all."""
        return not np.nanmax(np.abs(self.scores))


def effect(config: PositionalConfig, setting: Setting, translator: Translator | None, sentence: str) -> Effect:
    """Return the effect of the encoding of ``config``, on random words and on those of ``sentence``.

    Raises:
        ValueError: what :func:`model.positional.build` raises, or positions past the end of a table.
    """
    encoding = _untrained(config, setting.stack)
    positions = torch.arange(setting.length)
    with torch.inference_mode():
        words = _random_words(setting.stack.d_model)
        changes = _changes(encoding, words, positions, setting)
        real = None
        if translator is not None:
            recorded = _real_scores(config, setting, translator, sentence)
            real = _profiles(_masked(recorded, setting.causal), setting.causal)
        added = encoding.additive_encoding(encoding.map_positions(positions))
        return Effect(
            None if added is None else added.numpy(),
            changes.mean(axis=0),
            _profiles(changes, setting.causal),
            real,
            {offset: _change_by_shift(encoding, words[:_N_SHIFTED], positions, offset, setting) for offset in OFFSETS},
            n_parameters(encoding.parameters()),
        )


def cost(config: PositionalConfig, setting: Setting) -> tuple[float, float]:
    """Return the median milliseconds of an attention layer with the encoding and without, alternating.

    Raises:
        ValueError: as :func:`effect`.
    """
    stack = setting.stack
    with OwnNumbers(_SEED):
        layer = MultiHeadAttention(
            name="timed", d_model=stack.d_model, n_heads=setting.n_heads, d_key=D_HEAD, d_value=D_HEAD
        ).eval()
        x = torch.randn(TIMED_BATCH, setting.length, stack.d_model)
    positions = torch.arange(setting.length)
    mask = causal_mask(positions, positions) if setting.causal else None
    durations: tuple[list[float], list[float]] = ([], [])
    encodings = (_untrained(config, stack), _untrained(PositionalConfig("none"), stack))
    with torch.inference_mode():
        for _ in range(N_TIMED + 1):
            for encoding, kept in zip(encodings, durations, strict=True):
                start = time.perf_counter()
                placed = encoding.map_positions(positions)
                added = encoding.additive_encoding(placed)
                layer(
                    x if added is None else x + added,
                    x if added is None else x + added,
                    mask=mask,
                    positions=AttentionPositions(encoding.at_layer(0), placed, placed),
                )
                kept.append(1000 * (time.perf_counter() - start))
    with_it, without = (statistics.median(kept[1:]) for kept in durations)
    return with_it, without


def _untrained(config: PositionalConfig, stack: StackSpec) -> PositionalEncoding:
    with OwnNumbers(_SEED):
        return build(config, stack).eval()


def _random_words(d_model: int) -> Float[Tensor, "sample 1 d_model"]:
    return torch.randn(N_SAMPLES, 1, d_model, generator=torch.Generator().manual_seed(_SEED))


def _changes(
    encoding: PositionalEncoding, words: Tensor, positions: Int[Tensor, " position"], setting: Setting
) -> Float32[np.ndarray, "sample head query key"]:
    with_it = _scores(encoding, words, positions, setting)  # [S, H, Q, K]
    without = _scores(PositionalEncoding(), words, positions, setting)
    return _masked(with_it - without, setting.causal)


def _scores(
    encoding: PositionalEncoding, words: Tensor, positions: Int[Tensor, " position"], setting: Setting
) -> Float[Tensor, "sample head query key"]:
    """Return the scores of words that are their own queries and keys."""
    placed = encoding.map_positions(positions)
    added = encoding.additive_encoding(placed)
    x = words.expand(-1, len(positions), -1) + (0 if added is None else added)  # [S, P, D]
    heads = x.reshape(*x.shape[:2], setting.n_heads, -1).transpose(1, 2)  # [S, H, P, E]
    return _position_scores(encoding, x, (heads, heads), placed, causal=setting.causal)


def _position_scores(
    encoding: PositionalEncoding, x: Tensor, queries_keys: tuple[Tensor, Tensor], placed: Tensor, *, causal: bool
) -> Tensor:
    layer = encoding.at_layer(0)
    visible = layer.visible_keys(placed, placed)
    mask = narrowed_mask(causal_mask(placed, placed) if causal else None, visible)
    qk = QueryKey(*queries_keys, placed, placed, mask, layer.key_state(x))
    bias = layer.score_bias(qk)
    q, k = layer.transform_query_key(qk)
    scores: Tensor = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5  # [S, H, Q, K]
    scores = scores if bias is None else scores + bias
    return scores if visible is None else scores.masked_fill(~visible, -math.inf)


def _real_scores(config: PositionalConfig, setting: Setting, translator: Translator, sentence: str) -> Tensor:
    """Return the scores in the shipped model's first layer, with this encoding instead of its own."""
    model = translator.model
    own = model.config
    stack = StackSpec(
        d_model=own.d_model,
        n_heads=own.n_heads,
        d_key=own.d_key,
        d_value=own.d_value,
        n_layers=own.n_encoder_layers,
        causal=setting.causal,
    )
    encoding = _untrained(config, stack)
    ids = [*translator.tokenizer.encode(sentence), EOS_ID]
    repeated = (ids * (setting.length // len(ids) + 1))[: setting.length]
    placed = encoding.map_positions(torch.arange(setting.length))
    added = encoding.additive_encoding(placed)

    def take_its_place(own_encoding: Tensor) -> Tensor:
        return torch.zeros_like(own_encoding) if added is None else added.to(own_encoding)

    block = "encoder.0.self_attention"
    stream = f"{block}.residual_before"
    with intervene({"encoder.positional.encoding": take_its_place}), record(f"{block}.q", f"{block}.k", stream) as seen:
        model.encode(torch.tensor([repeated], device=next(model.parameters()).device))
    q, k = (seen[f"{block}.{name}"].float().cpu() for name in "qk")
    first = model.encoder.layers[0]
    assert isinstance(first, AttentionLayer)
    x = first.self_attention_residual.read(seen[stream]).float().cpu()
    return _position_scores(encoding, x, (q, k), placed, causal=setting.causal)


def _masked(scores: Tensor, causal: bool) -> Float32[np.ndarray, "sample head query key"]:
    if causal:
        positions = torch.arange(scores.shape[-1])
        scores = scores.masked_fill(~causal_mask(positions, positions), torch.nan)
    return scores.masked_fill(scores == -torch.inf, torch.nan).float().numpy()


def _profiles(scores: Float32[np.ndarray, "sample head query key"], causal: bool) -> tuple[Profile, ...]:
    length = scores.shape[-1]
    distances = np.arange(0 if causal else 1 - length, length)
    spreads = np.stack([_quantiles(scores, distance) for distance in distances], axis=-1)  # [H, 3, distance]
    return tuple(Profile(distances, spread) for spread in spreads)


def _quantiles(scores: Float32[np.ndarray, "sample head query key"], distance: int) -> Float32[np.ndarray, "head 3"]:
    at_distance = np.diagonal(scores, -distance, axis1=2, axis2=3)  # [S, H, pair]
    by_head = at_distance.swapaxes(0, 1).reshape(at_distance.shape[1], -1)  # [H, S·pair]
    low, high = np.quantile(by_head, (0.1, 0.9), axis=1)
    return np.stack((low, by_head.mean(axis=1), high), axis=1).astype(np.float32)


def _change_by_shift(
    encoding: PositionalEncoding, words: Tensor, positions: Tensor, offset: int, setting: Setting
) -> float | None:
    before = _scores(encoding, words, positions, setting)
    try:
        after = _scores(encoding, words, positions + offset, setting)
    except ValueError:
        return None
    is_seen = before.isfinite()  # a window forbids keys as a mask does
    return float((after - before)[is_seen].abs().max() / before[is_seen].abs().max())


@dataclass(frozen=True)
class TrainedEncoding:
    """A trained encoding with weights of its own, where it stands in its model, and what it does there."""

    place: str
    title: str
    added: Float32[np.ndarray, "position d_model"] | None
    scores: Float32[np.ndarray, "head query key"]


def has_weights(config: PositionalConfig) -> bool:
    """Return whether the encoding of ``config``, or one that it wraps, declares weights of its own."""
    is_learned = registered()[config.name].description.properties.learned
    return is_learned or (config.inner is not None and has_weights(config.inner))


def trained_effects(models: Mapping[str, EncoderDecoder | DecoderOnly], length: int) -> list[TrainedEncoding]:
    """Return what every trained encoding in ``models`` does at the first ``length`` positions it has."""
    return [
        _trained(
            f"{name}: {path}",
            encoding,
            model.config,
            length,
            causal=isinstance(model, DecoderOnly) or path.startswith("decoder"),
        )
        for name, model in models.items()
        for path, encoding in model.named_modules()
        if isinstance(encoding, PositionalEncoding) and any(True for _ in encoding.parameters(recurse=False))
    ]


def _trained(
    place: str,
    encoding: PositionalEncoding,
    config: EncoderDecoderConfig | DecoderOnlyConfig,
    length: int,
    *,
    causal: bool,
) -> TrainedEncoding:
    setting = Setting(length, config.n_heads, causal)
    # A trained table ends where its training did.
    positions = torch.arange(next(n for n in range(length, 0, -1) if _has_positions(encoding, n)))
    with torch.inference_mode():
        changes = _changes(encoding, _random_words(config.n_heads * config.d_key), positions, setting)
        added = encoding.additive_encoding(encoding.map_positions(positions))
    return TrainedEncoding(
        place, encoding.description.title, None if added is None else added.cpu().numpy(), changes.mean(axis=0)
    )


def _has_positions(encoding: PositionalEncoding, length: int) -> bool:
    try:
        encoding.additive_encoding(encoding.map_positions(torch.tensor([length - 1])))
    except ValueError:
        return False
    return True
