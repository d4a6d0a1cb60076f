"""Why this word, run by Streamlit without a browser."""

from functools import partial

import pytest

from model.analysis.interventions.direct_attribution import NotASumError
from tests.app.running import EXAMPLES, charts, markdown, open_in_app, run, warnings
from tests.fixtures.each_translator import each_translator
from viz.pages.interventions.circuit_words import seen_in
from viz.pages.interventions.study.attributed import Attribution
from viz.pages.interventions.study.circuit import explained
from viz.shared.shipped import translator
from viz.shared.translation import DecodingChoice, translated

open_app = partial(open_in_app, "why_this_word")


@each_translator()
def test_every_translator_is_explained(name: str) -> None:
    app = open_app(translator=name)
    assert not app.warning
    assert "What really happens" in markdown(app)
    assert "Why does it look there?" in markdown(app)
    assert {"circuit-curves", "score"} <= {*charts(app)}


def test_it_says_first_how_much_the_drawn_parts_carry_and_leads_to_the_simpler_answer() -> None:
    app, translation = open_app(step="9", strongest="30"), translated(EXAMPLES[0], DecodingChoice()).translation
    foil = Attribution(translator("translation-en-de"), translation).foils(9, 1)[0]
    explanation = explained.Explanation(translator("translation-en-de"), translation, 9, foil)
    carried, _ = seen_in(explanation, 30, explanation.curves(None))
    assert carried in markdown(app)
    (link,) = [one for one in app.get("page_link") if "directly" in one.proto.label]
    assert "step=9" in link.proto.query_string


def test_the_choices_are_in_the_link_and_forgotten_with_the_sentence() -> None:
    app = open_app(text=EXAMPLES[3])
    app.button_group(key="step-of-translation").set_value(2)
    app.select_slider(key="strongest").set_value(300)
    run(app).button_group(key="baseline").set_value("mean")
    before = markdown(run(app))
    assert dict(app.query_params) == {"text": EXAMPLES[3], "step": "2", "strongest": "300", "baseline": "mean"}
    linked = open_app(text=EXAMPLES[3], step="2", strongest="300", baseline="mean")
    assert not linked.warning
    assert markdown(linked) == before
    linked.text_area(key="text").set_value(EXAMPLES[4])
    assert not {"step", "node"} & {*run(linked).query_params}


def test_a_chosen_part_is_told_of() -> None:
    heads = open_app(text=EXAMPLES[3])
    app = open_app(text=EXAMPLES[3], node="encoder.0.input.2")
    assert not app.warning
    assert "What enters here" in markdown(app)
    assert "What enters here" not in markdown(heads)


def test_any_word_can_be_set_against_the_written_one() -> None:
    app = open_app(text=EXAMPLES[3], foil="Haus")
    assert not app.warning
    assert "rather than “Haus”" in markdown(app)
    assert dict(run(app).query_params)["foil"] == "Haus"
    written = app.button_group(key="step-of-translation").options[0].split()[1]
    # Letters that the model has only as bytes have no token of their own.
    for foil in (written, "🦄", "中"):
        (warning,) = warnings(open_app(text=EXAMPLES[3], step="1", foil=foil))
        assert f"`{foil}`" in warning


def test_a_part_has_the_reader_s_own_name_in_picture_and_link() -> None:
    app = open_app(text=EXAMPLES[3])
    (box,) = (one for one in app.text_input if one.key.startswith("own-name"))
    code = box.key.removeprefix("own-name-")
    box.set_value("the article's head | 1")
    assert run(app).query_params["names"] == f"{code} the article's head / 1"
    again = open_app(text=EXAMPLES[3], names=f"{code} the article's head / 1")
    assert not again.warning
    assert again.text_input(key=box.key).value == "the article's head / 1"
    again.text_input(key=box.key).set_value(" ")
    assert "names" not in run(again).query_params


def test_the_translation_goes_on_without_parts() -> None:
    app = open_app(text=EXAMPLES[3])
    assert "With everything on" not in markdown(app)
    app.toggle(key="write-on").set_value(True)
    assert "With everything on" in markdown(run(app))
    assert not app.exception


@pytest.mark.parametrize("link", [{"step": "99"}, {"node": "cross.9.9.9"}, {"names": "my head"}])
def test_a_link_to_what_is_not_there_gets_one_sentence(link: dict[str, str]) -> None:
    (warning,) = warnings(open_app(**link))
    assert f"`{next(iter(link.values()))}`" in warning


def test_a_model_that_cannot_be_traced_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise NotASumError("post", "add")

    monkeypatch.setattr(explained, "FrozenPass", refuse)
    (warning,) = warnings(open_app(text="A sentence that no test but this one has asked for."))
    assert "norm `post`" in warning
