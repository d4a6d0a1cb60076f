"""Translate, run by Streamlit without a browser."""

import re

import pytest

from model.checkpoint import DamagedWeightsError
from tests.app.running import EXAMPLES, run
from tests.app.translate.shown import explorer, open_app, translation
from tests.fixtures.each_translator import each_translator
from viz.base.link_parameters import query_of, read_link
from viz.components.attention_explorer import PARAMETERS
from viz.pages.translate import sentences
from viz.shared.sentence import MAX_CHARACTERS
from viz.shared.shipped import translator, translator_info
from viz.shared.translation import DecodingChoice
from viz.shared.translators import label

ATTACK = "</script><script>alert(1)</script>"
IMPOSSIBLE = ["", "   ", "\x00\x07\x1b"]
TOO_LONG_AT_ONCE = ["I am " * 190, "a" * 500 + "b" * 300]
UNUSUAL = ["😀🎉", "Я and football", ATTACK, "<b>bold</b> & more", "line\none\ttwo\x07", "$x^2$ *a* `b`"]


def test_it_opens_on_a_translated_example() -> None:
    app = open_app()
    assert app.text_area(key="text").value == EXAMPLES[0]
    assert "line-token" in translation(app)
    assert [kind["name"] for kind in explorer(app)["recordings"][0]] == ["encoder", "decoder", "cross"]
    assert explorer(app)["view"]["kind"] == "cross"
    assert not app.warning
    assert not any(name in app.query_params for name in PARAMETERS)


@each_translator()
def test_every_translator_opens_on_a_sentence_of_its_own(name: str) -> None:
    model = translator_info(name)
    app = open_app(translator=label(model))
    assert app.text_area(key="text").value == model.examples[0]
    assert explorer(app)["recordings"][0]
    assert not app.warning
    assert not any("care" in entry.value for entry in app.caption)


@pytest.mark.parametrize("text", IMPOSSIBLE)
def test_an_impossible_text_gets_one_sentence_and_the_last_result_stays(text: str) -> None:
    app = open_app()
    app.text_area(key="text").set_value(EXAMPLES[2])
    good = translation(run(app))
    app.text_area(key="text").set_value(text)
    run(app)
    assert len(app.warning) == 1
    assert "Below is still your last translation" in app.warning[0].value
    assert translation(app) == good
    assert explorer(app)["recordings"][0]


@pytest.mark.parametrize("text", TOO_LONG_AT_ONCE)
def test_a_sentence_that_is_too_long_at_once_is_translated_in_parts(text: str) -> None:
    app = open_app(text=text)
    assert not app.warning
    parts = [option.split("\N{NO-BREAK SPACE}", 1)[1] for option in app.selectbox(key="sentence-number").options]
    assert "".join(parts).replace(" ", "") == text.replace(" ", "")
    assert explorer(app)["recordings"][0]


def test_a_bad_link_opens_on_an_example() -> None:
    app = open_app(text="\x07" * 100)
    assert len(app.warning) == 1
    assert "Below is an example" in app.warning[0].value
    assert explorer(app)["recordings"][0]


def test_a_link_with_too_many_characters_is_cut_and_says_so() -> None:
    app = open_app(text="internationally " * 625)
    assert [warning.value for warning in app.warning] == [
        "This text has 10,000 characters, and at most 1,000 are read: the rest is left out."
    ]
    assert len(app.text_area(key="text").value) == MAX_CHARACTERS


def test_the_last_good_text_follows_the_search() -> None:
    app = open_app(text=EXAMPLES[2], search="greedy")
    greedy = translation(app)
    app.button_group(key="search").set_value("beam")
    beam = translation(run(app))
    app.text_area(key="text").set_value("")
    assert translation(run(app)) == beam
    app.button_group(key="search").set_value("greedy")
    assert translation(run(app)) == greedy


def test_a_link_can_say_what_the_translation_begins_with() -> None:
    tokenizer = translator("translation-en-de").tokenizer
    begin = tokenizer.encode("Ein Tier")
    app = open_app(text=EXAMPLES[3], begin=".".join(map(str, begin)))
    assert not app.warning
    assert any("“Ein Tier”" in html.proto.body for html in app.get("html"))
    assert re.findall(r'aria-label="(Ein|Tier), probability', translation(app))[:2] == ["Ein", "Tier"]
    assert app.query_params["begin"] == ".".join(map(str, begin))


@pytest.mark.parametrize(
    "begin", ["abc", "1.2.", "٣", "-4", "3", "0.9", "99999999", "7." * 999 + "7", "7." * 300 + "7"]
)
def test_a_beginning_that_cannot_be_is_said_in_one_sentence_and_left_out(begin: str) -> None:
    plain = translation(open_app(text=EXAMPLES[3]))
    app = open_app(text=EXAMPLES[3], begin=begin)
    assert len(app.warning) == 1
    assert "Below is the translation without it." in app.warning[0].value
    assert translation(app) == plain


def test_a_sample_is_drawn_by_its_numbers_and_again() -> None:
    url = {"search": "sample", "temperature": "1.5", "top-k": "40", "top-p": "0.9", "seed": "5"}
    app = open_app(text=EXAMPLES[0], **url)
    assert not app.warning
    first = translation(app)
    assert translation(open_app(text=EXAMPLES[0], **url)) == first
    app.button(key=next(one.key for one in app.button if one.label == "Draw again")).click()
    assert translation(run(app)) != first
    assert app.number_input(key="seed").value == 6
    assert {name: app.query_params[name] for name in url} == url | {"seed": "6"}


def test_a_number_that_no_sample_is_drawn_by_is_named() -> None:
    app = open_app(search="sample", temperature="0", seed="many")
    assert [warning.value for warning in app.warning] == [
        "The link asks for `0` as temperature. It takes: 0.1 – 2. The default is shown instead.",
        "The link asks for `many` as seed. It takes: 0 – 1,000,000. The default is shown instead.",
    ]
    assert "line-token" in translation(app)


def test_a_link_to_another_page_tells_how_a_sample_was_drawn() -> None:
    for choice in (DecodingChoice("sample", 1.2, 7, 0.5, 1_000_000), DecodingChoice("greedy")):
        assert read_link(DecodingChoice, query_of(choice)) == (choice, [])
    broken = {"decoding": "sample", "decoding-top-p": "7", "decoding-seed": "-1"}
    assert read_link(DecodingChoice, broken)[0] == DecodingChoice("sample")
    assert read_link(DecodingChoice, {"decoding": "guess"})[0] == DecodingChoice("beam")


def test_several_sentences_are_all_translated_and_one_is_looked_at() -> None:
    text = " ".join((EXAMPLES[3], EXAMPLES[4]))
    app = open_app(text=text)
    dog, cat = (translation(open_app(text=example)) for example in EXAMPLES[3:5])
    assert translation(app) == dog
    (whole,) = [html.proto.body for html in app.get("html") if '<p class="whole"' in html.proto.body]
    both = [translator("translation-en-de").translate(example).text for example in EXAMPLES[3:5]]
    assert re.sub("<[^>]+>", "", whole).endswith(" ".join(both))
    app.selectbox(key="sentence-number").set_value(1)
    assert translation(run(app)) == cat
    assert app.query_params["number"] == "2"
    begun = open_app(
        text=text, number="2", begin=".".join(map(str, translator("translation-en-de").tokenizer.encode("Ein Tier")))
    )
    (whole,) = [html.proto.body for html in begun.get("html") if '<p class="whole"' in html.proto.body]
    assert "<b>Ein Tier" in whole
    assert translation(open_app(text=text, number="2")) == cat
    assert translation(open_app(text=text, number="3")) == dog
    app.text_area(key="text").set_value(EXAMPLES[3])
    assert translation(run(app)) == dog
    assert "number" not in app.query_params


def test_many_sentences_are_translated_and_one_that_is_too_long_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "PATIENCE_SECONDS", 60.0)
    app = open_app(text="I am. " * 100 + "a" * 300)
    (whole,) = [html.proto.body for html in app.get("html") if '<p class="whole"' in html.proto.body]
    # The last sentence goes on with the letters, is too long with them, and is cut between its words: what comes of
    # these two parts is anybody's guess.
    assert whole.count("Ich") >= 99
    assert "…" not in whole
    assert len(app.selectbox(key="sentence-number").options) == 101
    assert "[…]" not in whole
    assert not app.warning


def test_a_translation_in_bytes_is_also_written_in_characters() -> None:
    def wholes(text: str) -> list[str]:
        return [html.proto.body for html in open_app(text=text).get("html") if '<p class="whole"' in html.proto.body]

    (whole,) = wholes("I love you 😍")
    assert "liebe" in whole
    assert "😍" in whole
    assert "<b>" not in whole
    assert not wholes("I love you.")


@pytest.mark.parametrize("text", UNUSUAL)
def test_an_unusual_text_is_translated(text: str) -> None:
    app = open_app(text=text)
    assert not app.warning
    assert "<script" not in translation(app)


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("나는 학교에 간다.", "Korean"),
        ("مرحبا بالعالم", "Arabic script"),
        ("Я читаю книгу.", "Cyrillic script"),
        ("你喜欢猫吗?", "Chinese"),
        ("ႁၢႆး", "this script"),
    ],
)
def test_a_text_that_no_model_reads_is_not_translated_and_the_last_result_stays(text: str, script: str) -> None:
    app = open_app(text=EXAMPLES[2])
    good = translation(app)
    app.text_area(key="text").set_value(text)
    (warning,) = run(app).warning
    assert warning.value == (
        f"No model here reads {script}: type a sentence in English, French, German or Japanese. "
        "Below is still your last translation."
    )
    assert translation(app) == good
    assert app.text_area(key="text").value == text
    app.text_area(key="text").set_value(EXAMPLES[2])
    app.text_input(key="other").set_value(text)
    (warning,) = run(app).warning
    assert warning.value.startswith(f"The second sentence is left out. No model here reads {script}")


def test_a_row_of_one_letter_ends() -> None:
    app = open_app()
    app.text_area(key="text").set_value("a" * 500)
    run(app)
    assert "line-token" in translation(app)


def test_an_example_is_one_click_away() -> None:
    app = open_app()
    before = translation(app)
    app.button(key="example-3").click()
    run(app)
    assert app.text_area(key="text").value == EXAMPLES[3]
    assert translation(app) != before


def test_damaged_weights_end_the_page_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: str) -> None:
        raise DamagedWeightsError("not recorded", file="weights.safetensors")

    translator.clear()
    monkeypatch.setattr("pretrained.load_translator", refuse)
    monkeypatch.setattr("viz.shared.shipped.load_translator", refuse)
    app = open_app()
    assert "restore it" in app.warning[0].value
    assert not app.get("bidi_component")
