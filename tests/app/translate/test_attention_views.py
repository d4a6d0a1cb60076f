"""The views of attention on the page Translate, run by Streamlit without a browser."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.running import EXAMPLES, run
from tests.app.translate.shown import explorer, open_app
from viz.base.link_parameters import query_of, read_fields
from viz.components.attention_explorer import ExplorerView


def shown_by_bertviz(app: AppTest) -> list[str]:
    return [element.key for element in app.get("bidi_component") if element.key.startswith("bertviz")]


def view_in_link(app: AppTest) -> dict[str, str]:
    """The explorer's view as a link carries it."""
    view = read_fields(ExplorerView, explorer(app)["view"])
    assert view is not None
    return query_of(view)


def test_heads_can_be_ordered_by_alignment_where_a_map_is_that_of_a_head() -> None:
    app = open_app(kind="cross", sort="alignment")
    assert view_in_link(app)["sort"] == "alignment"
    assert [kind["name"] for kind in explorer(app)["recordings"][0] if kind["alignment"]] == ["cross"]
    assert view_in_link(open_app(kind="encoder", sort="alignment")).get("sort") is None
    assert not any(kind["alignment"] for kind in explorer(open_app(measure="rollout"))["recordings"][0])


def test_the_url_holds_the_view() -> None:
    chosen = {"heads": "1.2-3.1", "by": "words", "pins": "2-3.1", "threshold": "0.25", "sort": "entropy"}
    url = {"kind": "encoder", **chosen}
    app = open_app(text=EXAMPLES[3], search="greedy", measure="passed on", **url)
    assert app.session_state["text"] == EXAMPLES[3]
    assert app.session_state["search"] == "greedy"
    assert view_in_link(app) == chosen
    assert explorer(app)["measure"] == "‖αvW_O‖"
    assert {name: app.query_params[name] for name in url} == url


def test_what_a_link_cannot_mean_is_named_and_left_out() -> None:
    app = open_app(kind="sideways", heads="1.99-2.1", by="letters")
    assert [warning.value.split(". ")[0] for warning in app.warning] == [
        "The link asks for `sideways` as kind",
        "The link asks for `1.99-2.1` as heads",
        "The link asks for `letters` as by",
    ]
    assert view_in_link(app) == view_in_link(open_app())


@pytest.mark.parametrize(
    ("name", "given", "allowed"),
    [("heads", "99.1", r"1\.1 – \d+\.\d+"), ("pins", "99", r"1 – \d+, 1\.1 – \d+\.\d+"), ("step", "99", r"1 – \d+")],
)
def test_a_link_to_what_this_translation_does_not_have_is_told_what_there_is(
    name: str, given: str, allowed: str
) -> None:
    app = open_app(kind="cross", text=EXAMPLES[1], **{name: given})
    (warning,) = app.warning
    assert re.search(rf"`{re.escape(given)}` as {name}\. It takes: {allowed}\.", warning.value)
    assert name not in view_in_link(app)


def test_a_shorter_text_is_no_fault_of_the_link() -> None:
    app = open_app(text=EXAMPLES[1], kind="encoder", heads="1.1", pins="2-10-13")
    app.text_area(key="text").set_value("A dog.")
    assert not run(app).warning


@pytest.mark.parametrize("measure", ["weights", "passed on", "rollout", "flow"])
def test_every_measure_is_shown_for_every_kind(measure: str) -> None:
    app = open_app()
    app.button_group(key="measure").set_value(measure)
    assert len(explorer(run(app))["recordings"][0]) == 3
    assert not app.warning


def test_a_text_too_long_for_flow_shows_its_weights_and_says_why() -> None:
    app = open_app(text="I am " * 50, measure="flow")
    (warning,) = app.warning
    assert "at most 64 tokens" in warning.value
    assert explorer(app)["measure"] == ""


def test_a_second_sentence_too_long_for_flow_is_not_compared_by_its_weights() -> None:
    app = open_app(text=EXAMPLES[0], measure="flow", other="I am " * 50)
    (warning,) = app.warning
    assert "at most 64 tokens" in warning.value
    header = explorer(app)
    assert header["measure"]
    assert [len(recording) for recording in header["recordings"]] == [3, 0]


def test_a_second_sentence_is_compared_at_once() -> None:
    app = open_app(text=EXAMPLES[0])
    app.text_input(key="other").set_value(EXAMPLES[1])
    header = explorer(run(app))
    assert [len(recording) for recording in header["recordings"]] == [3, 3]
    assert header["view"]["compare"] == "recordings"
    app.text_input(key="other").set_value("")
    assert "compare" not in view_in_link(run(app))


def test_a_second_sentence_that_cannot_be_translated_is_left_out() -> None:
    app = open_app(other="I am " * 190)
    (warning,) = app.warning
    assert warning.value.startswith("The second sentence is left out. ")
    assert [len(recording) for recording in explorer(app)["recordings"]] == [3, 0]


@pytest.mark.parametrize(
    ("kind", "pin", "said"),
    [
        ("cross", "3.2", "Layer 2, head 5 of cross-attention"),
        ("all", "1.1", "Layer 2, head 5 of encoder self-attention"),
        ("all", "20.1", "Layer 2, head 5 of cross-attention"),
        ("all", "20.17", "Layer 2, head 5 of decoder self-attention"),
    ],
)
def test_a_pinned_cell_is_taken_apart(kind: str, pin: str, said: str) -> None:
    app = open_app(text=EXAMPLES[0], kind=kind, heads="2.5", pins=pin)
    assert said in explorer(app)["aside"]


def test_nothing_is_taken_apart_where_a_row_alone_is_pinned() -> None:
    assert explorer(open_app(text=EXAMPLES[0], pins="3"))["aside"] == ""


def test_pins_stay_on_the_tokens_that_another_sentence_has_too() -> None:
    app = open_app(text=EXAMPLES[1], kind="encoder", heads="1.1", pins="2-10-13")
    app.text_area(key="text").set_value(EXAMPLES[2])
    assert view_in_link(run(app))["pins"] == "2-10"


@pytest.mark.parametrize(
    ("view", "kind", "link"), [("head", "decoder", {"kind": "decoder", "heads": "1.1"}), ("model", "cross", {})]
)
def test_bertviz_takes_the_place_of_the_explorer_and_gives_it_back(view: str, kind: str, link: dict[str, str]) -> None:
    app = open_app(**link)
    before = view_in_link(app)
    app.button_group(key="view").set_value(view)
    assert shown_by_bertviz(run(app)) == [f"bertviz-{view}-{kind}"]  # the kind that was looked at
    app.button_group(key="view").set_value("explorer")
    assert view_in_link(run(app)) == before
    assert before["kind"] == kind


def test_the_kind_that_bertviz_opens_on_is_in_the_link() -> None:
    app = open_app(kind="encoder", heads="1.1")
    del app.query_params["kind"]
    app.button_group(key="view").set_value("head")
    assert shown_by_bertviz(run(app)) == ["bertviz-head-encoder"]
    link = {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}
    assert shown_by_bertviz(open_app(**link)) == ["bertviz-head-encoder"]


def test_bertviz_says_where_its_pictures_are_saved_and_is_saved_itself() -> None:
    app = open_app()
    app.button_group(key="view").set_value("head")
    offered = [button.proto.label for button in run(app).get("download_button")]
    assert "This view (HTML)" in offered
    assert any("saved from *Save* in the explorer" in caption.value for caption in app.caption)
