"""The languages of the interface, and in which of them someone reads it.

Each has a folder of words beside the code that shows them. Who shows them says by :func:`find_language_by` how the
reader's language is found; :func:`in_language` puts another in its place, and holds in its thread alone.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

ENGLISH = "en"
"""The language that every word has, and that is read where another lacks it."""

LANGUAGES: Mapping[str, str] = {ENGLISH: "English", "ja": "日本語", "ko": "한국어"}
"""Every language's own name, by the name of its folders."""

Value = TypeVar("Value")
_PUT: ContextVar[str | None] = ContextVar("language", default=None)


@dataclass
class _Reader:
    find_language: Callable[[], str]


_READER = _Reader(lambda: ENGLISH)


def find_language_by(find: Callable[[], str]) -> None:
    """Have ``find`` return the language of whoever reads, each time that words are looked up."""
    _READER.find_language = find


def language() -> str:
    """Return the language of whoever reads."""
    return _PUT.get() or _READER.find_language()


@contextmanager
def in_language(name: str) -> Iterator[None]:
    """Have words be those of the language ``name``."""
    token = _PUT.set(name)
    try:
        yield
    finally:
        _PUT.reset(token)


@dataclass(frozen=True, eq=False)
class OptionLabels(Mapping[Value, str]):
    """Labels of ``options`` in the reader's language; ``word`` looks one up at each call."""

    options: tuple[Value, ...]
    word: Callable[[Value], str]

    def __getitem__(self, option: Value) -> str:
        """Return what ``option`` is called."""
        if option not in self.options:
            raise KeyError(option)
        return self.word(option)

    def __iter__(self) -> Iterator[Value]:
        """Iterate over the options in their order."""
        return iter(self.options)

    def __len__(self) -> int:
        """Count the options."""
        return len(self.options)


def worded(options: Iterable[Value], word: Callable[[Value], str]) -> OptionLabels[Value]:
    """Return what ``options`` are called by ``word``, in the language of whoever reads."""
    return OptionLabels(tuple(options), word)


def together(*several: Mapping[Value, str]) -> OptionLabels[Value]:
    """Return what the options of all of ``several`` are called, in the language of whoever reads."""
    return worded(
        (option for names in several for option in names),
        lambda option: next(names[option] for names in several if option in names),
    )
