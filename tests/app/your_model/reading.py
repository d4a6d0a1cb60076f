"""Reading a text with a model folder, as a visitor does."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.running import open_page, run, warnings
from viz.pages.your_model.allowed import FOLDER_VARIABLE


def read_text(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """Return the page after the only model in ``folder`` has read ``text``."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder))
    app = open_page("your_model", open="folder", **{"own-text": text})
    (button,) = [one for one in app.button if one.label == "Read the text"]
    button.click()
    run(app)
    assert not warnings(app)
    return app
