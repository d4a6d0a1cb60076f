"""The studies of the positional encoding, run by Streamlit without a browser."""

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoint import DamagedWeightsError
from viz.pages.positional_encoding.study.claims import Neighbours
from viz.shell.shipped import translator

ATTACK = "</script><script>alert(1)</script> `x` **b** [a](//b)"


PAGE = """
from viz.pages.positional_encoding.claims import show_claims
from viz.pages.positional_encoding.word_order import show_order, show_sum
show_sum()
show_order()
show_claims()
"""


def open_page(**url: str) -> AppTest:
    app = AppTest.from_string(PAGE, default_timeout=60)
    for name, value in url.items():
        app.query_params[name] = value
    return run(app)


def run(app: AppTest) -> AppTest:
    app.run()
    assert not app.exception
    return app


def charts(app: AppTest) -> list[Any]:
    return [chart.proto for chart in app.get("plotly_chart")]


def written(app: AppTest) -> str:
    return "\n".join(entry.value for entry in app.markdown)


def warnings(app: AppTest) -> list[str]:
    return [entry.value for entry in app.warning]


@pytest.fixture(scope="module")
def opened() -> AppTest:
    return open_page()


def test_it_opens_on_three_studies_already_computed(opened: AppTest) -> None:
    assert [entry.value for entry in opened.header] == [
        "The sum: what the model adds up", "The order: does the model notice?", "Is it true?",
    ]  # fmt: skip
    assert len(charts(opened)) == 9
    assert warnings(opened) == []


def test_every_chart_has_alternative_text_and_saves_as_svg(opened: AppTest) -> None:
    for chart in charts(opened):
        assert chart.alt
        assert '"format": "svg"' in chart.config


def test_every_study_offers_its_numbers(opened: AppTest) -> None:
    labels = [button.proto.label for button in opened.get("download_button")]
    assert sum("NPZ" in label for label in labels) == 3
    assert sum("CSV" in label for label in labels) == 3 + 4


def test_the_sum_is_told_by_its_numbers() -> None:
    scaled, unscaled = written(open_page()), written(open_page(sum_scale="false"))
    assert "the word outweighs its place" in scaled
    assert "the place drowns the word" in unscaled


def test_another_sentence_is_read() -> None:
    app = open_page()
    app.text_input(key="sum_text").set_value("The dog chased the cat")
    assert "The, dog, ch, ·ased, the, cat, ⟨end⟩" in charts(run(app))[1].alt
    assert "football" in app.text[0].value


@pytest.mark.parametrize(
    ("way", "given", "after"),
    [
        ("Reversed", {}, "football play to love I"),
        ("Two swapped", {"order_first": "1", "order_second": "5"}, "football love to play I"),
        ("Your own", {"order_own": "2 1 3 5 4"}, "love I to football play"),
        ("Your own", {}, "love to play football I"),
    ],
)
def test_the_words_are_put_in_the_order_of_the_link(way: str, given: dict[str, str], after: str) -> None:
    app = open_page(order_by=way, **given)
    assert app.text[0].value == f"I love to play football  →  {after}"
    assert warnings(app) == []


def test_a_shuffle_is_one_of_its_seed() -> None:
    orders = {seed: open_page(order_by="Shuffled", order_seed=seed).text[0].value for seed in "123"}
    assert len(set(orders.values())) > 1
    assert open_page(order_by="Shuffled", order_seed="2").text[0].value == orders["2"]


def test_the_order_is_told_by_its_numbers(opened: AppTest) -> None:
    assert "With the encoding, order matters" in written(opened)
    assert "Without it, the encoder cannot tell" in written(opened)
    same = open_page(order_by="Two swapped", order_first="2", order_second="2")
    assert "this order changes nothing" in written(same)
    assert "Nothing has moved" in same.caption[1].value


def test_one_head_is_shown_in_both_orders_and_without_the_encoding() -> None:
    app = open_page(order_layer="2", order_head="3", order_encoding="Without")
    before, after = charts(app)[3:5]
    assert "As typed, layer 2, head 3, positional encoding: Without" in before.alt
    assert "play, to, love, I, ⟨end⟩" in after.alt


@pytest.mark.parametrize(
    ("settings", "verdicts"),
    [
        ({}, ("False.", "False here.", "True, up to length 512.", "False as an argument.")),
        ({"claims_d_model": "2"}, ("False.", "It makes no difference here.", "Not in practice.", "True of these few")),
        ({"claims_d_model": "8"}, ("False.", "False here.", "True, but not by much.", "False as an argument.")),
        (
            {"claims_base": "1.01", "claims_d_model": "64", "claims_length": "1000"},
            ("False.", "It depends on how far apart", "True, but not by much.", "Only dimension by dimension."),
        ),
    ],
)
def test_the_verdicts_follow_the_settings(settings: dict[str, str], verdicts: tuple[str, ...]) -> None:
    app = open_page(**settings)
    assert all(f"**{verdict}" in written(app) for verdict in verdicts)
    assert warnings(app) == []


def test_a_claim_that_held_would_be_called_true(monkeypatch: pytest.MonkeyPatch) -> None:
    fading = Neighbours({1: np.linspace(3, 0.1, 511)}, expected=3)
    monkeypatch.setattr("viz.pages.positional_encoding.claims.study_neighbours", lambda *_: fading)
    app = open_page(claims_base="9876")
    assert "**True here.** The step from 0 to 1 is 3.0000, the last one 0.1000" in written(app)


@pytest.mark.parametrize(
    ("key", "given", "allowed"),
    [
        ("claims_base", "nan", "1.01 – 1,000,000"),
        ("claims_base", "1", "1.01 – 1,000,000"),
        ("claims_d_model", "abc", "2 – 1,024"),
        ("claims_length", "0", "8 – 2,048"),
        ("claims_position", "-1", "0 – 2,046"),
        ("order_by", "sideways", "Reversed, Two swapped, Shuffled, Your own"),
        ("order_head", "99", "1, 2, 3, 4, 5, 6, 7, 8"),
        ("sum_scale", "maybe", "true, false"),
    ],
)
def test_a_bad_link_gets_one_sentence_and_the_default(opened: AppTest, key: str, given: str, allowed: str) -> None:
    app = open_page(**{key: given})
    sentence = f"The link asks for `{given}` as {key}. It takes: {allowed}. The default is shown instead."
    assert warnings(app) == [sentence]
    assert [chart.alt for chart in charts(app)] == [chart.alt for chart in charts(opened)]


def test_a_link_is_judged_by_the_controls_it_opens() -> None:
    assert warnings(open_page(order_seed="nan")) == []
    (warning,) = warnings(open_page(order_seed="nan", order_by="Shuffled"))
    assert "`nan` as order_seed. It takes: 0 – 9,999" in warning


def test_what_a_link_says_is_shown_as_text() -> None:
    (warning,) = warnings(open_page(claims_base=ATTACK))
    assert "`</script><script>alert(1…`" in warning


def test_an_odd_width_gets_one_sentence_and_the_last_one_stays() -> None:
    app = open_page(claims_d_model="64")
    app.number_input(key="claims_d_model").set_value(65)
    assert warnings(run(app)) == [
        "d_model is 65; sines and cosines come in pairs, so it must be even: take 64 or 66. Shown is d_model 64."
    ]
    assert "d=64: " in charts(app)[7].alt


def test_a_position_past_the_end_gets_one_sentence() -> None:
    app = open_page(claims_length="100")
    assert warnings(app) == ["Position 400 has no next one within length 100: choose at most 98. Shown is 98."]
    assert "From position 98 to the next" in written(app)


@pytest.mark.parametrize("key", ["sum_text", "order_text"])
@pytest.mark.parametrize(("text", "problem"), [("  ", "There is no word"), ("so " * 60, "This sentence has 60 tokens")])
def test_an_impossible_sentence_gets_one_sentence_and_the_last_one_stays(key: str, text: str, problem: str) -> None:
    app = open_page()
    app.text_input(key=key).set_value("The dog chased the cat")
    good = [chart.alt for chart in charts(run(app))]
    app.text_input(key=key).set_value(text)
    (warning,) = warnings(run(app))
    assert warning.startswith(problem)
    assert warning.endswith("Below is the last sentence that could be read.")
    assert [chart.alt for chart in charts(app)] == good


def test_a_link_with_an_impossible_sentence_opens_on_the_example(opened: AppTest) -> None:
    app = open_page(sum_text=" ")
    assert warnings(app) == ["There is no word in this sentence: type one. Below is an example."]
    assert [chart.alt for chart in charts(app)] == [chart.alt for chart in charts(opened)]


def test_a_link_with_too_many_characters_is_cut_and_says_so() -> None:
    app = open_page(sum_text="internationally " * 20)
    assert "`sum_text` has 320 characters, and at most 200 are read" in warnings(app)[0]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"order_by": "Two swapped", "order_second": "9"}, "There is no word 9: this sentence has 5"),
        ({"order_by": "Your own", "order_own": "1 2 3"}, "such as 2 3 4 5 1"),
        ({"order_by": "Your own", "order_own": ATTACK}, "such as 2 3 4 5 1"),
    ],
)
def test_an_impossible_order_gets_one_sentence(given: dict[str, str], problem: str) -> None:
    app = open_page(**given)
    (warning,) = warnings(app)
    assert problem in warning
    assert app.text[0].value.endswith("football play to love I")


@pytest.mark.parametrize("text", ["😀", "مرحبا", "a\u202eb", "$x^2$ *a* `b`", "<b>bold</b> & more", "a"])
def test_an_unusual_sentence_is_shown(text: str) -> None:
    app = open_page(sum_text=text, order_text=text)
    assert warnings(app) == []
    assert all("<b>" not in chart.spec for chart in charts(app))
    assert "\u202e" not in app.text[0].value


def test_without_the_translator_the_claims_stand_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: str) -> None:
        raise DamagedWeightsError("not recorded", file="weights.safetensors")

    translator.clear()
    monkeypatch.setattr("viz.shell.shipped.load_translator", refuse)
    app = open_page()
    assert len(warnings(app)) == 2
    assert all("restore it" in warning for warning in warnings(app))
    assert len(charts(app)) == 4
