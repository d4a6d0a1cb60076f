"""Compare encodings, run by Streamlit without a browser."""

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
import torch
from streamlit.testing.v1 import AppTest

from model.positional import PositionalConfig, PositionalEncoding, register, registered, registry
from model.positional.base import Description, Properties
from tests.app.running import open_page, run, saved_files, written
from viz.pages.compare_encodings import facts
from viz.shared.encodings import encoding_look, encoding_title
from viz.shell.language import ChosenLanguage
from viz.shell.state import session_key

PAGE = "compare_encodings"


@pytest.fixture
def new_encoding() -> Iterator[str]:
    """An encoding that is nowhere but in this test."""

    @register
    class Backwards(PositionalEncoding):
        description = Description(
            name="backwards",
            title="Backwards",
            explanation="A bias that grows from key to key.",
            paper="This test",
            year=2026,
            formula=r"s_{ij} + j",
            properties=Properties(
                kind="absolute",
                acts_on=("scores",),
                learned=False,
                decay="none",
                extrapolates="no",
                tells_direction=True,
            ),
        )

        def __init__(self, _stack: object) -> None:
            super().__init__()

        def score_bias(self, qk):
            return (0 * qk.query_positions[:, None] + qk.key_positions[None, :]).to(torch.float32)[None, None].square()

    yield "Backwards"
    del registry._registry["backwards"]


def alts(app: AppTest) -> list[str]:
    return [chart.alt for chart in charts(app)]


def test_it_opens_on_four_variants_already_compared() -> None:
    app = open_page(PAGE)
    assert not app.warning
    assert [app.selectbox(key=f"v{slot}").value for slot in range(1, 5)] == ["sinusoidal", "rotary", "alibi", "kerple"]
    assert all(alts(app))
    assert sum("how position changes the score" in alt for alt in alts(app)) == 4
    assert written(app).count("the distance alone counts.") == 3
    assert written(app).count("the absolute position counts, too.") == 1


def test_a_new_encoding_is_in_every_selector_and_can_be_compared(new_encoding: str) -> None:
    app = open_page(PAGE, count="2")
    assert all(new_encoding in app.selectbox(key=f"v{slot}").options for slot in (1, 2))
    app.selectbox(key="v2").set_value("backwards")
    run(app)
    assert any(alt.startswith(f"{new_encoding}: how position changes") for alt in alts(app))
    assert "the absolute position counts, too." in written(app)
    assert not app.warning


def test_every_registered_encoding_can_be_chosen() -> None:
    app = open_page(PAGE, count="2", v2="none", **{"compared-length": "8"})
    for name in registered():
        app.selectbox(key="v1").set_value(name)
        run(app)
        if inner := registered()[name].description.inner:
            # A wrapper keeps what the one before it wrapped.
            app.selectbox(key="v1.inner").set_value(inner)
            run(app)
        assert not app.warning, name
        assert any(alt.startswith(f"{encoding_title(PositionalConfig(name))}: ") for alt in alts(app)), name


def test_six_variants_stand_side_by_side_in_the_colours_of_their_encodings() -> None:
    app = open_page(PAGE, count="6", **{"compared-length": "8"})
    assert len([alt for alt in alts(app) if "how position changes" in alt]) == 6
    app = open_page(PAGE, count="6", **{"compared-length": "8"}, show="distance")
    assert not app.warning
    lines = [
        trace["line"]["color"]
        for chart in app.get("plotly_chart")
        for trace in json.loads(chart.proto.spec)["data"]
        if trace.get("name")
    ]
    configs = [PositionalConfig(app.selectbox(key=f"v{slot}").value) for slot in range(1, 7)]
    assert set(lines) == {encoding_look(config).colour for config in configs}


def test_every_picture_has_alternative_text_and_a_file_name_of_its_own() -> None:
    app = open_page(PAGE, **{"compared-length": "8"})
    drawn = [chart.proto for chart in app.get("plotly_chart")]
    assert all(chart.alt for chart in drawn)
    names = [json.loads(chart.config)["toImageButtonOptions"]["filename"] for chart in drawn]
    assert len(set(names)) == len(names)


def test_two_variants_of_one_encoding_can_be_told_apart() -> None:
    app = open_page(PAGE, count="2", **{"compared-length": "8"}, v1="rotary", v2="rotary", **{"v2.base": "500"})
    named = [alt.split(":")[0] for alt in alts(app) if "how position changes" in alt]
    assert named == ["Rotary", "Rotary, base 500"]


def test_a_wrapping_encoding_is_drawn_with_what_it_wraps() -> None:
    app = open_page(PAGE, count="2", **{"compared-length": "16"}, v1="randomized", **{"v1.inner": "alibi"})
    assert not app.warning
    assert any(alt.startswith("ALiBi, randomized positions: how position changes") for alt in alts(app))


def test_an_encoding_that_does_nothing_is_said_to_do_nothing() -> None:
    app = open_page(PAGE, count="2", **{"compared-length": "8"}, v1="none", v2="alibi")
    assert written(app).count("position changes nothing.") == 1
    assert written(app).count("the distance alone counts.") == 1


def test_a_scalable_softmax_may_be_put_around_any_encoding() -> None:
    app = open_page(PAGE, count="2", **{"compared-length": "8"}, v1="ssmax", v2="alibi", **{"v1.inner": "none"})
    assert not app.warning
    assert written(app).count("the distance counts, and how many keys there are.") == 1


def test_weights_that_were_never_trained_are_said_to_be_fresh() -> None:
    app = open_page(PAGE, count="2", **{"compared-length": "8"}, v1="t5", v2="alibi")
    assert written(app).count("weights are as they start") == 1


def test_a_shift_out_of_a_table_is_said_to_be_impossible() -> None:
    app = open_page(PAGE, count="2", **{"compared-length": "8"}, v1="learned", v2="alibi")
    assert written(app).count("It cannot be moved by 1,000") == 1


def test_beyond_training_is_told_by_the_scores() -> None:
    seen, unseen = "no score lies outside", "The model never met the rest"
    clipped = written(open_page(PAGE, count="2", **{"compared-length": "64"}, trained="32", v1="alibi", v2="shaw"))
    assert (clipped.count(seen), clipped.count(unseen)) == (1, 1)
    within = written(open_page(PAGE, count="2", **{"compared-length": "16"}, trained="32"))
    assert (within.count(seen), within.count(unseen)) == (0, 0)
    assert within.count("Every position shown was trained on") == 2


def test_parameters_change_the_picture_and_are_kept_by_column() -> None:
    app = open_page(PAGE, count="2", **{"compared-length": "16"})
    for slot in (1, 2):
        app.selectbox(key=f"v{slot}").set_value("rotary")
    run(app)
    before = alts(app)
    app.number_input(key="v2.base").set_value(3.0)
    after = alts(run(app))
    assert [old for old, new in zip(before, after, strict=True) if old == new]
    assert [old for old, new in zip(before, after, strict=True) if old != new]


def test_an_impossible_pair_of_parameters_gets_one_sentence_and_the_last_picture_stays() -> None:
    app = open_page(PAGE, count="2", **{"compared-length": "16"})
    app.selectbox(key="v2").set_value("t5")
    before = alts(run(app))
    app.number_input(key="v2.max_distance").set_value(5)
    run(app)
    assert [warning.value for warning in app.warning] == [
        "T5 bias: max_distance is 5, but of 32 buckets 16 are for single distances; it must be above 16. "
        "Below is the last picture that could be drawn."
    ]
    assert alts(app) == before


def test_positions_past_a_table_get_one_sentence() -> None:
    app = open_page(PAGE, count="2", **{"compared-length": "32"})
    app.selectbox(key="v1").set_value("learned")
    run(app)
    app.number_input(key="v1.max_length").set_value(10)
    run(app)
    assert len(app.warning) == 1
    assert "past the learned table of 10 rows" in app.warning[0].value


def test_the_last_picture_goes_where_it_has_no_such_head() -> None:
    app = open_page(
        PAGE, count="2", **{"compared-length": "16"}, heads="4", v1="learned", v2="none", **{"v1.max_length": "20"}
    )
    app.select_slider(key="compared-length").set_value(32)
    run(app)
    assert any(alt.startswith("Learned, max_length 20: ") for alt in alts(app))
    app.button_group(key="heads").set_value(8)
    run(app)
    app.button_group(key="head").set_value(8)
    run(app)
    assert len(app.warning) == 1
    assert "past the learned table of 20 rows" in app.warning[0].value
    assert "last picture" not in app.warning[0].value
    assert len(alts(app)) == 1


def test_the_last_picture_keeps_the_name_and_the_facts_of_its_encoding() -> None:
    link = {"count": "2", "compared-length": "64", "v1": "sinusoidal", "v2": "none", "v1.max_length": "16"}
    for show in ("maps", "distance", "properties"):
        app = open_page(PAGE, show=show, **link)
        before, pictures = below_the_choices(app), [(chart.alt, chart.config) for chart in charts(app)]
        app.selectbox(key="v1").set_value("learned")
        run(app)
        assert [warning.value.split(";")[0] for warning in app.warning] == [
            "Learned: position 63 is past the learned table of 16 rows"
        ]
        assert below_the_choices(app) == before
        assert [(chart.alt, chart.config) for chart in charts(app)] == pictures


def charts(app: AppTest) -> list[Any]:
    return [chart.proto for chart in app.get("plotly_chart")]


def below_the_choices(app: AppTest) -> str:
    return "\n".join(line for line in written(app).splitlines() if "variant-mark" not in line)


def test_the_last_picture_is_named_in_the_language_that_is_read() -> None:
    app = open_page(PAGE, count="2", **{"compared-length": "16"}, v1="learned", v2="none", **{"v1.max_length": "20"})
    app.select_slider(key="compared-length").set_value(32)
    run(app)
    app.session_state[session_key(ChosenLanguage)] = ChosenLanguage("ja")
    run(app)
    assert alts(app)[0].startswith("学習型")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ({"count": "1"}, "`1` as count. It takes: two to six variants can be compared"),
        ({"count": "7"}, "`7` as count. It takes: two to six variants can be compared"),
        ({"count": "nan"}, "`nan` as count."),
        ({"compared-length": "NaN"}, "`NaN` as compared-length."),
        ({"head": "5"}, "`5` as head. It takes: 1, 2, 3, 4"),
        ({"v1": "randomized", "v1.inner": "cope"}, "`cope` as v1.inner."),
        ({"v2.base": "nan"}, "`nan` as v2.base."),
        ({"v2.base": "1e99"}, "`1e99` as v2.base."),
        ({"v1": "</script><script>"}, "`</script><script>` as v1."),
    ],
)
def test_a_bad_link_gets_one_sentence_and_the_default(url: dict[str, str], said: str) -> None:
    app = open_page(PAGE, **url)
    assert len(app.warning) == 1
    assert said in app.warning[0].value
    assert len([alt for alt in alts(app) if "how position changes" in alt]) == 4


def test_a_link_reopens_variants_and_parameters() -> None:
    app = open_page(
        PAGE, count="3", v1="alibi", v2="kerple", v3="rotary", **{"v3.base": "500", "compared-length": "32"}
    )
    titles = [registered()[app.selectbox(key=f"v{slot}").value].description.title for slot in (1, 2, 3)]
    assert titles[0] == "ALiBi"
    assert titles[2] == "Rotary"
    assert app.number_input(key="v3.base").value == 500


def test_cost_is_measured_for_every_variant_and_kept_until_a_choice_changes() -> None:
    app = open_page(PAGE, count="2", **{"compared-length": "16"}, show="cost")
    assert "times as long" not in written(app)
    app.button(key="measure-cost").click()
    measured = written(run(app))
    assert "times as long" in measured
    assert measured == written(run(app))
    app.selectbox(key="v2").set_value("alibi")
    assert "times as long" not in written(run(app))


def test_what_the_zoo_learned_is_shown_beside_the_same_untrained_on_one_scale() -> None:
    app = open_page(PAGE, show="trained", **{"compared-length": "16"})
    for title in ("T5 bias", "Learned", "FIRE", "KERPLE (log)", "Transformer-XL"):
        assert any(alt.startswith(f"{title} as trained on Sort symbols") for alt in alts(app)), title
        assert any(alt.startswith(f"{title} before any training") for alt in alts(app)), title
    assert len({depth(chart) for chart in app.get("plotly_chart")}) == 1
    assert "](cliff?task=sort)" in written(app)
    with patch("viz.pages.compare_encodings.study.zoo.DecoderOnly", side_effect=AssertionError("computed again")):
        assert not open_page(PAGE, show="trained", **{"compared-length": "16"}).exception
    app.selectbox(key="trained-task").set_value("copy_letters")
    run(app)
    assert any(alt.startswith("CoPE as trained on Copy") for alt in alts(app))


def depth(chart) -> float:
    return json.loads(chart.proto.spec)["data"][0]["zmax"]


def test_maps_share_a_scale_whose_range_is_written_unless_the_link_says_otherwise() -> None:
    link = {"count": "2", "compared-length": "8", "v1": "alibi", "v2": "t5"}
    app, apart = open_page(PAGE, **link), open_page(PAGE, common="false", **link)
    assert len({depth(chart) for chart in app.get("plotly_chart")}) == 1
    assert "The colours of all maps run from −1.75 to 1.75." in written(app)
    assert len({depth(chart) for chart in apart.get("plotly_chart")}) == 2
    assert "Each map has a scale of its own." in written(apart)


@pytest.mark.parametrize("name", [name for name, kind in registered().items() if kind.description.note])
def test_what_a_formula_leaves_out_stands_behind_it(name: str) -> None:
    description = registered()[name].description
    assert description.note in written(
        open_page(PAGE, **{"compared-length": "8"}, count="2", v1=description.name, v2="none")
    )


@pytest.mark.parametrize("name", ["path", "fox", "rnope", "drope", "ssmax"])
def test_an_encoding_that_departs_from_its_paper_says_so(name: str) -> None:
    assert registered()[name].description.note


def test_an_encoding_that_makes_the_models_larger_says_so() -> None:
    assert (
        written(open_page(PAGE, **{"compared-length": "8"}, count="2", v1="learned", v2="path")).count("more weights")
        == 2
    )
    assert "more weights" not in written(open_page(PAGE, **{"compared-length": "8"}, count="2", v1="rotary", v2="t5"))


def test_that_a_formula_extrapolates_stands_beside_what_our_runs_reach() -> None:
    app = open_page(PAGE, show="properties", **{"compared-length": "8"}, count="2", v1="alibi", v2="sandwich")
    assert re.search(r"extrapolates by construction.*?0\.\d\d \(Sort symbols, 16 symbols; trained to 8\)", written(app))
    assert written(app).count("not trained here") == 1
    assert "the formula needs nothing new beyond them" in written(app)
    app.selectbox(key="trained-task").set_value("reverse")
    assert "(Reverse, 40 letters; trained to 20)" in written(run(app))


def test_two_variants_of_one_title_are_two_columns_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    saved = saved_files(monkeypatch, facts.__name__)
    open_page(PAGE, show="properties", count="2", v1="rotary", v2="rotary")
    headings, *rows = csv.reader(io.StringIO(saved["encoding-properties.csv"]))
    assert headings[1] == headings[2]
    assert all(row[1] == row[2] for row in rows)


@pytest.mark.parametrize("show", ["distance", "properties", "cost", "trained"])
def test_every_view_keeps_the_variants_of_the_link(show: str) -> None:
    app = open_page(PAGE, show=show, count="2", **{"compared-length": "8"}, v1="fire")
    assert not app.warning
    assert app.selectbox(key="v1").value == "fire"


@pytest.mark.parametrize("head", range(1, 9))
def test_the_head_named_above_trained_maps_is_one_that_the_models_have(head: int) -> None:
    app = open_page(PAGE, show="trained", heads="8", head=str(head), **{"compared-length": "16"})
    (named,) = re.findall(r"in the first layer\*\*, head (\d+),", written(app))
    assert int(named) == (head - 1) % 4 + 1
