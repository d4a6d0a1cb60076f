"""The configuration of a run that trains a parser."""

from dataclasses import dataclass, field
from typing import Any, Literal

from model.text.linear_trees import TreeSymbols
from model.training.config import from_entries, require, require_at_least
from model.training.encoder_decoder import EncoderDecoderTraining, model_entries


@dataclass(frozen=True)
class ParserData:
    """The treebank, and how its trees are written and batched.

    With ``tags`` a word is written as its part of speech, else as XX. With ``reads_ahead`` the decoder reads, in the
    place of each XX, the first piece of the word that comes next, so that it need not count the words. ``n_validated``
    trees of the training part, spread evenly over it, select the best weights; the dev part only scores them. Trees of
    more than ``max_words`` words are left out, and a batch has at most ``tokens_per_batch`` target positions.
    """

    treebank: str
    tags: bool = False
    reads_ahead: bool = False
    n_validated: int = 150
    max_words: int = 80
    tokens_per_batch: int = 2048

    def __post_init__(self) -> None:
        """Raise ValueError for a count below 1, or for words that are read both as they are and as their tags."""
        require_at_least(self, 1, ("n_validated", "max_words", "tokens_per_batch"))
        if self.tags and self.reads_ahead:
            raise ValueError("tags and reads_ahead are both true; a word is read as one or the other")


@dataclass(frozen=True)
class ParserAugmentation:
    """Shares of the trees that are varied, differently in every epoch.

    Attributes:
        swap_subtrees: share of the trees in which constituents are replaced by ones of other trees, of the same label
            (substructure substitution, Shi et al. 2021, arXiv:2101.00411).
    """

    swap_subtrees: float = 0.0

    def __post_init__(self) -> None:
        """Raise ValueError for a share outside 0 to 1."""
        require(self, lambda value: 0 <= value <= 1, ["swap_subtrees"], "lies from 0 to 1")


@dataclass(frozen=True, kw_only=True)
class ParserTraining(EncoderDecoderTraining):
    """One run that trains a parser; its vocabulary has the pieces first, and then the symbols of trees.

    Raises:
        ValueError: a vocabulary too small for the symbols, a ``label_smoothing`` outside [0, 1), or a negative seed.
    """

    data: ParserData
    augment: ParserAugmentation = field(default_factory=ParserAugmentation)
    label_smoothing: float = 0.1
    kind: Literal["parsing"] = "parsing"

    def __post_init__(self) -> None:
        """Check what no section alone can tell."""
        super().__post_init__()
        require(self, lambda value: 0 <= value < 1, ["label_smoothing"], "lies from 0 up to but not including 1")

    @property
    def symbols(self) -> TreeSymbols:
        """The symbols of trees, at the end of the vocabulary."""
        return symbols_in(self.model.vocabulary_size, tags=self.data.tags)


def symbols_in(vocabulary_size: int, *, tags: bool) -> TreeSymbols:
    """Return the symbols at the end of a vocabulary; raises ValueError if they leave no room for pieces."""
    n_symbols = TreeSymbols(0, tags).vocabulary_size
    if vocabulary_size <= n_symbols:
        raise ValueError(f"vocabulary_size is {vocabulary_size}; trees have {n_symbols} symbols, and pieces need room")
    return TreeSymbols(vocabulary_size - n_symbols, tags)


def parser_training(entries: dict[str, Any]) -> ParserTraining:
    """Return the run with these ``entries`` of a file; raises ValueError as :func:`from_entries`."""
    model, data = entries.get("model"), entries.get("data")
    if isinstance(model, dict) and isinstance(model.get("vocabulary_size"), int) and isinstance(data, dict):
        end = symbols_in(model["vocabulary_size"], tags=bool(data.get("tags", False))).end_id
        entries = {**entries, "model": model_entries(model, eos_id=end)}
    return from_entries(ParserTraining, entries)
