"""Several sentences on the page Translate: what there is no time for waits until it is asked for."""

import pytest
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest

from tests.app.running import open_source, run, written
from viz.pages.translate import sentences

TEXT = "A dog sleeps. A cat sits. A man runs. I like tea. We are here. She reads."
PART = """
import streamlit as st
from viz.pages.translate.sentences import show_whole
from viz.shell.sentence import choose_sentence
from viz.shell.translation import DecodingChoice, shown

parts, chosen = choose_sentence(st.text_input("text"), "translation-en-de")
show_whole(parts, chosen, shown(parts[chosen], DecodingChoice(), ()).result)()
"""


def typed(text: str, app: AppTest | None = None, **url: str) -> AppTest:
    """The part of the page with ``text`` in the field."""
    app = app or open_source(PART, **url)
    app.text_input[0].set_value(text)
    return run(app)


def whole(app: AppTest) -> str:
    """What stands as the translation of all sentences."""
    return written(app).split('class="whole"')[1].split(">", 1)[1].split("</p>")[0]


def asks(app: AppTest) -> list[str]:
    return [button.label for button in app.button]


def test_what_there_is_time_for_is_all_translated() -> None:
    app = typed(TEXT)
    assert "…" not in whole(app)
    assert whole(app).count(".") == TEXT.count(".")
    assert not asks(app)


def test_the_progress_counts_every_sentence_from_the_first_on(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def progress(_place: DeltaGenerator, _share: float, text: str) -> None:
        seen.append(text)

    monkeypatch.setattr(DeltaGenerator, "progress", progress)
    typed(TEXT)
    counted = dict.fromkeys(seen)
    assert list(counted) == [f"Translating sentence {number} of 6" for number in range(1, 7)]


def test_without_time_the_chosen_one_stands_alone_until_the_others_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sentences, "PATIENCE_SECONDS", 0.0)
    app = typed(TEXT)
    app.selectbox[0].set_value(2)
    app = run(app)
    before, chosen, after = whole(app).replace("</b>", "<b>").split("<b>")
    assert (before, after) == ("… ", " …")
    assert chosen.endswith(".")
    assert asks(app) == ["Translate the other 5 as well"]
    app.button[0].click()
    app = run(app)
    assert "…" not in whole(app)
    assert whole(app).count(".") == TEXT.count(".")
    assert not asks(app)
    assert asks(typed(f"{TEXT} He left.", app)) == ["Translate the other 6 as well"]
