"""The sinusoidal encoding under the hand."""

import numpy as np
import streamlit as st
import torch

from model.device import use_one_thread
from model.positional.sinusoidal import sinusoidal_encoding
from viz.base.link_parameters import BadLink, link_of
from viz.base.words import page_text, paragraph
from viz.pages.positional_encoding.components.playground import (
    MAX_EXACT_VALUES,
    ExactValues,
    encoding_playground,
    n_exact_rows,
)
from viz.pages.positional_encoding.components.playground.state import SLIDERS, OpenedView, PlaygroundState, read_view
from viz.pages.positional_encoding.state import from_page_before, keep_encoding
from viz.shell.controls import place_for_warnings
from viz.shell.link import link_decides, write_link
from viz.shell.page import theme
from viz.shell.state import keep_in_session, kept, page_link

TEXT = page_text("pages/positional_encoding/sinusoid")
WORDS = page_text("pages/positional_encoding/playground")
_KEY, _PAGE = "playground", "sinusoid"


def show() -> None:
    """Draw the page."""
    _enter()
    _show_playground()


def _enter() -> None:
    """Have the session hold the view to open on: that of this page, with the encoding of the page before."""
    linked, opened = read_view(page_link()), kept(OpenedView)
    is_linked = link_decides(_PAGE, *link_of(linked.state))
    if opened is None or is_linked:
        opened = linked
    brought = None if is_linked else from_page_before(opened.state, _PAGE)
    keep_in_session(opened if brought is None else OpenedView(brought.clamped()))


# A fragment, so that a slider that is let go draws nothing else again.
@st.fragment
def _show_playground() -> None:
    opened = kept(OpenedView) or read_view(page_link())
    state = opened.state
    keep_encoding(state, _PAGE)
    write_link(link_of(state))
    # A warning that went would move the playground under it, which would be built again and lose the focus.
    warnings = place_for_warnings()
    if opened.bad_links:
        warnings.warning(paragraph(_sentence(bad, state) for bad in opened.bad_links))
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        encoding_playground(state, exact_values(state), theme=theme(), words=WORDS, key=_KEY, on_commit=_take_view)
    with words:
        st.markdown(TEXT["what is seen"])
        st.markdown(TEXT["what to try"])
    formula, limits = st.columns([2, 1], gap="large")
    formula.markdown(TEXT["formula"])
    formula.markdown(TEXT["paper"])
    limits.caption(limits_of_sliders())


def _take_view() -> None:
    # What a browser sends is checked like a link; a view that cannot be shown changes nothing.
    view = st.session_state[_KEY]["view"]
    if not isinstance(view, dict):
        return
    sent = read_view({name: str(value) for name, value in view.items()})
    if not sent.bad_links:
        keep_in_session(sent)


@st.cache_data(max_entries=16, show_spinner=False)
def exact_values(state: PlaygroundState) -> ExactValues:
    """Return what the models' own code makes of ``state``."""
    use_one_thread()
    encoding = sinusoidal_encoding(torch.arange(state.length), state.d_model, state.base)  # [P, D]
    followed = torch.tensor([state.position, state.position + state.offset])
    anchors = (0, state.position, state.length - 1)
    return ExactValues(
        rows=encoding[: n_exact_rows(state)].numpy().astype(np.float32),
        followed=sinusoidal_encoding(followed, state.d_model, state.base).numpy(),
        anchors=anchors,
        similarities=(encoding[list(anchors)] @ encoding.T).numpy(),
    )


def _sentence(bad: BadLink, state: PlaygroundState) -> str:
    slider = state.sliders()[bad.key]
    return WORDS[f"trouble {bad.key}"].format(
        given=f"`{bad.text or ' '}`",
        low=f"{slider.low:,.0f}",
        high=f"{slider.high:,.0f}",
        used=f"{getattr(state, bad.key):g}",
    )


def limits_of_sliders() -> str:
    """Return what each slider can be set to, in words."""
    ends = {
        f"{name}_{end}": f"{getattr(slider, end):,.0f}" for name, slider in SLIDERS.items() for end in ("low", "high")
    }
    return TEXT["limits"].format(most_exact=f"{MAX_EXACT_VALUES:,}", **ends)


if __name__ == "__main__":
    show()
