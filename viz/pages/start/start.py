"""Start: the whole Transformer at work on one sentence, and where to go from there."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.checkpoint import DamagedWeightsError
from model.decoding.translator import SourceTextError
from viz.base.link_parameters import Lines, query_of
from viz.base.tokens import shorten_sentence
from viz.base.words import page_text, paragraph
from viz.pages.start.components.architecture import PageLink, architecture_view, asked_layer, chosen_beginning
from viz.pages.start.findings import show_findings
from viz.pages.start.paths import show_paths
from viz.pages.start.reading_path import STOPS
from viz.pages.start.state import inside_of, opened_parameters, passage_of
from viz.pages.start.study.records import Passage
from viz.shared.head_roles import roles_of
from viz.shared.model_words import model_words
from viz.shared.readings import choose_reading
from viz.shared.sentence import what_is_changed
from viz.shared.shipped import DEFAULT_TRANSLATOR, damage, offered, translator, translator_by_text
from viz.shared.translation import DecodingChoice, keep_last, why_untranslated
from viz.shared.translators import KEY
from viz.shared.unread import languages_read, why_unread
from viz.shell.controls import place_for_warnings, text_lines, warn_bad_links, why_cut
from viz.shell.navigation import place_at
from viz.shell.page import open_address, theme

TEXT = page_text("pages/start/start")
# Longer ones are for Translate: here each token must keep a row.
MAX_CHARACTERS = 200
_SENTENCE = Lines("sentence", TEXT["opening sentence"], MAX_CHARACTERS)
_VIEW = "architecture"
_MAX_EXAMPLE = 34


def _stop(name: str) -> dict[str, str]:
    """Return what a link to the stop ``name`` of Read along carries."""
    numbers = (str(number) for number, stop in enumerate(STOPS, start=1) if stop.name == name)
    return {"stop": next(numbers)}


# The pages that go on from each part.
_WAYS: tuple[tuple[str, str, Mapping[str, str]], ...] = (
    ("source", "word-order", {}),
    ("encoder", "translate", {"kind": "encoder"}),
    ("encoder feed forward", "read-along", _stop("feed-forward")),
    ("encoder residual", "read-along", _stop("residual")),
    ("memory", "hooks", {}),
    ("read", "sinusoid", {}),
    ("decoder", "translate", {"kind": "decoder"}),
    ("cross", "translate", {"kind": "cross"}),
    ("decoder feed forward", "read-along", _stop("feed-forward")),
    ("decoder residual", "logit-lens", {}),
    ("output", "beam-search", {}),
    ("scale", "read-along", _stop("stacks")),
)
_ATTENTION = ("encoder", "decoder", "cross")


def show() -> None:
    """Draw the page."""
    show_passage()
    show_paths()
    opened = show_findings()
    if opened:
        open_address(opened)


@st.fragment
def show_passage() -> None:
    """Draw the sentence and its way through the architecture; typing draws nothing else of the page again."""
    warnings = place_for_warnings()
    text = _ask(warnings)
    known = offered()
    model = choose_reading(text, warnings=warnings) if known else DEFAULT_TRANSLATOR
    choice = DecodingChoice("beam", model=model)
    try:
        text, read, choice, passage = _passage(text, choice)
    except (DamagedWeightsError, OSError, ValueError) as error:
        st.warning(TEXT["no model"].format(reason=damage(error)))
    else:
        changed = what_is_changed(text, read, choice.model)
        if changed:
            st.caption(paragraph(changed))
        info = known[choice.model]
        languages = {"source": model_words(info.source_language), "written": model_words(info.target_language)}
        layer, begin = asked_layer(_VIEW, text), chosen_beginning(_VIEW, text)
        passage, begin = _begun(read, choice, begin, passage)
        warn_bad_links(warnings, opened_parameters(passage.sizes))
        opened = architecture_view(
            passage,
            text=text,
            ways=_ways(text, choice.model),
            roles=roles_of(choice.model),
            begin=begin,
            inside=None if layer is None else inside_of(read, choice, begin),
            layer=layer,
            theme=theme(),
            words={**page_text("pages/start/architecture"), **languages},
            key=_VIEW,
        )
        if opened:
            open_address(opened)


def _passage(text: str, choice: DecodingChoice) -> tuple[str, str, DecodingChoice, Passage]:
    """Return ``text``, its readable part, ``choice``, and its passage.

    For an invalid text they are those of the opening sentence, which another translator may read.

    Raises:
        DamagedWeightsError, OSError, ValueError: the model cannot be loaded.
    """
    trouble = why_unread(text)
    if trouble is None:
        try:
            read = translator(choice.model).simplify(text)
            passage = passage_of(read, choice)
        except SourceTextError as error:
            trouble = why_untranslated(error)
        else:
            keep_last(choice.model, read)
            return text, read, choice, passage
    st.warning(paragraph([trouble, TEXT["example shown"]]))
    opening, choice = _SENTENCE.default, replace(choice, model=DEFAULT_TRANSLATOR)
    return opening, opening, choice, passage_of(opening, choice)


def _begun(
    text: str, choice: DecodingChoice, begin: tuple[int, ...], passage: Passage
) -> tuple[Passage, tuple[int, ...]]:
    """Return the passage that begins with the tokens ``begin``, and them; ``passage`` where none does."""
    if not begin:
        return passage, ()
    try:
        return passage_of(text, choice, begin), begin
    except SourceTextError:
        return passage, ()


def _ask(warnings: DeltaGenerator) -> str:
    cut = why_cut(_SENTENCE)
    if cut:
        warnings.warning(cut)
    examples = TEXT.lines("examples")
    label = TEXT["sentence"].format(languages=languages_read())
    with st.container(horizontal=True, vertical_alignment="bottom", key="ask"):
        text = text_lines(_SENTENCE, label)
        with st.container(horizontal=True, key="example", width="content"):
            for number, example in enumerate(examples):
                label = shorten_sentence(example, _MAX_EXAMPLE)
                st.button(label, key=f"example-{number}", on_click=_take_example, args=(example,))
    return text


def _take_example(example: str) -> None:
    st.session_state[_SENTENCE.key] = example


def _ways(text: str, model: str) -> dict[str, PageLink]:
    """Return the pages that go on from each part, and from each head, of the translation of ``text``."""
    choice = query_of(DecodingChoice(model=model))
    # By its language the text is read alike there.
    carried = {"text": text} if model == translator_by_text(text, offered()).name else {"text": text, KEY: model}
    ways = {name: _way(page, {**carried, **query}) for name, page, query in _WAYS}
    for name in _ATTENTION:
        ways[f"{name} head"] = _way("translate", {**carried, "kind": name}, "&heads={layer}.{head}")
        by_hand = {"kind": name, "sentence": text, **choice}
        ways[f"{name} by hand"] = _way("dot-product", by_hand, "&layer={layer}&head={head}")
    return ways


def _way(page: str, query: Mapping[str, str], rest: str = "") -> PageLink:
    place = place_at(page)
    return PageLink(f"{place.address_with(query)}{rest}", TEXT["measure"].format(page=place.page.title))


if __name__ == "__main__":
    show()
