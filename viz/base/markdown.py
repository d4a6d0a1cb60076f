"""Text of visitors within Markdown: shown as it is, and never as markup."""

import re

_MAX_SHOWN = 24
_ADDRESS = re.compile(r"://|@|www(?=\.)", re.IGNORECASE)
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:])")


def safe_as_code(text: str) -> str:
    """Return ``text`` on one line, short, and without what would end a piece of code in Markdown."""
    shown = " ".join(text.replace("`", "'").split())
    return shown if len(shown) <= _MAX_SHOWN else f"{shown[:_MAX_SHOWN]}…"


def plain(text: str) -> str:
    """Return ``text`` so that Streamlit's Markdown shows its characters as they are.

    Bare addresses become links even where every mark in them is escaped; a word joiner, which nobody sees, parts them.
    """
    parted = _ADDRESS.sub(lambda match: f"{match[0]}\N{WORD JOINER}", " ".join(text.split()))
    return _MARKDOWN.sub(r"\\\1", parted)
