"""Patch activations, run by Streamlit without a browser."""

from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.running import EXAMPLES, open_page, run, translations, warnings, written
from tests.fixtures.each_translator import each_translator
from viz.pages.interventions.study.patched import VIEWS

open_app = partial(open_page, "patch_activations")


@each_translator()
def test_every_translator_opens_on_an_example_with_a_cell_chosen(name: str) -> None:
    app = open_app(translator=name)
    assert not app.warning
    clean, corrupted, _ = translations(app)
    assert clean != corrupted
    assert "effect **" in written(app)
    assert "cell" not in app.query_params


def test_what_is_patched_and_the_cell_are_in_the_link() -> None:
    app = open_app(text=EXAMPLES[3])
    for view in VIEWS:
        app.button_group(key="patch").set_value(view)
        run(app)
        assert not app.warning
    linked = open_app(text=EXAMPLES[3], patch="residual", cell="encoder.0.residual.2", step="2")
    assert not linked.warning
    assert "Input of the encoder" in written(linked)
    assert linked.query_params["cell"] == "encoder.0.residual.2"
    linked.text_area(key="text").set_value(EXAMPLES[4])
    run(linked)
    assert not {"cell", "step", "corrupted"} & {*linked.query_params}
    assert linked.text_input(key="corrupted-of-translation").value == EXAMPLES[3]


def second(app: AppTest) -> str:
    """What stands in the box of the second sentence."""
    return app.text_input(key="corrupted-of-translation").value or ""


@pytest.mark.parametrize(
    ("corrupted", "sentence"),
    [
        ("The dog chases the old cat.", "each position needs a partner"),
        (EXAMPLES[3], "have the same translation"),
        (" ", "The second sentence cannot be used"),
        ("The dog chases the cat. " * 40, "The second sentence cannot be used"),
    ],
    ids=["longer", "same", "empty", "too long"],
)
@pytest.mark.parametrize("text", [EXAMPLES[3], "The old woman did not open the door."])
def test_a_second_sentence_that_does_not_fit_stays_and_one_that_does_is_offered(
    text: str, corrupted: str, sentence: str
) -> None:
    typed = text if corrupted == EXAMPLES[3] else corrupted
    app = open_app(text=text, corrupted=typed)
    (warning,) = warnings(app)
    assert sentence in warning
    assert (app.text_area(key="text").value, second(app)) == (text, typed)
    assert "two-lines" not in written(app)
    app.button(key="put-second").click()
    app = run(app)
    assert warnings(app) == []
    assert second(app) not in (text, typed)
    assert translations(app)[0] == translations(open_app(text=text))[0]


def test_a_second_sentence_that_was_typed_stays_where_the_first_changes() -> None:
    app = open_app(text="The old woman did not open the door.")
    made = second(app)
    app.text_area(key="text").set_value("The dog sleeps.")
    app = run(app)
    assert second(app) != made
    app.text_input(key="corrupted-of-translation").set_value("The cat sleeps.")
    app = run(app)
    app.text_area(key="text").set_value("The cow sleeps.")
    assert second(run(app)) == "The cat sleeps."


def test_sentences_too_long_to_patch_stay_in_their_boxes_without_a_picture() -> None:
    text = "The dog chases the cat, " * 12 + "and the cat chases the dog."
    app = open_app(text=text)
    (warning,) = warnings(app)
    assert "at most 40 can be patched" in warning
    assert app.text_area(key="text").value == text
    assert "two-lines" not in written(app)


@pytest.mark.parametrize("link", [{"cell": "encoder.9.head.1"}, {"step": "0"}])
def test_a_link_to_what_is_not_there_gets_one_sentence(link: dict[str, str]) -> None:
    (warning,) = warnings(open_app(**link))
    assert f"`{next(iter(link.values()))}`" in warning


def test_a_sentence_of_ones_own_gets_a_second_one_that_can_be_patched() -> None:
    app = open_app(text="The old woman did not open the door.")
    assert warnings(app) == []
    assert app.text_input(key="corrupted-of-translation").value != "The old woman did not open the door."
