"""What the tokens of any tokenizer of Transformers stand for, each by itself: also parts of a character, and blanks."""

import re
from collections.abc import Mapping
from functools import cache

from transformers import PreTrainedTokenizerBase

BLANK = "␣"
_SENTENCE_PIECE_BLANK = "▁"
_NAMED = str.maketrans({"\n": "⏎", "\t": "⇥"})
_REPLACEMENT = "\ufffd"
_BYTE = re.compile(r"<0x([0-9A-F]{2})>")
# How Python writes a byte that is no text, from which it can be read again.
_ESCAPED = re.compile("[\udc80-\udcff]")


def text_of(tokenizer: PreTrainedTokenizerBase, piece: str | None, number: int, *, is_special: bool) -> str:
    """Return what the token ``piece`` of that ``number`` stands for.

    Bytes that are part of a character are ⟨F0⟩, blanks alone ␣, line ends ⏎ and tabs ⇥. A number for which the
    vocabulary has no piece, as where it was padded, is itself, as #50300.
    """
    if piece is None:
        return f"#{number}"
    if is_special:
        return piece
    byte = _BYTE.fullmatch(piece)
    text = _text_of_bytes(bytes.fromhex(byte[1])) if byte else tokenizer.convert_tokens_to_string([piece])
    if _REPLACEMENT in text and all(sign in _bytes_of_signs() for sign in piece):
        text = _text_of_bytes(bytes(_bytes_of_signs()[sign] for sign in piece))
    shown = text.strip(" ").removeprefix("##").translate(_NAMED)
    # Decoders of SentencePiece take the first blank.
    return shown or BLANK * max(len(text.strip("#")), piece.count(_SENTENCE_PIECE_BLANK)) or piece


def _text_of_bytes(content: bytes) -> str:
    """Return ``content`` as text, where what is no whole character is named byte by byte."""
    text = content.decode(errors="surrogateescape")
    return _ESCAPED.sub(lambda sign: f"⟨{ord(sign[0]) - 0xDC00:02X}⟩", text)


@cache
def _bytes_of_signs() -> Mapping[str, int]:
    """Return the byte that each sign of a byte-level vocabulary stands for (Radford et al. 2019, as their code has it).

    Bytes that print are themselves; the others, in their order, are the signs from U+0100 on.
    """
    printed = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(0x100) if byte not in printed]
    return {chr(byte): byte for byte in printed} | {chr(0x100 + place): byte for place, byte in enumerate(others)}
