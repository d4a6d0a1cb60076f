"""Shipped models for all pages, cached for every session while their files stay unchanged."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

import streamlit as st

from model.checkpoint import DamagedWeightsError
from model.data.corpora import Kind, kinds_of
from model.decoding.options import GREEDY
from model.decoding.translator import Translation, Translator
from model.device import use_one_thread
from model.text.languages import Doubt, guess_language
from pretrained import load_translator, read_card, shipped
from viz.base.words import page_text

DEFAULT_TRANSLATOR = "translation-en-de"
"""The translator that pages open with."""

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Stamp = tuple[str, int, int] | None
Load = Callable[[str], Translator]
FilesOf = Callable[[str], Iterable[Path]]


def stamp(path: Path) -> Stamp:
    """Return what changes when the file at ``path`` does; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return str(path), status.st_mtime_ns, status.st_size


def cached_while_unchanged(
    files: Callable[..., Iterable[Path]],
    *,
    max_entries: int,
    key: Callable[..., Hashable] | None = None,
) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """Return a decorator that caches a function's results for all sessions while ``files`` are the same.

    Args:
        files: returns, for the function's arguments, the files that its result is made of.
        max_entries: results that are kept, the latest ones.
        key: returns what tells calls apart; their arguments where it is None.
    """

    def decorate(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        def load(_call: Callable[[], Result], *_: object) -> Result:
            return _call()

        # Streamlit tells caches apart by these names. A page's own module is always called __main__, its file is not.
        load.__module__, load.__qualname__ = function.__code__.co_filename, function.__qualname__
        cached = st.cache_resource(max_entries=max_entries, show_spinner=False)(load)

        @wraps(function)
        def call(*positional: Arguments.args, **named: Arguments.kwargs) -> Result:
            stamps = tuple(map(stamp, files(*positional, **named)))
            apart = (positional, named) if key is None else key(*positional, **named)
            return cached(partial(function, *positional, **named), stamps, apart)

        return call

    return decorate


@st.cache_resource(max_entries=8, show_spinner=False)
def translator(name: str) -> Translator:
    """Return the shipped translator ``name``, one for all sessions.

    Raises:
        DamagedWeightsError: its files are missing or not the recorded ones.
    """
    use_one_thread()
    return load_translator(name)


@cached_while_unchanged(lambda _, files_of, name: files_of(name), max_entries=16, key=lambda *_: ())
def _model(load: Load, _files_of: FilesOf, name: str) -> Translator:
    use_one_thread()
    return load(name)


@cached_while_unchanged(lambda _, files_of, name, __: files_of(name), max_entries=32, key=lambda *call: call[-1])
def greedy_translation(load: Load, files_of: FilesOf, name: str, text: str) -> Translation:
    """Return what the model that ``load`` reads from its files makes of ``text``, not to be changed.

    Raises:
        SourceTextError: no token in ``text``, or too many.
        OSError, DamagedWeightsError: the model's files are missing or not the recorded ones.
    """
    return _model(load, files_of, name).translate(text, GREEDY)


@dataclass(frozen=True)
class TranslatorInfo:
    """A translator's languages, and the kinds of sentences that it was trained on."""

    name: str
    source_language: str
    target_language: str
    kinds: tuple[Kind, ...]

    @property
    def examples(self) -> tuple[str, ...]:
        """Sentences of its language and its first kind."""
        return examples(self.source_language, self.kinds[0])


def translator_info(name: str) -> TranslatorInfo:
    """Return what the card of the shipped translator ``name`` says of it.

    Raises:
        ValueError: no model of that name ships.
        OSError, DamagedWeightsError: its card cannot be read.
    """
    card = read_card(name)
    return TranslatorInfo(name, card.source_language, card.target_language, kinds_of(card.corpora))


def offered() -> dict[str, TranslatorInfo]:
    """Return every translator with a readable card, the default one first, those of captions last."""
    infos = []
    for name in shipped():
        try:
            infos.append(translator_info(name))
        except (DamagedWeightsError, OSError, ValueError):
            # ValueError: its configuration has gone since it was listed.
            continue
    infos.sort(
        key=lambda info: (
            *(info.name != DEFAULT_TRANSLATOR, "everyday" not in info.kinds),
            *(info.source_language, info.target_language),
        )
    )
    return {info.name: info for info in infos}


@dataclass(frozen=True)
class TranslatorGuess:
    """The translator for the language of a text, others that may be right, and why it is not sure."""

    info: TranslatorInfo
    others: tuple[TranslatorInfo, ...]
    doubt: Doubt | None


def guess_translator(text: str, known: Mapping[str, TranslatorInfo]) -> TranslatorGuess:
    """Return the first of ``known`` that reads the language of ``text``, else the first of all."""
    first_of: dict[str, TranslatorInfo] = {}
    for info in known.values():
        first_of.setdefault(info.source_language, info)
    guess = guess_language(text, first_of)
    if guess is None:
        return TranslatorGuess(next(iter(known.values())), (), None)
    return TranslatorGuess(first_of[guess.language], tuple(map(first_of.__getitem__, guess.others)), guess.doubt)


def translator_by_text(text: str, known: Mapping[str, TranslatorInfo]) -> TranslatorInfo:
    """Return the first of ``known`` that reads the language of ``text``, as :func:`guess_translator`."""
    return guess_translator(text, known).info


def damage(error: Exception) -> str:
    """Return the page's message about a damaged shipped model; of any other ``error``, its own message."""
    if not isinstance(error, DamagedWeightsError):
        return str(error)
    words = page_text("shared/damaged")
    reason = words[error.key].format(**error.values)
    return words["with command"].format(reason=reason, **error.values) if "command" in error.values else reason


def examples(language: str, kind: Kind) -> tuple[str, ...]:
    """Return sentences of ``kind`` in ``language`` to try."""
    return tuple(page_text("shared/examples").lines(f"{language} {kind}"))
