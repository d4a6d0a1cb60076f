"""SentencePiece BPE (Kudo and Richardson 2018) with byte fallback, so that every text can be encoded."""

import io
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import sentencepiece

from model.text.bpe_dropout import BPEDropout
from model.text.normalization import WORD_START, normalize
from model.text.scripts import is_katakana, is_unspaced

PAD_ID, UNKNOWN_ID, BOS_ID, EOS_ID = 0, 1, 2, 3


@dataclass(frozen=True)
class Word:
    """A word of the text and its pieces: ``pieces[start:end]``."""

    text: str
    start: int
    end: int


class Tokenizer:
    """Text to piece ids and back, with one vocabulary for all languages of a model."""

    def __init__(self, serialized: bytes) -> None:
        """Load a tokenizer from ``serialized``, the content of a SentencePiece model file."""
        self.serialized = serialized
        self._processor = sentencepiece.SentencePieceProcessor(model_proto=serialized)
        self._bpe_dropout = BPEDropout(self._processor)

    @classmethod
    def train(cls, sentences: Iterable[str], vocabulary_size: int) -> "Tokenizer":
        """Learn ``vocabulary_size`` pieces from ``sentences``, including four special and 256 byte pieces.

        Raises:
            ValueError: the text has too few different strings or too many characters for that many pieces.
        """
        model = io.BytesIO()
        try:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(normalize(sentence) for sentence in sentences),
                model_writer=model,
                model_type="bpe",
                vocab_size=vocabulary_size,
                byte_fallback=True,
                character_coverage=0.9999,
                normalization_rule_name="identity",
                pad_id=PAD_ID,
                unk_id=UNKNOWN_ID,
                bos_id=BOS_ID,
                eos_id=EOS_ID,
                num_threads=1,
                minloglevel=2,
            )
        except RuntimeError as error:
            raise ValueError(f"no {vocabulary_size} pieces can be learned from this text: {error}") from error
        return cls(model.getvalue())

    @classmethod
    def load(cls, path: Path) -> "Tokenizer":
        """Read the tokenizer stored at ``path``."""
        return cls(path.read_bytes())

    @property
    def vocabulary_size(self) -> int:
        """Number of pieces, special ones included."""
        size: int = self._processor.get_piece_size()
        return size

    def knows(self, character: str) -> bool:
        """Whether ``character`` is in a piece: others are written as their bytes."""
        return character in self._characters

    @cached_property
    def _characters(self) -> frozenset[str]:
        ids = [token for token in range(self.vocabulary_size) if not self._is_special(token)]
        return frozenset[str]().union(*(piece for piece in self.pieces(ids) if byte_of(piece) is None))

    def encode(self, text: str) -> list[int]:
        """Return the piece ids of ``text``, without special tokens.

        Line breaks and repeated spaces become one space.
        """
        ids: list[int] = self._processor.encode(normalize(text))
        return ids

    def encode_with_dropout(self, texts: Sequence[str], *, dropout: float, seed: int) -> list[list[int]]:
        """Return the piece ids of each text, every merge left out with probability ``dropout``.

        BPE-dropout (Provilkov et al. 2020): rare words are also seen as the smaller pieces that they share with others.
        The result depends only on ``seed``; a dropout of 0 gives the result of :meth:`encode`.
        """
        return self._bpe_dropout.encode([normalize(text) for text in texts], dropout=dropout, seed=seed)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ``ids``, without special tokens; invalid bytes become U+FFFD."""
        special = {PAD_ID, BOS_ID, EOS_ID}
        text: str = self._processor.decode([token for token in ids if token not in special])
        return text

    def pieces(self, ids: Sequence[int]) -> list[str]:
        """Return the piece of each id as in the vocabulary, where ``▁`` marks the start of a word."""
        return [self._processor.id_to_piece(int(token)) for token in ids]

    def ids(self, pieces: Sequence[str]) -> list[int]:
        """Return the id of each piece of the vocabulary, the inverse of :meth:`pieces`."""
        return [self._processor.piece_to_id(piece) for piece in pieces]

    def words(self, ids: Sequence[int]) -> list[Word]:
        """Group ``ids`` into words; final punctuation and special tokens are words of their own.

        In scripts without spaces between words, every piece is a word, but a run of Katakana is one word.
        """
        pieces = self.pieces(ids)
        starts = [index for index in range(len(pieces)) if self._starts_word(pieces, ids, index)]
        return [Word(self._word_text(ids[start:end]), start, end) for start, end in pairwise([*starts, len(pieces)])]

    def _word_text(self, ids: Sequence[int]) -> str:
        if len(ids) == 1 and self._is_special(ids[0]):
            piece: str = self._processor.id_to_piece(int(ids[0]))
            return piece
        return self.decode(ids) or WORD_START

    def _starts_word(self, pieces: Sequence[str], ids: Sequence[int], index: int) -> bool:
        if index == 0 or self._is_special(ids[index]) or self._is_special(ids[index - 1]):
            return True
        if pieces[index].startswith(WORD_START):
            return True
        before, here = _character(pieces[index - 1])[-1], _character(pieces[index])[0]
        if is_unspaced(before) or is_unspaced(here):
            return not (is_katakana(before) and is_katakana(here))
        is_followed = index + 1 < len(pieces) and _is_letter(_character(pieces[index + 1])[0])
        return _is_letter(before) and _is_punctuation(_character(pieces[index])) and not is_followed

    def _is_special(self, token: int) -> bool:
        return int(token) in (PAD_ID, UNKNOWN_ID, BOS_ID, EOS_ID)


def byte_of(piece: str) -> int | None:
    """Return the byte of ``piece``, such as 65 for ``<0x41>``; None for a text or special piece."""
    if len(piece) == 6 and piece.startswith("<0x") and piece.endswith(">"):
        return int(piece[3:5], 16)
    return None


def _character(piece: str) -> str:
    """Return the text of a piece; U+FFFD for a byte that is not a character by itself."""
    byte = byte_of(piece)
    return piece if byte is None else bytes([byte]).decode("ascii", errors="replace")


def _is_letter(character: str) -> bool:
    # A byte beyond ASCII is part of a character that the vocabulary lacks, usually a letter.
    return character.isalnum() or character == "\N{REPLACEMENT CHARACTER}"


def _is_punctuation(text: str) -> bool:
    return all(unicodedata.category(character)[0] in "PS" and not _is_letter(character) for character in text)
