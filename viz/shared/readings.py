"""The language of a text where a page has no choice of a translator: detected, or chosen for it."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz.base.link_parameters import Choice
from viz.shared.choices import choose_about
from viz.shared.shipped import guess_translator, offered
from viz.shared.translators import KEY, draw_readings


def choose_reading(text: str, *, warnings: DeltaGenerator) -> str:
    """Return the translator of ``text``: by its language, or as chosen for this text; kept in the link.

    The other languages are offered where that of the text is not sure. Some translator must be there.
    """
    guess = guess_translator(text, offered())
    field = Choice(KEY, guess.info.name, tuple(offered()))

    def draw(key: str) -> str:
        chosen: str = st.session_state[key]
        draw_readings(guess, chosen, key)
        return chosen

    return choose_about((text,), field, field.options.__contains__, draw, warnings=warnings)
