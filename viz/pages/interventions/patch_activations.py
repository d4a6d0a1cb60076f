"""Patch activations: which parts of the model carry the difference between two sentences."""

from collections.abc import Mapping
from functools import partial
from itertools import chain, islice

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.decoding.translator import SourceTextError
from model.device import use_one_thread
from viz.base.languages import worded
from viz.base.link_parameters import Choice, labelled
from viz.base.markdown import plain
from viz.base.numbers import signed
from viz.base.words import page_text
from viz.pages.interventions.components.head_grid import pressed_code
from viz.pages.interventions.lines import explain, show_lines
from viz.pages.interventions.opening import choose_step_and_foil, open_translation
from viz.pages.interventions.patch_grid import cell_name, draw_patch_grid
from viz.pages.interventions.study.ablated import marked_words
from viz.pages.interventions.study.patched import (
    VIEWS,
    PairError,
    PatchedPair,
    PatchedSite,
    ShownPatching,
    View,
    patching_as_csv,
)
from viz.pages.interventions.study.similar import similar_sentences
from viz.shared.choices import choose_about, write_beside
from viz.shared.shipped import TranslatorInfo, translator
from viz.shared.translation import DecodingChoice, translated, why_untranslated
from viz.shared.unread import why_unread
from viz.shell.controls import choose, warn_bad_links
from viz.shell.picture import File, offered, with_arrays

TEXT = page_text("pages/interventions/patch_activations")
_GRID, _CELL = "patch-grid", "cell"
_CORRUPTED, _SECOND = "corrupted", "corrupted-of-translation"
# The second sentence that the page itself has made, which follows the first one.
_MADE = "made-second-sentence"
_PAIRS: Mapping[str, str] = dict(line.split(" | ") for line in TEXT.lines("pairs"))
_VIEW = labelled("patch", worded(VIEWS, lambda view: TEXT[f"view {view}"]))
# With as many, a pass over all cells takes about two seconds of one core.
_MOST_TOKENS = 40
# Nearly always the first will do.
_MOST_TRIED = 12

Texts = tuple[str, str, str]
"""The clean text, the corrupted one, and the translator's name."""


def show() -> None:
    """Draw the page."""
    result, model, corrupted, warnings = open_translation(_ask_corrupted)
    warn_bad_links(warnings, [_VIEW])
    texts = (result.text, corrupted, model.name)
    trouble = _trouble(texts)
    if trouble is None:
        _show_patching(texts, warnings)
    else:
        # Below what the first sentence has to say for itself.
        st.warning(_sentence(trouble))
        _offer_partner(texts)
    explain(TEXT["what to try"], TEXT["formula"], TEXT["paper"], model=model)


def _ask_corrupted(clean: str, model: TranslatorInfo, warnings: DeltaGenerator) -> str:
    """Draw the box of the second sentence; until it is typed in, it is made of ``clean``."""
    made = _partner(clean, model.name) or clean
    state = st.session_state
    if _SECOND in state and state[_SECOND] == state.get(_MADE):
        state[_SECOND] = made
    state[_MADE] = made
    return write_beside(_CORRUPTED, TEXT["corrupted"], made, about=(model.name,), warnings=warnings)


def _offer_partner(texts: Texts) -> None:
    """Offer a second sentence that can be patched, in the place of one that cannot."""
    clean, _, model = texts
    partner = _partner(clean, model)
    if partner is None:
        st.caption(TEXT["without"])
    else:
        st.button(TEXT["instead"].format(text=plain(partner)), on_click=_put_second, args=(partner,), key="put-second")


def _put_second(text: str) -> None:
    st.session_state[_SECOND] = text


@st.cache_data(max_entries=64, show_spinner=False)
def _partner(clean: str, model: str) -> str | None:
    """Return a sentence that differs from ``clean`` in one word and in its translation; None without one."""
    use_one_thread()
    known = [_PAIRS[clean]] if clean in _PAIRS else []
    made = islice(similar_sentences(translator(model), clean), _MOST_TRIED)
    return next((text for text in chain(known, made) if _trouble((clean, text, model)) is None), None)


def _trouble(texts: Texts) -> PairError | None:
    """Return why the two texts cannot be compared; None where they can."""
    clean, corrupted, model = texts
    n_tokens = len(translator(model).tokenizer.encode(clean)) + 1
    if n_tokens > _MOST_TOKENS:
        return PairError("too long", n=n_tokens, most=_MOST_TOKENS)
    reason = why_unread(corrupted)
    if reason:
        return PairError("unread", reason=reason)
    try:
        _pair(texts)
    except SourceTextError as error:
        return PairError("unread", reason=why_untranslated(error))
    except PairError as error:
        return error
    return None


def _sentence(error: PairError) -> str:
    values = {name: plain(value) if isinstance(value, str) else value for name, value in error.values.items()}
    return PairError(error.key, **values).sentence(TEXT)


@st.cache_resource(max_entries=32, show_spinner=False)
def _pair(texts: Texts) -> PatchedPair:
    use_one_thread()
    clean, corrupted, model = texts
    choice = DecodingChoice(model=model)
    both = (translated(text, choice).translation for text in (clean, corrupted))
    return PatchedPair(translator(model), *both)


@st.cache_data(max_entries=64, show_spinner=False)
def _patched(texts: Texts, step: int, foil: int) -> ShownPatching:
    use_one_thread()
    return _pair(texts).patched(step, foil)


@st.fragment
def _show_patching(texts: Texts, warnings: DeltaGenerator) -> None:
    """Draw the choices, the translations and the grid; a chosen cell draws nothing else again."""
    pair = _pair(texts)
    labels = TEXT["step"], TEXT["foil"]
    step, foil = choose_step_and_foil(pair, pair.first_change, labels, about=texts, warnings=warnings)
    try:
        with st.spinner(TEXT["measuring"]):
            shown = _patched(texts, step, foil)
    except PairError as error:
        st.warning(_sentence(error))
        return
    with st.container(key="patching"):
        lines = st.container(key="patch-lines")
        picture, words = st.columns([3, 1], gap="large")
        with picture:
            st.markdown(TEXT["see"])
            view = choose(_VIEW, TEXT["view"])
            cells = {cell.code: cell for cell in pair.cells(view, step)}
            cell = cells[_choose_cell(cells, shown, (*texts, step, foil, view), warnings)]
            _draw(pair, view, step, shown, cell)
        with lines:
            is_changed = _show_translations(pair, texts, step, foil, cell)
        with words:
            _tell(pair, shown, step, foil, cell)
            st.markdown(TEXT["changed" if is_changed else "unchanged"])
            st.caption(TEXT["beginning"])


def _choose_cell(
    cells: Mapping[str, PatchedSite], shown: ShownPatching, about: tuple[object, ...], warnings: DeltaGenerator
) -> str:
    """Return the code of the chosen cell; the one with the largest effect before a click.

    Of residuals it is one of the encoder: after the decoder's last layer everything comes back.
    """
    candidates = (
        code for code, cell in cells.items() if cell.view != "residual" or (cell.kind == "encoder" and cell.layer)
    )
    strongest = max(candidates, key=shown.effects.__getitem__)
    codes = tuple(cells)
    parameter = Choice(_CELL, strongest, codes, f"{codes[0]}, …, {codes[-1]}")
    return choose_about(about, parameter, cells.__contains__, st.session_state.__getitem__, warnings=warnings)


def _press() -> None:
    code = pressed_code(_GRID)
    if code is not None:
        st.session_state[f"{_CELL}-of-translation"] = code


def _draw(pair: PatchedPair, view: View, step: int, shown: ShownPatching, chosen: PatchedSite) -> None:
    every = {cell.code: cell for name in VIEWS for cell in pair.cells(name, step)}
    files = with_arrays(File(TEXT["download"], partial(patching_as_csv, shown, every), "patching.csv"))
    draw_patch_grid(pair, view, shown.effects, chosen, key=_GRID, files=offered(files, _GRID), on_press=_press)
    if view != "heads":
        st.caption(TEXT["columns"])


def _tell(pair: PatchedPair, shown: ShownPatching, step: int, foil: int, cell: PatchedSite) -> None:
    tokens = {"token": plain(pair.label(pair.target[step - 1])), "foil": plain(pair.label(foil))}
    st.markdown(TEXT["differences"].format(clean=signed(shown.clean), corrupted=signed(shown.corrupted), **tokens))
    effect = shown.effects[cell.code]
    patched = shown.corrupted + effect * (shown.clean - shown.corrupted)
    name = plain(cell_name(pair, cell))
    st.markdown(TEXT["chosen"].format(name=name, effect=signed(effect), patched=signed(patched)))


def _show_translations(pair: PatchedPair, texts: Texts, step: int, foil: int, cell: PatchedSite) -> bool:
    """Draw the three translations, and return whether the third is another than the second."""
    loaded = translator(texts[2])
    options = DecodingChoice(model=texts[2]).options(loaded.options)
    patched = pair.translate(texts[1], options, step, foil, cell)
    translations = {"clean": pair.clean, "corrupted": pair.corrupted, "patched": patched}
    others = {"clean": pair.corrupted, "corrupted": pair.clean, "patched": pair.corrupted}
    lines = [(TEXT[f"line {name}"], marked_words(one, others[name]), "") for name, one in translations.items()]
    show_lines(TEXT["lines"], lines)
    return patched.text != pair.corrupted.text


if __name__ == "__main__":
    show()
