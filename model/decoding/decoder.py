"""The interface of every model that generates text token by token, and its PyTorch decoders."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from jaxtyping import Bool, Float, Int
from torch import Tensor

from model.architectures.decoder_only import DecoderOnly
from model.architectures.encoder_decoder import EncoderDecoder
from model.config import EncoderDecoderConfig


@runtime_checkable
class Decoder(Protocol):
    """The state of one or several targets that are generated side by side, one a row."""

    def step(self, tokens: Int[Tensor, "row new"]) -> Float[Tensor, "row new vocabulary"]:
        """Append ``tokens`` to the targets; return the logits after each, which the caller may change."""

    def select(self, rows: Int[Tensor, " new_row"]) -> None:
        """Keep, repeat or reorder the targets."""


NewDecoder = Callable[[int], Decoder]
"""Returns a fresh decoder that can read at least so many tokens, BOS included."""


@runtime_checkable
class Backend(Protocol):
    """A backend for an encoder–decoder, whose attention patterns pass the model's hook points.

    ``records_steps`` says whether recording them costs nothing while a target is generated; if not, one more pass over
    the target is faster.
    """

    records_steps: bool

    @property
    def config(self) -> EncoderDecoderConfig:
        """The configuration of the model."""

    def encode(self, source: Int[Tensor, "row source"]) -> NewDecoder:
        """Encode sources, which end in EOS; return what starts decoders of them, with a row for each.

        ``source`` is padded with ``pad_id`` on the right.
        """


@dataclass(frozen=True)
class Hypothesis:
    """A decoded target: tokens without BOS, their log-probabilities, and the score it is ranked by.

    It ends in EOS, unless the length limit cut it off.
    """

    tokens: tuple[int, ...]
    log_probabilities: tuple[float, ...]
    score: float


class TorchDecoder:
    """A decoder on an :class:`EncoderDecoder` in evaluation mode; at first a row for each source."""

    def __init__(
        self,
        model: EncoderDecoder,
        memory: Float[Tensor, "row source d_model"],
        memory_mask: Bool[Tensor, "row 1 1 source"],
    ) -> None:
        """Start targets of the sources that ``model.encode`` made ``memory`` and ``memory_mask`` of."""
        self._model, self._memory, self._memory_mask = model, memory, memory_mask
        self._cache = model.new_cache()

    def step(self, tokens: Int[Tensor, "row new"]) -> Float[Tensor, "row new vocabulary"]:
        """Return the logits after each of ``tokens``."""
        return self._model.decode(tokens.to(self._memory.device), self._memory, self._memory_mask, self._cache)

    def select(self, rows: Int[Tensor, " new_row"]) -> None:
        """Keep, repeat or reorder the targets, each with its source."""
        self._memory, self._memory_mask = self._memory[rows], self._memory_mask[rows]
        self._cache.select(rows)


class TorchBackend:
    """A backend that runs an :class:`EncoderDecoder` in evaluation mode with PyTorch."""

    records_steps = False

    def __init__(self, model: EncoderDecoder) -> None:
        """Run ``model``."""
        self._model = model

    @property
    def config(self) -> EncoderDecoderConfig:
        """The configuration of the model."""
        return self._model.config

    def encode(self, source: Int[Tensor, "row source"]) -> NewDecoder:
        """Encode the sources; return what starts decoders of them."""
        memory, memory_mask = self._model.encode(source.to(self._model.embedding.weight.device))
        return lambda _: TorchDecoder(self._model, memory, memory_mask)


class CausalDecoder:
    """A decoder on a :class:`DecoderOnly` in evaluation mode, by its cache."""

    def __init__(self, model: DecoderOnly, positions: Int[Tensor, " longest"] | None = None) -> None:
        """Start targets of ``model``; ``positions`` are those of the tokens, None to count from 0."""
        self._model, self._positions, self._cache = model, positions, model.new_cache()

    def step(self, tokens: Int[Tensor, "row new"]) -> Float[Tensor, "row new vocabulary"]:
        """Return the logits after each of ``tokens``."""
        length = self._cache.length + tokens.shape[1]
        positions = None if self._positions is None else self._positions[:length]
        logits: Tensor = self._model(
            tokens.to(self._model.embedding.weight.device), cache=self._cache, positions=positions
        )
        return logits

    def select(self, rows: Int[Tensor, " new_row"]) -> None:
        """Keep, repeat or reorder the targets."""
        self._cache.select(rows)
