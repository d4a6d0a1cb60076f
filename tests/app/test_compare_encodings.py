"""Compare encodings, run by Streamlit without a browser."""

from collections.abc import Iterator

import pytest
import torch
from streamlit.testing.v1 import AppTest

from model.positional import PositionalEncoding, register, registered, registry
from model.positional.base import Description, Properties
from tests.app.running import open_page, run, written

PAGE = "compare_encodings"


@pytest.fixture
def new_encoding() -> Iterator[str]:
    """An encoding that is nowhere but in this test."""

    @register
    class Backwards(PositionalEncoding):
        description = Description(
            name="backwards",
            title="Backwards",
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

        def __init__(self, surroundings: object) -> None:
            del surroundings
            super().__init__()

        def score_bias(self, q, k, query_positions, key_positions):
            del q, k
            return (0 * query_positions[:, None] + key_positions[None, :]).to(torch.float32)[None, None].square()

    yield "Backwards"
    del registry._registry["backwards"]


def alts(app: AppTest) -> list[str]:
    return [chart.proto.alt for chart in app.get("plotly_chart")]


def test_it_opens_on_four_variants_already_compared() -> None:
    app = open_page(PAGE)
    assert not app.warning
    assert [app.selectbox(key=f"v{slot}").value for slot in range(1, 5)] == ["sinusoidal", "rotary", "alibi", "t5"]
    assert all(alts(app))
    assert sum("what position adds to the score" in alt for alt in alts(app)) == 4
    assert written(app).count("the distance alone counts.") == 3
    assert written(app).count("the place counts, too.") == 1


def test_a_new_encoding_is_in_every_selector_and_can_be_compared(new_encoding: str) -> None:
    app = open_page(PAGE, count="2")
    assert all(new_encoding in app.selectbox(key=f"v{slot}").options for slot in (1, 2))
    app.selectbox(key="v2").set_value("backwards")
    run(app)
    assert any(alt.startswith(f"{new_encoding}: what position adds") for alt in alts(app))
    assert "the place counts, too." in written(app)
    assert not app.warning


def test_every_registered_encoding_can_be_chosen() -> None:
    app = open_page(PAGE, count="2", length="16")
    for name, known in registered().items():
        app.selectbox(key="v1").set_value(name)
        run(app)
        assert not app.warning, name
        assert any(alt.startswith(known.description.title.split(",")[0]) for alt in alts(app)), name


def test_parameters_change_the_picture_and_are_kept_by_column() -> None:
    app = open_page(PAGE, count="2", length="16")
    for slot in (1, 2):
        app.selectbox(key=f"v{slot}").set_value("rotary")
    run(app)
    before = alts(app)
    app.number_input(key="v2.base").set_value(3.0)
    after = alts(run(app))
    assert [old for old, new in zip(before, after, strict=True) if old == new]
    assert [old for old, new in zip(before, after, strict=True) if old != new]


def test_an_impossible_pair_of_parameters_gets_one_sentence_and_the_last_picture_stays() -> None:
    app = open_page(PAGE, count="2", length="16")
    app.selectbox(key="v2").set_value("t5")
    before = alts(run(app))
    app.number_input(key="v2.max_distance").set_value(5)
    run(app)
    assert [warning.value for warning in app.warning] == [
        "T5 relative bias: max_distance is 5, but of 32 buckets 16 are for single distances; it must be above 16. "
        "Below is the last picture that could be drawn."
    ]
    assert alts(app) == before


def test_positions_past_a_table_get_one_sentence() -> None:
    app = open_page(PAGE, count="2", length="32")
    app.selectbox(key="v1").set_value("learned")
    run(app)
    app.number_input(key="v1.max_length").set_value(10)
    run(app)
    assert len(app.warning) == 1
    assert "past the learned table of 10 rows" in app.warning[0].value


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ({"count": "1"}, "count = `1`; two to six variants can be compared"),
        ({"count": "7"}, "count = `7`; two to six variants can be compared"),
        ({"count": "nan"}, "count = `nan`"),
        ({"length": "0"}, "length = `0`"),
        ({"length": "NaN"}, "length = `NaN`"),
        ({"v1": "Sideways"}, "v1 = `Sideways`"),
        ({"v2.base": "nan"}, "v2.base = `nan`"),
        ({"v2.base": "1e99"}, "v2.base = `1e99`"),
        ({"v1": "</script><script>"}, "v1 = `</script><script>`"),
    ],
)
def test_a_bad_link_gets_one_sentence_and_the_default(url: dict[str, str], said: str) -> None:
    app = open_page(PAGE, **url)
    assert len(app.warning) == 1
    assert said in app.warning[0].value
    assert len([alt for alt in alts(app) if "what position adds" in alt]) == 4


def test_a_link_reopens_variants_and_parameters() -> None:
    app = open_page(
        PAGE, count="3", v1="ALiBi", v2="KERPLE (log)", v3="Rotary (RoPE)", **{"v3.base": "500", "length": "32"}
    )
    titles = [registered()[app.selectbox(key=f"v{slot}").value].description.title for slot in (1, 2, 3)]
    assert titles[0] == "ALiBi"
    assert titles[2] == "Rotary (RoPE)"
    assert app.number_input(key="v3.base").value == 500


def test_cost_is_measured_for_every_variant() -> None:
    app = open_page(PAGE, count="2", length="16")
    app.button(key="measure-cost").click()
    assert "times as long" in written(run(app))
