"""What the Translate page shows: cached models and translations, and the view that its widgets and the URL hold."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import streamlit as st

from model.decoding.beam_search import GREEDY, DecodingOptions
from model.decoding.sampling import SamplingOptions
from model.decoding.translator import SourceTextError, Translation, Translator
from model.device import use_one_thread
from pretrained import load_translator, shipped
from viz.pages.translate.study.measures import MEASURES, Kinds
from viz.pages.translate.translators import MODEL, described
from viz.shell.controls import Number
from viz.shell.link import write_link

# So few that a link stays under the 16 kB of a request's head even where every character takes twelve bytes of it.
MAX_CHARACTERS = 1_000

_BEGINNING = "beginning"
_LAST_GOOD = "last good"
_DECODING = "decoding"
_BY = "by-model"
LINKED_BEGINNING = "begin"
_LONGEST_LINK = 2_000

Search = Literal["beam", "greedy", "sample"]
SEARCHES: tuple[Search, ...] = get_args(Search)
TEMPERATURE = Number("temperature", 0.8, 0.1, 2.0, 0.1)
TOP_K = Number("top-k", 0, 0, 1000)
TOP_P = Number("top-p", 0.95, 0.05, 1.0, 0.05)
SEED = Number("seed", 1, 0, 1_000_000)
_DRAWN_BY = {"temperature": TEMPERATURE, "top_k": TOP_K, "top_p": TOP_P, "seed": SEED}


@dataclass(frozen=True)
class How:
    """Which model translates, and how it searches; what only a sample asks for stays at its default for the others."""

    search: Search = SEARCHES[0]
    temperature: float = TEMPERATURE.default
    top_k: int = int(TOP_K.default)
    top_p: float = TOP_P.default
    seed: int = int(SEED.default)
    model: str = MODEL

    def options(self, usual: DecodingOptions) -> DecodingOptions:
        """Return the same for a model that searches like ``usual`` where nothing else is asked for."""
        if self.search == "beam":
            return replace(usual, beam_size=4, n_best=4)
        if self.search == "greedy":
            return GREEDY
        sampling = SamplingOptions(self.temperature, self.top_p, self.top_k)
        return replace(GREEDY, sampling=sampling, seed=self.seed)

    def as_link(self) -> dict[str, str]:
        """Return the parameters of a link to another page that tell how."""
        link = {_DECODING: self.search} | ({_BY: self.model} if self.model != MODEL else {})
        if self.search != "sample":
            return link
        numbers = {field.key: f"{getattr(self, name):.10g}" for name, field in _DRAWN_BY.items()}
        return link | {f"{_DECODING}-{key}": text for key, text in numbers.items()}

    @classmethod
    def from_link(cls, given: Mapping[str, str]) -> "How":
        """Return what :meth:`as_link` wrote; what is missing or cannot be is the default."""
        search = next((search for search in SEARCHES if search == given.get(_DECODING)), SEARCHES[0])
        model = given.get(_BY, MODEL)
        model = model if model in shipped() else MODEL
        if search != "sample":
            return cls(search, model=model)
        found: dict[str, Any] = {}
        for name, field in _DRAWN_BY.items():
            text = given.get(f"{_DECODING}-{field.key}", "")
            found[name] = type(field.default)(text) if field.rule.accepts(text) else field.default
        return cls(search, **found, model=model)


@dataclass(frozen=True)
class Translated:
    """A translation of ``text``, and every hypothesis of the search as its score and text, the best first.

    ``begin`` are the tokens that it was made to begin with.
    """

    text: str
    how: How
    begin: tuple[int, ...]
    translation: Translation
    hypotheses: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Shown:
    """What is on the screen: the result asked for, or else why there is none, and what is shown instead."""

    result: Translated
    trouble: str | None = None
    instead: Literal["last", "example", "without beginning"] | None = None


@st.cache_resource(max_entries=8, show_spinner=False)
def translator(name: str) -> Translator:
    """Return the shipped translator ``name``, one for all sessions.

    Raises:
        DamagedWeightsError: its files are missing or not the recorded ones.
    """
    return load_translator(name)


@st.cache_data(max_entries=128, show_spinner=False)
def translated(text: str, how: How, begin: tuple[int, ...] = ()) -> Translated:
    """Return the translation of ``text`` that begins with the tokens ``begin``, with all its attention.

    Raises:
        SourceTextError: a text that cannot be translated, or a beginning that cannot be given.
    """
    use_one_thread()
    loaded = translator(how.model)
    translation = loaded.translate(text, how.options(loaded.options), prefix=begin)
    hypotheses = tuple(
        (hypothesis.score, loaded.tokenizer.decode(hypothesis.tokens)) for hypothesis in translation.hypotheses
    )
    # The cache pickles, and a mapping proxy cannot be pickled.
    return Translated(text, how, begin, replace(translation, patterns=dict(translation.patterns)), hypotheses)


@st.cache_data(max_entries=32, show_spinner=False)
def measured(text: str, how: How, measure: str, begin: tuple[int, ...] = ()) -> Kinds:
    """Return ``measure`` between the tokens of ``text`` and its translation.

    Raises:
        SourceTextError: as :func:`translated`.
        TooManyTokensError: one that is too long for this measure.
    """
    return MEASURES[measure](translator(how.model), translated(text, how, begin).translation)


def shown(text: str, how: How, begin: tuple[int, ...]) -> Shown:
    """Return the translation of ``text``; what is wrong with one that has none comes with this session's last good."""
    try:
        result = translated(text, how, begin)
    except SourceTextError as error:
        if begin:
            without = shown(text, how, ())
            return without if without.trouble else Shown(without.result, str(error), "without beginning")
        model, last_good = st.session_state.get(_LAST_GOOD, ("", ""))
        if model != how.model:
            return Shown(translated(described(how.model).examples[0], how), str(error), "example")
        return Shown(translated(last_good, how), str(error), "last")
    st.session_state[_LAST_GOOD] = (how.model, text)
    return Shown(result)


def beginning(text: str, model: str) -> tuple[int, ...] | None:
    """Return the tokens that ``model`` is to begin with for ``text``; None where the link's cannot be read.

    They are those that a visitor chose for this very text and model, else, at first, those of the link.
    """
    state = st.session_state
    if _BEGINNING not in state:
        linked = st.query_params.get(LINKED_BEGINNING, "")
        tokens = read_beginning(linked)
        keep_beginning(text, model, tokens or ())
        if tokens is None:
            return None
    *known, tokens = state[_BEGINNING]
    if known != [text, model]:
        tokens = ()
        keep_beginning(text, model, ())
    write_link({LINKED_BEGINNING: linked_beginning(tokens).get(LINKED_BEGINNING)})
    return tokens


def keep_beginning(text: str, model: str, tokens: tuple[int, ...]) -> None:
    """Have the translation of ``text`` by ``model`` begin with ``tokens`` from now on."""
    st.session_state[_BEGINNING] = (text, model, tokens)


def forget_beginning() -> None:
    """Have translations begin as they will."""
    keep_beginning("", "", ())


def read_beginning(link: str) -> tuple[int, ...] | None:
    """Return the tokens that a link's ``begin`` names; None where it cannot be read."""
    if not link:
        return ()
    parts = link.split(".")
    is_good = len(link) <= _LONGEST_LINK and all(part.isascii() and part.isdecimal() for part in parts)
    return tuple(map(int, parts)) if is_good else None


def linked_beginning(tokens: tuple[int, ...]) -> dict[str, str]:
    """Return the part of a link that names ``tokens``; nothing where there are none."""
    return {LINKED_BEGINNING: ".".join(map(str, tokens))} if tokens else {}
