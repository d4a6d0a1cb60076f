"""Word order, run by Streamlit without a browser."""

import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoint import DamagedWeightsError
from tests.app.running import charts, markdown, open_page, run, warnings
from viz.shared.shipped import translator

PAGE = "word_order"
ATTACK = "</script><script>alert(1)</script> `x` **b** [a](//b)"


@pytest.fixture(scope="module")
def opened() -> AppTest:
    return open_page(PAGE)


def test_it_opens_on_the_order_and_the_sum_already_computed(opened: AppTest) -> None:
    assert list(charts(opened)) == [
        "order-chart",
        "order-map-original",
        "order-map-permuted",
        "sum-parts",
        "sum-lengths",
    ]
    assert all(chart.alt for chart in charts(opened).values())
    labels = [button.proto.label for button in opened.get("download_button")]
    assert [sum(kind in label for label in labels) for kind in ("CSV", "NPZ")] == [3, 2]
    assert warnings(opened) == []


def test_one_sentence_is_read_by_both_parts() -> None:
    app = open_page(PAGE)
    app.text_input(key="order_text").set_value("The dog chased the cat")
    assert "The, dog, ch, ·ased, the, cat, ⟨end⟩" in charts(run(app))["sum-lengths"].alt
    assert app.text[0].value.endswith("cat the chased dog The")


@pytest.mark.parametrize("key", ["order_text", "sum_text"])
def test_a_link_from_when_each_part_had_a_sentence_keeps_it(key: str) -> None:
    assert open_page(PAGE, **{key: "The dog"}).text[0].value == "The dog  →  dog The"


@pytest.mark.parametrize(("text", "problem"), [("  ", "There is no word"), ("so " * 60, "This sentence has 60 tokens")])
def test_an_impossible_sentence_gets_one_sentence_and_the_last_one_stays(text: str, problem: str) -> None:
    app = open_page(PAGE)
    app.text_input(key="order_text").set_value("The dog chased the cat")
    good = [chart.alt for chart in charts(run(app)).values()]
    app.text_input(key="order_text").set_value(text)
    (warning,) = warnings(run(app))
    assert warning.startswith(problem)
    assert warning.endswith("Below is the last sentence that could be read.")
    assert [chart.alt for chart in charts(app).values()] == good


@pytest.mark.parametrize("key", ["order_text", "sum_text"])
def test_a_link_with_too_many_characters_is_cut_and_says_so(key: str) -> None:
    app = open_page(PAGE, **{key: "internationally " * 20})
    assert f"`{key}` has 320 characters, and at most 200 are read" in warnings(app)[0]


def test_without_the_translator_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: str) -> None:
        raise DamagedWeightsError("not recorded", file="weights.safetensors")

    translator.clear()
    monkeypatch.setattr("viz.shared.shipped.load_translator", refuse)
    (warning,) = warnings(open_page(PAGE))
    assert "restore it" in warning


def test_the_sum_is_told_by_its_numbers() -> None:
    scaled, unscaled = markdown(open_page(PAGE)), markdown(open_page(PAGE, sum_scale="false"))
    assert "the embedding outweighs the encoding" in scaled
    assert "the encoding outweighs the embedding" in unscaled


@pytest.mark.parametrize(
    ("way", "given", "after"),
    [
        ("reverse", {}, "football play to love I"),
        ("swap", {"order_first": "1", "order_second": "5"}, "football love to play I"),
        ("own", {"order_own": "2 1 3 5 4"}, "love I to football play"),
        ("own", {}, "love to play football I"),
    ],
)
def test_the_words_are_put_in_the_order_of_the_link(way: str, given: dict[str, str], after: str) -> None:
    app = open_page(PAGE, order_by=way, **given)
    assert app.text[0].value == f"I love to play football  →  {after}"
    assert warnings(app) == []


def test_a_shuffle_is_one_of_its_seed() -> None:
    orders = {seed: open_page(PAGE, order_by="shuffle", order_seed=seed).text[0].value for seed in "123"}
    assert len(set(orders.values())) > 1
    assert open_page(PAGE, order_by="shuffle", order_seed="2").text[0].value == orders["2"]


def test_the_order_is_told_by_its_numbers(opened: AppTest) -> None:
    assert "With the encoding, order matters" in markdown(opened)
    assert "Without it, the encoder cannot tell" in markdown(opened)
    same = open_page(PAGE, order_by="swap", order_first="2", order_second="2")
    assert "this order changes nothing" in markdown(same)
    assert any("Nothing has moved" in caption.value for caption in same.caption)


def test_one_head_is_shown_in_both_orders_and_without_the_encoding() -> None:
    app = open_page(PAGE, order_layer="2", order_head="3", order_encoding="without")
    before, after = (charts(app)[f"order-map-{name}"] for name in ("original", "permuted"))
    assert "As typed, layer 2, head 3, positional encoding: Without" in before.alt
    assert "play, to, love, I, ⟨end⟩" in after.alt


def test_a_link_is_judged_by_the_controls_it_opens() -> None:
    assert warnings(open_page(PAGE, order_seed="nan")) == []
    (warning,) = warnings(open_page(PAGE, order_seed="nan", order_by="shuffle"))
    assert "`nan` as order_seed. It takes: 0 – 9,999" in warning


def test_a_link_with_an_impossible_sentence_opens_on_the_example(opened: AppTest) -> None:
    app = open_page(PAGE, order_text=" ")
    assert warnings(app) == ["There is no word in this sentence: type one. Below is an example."]
    assert [chart.alt for chart in charts(app).values()] == [chart.alt for chart in charts(opened).values()]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"order_by": "swap", "order_second": "9"}, "There is no word 9: this sentence has 5"),
        ({"order_by": "own", "order_own": "1 2 3"}, "such as 2 3 4 5 1"),
        ({"order_by": "own", "order_own": ATTACK}, "such as 2 3 4 5 1"),
    ],
)
def test_an_impossible_order_gets_one_sentence(given: dict[str, str], problem: str) -> None:
    app = open_page(PAGE, **given)
    (warning,) = warnings(app)
    assert problem in warning
    assert app.text[0].value.endswith("football play to love I")


@pytest.mark.parametrize("text", ["😀", "مرحبا", "a\u202eb", "$x^2$ *a* `b`", "<b>bold</b> & more", "a"])
def test_an_unusual_sentence_is_shown(text: str) -> None:
    app = open_page(PAGE, order_text=text)
    assert warnings(app) == []
    assert all("<b>" not in chart.spec for chart in charts(app).values())
    assert "\u202e" not in app.text[0].value
