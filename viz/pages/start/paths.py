"""Three ways through the pages, each for other readers, on the entrance."""

import streamlit as st

from viz.base.words import page_text
from viz.shell.navigation import place_at
from viz.shell.page import link_to

TEXT = page_text("pages/start/paths")
PATHS = {
    "learn": ("read-along", "dot-product", "translate", "sinusoid", "word-order", "train"),
    "build": ("choose-encoding", "compare-encodings", "cliff", "switch-heads-off", "hooks", "your-model"),
    "teach": ("claims", "beam-search", "segments", "terms", "ablations", "glossary"),
}
"""Addresses of pages, in their order, by who reads them."""


def show_paths() -> None:
    """Draw the three lists of links."""
    for column, (reader, addresses) in zip(st.columns(len(PATHS), gap="large"), PATHS.items(), strict=True):
        with column:
            st.header(TEXT[reader])
            st.markdown(TEXT[f"{reader} how"])
            with st.container(key=f"path-{reader}", gap=None):
                for number, address in enumerate(addresses, start=1):
                    place = place_at(address)
                    label = TEXT["step"].format(number=number, title=place.page.title)
                    link_to(address, label, help=place.part.question)
