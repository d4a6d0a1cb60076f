"""Messages between a process that trains and the one that shows it, through two pipes.

The process reads lines of JSON: an :class:`Order`, then a :class:`Control` whenever that changes. An empty line says
that an order may still come. It answers with messages, each after its length: an :class:`Opening` or a
refusal, then frames and, of every run that has taken all its steps, the weights.
"""

import dataclasses
import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from safetensors.numpy import load, save

from model.tasks import Tokens
from model.zoo.recording import Frame
from model.zoo.watched_runs import WatchedRun

IDLE_SECONDS = 60.0
"""For so long a process waits for its order, or for a sign that there may be one; then it ends."""

_LENGTH = struct.Struct("<I")
_PLACE, _TOLD = "place", ("loss", "accuracy", "gradient_norm")
_NUMBERS = ("step", "rate_factor", "held_out", "longer", "held_out_loss", "confidence", "weight_norm")


@dataclass(frozen=True)
class Order:
    """Runs that are to be trained side by side: of one task, and with as many steps."""

    runs: tuple[WatchedRun, ...]

    def to_line(self) -> bytes:
        """Return it as a line that :meth:`from_line` reads."""
        return json.dumps([dataclasses.asdict(run) for run in self.runs]).encode() + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> "Order":
        """Return the order in ``line``; raises ValueError or TypeError where that is none."""
        return cls(tuple(map(WatchedRun.from_dict, json.loads(line))))


@dataclass(frozen=True)
class Control:
    """The control of the runs: paused or not, and the factor of their rates from the next step on."""

    is_paused: bool = False
    rate_factor: float = 1.0

    def to_line(self) -> bytes:
        """Return it as a line that :meth:`from_line` reads."""
        return json.dumps(dataclasses.asdict(self)).encode() + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> "Control":
        """Return the control in ``line``; raises ValueError or TypeError where that is none."""
        return cls(**json.loads(line))


@dataclass(frozen=True)
class Opening:
    """The common part of the runs: the tokens of shown patterns, and the steps between frames."""

    tokens: Tokens
    every: int


@dataclass(frozen=True)
class Refusal:
    """The reason that the runs cannot be trained."""

    reason: str


@dataclass(frozen=True)
class SeenFrame:
    """A frame, and the place of its run in the order."""

    place: int
    frame: Frame


@dataclass(frozen=True)
class Weights:
    """The outcome of a run: the ``content`` of a safetensors file, and its place in the order."""

    place: int
    content: bytes


Message = Opening | Refusal | SeenFrame | Weights


def to_bytes(message: Message) -> bytes:
    """Return ``message`` after its length, as :class:`Messages` takes it."""
    kind, body = type(message).__name__.encode()[:1], _body(message)
    return _LENGTH.pack(len(kind + body)) + kind + body


class Messages:
    """A buffer that takes bytes as they come, and gives the messages that are whole."""

    def __init__(self) -> None:
        """Begin without any."""
        self._rest = b""

    def take(self, content: bytes) -> Sequence[Message]:
        """Return the messages that ``content`` completes."""
        self._rest += content
        whole = []
        while len(self._rest) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._rest)
            end = _LENGTH.size + length
            if len(self._rest) < end:
                break
            whole.append(_from_bytes(self._rest[_LENGTH.size : end]))
            self._rest = self._rest[end:]
        return whole


def _body(message: Message) -> bytes:
    match message:
        case SeenFrame():
            return _of_frame(message)
        case Weights(place, content):
            return _LENGTH.pack(place) + content
    return json.dumps(dataclasses.asdict(message)).encode()


def _from_bytes(content: bytes) -> Message:
    kind, body = content[:1], content[1:]
    if kind == b"S":
        return _to_frame(body)
    if kind == b"W":
        return Weights(_LENGTH.unpack_from(body)[0], body[_LENGTH.size :])
    fields = json.loads(body)
    return Refusal(**fields) if kind == b"R" else Opening(tuple(fields["tokens"]), fields["every"])


def _of_frame(seen: SeenFrame) -> bytes:
    fields = {field.name: getattr(seen.frame, field.name) for field in dataclasses.fields(Frame)}
    values = {name: np.asarray(value) for name, value in fields.items() if value is not None}
    arrays = {name: value.reshape(1) if name in _NUMBERS else value for name, value in values.items()}
    arrays[_PLACE] = np.array([seen.place])
    return save({name: np.ascontiguousarray(array) for name, array in arrays.items()})


def _to_frame(body: bytes) -> SeenFrame:
    arrays: dict[str, Any] = {**load(body)}
    place = int(arrays.pop(_PLACE)[0])
    values = {name: arrays.pop(name)[0].item() for name in _NUMBERS}
    values |= {name: tuple(arrays.pop(name).tolist()) for name in _TOLD}
    return SeenFrame(place, Frame(**values, **arrays))
