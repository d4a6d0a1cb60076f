"""Reading a text with a model folder, as a visitor does."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.running import open_page, open_source, run, warnings
from viz.pages.your_model.allowed import FOLDER_VARIABLE

_BOTH = """
import streamlit as st
from viz.pages.your_model import {page}, your_model
({page} if "left" in st.session_state else your_model).show()
"""


def read_text(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """Return the page after the only model in ``folder`` has read ``text``."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder))
    return _read(open_page("your_model", open="folder", **{"own-text": text}))


def read_and_leave(text: str, folder: Path, page: str, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """Return ``page``, of the same topic, after the only model in ``folder`` has read ``text``."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder))
    app = _read(open_source(_BOTH.format(page=page), open="folder", **{"own-text": text}))
    app.session_state["left"] = True
    return run(app)


def _read(app: AppTest) -> AppTest:
    (button,) = [one for one in app.button if one.label == "Read the text"]
    button.click()
    run(app)
    assert not warnings(app)
    return app
