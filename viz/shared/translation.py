"""A translation for several topics: its model, its search, and its form in a link."""

from dataclasses import dataclass, replace
from typing import Literal, get_args

import streamlit as st

from model.decoding.options import GREEDY, DecodingOptions, SamplingOptions
from model.decoding.translator import SourceTextError, Translation
from model.device import use_one_thread
from pretrained import shipped
from viz.base.link_parameters import Choice, LinkParameter, Number, Verbatim, in_link, such_as
from viz.base.words import page_text, paragraph
from viz.shared.shipped import DEFAULT_TRANSLATOR, translator, translator_info
from viz.shared.unread import why_unread
from viz.shell.state import keep_in_session, kept

TEXT = page_text("shared/translation")
MAX_BEGINNING = 2_000
"""Characters of a link's beginning."""

Search = Literal["beam", "greedy", "sample"]
SEARCHES: tuple[Search, ...] = get_args(Search)
TEMPERATURE = Number("temperature", 0.8, 0.1, 2.0, 0.1)
TOP_K = Number("top-k", 0, 0, 1000)
TOP_P = Number("top-p", 0.95, 0.05, 1.0, 0.05)
SEED = Number("seed", 1, 0, 1_000_000)


@dataclass(frozen=True)
class TokenIds(LinkParameter[tuple[int, ...]]):
    """Tokens by their ids, joined by points: 57.12."""

    def read(self, text: str) -> tuple[int, ...]:
        """Return the ids in ``text``.

        Raises:
            ValueError: ``text`` is too long, or does not consist of numbers with points between them.
        """
        parts = text.split(".") if text else []
        if len(text) > MAX_BEGINNING or not all(part.isascii() and part.isdecimal() for part in parts):
            raise ValueError(text)
        return tuple(map(int, parts))

    def write(self, value: tuple[int, ...]) -> str:
        """Return ``value`` as a link carries it."""
        return ".".join(map(str, value))

    @property
    def allowed(self) -> str:
        """The form, by an example."""
        return such_as("57.12")


@dataclass(frozen=True)
class Beginning:
    """The tokens that a translation is to begin with."""

    tokens: tuple[int, ...] = in_link(TokenIds("begin", ()))


@dataclass(frozen=True)
class ShippedTranslator(Verbatim):
    """The name of a translator that ships."""

    def is_allowed(self, text: str) -> bool:
        """Whether a translator of that name ships."""
        return text in shipped()

    @property
    def allowed(self) -> str:
        """All names."""
        return ", ".join(shipped())


@dataclass(frozen=True)
class DecodingChoice:
    """Which model translates, and how it searches; only a sample reads the four numbers."""

    search: Search = in_link(Choice("decoding", SEARCHES[0], SEARCHES))
    temperature: float = in_link(replace(TEMPERATURE, key=f"decoding-{TEMPERATURE.key}"))
    top_k: int = in_link(replace(TOP_K, key=f"decoding-{TOP_K.key}"))
    top_p: float = in_link(replace(TOP_P, key=f"decoding-{TOP_P.key}"))
    seed: int = in_link(replace(SEED, key=f"decoding-{SEED.key}"))
    model: str = in_link(ShippedTranslator("by-model", DEFAULT_TRANSLATOR))

    def options(self, default: DecodingOptions) -> DecodingOptions:
        """Return the same for a model that searches like ``default`` where nothing else is asked for."""
        if self.search == "beam":
            return replace(default, beam_size=4, n_best=4)
        # So that its score can be compared with that of beam search.
        greedy = replace(GREEDY, length_penalty=default.length_penalty)
        if self.search == "greedy":
            return greedy
        sampling = SamplingOptions(self.temperature, self.top_p, self.top_k)
        return replace(greedy, sampling=sampling, seed=self.seed)


@dataclass(frozen=True)
class TranslationResult:
    """A translation of ``text``, and every hypothesis of the search as its score and text, the best first.

    ``begin`` are the tokens that it was made to begin with.
    """

    text: str
    choice: DecodingChoice
    begin: tuple[int, ...]
    translation: Translation
    hypotheses: tuple[tuple[float, str], ...]


@dataclass
class LastGood:
    """The last translated text and its model, one for a session."""

    model: str
    text: str


@dataclass(frozen=True)
class PageResult:
    """The shown result: the requested one, or else the problem, and the kind of replacement."""

    result: TranslationResult
    trouble: str | None = None
    instead: Literal["last", "example", "without beginning"] | None = None

    @property
    def message(self) -> str | None:
        """A sentence on the problem and one on the replacement; None without a problem."""
        return paragraph([self.trouble or "", TEXT[f"{self.instead} shown"]]) if self.instead else None


# The attention of the longest text takes about 20 megabytes.
@st.cache_resource(max_entries=32, show_spinner=False)
def translated(text: str, choice: DecodingChoice, begin: tuple[int, ...] = ()) -> TranslationResult:
    """Return the translation of ``text`` with all its attention, after the forced tokens ``begin``.

    Raises:
        SourceTextError: a text that cannot be translated, or a beginning that cannot be given.
    """
    use_one_thread()
    loaded = translator(choice.model)
    translation = loaded.translate(text, choice.options(loaded.options), prefix=begin, as_typed=True)
    hypotheses = tuple((hypothesis.score, loaded.text_of(hypothesis.tokens)) for hypothesis in translation.hypotheses)
    return TranslationResult(text, choice, begin, translation, hypotheses)


def why_untranslated(error: SourceTextError) -> str:
    """Return the sentence that tells a visitor why a text has no translation."""
    return TEXT[f"untranslated {error.key}"].format(given=error.given, most=error.most)


def shown(text: str, choice: DecodingChoice, begin: tuple[int, ...]) -> PageResult:
    """Return the translation of ``text``; on failure the session's last good one, with the problem."""
    unread = why_unread(text)
    if unread:
        return _last_good(unread, choice)
    try:
        result = translated(text, choice, begin)
    except SourceTextError as error:
        trouble = why_untranslated(error)
        if begin:
            without = shown(text, choice, ())
            return without if without.trouble else PageResult(without.result, trouble, "without beginning")
        return _last_good(trouble, choice)
    keep_last(choice.model, text)
    return PageResult(result)


def keep_last(model: str, text: str) -> None:
    """Have the session hold ``text`` as the last that ``model`` translated."""
    last = kept(LastGood) or LastGood(model, text)
    last.model, last.text = model, text
    keep_in_session(last)


def _last_good(trouble: str, choice: DecodingChoice) -> PageResult:
    last = kept(LastGood)
    if last is None or last.model != choice.model:
        return PageResult(translated(translator_info(choice.model).examples[0], choice), trouble, "example")
    return PageResult(translated(last.text, choice), trouble, "last")
