"""Direct attribution, run by Streamlit without a browser."""

import json
import re
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from model.analysis.interventions.direct_attribution import NotASumError
from tests.app.running import EXAMPLES, charts, markdown, open_in_app, run, warnings
from tests.fixtures.each_translator import each_translator
from viz.pages.interventions.study import attributed

open_app = partial(open_in_app, "direct_attribution")


def numbers(app: AppTest) -> list[str]:
    """The numbers at the right of the picture, the sum and the model's difference last."""
    (chart,) = charts(app).values()
    texts = [note["text"] for note in json.loads(chart.spec)["layout"]["annotations"]]
    return [re.sub("<[^>]+>", "", text) for text in texts if re.search(r"\d", text)]


@each_translator()
def test_every_translator_is_taken_apart_and_the_parts_sum_to_the_whole(name: str) -> None:
    app = open_app(translator=name)
    assert not app.warning
    *parts, total, difference = numbers(app)
    assert total == difference
    assert len(parts) > 10
    assert "speaks most for" in markdown(app)


def test_another_step_and_another_foil_are_in_the_link_and_forgotten_with_the_sentence() -> None:
    app = open_app(text=EXAMPLES[3])
    opened = numbers(app)
    app.button_group(key="step-of-translation").set_value(2)
    foils = run(app).selectbox(key="foil-of-translation").options
    app.selectbox(key="foil-of-translation").select_index(2)
    before = numbers(run(app))
    assert before != opened
    assert dict(app.query_params) == {"text": EXAMPLES[3], "step": "2", "foil": foils[2]}
    linked = open_app(text=EXAMPLES[3], step="2", foil=foils[2])
    assert not linked.warning
    assert numbers(linked) == before
    linked.text_area(key="text").set_value(EXAMPLES[4])
    assert numbers(run(linked)) == numbers(open_app(text=EXAMPLES[4]))
    assert not {"step", "foil"} & {*linked.query_params}
    assert not linked.warning


@pytest.mark.parametrize("link", [{"step": "99"}, {"step": "Hund"}])
def test_a_link_to_a_token_that_is_not_there_gets_one_sentence(link: dict[str, str]) -> None:
    (warning,) = warnings(open_app(**link))
    assert f"`{next(iter(link.values()))}`" in warning


@pytest.mark.parametrize("part", ["direct_attribution", "why_this_word"])
def test_an_impossible_text_gets_one_sentence_and_an_example_stays(part: str) -> None:
    app = open_in_app(part, text="   ")
    assert len(warnings(app)) == 1
    assert charts(app)


def test_a_model_that_cannot_be_taken_apart_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise NotASumError("post", "add")

    monkeypatch.setattr(attributed, "direct_attribution", refuse)
    (warning,) = warnings(open_app(text="A sentence that no other test has asked for."))
    assert "norm `post`" in warning
