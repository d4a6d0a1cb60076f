"""What is recorded of a model that reads a text: the maps of each kind of attention, and what the model says of it."""

from dataclasses import dataclass
from typing import Any, Literal

BlockName = Literal["self", "encoder", "decoder", "cross"]


@dataclass(frozen=True)
class ReadTokens:
    """The tokens along one side of a map.

    Attributes:
        pieces: as the vocabulary has them.
        texts: what each stands for.
        special: whether each is special.
    """

    pieces: tuple[str, ...]
    texts: tuple[str, ...]
    special: tuple[bool, ...]


@dataclass(frozen=True)
class RecordedBlock:
    """One kind of attention.

    Attributes:
        name: encoder, decoder or cross; self where the model is one block.
        layers: a [1, head, query, key] for each layer, of PyTorch or of NumPy; or all as one array [layer, head, query,
            key].
        queries: what the rows stand for; in the decoder of an encoder–decoder, the tokens that are written.
        keys: what the columns stand for; in that decoder, the tokens that it reads: the start, then those written.
        numbers: the number of each of ``layers`` in the model, from 0, where some layers have no attention; else empty.
    """

    name: BlockName
    layers: Any
    queries: ReadTokens
    keys: ReadTokens
    numbers: tuple[int, ...] = ()

    @property
    def own_numbers(self) -> tuple[int, ...]:
        """The number of each layer in the model, from 0."""
        return self.numbers or tuple(range(len(self.layers)))


@dataclass(frozen=True, order=True)
class Head:
    """A head of a model: its block, its layer in the model and its number there, from 0."""

    block: BlockName
    layer: int
    head: int


@dataclass(frozen=True)
class Prediction:
    """What a model finds likely for one token.

    Attributes:
        place: of the mask in the text, from 0; None for the token after the text.
        candidates: the likeliest tokens with their probabilities, the first of them first.
    """

    place: int | None
    candidates: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class TextRecording:
    """One reading of a text.

    Attributes:
        blocks: each kind of attention.
        predictions: for the next token, or for each mask; empty where the model predicts none.
        written: what an encoder–decoder writes, or is made to write; None for other models.
        log_probability: of what is written, in nats.
        has_sinks: whether a part of each row goes to no token: to a number that each head has learned, the sink.
    """

    blocks: tuple[RecordedBlock, ...]
    predictions: tuple[Prediction, ...] = ()
    written: str | None = None
    log_probability: float | None = None
    has_sinks: bool = False
