"""What may be asked of a model: each request, as the line that the model's process gets, and how its answer is read."""

import json
from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from typing import BinaryIO, ClassVar, Generic, TypeVar, cast

from pretrained.huggingface.answer_file import read_found, read_positions, read_readings
from pretrained.huggingface.foreign_positions import ForeignPositions
from pretrained.huggingface.inside import KINDS, Inside, Measure
from pretrained.huggingface.recorded import Head, TextRecording

Answer_co = TypeVar("Answer_co", covariant=True)


@dataclass(frozen=True)
class Request(ABC, Generic[Answer_co]):
    """Anything that may be asked of a model.

    Attributes:
        root: the folder that is allowed.
        name: of the model's folder, a path from there.
        most_bytes: that the weights may have.
    """

    wants: ClassVar[str]
    root: str
    name: str
    most_bytes: int

    def to_line(self) -> bytes:
        """Return it as the line that a process is asked by."""
        return json.dumps({"wants": self.wants} | asdict(self)).encode() + b"\n"

    @abstractmethod
    def read_answer(self, file: BinaryIO) -> Answer_co:
        """Return what stands in the answer; raises ForeignModelError where that is a refusal, or none."""


@dataclass(frozen=True)
class ReadingRequest(Request[tuple[TextRecording, ...]]):
    """What is read by which model, and how much of it is allowed.

    Attributes:
        text: what the model reads.
        target: what an encoder–decoder is made to write; None lets it write by itself.
        most_tokens: that the text may have.
        most_numbers: attention weights that one reading may have.
        second: the second text of a pair; None where the model reads one.
        off: heads that pass on nothing in a second reading; without any there is one.
    """

    wants: ClassVar = "reading"
    text: str
    target: str | None
    most_tokens: int
    most_numbers: int
    second: str | None = None
    off: tuple[Head, ...] = ()

    def read_answer(self, file: BinaryIO) -> tuple[TextRecording, ...]:
        """Return the reading of the whole model, and one without the heads that are off."""
        return read_readings(file)


@dataclass(frozen=True)
class PositionsRequest(Request[tuple[ForeignPositions, ...]]):
    """How a model encodes positions."""

    wants: ClassVar = "positions"

    def read_answer(self, file: BinaryIO) -> tuple[ForeignPositions, ...]:
        """Return each encoding of the model."""
        return read_positions(file)


@dataclass(frozen=True)
class InsideRequest(Request[Inside]):
    """What is read inside a model while it reads a text.

    Attributes:
        text: what the model reads.
        measure: the logit lens, direct attribution, or the scores of all heads.
        most_tokens: that the text may have.
        answers: words whose logits are attributed besides the likeliest.
        second: the second text of a pair; None where the model reads one.
        target: what an encoder–decoder has written; None lets it write by itself.
    """

    wants: ClassVar = "inside"
    text: str
    measure: Measure
    most_tokens: int
    answers: tuple[str, ...] = ()
    second: str | None = None
    target: str | None = None

    def read_answer(self, file: BinaryIO) -> Inside:
        """Return what was read."""
        return cast(Inside, read_found(file, KINDS[self.measure]))


AnyRequest = ReadingRequest | PositionsRequest | InsideRequest


def request_of(line: bytes) -> AnyRequest:
    """Return the request that ``line`` writes."""
    asked = json.loads(line)
    wants = asked.pop("wants")
    if wants == PositionsRequest.wants:
        return PositionsRequest(**asked)
    if wants == InsideRequest.wants:
        return InsideRequest(**asked | {"answers": tuple(asked["answers"])})
    return ReadingRequest(**asked | {"off": tuple(Head(**head) for head in asked["off"])})
