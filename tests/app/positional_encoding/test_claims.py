"""Is it true, run by Streamlit without a browser."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.app.running import charts, markdown, open_page, run, warnings
from viz.pages.positional_encoding.study import claims
from viz.pages.positional_encoding.study.claims import Neighbours

PAGE = "claims"
ATTACK = "</script><script>alert(1)</script> `x` **b** [a](//b)"


@pytest.fixture(scope="module")
def opened() -> AppTest:
    return open_page(PAGE)


def test_it_opens_on_four_claims_with_alternative_text_and_numbers(opened: AppTest) -> None:
    assert len(charts(opened)) == 4
    assert all(chart.alt for chart in charts(opened).values())
    labels = [button.proto.label for button in opened.get("download_button")]
    assert [sum(kind in label for label in labels) for kind in ("CSV", "NPZ")] == [4, 4]
    assert warnings(opened) == []


@pytest.mark.parametrize(
    ("settings", "verdicts"),
    [
        ({}, ("False.", "False here.", "True, up to length 256.", "False as an argument.")),
        (
            {"claims_d_model": "2", "claims_length": "512"},
            ("False.", "It makes no difference here.", "Not in practice.", "True of these few"),
        ),
        ({"claims_d_model": "8"}, ("False.", "False here.", "True, but not by much.", "False as an argument.")),
        (
            {"claims_base": "1.01", "claims_d_model": "64", "claims_length": "1000"},
            ("False.", "It depends on how far apart", "True, but not by much.", "Only dimension by dimension."),
        ),
    ],
)
def test_the_verdicts_follow_the_settings(settings: dict[str, str], verdicts: tuple[str, ...]) -> None:
    app = open_page(PAGE, **settings)
    assert all(f"**{verdict}" in markdown(app) for verdict in verdicts)
    assert warnings(app) == []


def test_a_claim_that_held_would_be_called_true(monkeypatch: pytest.MonkeyPatch) -> None:
    fading = Neighbours({1: np.linspace(3, 0.1, 255)}, expected=3)
    monkeypatch.setattr(claims, "study_neighbours", lambda *_: fading)
    app = open_page(PAGE, claims_base="9876")
    assert "**True here.** The step from 0 to 1 is 3.0000, the last one 0.1000" in markdown(app)


def test_what_a_link_says_is_shown_as_text() -> None:
    (warning,) = warnings(open_page(PAGE, claims_base=ATTACK))
    assert "`</script><script>alert(1…`" in warning


def test_an_odd_width_gets_one_sentence_and_the_last_one_stays() -> None:
    app = open_page(PAGE, claims_d_model="64")
    app.number_input(key="claims_d_model").set_value(65)
    assert warnings(run(app)) == [
        "d_model is 65; sines and cosines come in pairs, so it must be even: take 64 or 66. Shown is d_model 64."
    ]
    assert "d=64: " in charts(app)["claims-repeat"].alt


def test_a_position_past_the_end_gets_one_sentence() -> None:
    app = open_page(PAGE, claims_length="100")
    assert warnings(app) == ["Position 200 has no next one within length 100: choose at most 98. Shown is 98."]
    assert "From position 98 to the next" in markdown(app)
