"""Several sentences on the page Translate: what there is no time for waits until it is asked for."""

import pytest
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest

from model.text.tokenizer import Tokenizer
from tests.app.running import open_source, run, written
from viz.pages.translate import sentences

TEXT = "A dog sleeps. A cat sits. A man runs. I like tea. We are here. She reads."
PART = """
import streamlit as st
from viz.pages.translate.sentences import show_whole
from viz.shared.sentence import choose_sentence
from viz.shared.translation import DecodingChoice, shown

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


def test_a_sentence_in_a_language_that_the_model_does_not_read_says_so_where_it_is_chosen() -> None:
    first, second = typed("My name is Tom. Je m'appelle Tom.").selectbox[0].options
    assert first.endswith("My name is Tom.")
    assert second.endswith("Je m'appelle Tom. (French)")


PLAIN, WIDE = "I have 5 dogs. We are here.", "I have \uff15 dogs. We are here."


def test_a_character_that_a_model_does_not_know_is_read_in_its_plain_form_unless_asked_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    knows = Tokenizer.knows
    monkeypatch.setattr(Tokenizer, "knows", lambda self, character: character != "\uff15" and knows(self, character))
    assert not typed(PLAIN).toggle
    app = typed(WIDE)
    assert whole(app) == whole(typed(PLAIN))
    assert "This model does not know `\uff15`." in [entry.value for entry in app.caption]
    app.toggle(key="as-typed").set_value(True)
    asked = run(app)
    assert asked.selectbox[0].options[0].endswith("I have \uff15 dogs.")
    assert typed(WIDE, **{"as-typed": "true"}).toggle(key="as-typed").value


@pytest.mark.parametrize(
    ("text", "name"),
    [("We\u2581are here.", "`\u2581`"), ("We\u00a0are here.", "`U+00A0`"), ("We are here\u0301.", "`U+0301`")],
)
def test_what_is_read_otherwise_is_said_though_nobody_can_switch_it_off(text: str, name: str) -> None:
    app = typed(text)
    said = [entry.value for entry in app.caption if entry.value.startswith("The model reads these")]
    assert said == [f"The model reads these in another form, or as blanks: {name}."]
    assert not app.toggle


def test_of_a_text_in_capitals_only_the_capitals_are_named() -> None:
    app = typed("THE DOG SLEEPS.")
    assert not any("does not know" in entry.value or "another form" in entry.value for entry in app.caption)
    assert any("capitals" in entry.value for entry in app.caption)


def test_an_invisible_character_is_left_out_and_said() -> None:
    app = typed("We are\u00adhere.")
    assert "This model does not know `U+00AD`." in [entry.value for entry in app.caption]
    assert not app.exception
