"""Shared state of the Transformer-XL page: the shipped language models, cached, and the text."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st
from jaxtyping import Int
from streamlit.delta_generator import DeltaGenerator
from torch import Tensor

from model.attention import SegmentSpec
from model.device import use_one_thread
from model.text.characters import CharacterVocabulary, EncodedText
from pretrained import language_models
from pretrained.language_models import LanguageModel
from pretrained.translators import METRICS, WEIGHTS
from viz.base.link_parameters import Choice, Text
from viz.base.markdown import plain
from viz.base.tokens import visible
from viz.base.words import listed, page_text
from viz.pages.transformer_xl.study.microscope import memory_lengths
from viz.pages.transformer_xl.study.reading import Memories
from viz.shared.shipped import cached_while_unchanged
from viz.shell.controls import place_for_warnings
from viz.shell.link import begins, is_linked, linked_text
from viz.shell.state import keep_in_session, kept, set_link

TEXT = page_text("pages/transformer_xl/state")
# The model of the page, and the same one trained with segments cut apart.
MAIN, CUT_APART = "transformer_xl", "no_recurrence"
MAX_CHARACTERS = 100_000
# So few that a link stays under the 16 kB of a request's head even where every character takes twelve bytes of it.
MAX_LINKED = 1_000
_MIN_CHARACTERS = 2
# So many characters tell the sample from a damaged file.
_MIN_SAMPLE = 60
_MAX_NAMED = 12
_MAX_MODELS = 8
_MAX_TEXTS = 4
_KEY = "xl-own-text"
_SAMPLE = Path(__file__).parent / "data" / "war_and_peace.txt"


@dataclass(frozen=True)
class GivenText:
    """The text that all sections read, as it was given and as the ids of the models' vocabulary."""

    text: str
    encoded: EncodedText

    @property
    def ids(self) -> Int[Tensor, " position"]:
        """One id for each character."""
        return self.encoded.ids

    def __len__(self) -> int:
        """Count the characters."""
        return len(self.text)


@dataclass(frozen=True)
class _LastText:
    """The last text that could be read."""

    text: str


@dataclass(frozen=True)
class ShownSegment:
    """Which segment is shown, from 0, of the text with that key."""

    text_key: str
    segment: int


def shown_segment() -> int | None:
    """Return the segment that this session has reached, from 0; None before the page Segments was drawn."""
    at = kept(ShownSegment)
    return None if at is None else at.segment


def shipped_names() -> tuple[str, ...]:
    """Return the names of all language models that ship."""
    return language_models.shipped_language_models(language_models.LANGUAGE_MODELS)


def model_files(name: str) -> tuple[Path, Path]:
    """Return the files that the shipped model ``name`` is made of."""
    folder = language_models.LANGUAGE_MODELS / name
    return folder / WEIGHTS, folder / METRICS


def files_of(loaded: LanguageModel, *_: object) -> tuple[Path, Path]:
    """Return the files that ``loaded`` was made of, for what is made with it."""
    return model_files(loaded.name)


@cached_while_unchanged(model_files, max_entries=_MAX_MODELS)
def language_model(name: str) -> LanguageModel:
    """Return the shipped language model ``name``, one for all sessions, loaded when it is first asked for.

    Raises:
        ValueError: no model of that name ships.
        DamagedWeightsError: one of its files is missing or not the recorded one.
    """
    use_one_thread()
    return language_models.load_language_model(name, language_models.LANGUAGE_MODELS)


def memory_choice(key: str, loaded: LanguageModel) -> Choice[int]:
    """Return the choice of a memory length for ``loaded``; its default is the trained length."""
    return Choice(key, loaded.mem_len, tuple(memory_lengths(loaded.mem_len)))


@cached_while_unchanged(
    lambda: [language_models.LANGUAGE_MODELS / name for name in language_models.CONTEXTS], max_entries=2
)
def context_losses() -> list[pd.DataFrame]:
    """Return the losses after contexts of several lengths, one table per measurement, not to be changed.

    Raises:
        OSError: they cannot be read.
        ValueError: they are damaged.
    """
    return language_models.effective_context_losses(language_models.LANGUAGE_MODELS)


def evaluation_speed() -> dict[str, Any]:
    """Return how fast a text is evaluated, with what machine; nothing where that was not measured.

    Raises:
        OSError: it cannot be read.
        ValueError: it is damaged.
    """
    return language_models.evaluation_speed(language_models.LANGUAGE_MODELS)


@cache
def sample_text() -> str:
    """Return some pages of War and Peace that no model was trained on; without the file, their beginning."""
    try:
        text = _SAMPLE.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return TEXT["beginning"]
    return text if text.startswith(TEXT["beginning"][:_MIN_SAMPLE]) else TEXT["beginning"]


def given_text(vocabulary: CharacterVocabulary, warnings: DeltaGenerator | None = None) -> GivenText:
    """Draw the page's text box, and return its text.

    It is that of the page before, else the link's, else the sample. Messages are shown in ``warnings``, or else above
    the box: about a text that cannot be read, where the last good one stays, about the cut part of a text that is too
    long, and about characters that the models do not know.
    """
    warnings = warnings or place_for_warnings()
    if sample_text() == TEXT["beginning"]:
        warnings.warning(TEXT["no sample"].format(file=_SAMPLE.name))
    field = Text("text", sample_text(), MAX_LINKED)
    if begins(_KEY):
        # On another page it is another widget, which would begin with a value of its own.
        st.session_state[_KEY] = _opening_text(field, st.session_state.get(_KEY))
    with st.expander(TEXT["heading"], key="xl-text"):
        typed = st.text_area(TEXT["label"].format(most=MAX_CHARACTERS), key=_KEY, height=140, persist_state="session")
        st.button(TEXT["sample"], on_click=_put_sample)
        st.caption(TEXT["source"])
    text = _readable((typed or "").replace("\r\n", "\n"), warnings)
    set_link(field, text if len(text) <= MAX_LINKED else field.default)
    encoded = vocabulary.encode(text)
    if encoded.unknown:
        warnings.warning(_unknown_characters(encoded))
    st.caption(TEXT["read"].format(n=len(text), what=TEXT["the sample" if text == sample_text() else "your text"]))
    return GivenText(text, encoded)


def _opening_text(field: Text, held: str | None) -> str:
    """Return what the text box begins with, where the session has ``held``."""
    # A longer text than the app writes into links may still come with one.
    linked = linked_text(field.key)
    # That no link carries such a text says nothing of it, where the browser comes back to the page.
    is_unlinkable = held is not None and linked is None and len(held) > field.max_characters
    if held is None or (is_linked(field.key) and not is_unlinkable):
        return field.default if linked is None else linked
    return held


def _readable(text: str, warnings: DeltaGenerator) -> str:
    last = kept(_LastText)
    if len(text) < _MIN_CHARACTERS:
        shown = TEXT["shown sample" if last is None else "shown last"]
        problem = TEXT["one character" if len(text) == 1 else "too short"]
        warnings.warning(problem.format(n=len(text), shown=shown))
        return sample_text() if last is None else last.text
    if len(text) > MAX_CHARACTERS:
        warnings.warning(TEXT["too long"].format(n=len(text), most=MAX_CHARACTERS))
        text = text[:MAX_CHARACTERS]
    keep_in_session(_LastText(text))
    return text


def _unknown_characters(encoded: EncodedText) -> str:
    named = listed(plain(_shown(character)) for character in encoded.unknown[:_MAX_NAMED])
    more = len(encoded.unknown) - _MAX_NAMED
    n_places = int((encoded.ids == 0).sum())
    rest = TEXT["more unknown"].format(n=more) if more > 0 else ""
    return TEXT["unknown"].format(n=n_places, characters=named, rest=rest)


def _shown(character: str) -> str:
    """Return ``character`` where it is seen by itself, and its code point where it is not."""
    is_seen = character.isprintable() and not character.isspace()
    return visible(character) if is_seen else f"U+{ord(character):04X}"


def _put_sample() -> None:
    st.session_state[_KEY] = sample_text()


def segment_spec(loaded: LanguageModel) -> SegmentSpec:
    """Return how a text is read by ``loaded``: as in its training."""
    return SegmentSpec(loaded.segment_length, loaded.mem_len)


@cached_while_unchanged(files_of, max_entries=_MAX_TEXTS, key=lambda loaded, text: (loaded.name, text.text))
def memories(loaded: LanguageModel, text: GivenText) -> Memories:
    """Return the memories before the segments of ``text``, shared by all sessions that read it."""
    return Memories(loaded.model, text.ids[None], segment_spec(loaded))
