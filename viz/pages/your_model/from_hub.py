"""A model fetched by its name from the hub, where the owner of the server allows it."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pretrained.huggingface.hub import MAX_CHARACTERS, fetch
from viz.base.words import page_text
from viz.pages.your_model.allowed import Permissions
from viz.pages.your_model.asking import in_turn
from viz.shell.heavy import Lane

TEXT = page_text("pages/your_model/from_hub")
# The network is one; what waits for it waits in its own lane, and nobody's computing with it.
_FETCHING = Lane("fetching", at_once=1, most_waiting=10)
_MEGABYTE = 10**6


def fetch_by_name(may: Permissions, warnings: DeltaGenerator, *, into: str) -> None:
    """Draw the box for a name; the widget ``into``, drawn later, then has what was fetched."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="hub-controls"):
        name = st.text_input(TEXT["name"], max_chars=MAX_CHARACTERS, key="hub-name", placeholder=TEXT["placeholder"])
        is_asked = st.button(TEXT["fetch"], key="hub-fetch")
    place = st.empty()
    if not is_asked or may.folder is None or may.hub is None:
        return
    with in_turn(_FETCHING, place, warnings):
        st.session_state[into] = fetch(
            may.folder,
            (name or "").strip(),
            most_bytes=may.most_bytes,
            endpoint=may.hub,
            # Where the visitor leaves, this call ends the run.
            tick=lambda done, of: place.caption(
                TEXT["fetching"].format(done=f"{done / _MEGABYTE:,.0f}", of=f"{of / _MEGABYTE:,.0f}")
            ),
        )
