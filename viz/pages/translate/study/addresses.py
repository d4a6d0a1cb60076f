"""Addresses, file names, @names and #tags of a text: what a translation keeps as it is."""

import re
from dataclasses import dataclass

_ENDINGS = (
    "com|org|net|edu|gov|info|io|dev|app|xyz|eu|de|at|ch|fr|jp|kr|uk|it|es|nl|be|pl|pt|se|dk|cz|br|cn|tw|us|ca|au|tv|ai"
)
_FILES = (
    "pdf|docx?|xlsx?|pptx?|odt|txt|csv|tsv|json|xml|html?|css|jsx?|tsx?|py|rs|go|java|cpp|md|tex|ya?ml|toml|ini|log|zip|"
    "gz|tar|rar|7z|exe|jpe?g|png|gif|svg|webp|bmp|mp3|mp4|wav|mov|avi|mkv|epub|ipynb|sh|sql|db"
)
# Scripts that set no blank after an address: Japanese, Chinese and Korean, with their marks.
_HIRAGANA = r"\u3040-\u309f"
_NO_BLANKS = (
    r"\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff"
)
_LETTER = rf"[^\W{_NO_BLANKS}]"
_IN_URL = rf"(?:{_LETTER}|[-.~:/?\#\[\]@!$&'()*+,;=%])"
_PATH = rf"(?::\d+)?(?:[/?]{_IN_URL}*)?"
_BYTE = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_GROUP = r"[\da-f]{1,4}"
_GROUPS = rf"{_GROUP}(?::{_GROUP}){{0,6}}"
_ADDRESS = re.compile(
    rf"""(?:https?|ftp)://(?:[\w-]+\.)*{_IN_URL}+                    # a URL, whose host may have any script
    | www\.{_IN_URL}+
    | {_LETTER}(?:{_LETTER}|[.+-])*@[A-Z0-9-]+(?:\.[A-Z0-9-]+)+      # e-mail
    | (?<![\d.]){_BYTE}(?:\.{_BYTE}){{3}}(?![\d]|\.\d){_PATH}        # IPv4
    | (?<![\w:])(?=[\da-f:]*\d)(?:(?:{_GROUP}:){{7}}{_GROUP}|(?:{_GROUPS})?::(?:{_GROUPS})?)(?![\w:])  # IPv6
    | (?<!{_LETTER})(?<![@.-])(?:[A-Z0-9-]+\.)+(?-i:{_ENDINGS}|{_ENDINGS.upper()})(?![A-Z0-9-]){_PATH}
    | (?<!{_LETTER})(?<![@.-]){_LETTER}(?:{_LETTER}|-)*(?:\.(?:{_LETTER}|-)+)*\.(?:{_FILES})(?![A-Z0-9])   # a file
    | (?:[{_HIRAGANA}]+|[^\W{_HIRAGANA}A-Z0-9_]+)\.(?:{_FILES})(?![A-Z0-9])
    | (?<!{_LETTER})(?<!@)@(?:{_LETTER}+(?:\.{_LETTER}+)*|\w+)       # a name
    | (?<!{_LETTER})(?<![\#&])\#(?:(?={_LETTER}*[^\W\d{_NO_BLANKS}]){_LETTER}+|(?!{_LETTER})\w+)     # a tag
    """,
    re.VERBOSE | re.IGNORECASE,
)
_LAST_MARKS = re.compile(r"(?:[.,;:!?*']|'s)+$", re.IGNORECASE)
_BRACKETS = {")": "(", "]": "["}


@dataclass(frozen=True)
class Address:
    """An address as it stands in a text, from ``start``."""

    text: str
    start: int

    @property
    def stop(self) -> int:
        """End in the text."""
        return self.start + len(self.text)


def addresses_of(text: str) -> list[Address]:
    """Return the addresses of ``text``, without the marks of the sentence around them."""
    addresses = (Address(_without_last_marks(match[0]), match.start()) for match in _ADDRESS.finditer(text))
    return [address for address in addresses if address.text]


def _without_last_marks(address: str) -> str:
    """Return ``address`` without marks at its end, brackets that open before it, and the English 's."""
    while True:
        shorter = _LAST_MARKS.sub("", address)
        last = shorter[-1:]
        if last in _BRACKETS and shorter.count(last) > shorter.count(_BRACKETS[last]):
            shorter = shorter[:-1]
        if shorter == address:
            return address
        address = shorter


def broken_part(address: str, text: str) -> tuple[int, int] | None:
    """Return from where to where ``address`` is not in ``text``; None where it is there whole.

    That is all of it where its parts are there but not as one. Capitals and small letters are alike.
    """
    whole, text = address.lower(), text.lower()
    at = text.find(whole)
    while at >= 0:
        before, after = text[:at][-1:], text[at + len(whole) :][:1]
        if not (_goes_on(before) and whole[0].isalnum()) and not _goes_on(after):
            return None
        at = text.find(whole, at + 1)
    words = {*re.findall(r"[^\W_]+", text), *re.findall(rf"{_LETTER}+", text)}
    lost = [match for match in re.finditer(r"[^\W_]+", whole) if match[0] not in words]
    return (lost[0].start(), lost[-1].end()) if lost else (0, len(address))


def _goes_on(character: str) -> bool:
    """Whether ``character`` beside an address would be a part of it: Japanese needs no blank there."""
    return re.fullmatch(_LETTER, character) is not None and character != "_"
