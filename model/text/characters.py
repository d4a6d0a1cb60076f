"""A vocabulary of characters: those of a training text, and one symbol for all others."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

UNKNOWN_ID = 0
UNKNOWN = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True)
class EncodedText:
    """A text as ids [P], and its characters that the vocabulary lacks, each once, in order of appearance."""

    ids: Int[Tensor, " position"]
    unknown: tuple[str, ...]


@dataclass(frozen=True)
class CharacterVocabulary:
    """Characters to ids and back: ``characters[i]`` has the id i + 1, every other character the id 0.

    Raises:
        ValueError: no character, or a repeated one.
    """

    characters: str

    def __post_init__(self) -> None:
        """Check that every character has one id."""
        if not self.characters:
            raise ValueError("there is no character to make a vocabulary of; give a text that is not empty")
        if len(set(self.characters)) < len(self.characters):
            raise ValueError("a character stands in the vocabulary twice; give each one once")

    @classmethod
    def of(cls, text: str) -> "CharacterVocabulary":
        """Return the vocabulary of all characters of ``text``; raises ValueError if it is empty."""
        return cls("".join(sorted(set(text))))

    @classmethod
    def from_json(cls, text: str) -> "CharacterVocabulary":
        """Return the vocabulary stored in ``text``.

        Raises:
            ValueError: ``text`` was not written by :meth:`to_json`.
        """
        values: Any = json.loads(text)
        if not isinstance(values, dict) or values.keys() != {"characters"} or not isinstance(values["characters"], str):
            raise ValueError("a stored vocabulary has one entry, characters, and it is a string; restore the file")
        return cls(values["characters"])

    def to_json(self) -> str:
        """Return the vocabulary as JSON text that :meth:`from_json` reads back."""
        return json.dumps({"characters": self.characters}, indent=2) + "\n"

    @property
    def size(self) -> int:
        """Number of ids, including that of unknown characters."""
        return len(self.characters) + 1

    def encode(self, text: str) -> EncodedText:
        """Return ``text`` as one id per character, with its unknown characters."""
        ids = np.fromiter((self._ids.get(character, UNKNOWN_ID) for character in text), np.int64, len(text))
        unknown = dict.fromkeys(text[index] for index in np.flatnonzero(ids == UNKNOWN_ID))
        return EncodedText(torch.from_numpy(ids), tuple(unknown))

    def decode(self, ids: Sequence[int] | Int[Tensor, " position"]) -> str:
        """Return the text of ``ids``, with U+FFFD for unknown characters.

        Raises:
            ValueError: an id that the vocabulary does not have.
        """
        numbers = [int(token) for token in ids]
        outside = [token for token in numbers if not 0 <= token < self.size]
        if outside:
            raise ValueError(f"{outside[0]} is no id of this vocabulary; they go from 0 to {self.size - 1}")
        return "".join(UNKNOWN if token == UNKNOWN_ID else self.characters[token - 1] for token in numbers)

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {character: index for index, character in enumerate(self.characters, start=1)}
