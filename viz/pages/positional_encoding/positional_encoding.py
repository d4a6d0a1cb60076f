"""Positional encoding: the sinusoidal encoding under the hand, and what can be learned from it."""

from collections.abc import Sequence

import numpy as np
import streamlit as st
import torch

from model.device import use_one_thread
from model.positional.sinusoidal import sinusoidal_encoding
from viz.base.markdown import safe_as_code
from viz.base.words import page_text
from viz.pages.positional_encoding.components.playground import (
    LIMITS,
    MOST_EXACT,
    NAMES,
    ExactValues,
    PlaygroundState,
    Trouble,
    encoding_playground,
    n_exact_rows,
    read_state,
)
from viz.pages.positional_encoding.word_order import show_claims, show_order, show_sum
from viz.shell.controls import place_for_warnings
from viz.shell.link import write_link
from viz.shell.page import theme

TEXT = page_text("pages/positional_encoding/positional_encoding")
WORDS = page_text("pages/positional_encoding/playground")
_KEY = "playground"


def show() -> None:
    """Draw the page."""
    state, troubles = _begin_state()
    # A warning that went would move the playground under it, which would be built anew and lose the focus.
    warnings = place_for_warnings()
    if troubles:
        warnings.warning(" ".join(map(_sentence, troubles)))
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        encoding_playground(state, exact_values(state), theme=theme(), words=WORDS, key=_KEY, on_commit=_take_view)
    with words:
        for part in ("what is seen", "what to try", "formula", "paper"):
            st.markdown(TEXT[part])
        st.caption(_limits())
    show_sum()
    show_order()
    show_claims()


def _begin_state() -> tuple[PlaygroundState, Sequence[Trouble]]:
    """Fill the session from the link, once, and the link from the session; return what was wrong with the link."""
    session = st.session_state
    if "playground state" not in session:
        session["playground state"], session["playground troubles"] = read_state(st.query_params)
    state: PlaygroundState = session["playground state"]
    wanted = state.parameters()
    write_link({name: wanted.get(name) for name in NAMES})
    return state, session["playground troubles"]


def _take_view() -> None:
    # What a browser sends is checked like a link; a view that is none changes nothing.
    view = st.session_state[_KEY]["view"]
    if not isinstance(view, dict):
        return
    state, troubles = read_state(view)
    if not troubles:
        st.session_state["playground state"], st.session_state["playground troubles"] = state, ()


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


def _sentence(trouble: Trouble) -> str:
    limit = trouble.limit
    return WORDS[f"trouble {trouble.name}"].format(
        given=f"`{safe_as_code(trouble.given) or ' '}`",
        low=f"{limit.low:,.0f}",
        high=f"{limit.high:,.0f}",
        used=f"{trouble.used:g}",
    )


def _limits() -> str:
    ends = {f"{name}_{end}": f"{getattr(limit, end):,.0f}" for name, limit in LIMITS.items() for end in ("low", "high")}
    return TEXT["limits"].format(most_exact=f"{MOST_EXACT:,}", **ends)


show()
