"""Addresses, file names, @names and #tags of a text: what a translation keeps as it is."""

import re
from dataclasses import dataclass

_ENDINGS = "com|org|net|edu|gov|info|io|dev|app|de|at|ch|fr|jp|kr|uk|eu|it|es|nl|be|us|ca|tv|ai"
_FILES = (
    "pdf|docx?|xlsx?|pptx?|odt|txt|csv|tsv|json|xml|html?|css|jsx?|tsx?|py|rs|go|java|cpp|md|tex|ya?ml|toml|ini|log|zip|"
    "gz|tar|rar|7z|exe|jpe?g|png|gif|svg|webp|bmp|mp3|mp4|wav|mov|avi|mkv|epub|ipynb|sh|sql|db"
)
_ADDRESS = re.compile(
    rf"""(?:https?|ftp)://[^\s<>"\u300c\u300d\u3001\u3002]+          # a URL
    | www\.[^\s<>"\u300c\u300d\u3001\u3002]+
    | [A-Za-z0-9][\w.+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+          # e-mail
    | (?<![\w@.])(?:[A-Za-z0-9-]+\.)+(?:{_ENDINGS})(?![A-Za-z0-9-])(?:/[A-Za-z0-9/._?=&%\#~-]*)?
    | (?<![\w@.])[\w-]+(?:\.[\w-]+)*\.(?:{_FILES})(?![A-Za-z0-9])    # a file
    | (?<![\w@])@\w+(?:\.\w+)*                                       # a name
    | (?<![\w\#&])\#(?=\w*[^\W\d])\w+                                # a tag
    """,
    re.VERBOSE | re.IGNORECASE,
)
_LAST_MARKS = ".,;:!?)]'\u2019\u201d\u3002"


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
    return [Address(match[0].rstrip(_LAST_MARKS), match.start()) for match in _ADDRESS.finditer(text)]


def broken_part(address: str, text: str) -> tuple[int, int] | None:
    """Return from where to where ``address`` is not in ``text``; None where it is there whole.

    That is all of it where its parts are there but not as one. Capitals and small letters are alike.
    """
    whole, text = address.casefold(), text.casefold()
    at = text.find(whole)
    while at >= 0:
        after = text[at + len(whole) : at + len(whole) + 1]
        if not (text[at - 1 : at].isalnum() and whole[0].isalnum()) and not (after.isalnum() and after.isascii()):
            return None
        at = text.find(whole, at + 1)
    words = set(re.findall(r"\w+", text))
    lost = [match for match in re.finditer(r"[^\W_]+", whole) if match[0] not in words]
    return (lost[0].start(), lost[-1].end()) if lost else (0, len(address))
