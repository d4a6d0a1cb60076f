"""What is recorded of a model: the maps of each of its kinds of attention, and the tokens they are between."""

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
        layers: a [1, head, query, key] for each layer, of PyTorch or of NumPy.
        queries: what the rows stand for; in the decoder of an encoder–decoder, the tokens that are written.
        keys: what the columns stand for; in that decoder, the tokens that it reads: the start, then those written.
    """

    name: BlockName
    layers: tuple[Any, ...]
    queries: ReadTokens
    keys: ReadTokens
