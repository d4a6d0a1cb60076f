"""The sentence that a page is about, and the translator that reads it: asked for alike by every topic.

The link carries both, and the session keeps them from page to page.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import streamlit as st

from model.checkpoint import DamagedWeightsError
from model.decoding.translator import MAX_SOURCE_TOKENS
from model.text.languages import CONFIDENT, LANGUAGES, identify_language
from model.text.normalization import WORD_START, changed_characters, is_visible, normalize
from viz.base.link_parameters import Lines, Number, link_of, query_of, read_link, switch
from viz.base.markdown import safe_as_code
from viz.base.tokens import shorten_sentence
from viz.base.words import page_text, paragraph
from viz.shared.model_words import model_words
from viz.shared.shipped import TranslatorInfo, damage, offered, translator, translator_by_text, translator_info
from viz.shared.translation import DecodingChoice
from viz.shared.translators import GUESS, KEY, TEXT_KEY, choose_translator, examples_beside, opening_example
from viz.shared.unread import languages_read
from viz.shell import controls
from viz.shell.controls import read_lines, text_lines, toggle
from viz.shell.link import link_decides, write_link
from viz.shell.state import keep_in_session, kept, linked_value, page_link

TEXT = page_text("shared/sentence")
# So few that a link stays under the 16 kB of a request's head even where every character takes twelve bytes of it.
MAX_CHARACTERS = 1_000
_LINES = Lines(TEXT_KEY, "", MAX_CHARACTERS)
# In characters: with these, all examples stand in one row of a usual screen.
_MAX_EXAMPLE = 34
_KEY = "sentence-number"
_AS_TYPED = switch("as-typed", False)
# Characters that a note names.
_MOST_NAMED = 4
_CARRIED = "sentence"

Read = TypeVar("Read")


@dataclass(frozen=True)
class _ChosenSentence:
    """Which sentence of ``text`` is looked at, on every page of the topic."""

    text: str
    number: int


def carried_sentence(text: str, choice: DecodingChoice) -> dict[str, str]:
    """Return what a link to another page carries for ``text``, and for how it is translated."""
    return {_CARRIED: text, **query_of(choice)}


def take_carried_sentence() -> None:
    """Have the page run again with a link of its own, where the link carries a sentence from another page.

    To be called before anything is drawn.
    """
    linked = page_link()
    if _CARRIED not in linked:
        return
    choice, _ = read_link(DecodingChoice, linked)
    text, known = linked[_CARRIED], offered()
    carried = {_CARRIED, *link_of(choice)}
    own = {name: value for name, value in linked.items() if name not in carried} | {TEXT_KEY: text}
    if choice.model in known and translator_by_text(text, known).name != choice.model:
        own[KEY] = choice.model
    st.query_params.from_dict(own)
    st.rerun()


def ask_sentence() -> tuple[str, TranslatorInfo]:
    """Draw the choice of a translator and the box; return the text and the translator that it is for.

    Without a usable card the page ends here, with a sentence.
    """
    _take_text()
    model = _usable(translator_info, choose_translator())
    language = model_words(model.source_language)
    text = text_lines(
        replace(_LINES, default=opening_example(model)),
        TEXT["sentence"].format(language=language),
        placeholder=TEXT["sentence placeholder"].format(language=language),
    )
    return text, model


def _take_text() -> None:
    """Have the session hold the text that is read: typed, or the link's where that decides.

    The translator may depend on it.
    """
    linked = page_link().get(TEXT_KEY, "")
    if len(linked) > MAX_CHARACTERS:
        write_link({TEXT_KEY: _LINES.read(linked)})
    if link_decides("linked text", TEXT_KEY):
        st.session_state[TEXT_KEY] = _LINES.read(linked)
    read_lines(_LINES)


def offer_examples(model: TranslatorInfo) -> None:
    """Draw examples for the box, in a row."""
    with st.container(horizontal=True, key="example"):
        for number, example in enumerate(examples_beside(model)):
            label = shorten_sentence(example, _MAX_EXAMPLE)
            full = example if label != example else None
            st.button(label, key=f"example-{number}", help=full, on_click=_take_example, args=(example,))


def load(name: str) -> None:
    """Have the translator ``name`` loaded; without a usable one the page ends here, with a sentence."""
    with st.spinner(TEXT["loading"]):
        _usable(translator, name)


def why_cut() -> str | None:
    """Return the sentence about more text than is read; None where all is. Ask before it is drawn."""
    return controls.why_cut(_LINES)


def choose_sentence(text: str, model: str) -> tuple[tuple[str, ...], int]:
    """Return the sentences of ``text``, itself if it has none, and the number of the one to look at.

    A sentence that is too long for ``model`` counts as several.

    A choice is drawn where there are several; its number is in the URL, and what a link carries instead is ignored.
    Characters that the model does not know are read in plain forms, unless a switch, drawn where there are any, is on.
    """
    text = _as_read(text, model)
    sentences = translator(model).parts(text) or (text,)
    number = Number("number", 1, 1, len(sentences))
    if len(sentences) == 1:
        write_link({number.key: None})
        return sentences, 0
    names = [
        f"{index}\N{NO-BREAK SPACE}{sentence}{_other_language(sentence, model)}"
        for index, sentence in enumerate(sentences, start=1)
    ]
    last = kept(_ChosenSentence)
    if link_decides(_KEY, number.key):
        st.session_state[_KEY] = linked_value(number) - 1
    elif _KEY not in st.session_state:
        st.session_state[_KEY] = last.number if last and last.text == text else 0
    if st.session_state[_KEY] >= len(sentences):
        st.session_state[_KEY] = 0
    which = TEXT["which"].format(n=len(sentences))
    chosen = st.selectbox(which, range(len(sentences)), format_func=names.__getitem__, key=_KEY)
    keep_in_session(_ChosenSentence(text, chosen))
    write_link({number.key: number.write(chosen + 1) if chosen else None})
    return sentences, chosen


def _other_language(sentence: str, model: str) -> str:
    """Return in brackets the language of ``sentence``, if it is certain and ``model`` does not read it."""
    language = identify_language(sentence, LANGUAGES, at_least=CONFIDENT)
    return (
        "" if language is None or language == translator_info(model).source_language else f" ({model_words(language)})"
    )


def _as_read(text: str, model: str) -> str:
    plain = translator(model).simplify(text)
    reasons = what_is_changed(text, plain, model)
    if not reasons:
        return plain
    with st.container(horizontal=True, vertical_alignment="center", key="plain"):
        st.caption(paragraph(reasons), width="content")
        return text if plain == text or toggle(_AS_TYPED, TEXT["as typed"]) else plain


def what_is_changed(text: str, plain: str, model: str) -> list[str]:
    """Return sentences on the changes of ``text`` that ``model`` reads as ``plain``; empty without any."""
    knows = translator(model).tokenizer.knows
    changed = changed_characters(text, normalize(plain))
    unknown = [
        character
        for character in (dict.fromkeys(text) if plain != text else ())
        if not character.isspace() and character != WORD_START and not knows(character)
    ]
    others = [character for character in changed if character not in unknown]
    reasons = [TEXT["unknown"].format(unknown=_named(unknown))] if unknown else []
    if others:
        reasons.append(TEXT["changed"].format(characters=_named(others)))
    if sum(map(str.isupper, plain)) < sum(map(str.isupper, text)):
        reasons.append(TEXT["capitals"])
    return reasons


def _named(characters: Sequence[str]) -> str:
    """Return the first of ``characters``, those that nobody can see by their number, and how many more."""
    shown = [character if is_visible(character) else f"U+{ord(character):04X}" for character in characters]
    named = [f"`{safe_as_code(character)}`" for character in shown[:_MOST_NAMED]]
    more = len(shown) - _MOST_NAMED
    return " ".join([*named, *([f"(+{more})"] if more > 0 else [])])


def say_limits(model: TranslatorInfo) -> None:
    """Show the longest text, and the languages: that of ``model``, or all where the text decides."""
    lengths = TEXT["limits"].format(tokens=MAX_SOURCE_TOKENS, characters=f"{MAX_CHARACTERS:,}")
    if st.session_state.get(KEY) == GUESS:
        languages = TEXT["limits by text"].format(languages=languages_read())
    else:
        languages = TEXT["limits of one"].format(language=model_words(model.source_language))
    st.caption(paragraph([lengths, languages]))


def _take_example(example: str) -> None:
    st.session_state[TEXT_KEY] = example


def _usable(read: Callable[[str], Read], name: str) -> Read:
    """Return what ``read`` loads of the model ``name``; stop the page with a message on failure."""
    try:
        return read(name)
    except (DamagedWeightsError, OSError, ValueError) as error:
        st.warning(TEXT["no model"].format(reason=damage(error)))
        st.stop()
