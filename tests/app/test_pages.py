"""Both pages, run by Streamlit without a browser."""

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoint import DamagedWeightsError
from model.hooks import HOOKS
from pretrained import shipped
from viz.pages.translation_state import EXAMPLES, MAX_CHARACTERS, neighbour, translator

APP = Path(__file__).parents[2] / "app.py"
ATTACK = "</script><script>alert(1)</script>"
IMPOSSIBLE = ["", "   ", "\x00\x07\x1b", "I am. " * 150, "a" * 500 + "b" * 300]
UNUSUAL = ["😀🎉", "مرحبا بالعالم", ATTACK, "<b>bold</b> & more", "line\none\ttwo\x07", "$x^2$ *a* `b`"]


def open_app(**url: str) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=60)
    for name, value in url.items():
        app.query_params[name] = value
    return run(app)


def run(app: AppTest) -> AppTest:
    app.run()
    assert not app.exception
    return app


def translation(app: AppTest) -> str:
    return next(html.proto.body for html in app.get("html") if "token-line" in html.proto.body)


def charts(app: AppTest) -> list[Any]:
    return [chart.proto for chart in app.get("plotly_chart")]


def test_it_opens_on_a_translated_example() -> None:
    app = open_app()
    assert app.text_input(key="text").value == EXAMPLES[0]
    assert "line-token" in translation(app)
    assert len(charts(app)) == 2
    assert not app.warning


def test_every_chart_has_alternative_text() -> None:
    assert all(chart.alt for chart in charts(open_app()))


@pytest.mark.parametrize("text", IMPOSSIBLE)
def test_an_impossible_text_gets_one_sentence_and_the_last_result_stays(text: str) -> None:
    app = open_app()
    app.text_input(key="text").set_value(EXAMPLES[2])
    good = translation(run(app))
    app.text_input(key="text").set_value(text)
    run(app)
    assert len(app.warning) == 1
    assert "Below is still your last translation" in app.warning[0].value
    assert translation(app) == good
    assert len(charts(app)) == 2


def test_a_bad_link_opens_on_an_example() -> None:
    app = open_app(text="a" * 10_000)
    assert len(app.warning) == 1
    assert "Below is an example" in app.warning[0].value
    assert len(charts(app)) == 2


def test_a_link_with_too_many_characters_is_cut_and_says_so() -> None:
    app = open_app(text="internationally " * 625)
    assert [warning.value for warning in app.warning] == [
        "This link carries 10,000 characters, and at most 1,000 are read: the rest is left out."
    ]
    assert len(app.text_input(key="text").value) == MAX_CHARACTERS


def test_the_last_good_text_follows_the_search() -> None:
    app = open_app(text=EXAMPLES[2], search="Greedy")
    greedy = translation(app)
    app.button_group(key="search").set_value("beam")
    beam = translation(run(app))
    app.text_input(key="text").set_value("")
    assert translation(run(app)) == beam
    app.button_group(key="search").set_value("greedy")
    assert translation(run(app)) == greedy


@pytest.mark.parametrize("text", UNUSUAL)
def test_an_unusual_text_is_translated(text: str) -> None:
    app = open_app(text=text)
    assert not app.warning
    assert "<script" not in translation(app)
    assert all("<script" not in chart.spec for chart in charts(app))


def test_a_row_of_one_letter_ends() -> None:
    app = open_app()
    app.text_input(key="text").set_value("a" * 500)
    run(app)
    assert "line-token" in translation(app)


def test_the_url_holds_the_view() -> None:
    app = open_app(text=EXAMPLES[3], kind="Encoder", layer="1", head="2", by="Words", search="Greedy")
    state = app.session_state
    assert [state[key] for key in ("text", "kind", "layer", "head", "by", "search")] == [
        EXAMPLES[3], "encoder", 0, 1, "words", "greedy",
    ]  # fmt: skip
    assert "Encoder attention, layer 1, head 2" in charts(app)[0].alt


def test_a_bad_url_falls_back() -> None:
    app = open_app(text="", kind="sideways", layer="99", head="-1", by="letters", search="<b>")
    assert "Cross attention" in charts(app)[0].alt
    assert "mean of" in charts(app)[0].alt


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_every_kind_layer_and_head_opens(kind: str) -> None:
    app = open_app()
    app.button_group(key="kind").set_value(kind)
    run(app)
    app.button_group(key="by").set_value("words")
    app.button_group(key="head").set_value(0)
    app.button_group(key="layer").set_value(0)
    assert "layer 1, head 1" in charts(run(app))[0].alt


def test_an_example_is_one_click_away() -> None:
    app = open_app()
    before = translation(app)
    app.button(key="example-3").click()
    run(app)
    assert app.text_input(key="text").value == EXAMPLES[3]
    assert translation(app) != before


def test_next_and_previous_step_through_the_heads() -> None:
    app = open_app()
    app.button(key="next").click()
    assert "head 1:" in charts(run(app))[0].alt
    app.button(key="previous").click()
    assert "mean of" in charts(run(app))[0].alt


def test_neighbours_go_around_both_ends() -> None:
    assert neighbour(0, "mean", -1, 3, 8) == (2, 7)
    assert neighbour(2, 7, 1, 3, 8) == (0, "mean")
    assert neighbour(0, 7, 1, 3, 8) == (1, "mean")


def test_damaged_weights_end_the_page_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: str) -> None:
        raise DamagedWeightsError("weights.safetensors is not the recorded file; restore it")

    translator.clear()
    monkeypatch.setattr("pretrained.load_translator", refuse)
    monkeypatch.setattr("viz.pages.translation_state.load_translator", refuse)
    app = open_app()
    assert "restore it" in app.warning[0].value
    assert not charts(app)


def test_models_and_hooks_are_shown_as_they_are() -> None:
    app = open_app()
    app.switch_page("viz/pages/models_and_hooks.py")
    run(app)
    written = "".join(html.proto.body for html in app.get("html"))
    assert all(point.name in written for point in HOOKS)
    assert all(name in written + "".join(entry.value for entry in app.markdown) for name in shipped())


def test_hook_points_are_searched() -> None:
    app = open_app()
    app.switch_page("viz/pages/models_and_hooks.py")
    run(app).text_input(key="hook").set_value("CROSS pattern")
    written = "".join(html.proto.body for html in run(app).get("html"))
    assert "decoder.{layer}.cross_attention.pattern" in written
    assert "encoder.{layer}.self_attention.pattern" not in written
    app.text_input(key="hook").set_value(ATTACK)
    assert ATTACK in run(app).text[0].value
