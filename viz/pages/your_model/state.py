"""State of the page: readable models, and the current recording."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

from pretrained.huggingface.folders import SHIPPED, FileStamps, file_stamps
from pretrained.huggingface.foreign_positions import ForeignPositions
from pretrained.huggingface.inside import Inside, Measure
from pretrained.huggingface.recorded import Head, Prediction
from viz.base.attention_maps import AttentionKind, BlockName, TokenRow
from viz.base.given_maps import GivenName
from viz.base.link_parameters import LinkParameter, such_as
from viz.base.tokens import CONTINUATION, shown_piece

_DATA = Path(__file__).parent / "data"
EXAMPLE = _DATA / "translation-en-de.npz"
"""Made by ``python -m viz.notebook``, of the translator of that name and the sentence that the page opens with."""
EXAMPLE_TABLE = _DATA / "all-MiniLM-L6-v2-positions.npz"
"""Made by ``python -m pretrained.publishing position_table``, of the model of that name."""

Kinds = tuple[AttentionKind, ...]
MAX_HEADS = 400
"""Heads that may be off at once."""
# Marks that the app's tokenizers take for words of their own.
_MARKS = {*".,;:!?"}
_BLOCKS: dict[str, GivenName] = {name: name for name in get_args(GivenName)}
_CODE = re.compile(r"(?:(encoder|decoder|cross)\.)?([1-9]\d{0,3})\.([1-9]\d{0,3})", re.ASCII)


@dataclass(frozen=True)
class ModelPlace:
    """A readable model: its label, the permitted folder, and the model's path in it.

    Of another model under the same name the ``files`` differ.
    """

    label: str
    root: str
    name: str
    files: FileStamps = ()


EXAMPLE_MODEL = ModelPlace(EXAMPLE.stem, str(SHIPPED), EXAMPLE.stem)
"""What the example is a recording of: it reads other texts, too."""


def model_place(label: str, root: Path, name: str) -> ModelPlace:
    """Return the model ``name`` in ``root``, with its files as they are now."""
    return ModelPlace(label, str(root), name, file_stamps(root / name))


@dataclass(frozen=True)
class OffHeads(LinkParameter[tuple[Head, ...]]):
    """Disabled heads, as layer.head from 1 with commas between; in an encoder–decoder cross.1.2."""

    def read(self, text: str) -> tuple[Head, ...]:
        """Return the heads that ``text`` names, each once; raises ValueError where it cannot be read."""
        heads = tuple(dict.fromkeys(_head_of(part) for part in text.split(",") if part))
        if len(heads) > MAX_HEADS:
            raise ValueError(text)
        return heads

    def write(self, value: tuple[Head, ...]) -> str:
        """Return ``value`` as a link carries it."""
        return ",".join(map(head_code, value))

    @property
    def allowed(self) -> str:
        """The form, by examples."""
        return such_as("1.1,cross.2.8")


def head_code(head: Head) -> str:
    """Return the id of ``head``: layer and number from 1, after its block where there are several."""
    number = f"{head.layer + 1}.{head.head + 1}"
    return number if head.block == "self" else f"{head.block}.{number}"


def heads_of(kinds: Kinds) -> tuple[Head, ...]:
    """Return every head of a recording, by the numbers of its layers in the model."""
    return tuple(
        Head(block_name(kinds, kind.name), layer, head)
        for kind in kinds
        for layer in kind.own_layers
        for head in range(kind.weights.shape[1])
    )


def have_same_tokens(first: Kinds, second: Kinds) -> bool:
    """Return whether the maps of both recordings, block by block, are between the same tokens."""

    def sides(kinds: Kinds) -> list[tuple[tuple[str, ...], ...]]:
        return [(kind.queries.labels, kind.keys.labels) for kind in kinds]

    return sides(first) == sides(second)


def named_as_here(kinds: Kinds) -> Kinds:
    """Return ``kinds`` of a translator of this app, with the names of tokens on its pages."""
    return tuple(replace(kind, queries=_named(kind.queries), keys=_named(kind.keys)) for kind in kinds)


def _named(row: TokenRow) -> TokenRow:
    def name(label: str) -> str:
        mark = label.removeprefix(CONTINUATION)
        return mark if mark in _MARKS else shown_piece(label)

    return replace(row, labels=tuple(map(name, row.labels)), word_labels=tuple(map(name, row.word_labels)))


def block_name(kinds: Kinds, kind: BlockName) -> GivenName:
    """Return the name of the model's own block behind ``kind``: "self" for a model of one block."""
    return kind if len(kinds) > 1 else "self"


@dataclass(frozen=True)
class ModelInputs:
    """A request for ``model`` without the heads ``off``: ``text``, a ``second`` one, a forced ``target``.

    The model ``beside`` reads the same.
    """

    model: ModelPlace
    text: str
    second: str
    target: str
    off: tuple[Head, ...]
    beside: ModelPlace | None = None


@dataclass(frozen=True)
class ModelReading:
    """A model's attention and its other :class:`pretrained.huggingface.recorded.TextRecording` fields."""

    kinds: Kinds
    predictions: tuple[Prediction, ...]
    written: str | None
    log_probability: float | None
    has_sinks: bool = False


@dataclass(frozen=True)
class ExplorerContent:
    """Content of the explorer, with its description: a recording, another beside it, and both ``names``.

    Where they have no difference, ``apart`` says why.
    """

    words: str
    kinds: Kinds
    other: Kinds = ()
    names: tuple[str, str] = ("", "")
    apart: str = ""


@dataclass(frozen=True)
class Recordings:
    """The last recordings: by the whole model, without disabled heads, and by the model beside it."""

    asked: ModelInputs
    whole: ModelReading
    changed: ModelReading | None
    beside: ModelReading | None = None

    @property
    def shown(self) -> ModelReading:
        """The last reading."""
        return self.changed or self.whole


@dataclass(frozen=True)
class ModelPositions:
    """The positional encodings of ``model``; those of the example where that is None."""

    model: ModelPlace | None
    encodings: tuple[ForeignPositions, ...]


@dataclass(frozen=True)
class InsideInputs:
    """A measurement inside ``model`` as it reads ``text`` and ``second``, and has written ``target``.

    The words that are compared are ``answers``.
    """

    model: ModelPlace
    text: str
    measure: Measure
    answers: tuple[str, ...] = ()
    second: str = ""
    target: str = ""


@dataclass(frozen=True)
class InsideAnswers:
    """The last measurements inside models, by request."""

    by_request: Mapping[InsideInputs, Inside]


def _head_of(code: str) -> Head:
    match = _CODE.fullmatch(code)
    if not match:
        raise ValueError(code)
    block, layer, head = match.groups()
    return Head(_BLOCKS[block or "self"], int(layer) - 1, int(head) - 1)
