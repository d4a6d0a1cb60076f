"""Tokens as people read them."""

import re
import unicodedata
from collections.abc import Sequence
from itertools import accumulate

from viz.base.languages import ENGLISH
from viz.base.words import sections_in

WORD_START = "▁"
CONTINUATION = "·"
"""Stands before a piece that goes on with a word."""
_LONGEST = 16
# Unicode's categories of control and of format.
_STEERING = {"Cc", "Cf"}
# Alike in every language: labels are a part of what is computed, which visitors of all languages share.
_SPECIAL = sections_in(ENGLISH, "base/tokens")


def piece_labels(pieces: Sequence[str], word_starts: Sequence[int]) -> tuple[str, ...]:
    """Return a label for each piece: pieces that continue a word begin with a raised dot."""
    starts = set(word_starts)
    return tuple(
        shown_piece(piece) if index in starts else CONTINUATION + shown_piece(piece)
        for index, piece in enumerate(pieces)
    )


def label_alone(piece: str) -> str:
    """Return a label for ``piece`` outside of any text: a raised dot marks one that goes on with a word.

    Of East Asian characters, which have no spaces between words, none tells whether it does.
    """
    shown = shown_piece(piece)
    goes_on = not starts_word(piece) and shown[0].isalnum() and unicodedata.east_asian_width(shown[0]) != "W"
    return CONTINUATION + shown if goes_on else shown


def is_special(piece: str) -> bool:
    """Whether ``piece`` stands for no text, such as BOS and EOS."""
    return piece in _SPECIAL


def starts_word(piece: str) -> bool:
    """Whether a space stands before ``piece`` in running text."""
    return piece.startswith(WORD_START) or is_special(piece)


def shown_piece(piece: str) -> str:
    """Return ``piece`` without its word mark; special tokens and stray bytes stand in angle brackets."""
    if is_special(piece):
        return _SPECIAL[piece]
    if len(piece) == 6 and piece.startswith("<0x") and piece.endswith(">"):
        byte = int(piece[3:5], base=16)
        return chr(byte) if byte < 128 and chr(byte).isprintable() else f"⟨{byte:02X}⟩"
    return visible(piece.removeprefix(WORD_START)) or "␣"


def visible(text: str) -> str:
    """Return ``text`` with control characters, such as U+202E or a line feed, named in angle brackets."""
    return "".join(
        f"⟨U+{ord(character):04X}⟩" if unicodedata.category(character) in _STEERING else character for character in text
    )


def joined_bytes(text: str) -> str:
    """Return ``text`` with bytes in angle brackets joined into characters where they are complete."""

    def joined(run: re.Match[str]) -> str:
        try:
            return visible(bytes.fromhex(re.sub("[⟨⟩]", "", run[0])).decode())
        except UnicodeDecodeError:
            return run[0]

    return re.sub(r"(?:⟨[0-9A-F]{2}⟩)+", joined, text)


def n_columns(text: str) -> int:
    """Return the width of ``text`` in Latin letters.

    An East Asian character is as wide as two (Unicode Standard Annex 11).
    """
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def shorten(label: str, longest: int = _LONGEST) -> str:
    """Return ``label``, its middle left out where it is wider than ``longest`` columns."""
    if n_columns(label) <= longest:
        return label
    kept = longest - 1
    return f"{_first(label, kept - kept // 3)}…{_first(label[::-1], kept // 3)[::-1]}"


def _first(text: str, columns: int) -> str:
    ends = accumulate(map(n_columns, text))
    return text[: sum(end <= columns for end in ends)]


def shorten_sentence(text: str, longest: int) -> str:
    """Return ``text``, words in its middle left out where it has more than ``longest`` characters."""
    if len(text) <= longest:
        return text
    kept = longest - 3
    begin, _, _ = text[: kept - kept // 3 + 1].rpartition(" ")
    _, _, end = text[-(kept // 3) - 1 :].partition(" ")
    return f"{begin} … {end}" if begin and end else shorten(text, longest)


def escape_plotly(label: str) -> str:
    """Return ``label`` escaped for Plotly, which reads some HTML in every text."""
    return label.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
