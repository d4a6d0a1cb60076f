"""What the entrance keeps between runs, for all sessions."""

import streamlit as st

from viz.pages.start.study.architecture import passage
from viz.pages.start.study.records import Passage
from viz.shell.shipped import translator
from viz.shell.translation import DecodingChoice, translated


@st.cache_resource(max_entries=64, show_spinner=False)
def passage_of(text: str, choice: DecodingChoice) -> Passage:
    """Return what the parts of the model hold while it translates ``text``.

    Raises:
        SourceTextError: a text that cannot be translated.
    """
    return passage(translator(choice.model), translated(text, choice).translation)
