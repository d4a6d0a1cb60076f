"""Inside it, run by Streamlit without a browser."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.app.running import charts, markdown, open_page, run, warnings, written
from tests.fixtures.foreign_models import random_model, small_tokenizer
from viz.pages.your_model.allowed import FOLDER_VARIABLE
from viz.pages.your_model.asking import loaded_models
from viz.pages.your_model.examples import example
from viz.pages.your_model.study.inside_example import scores_of

TEXT = "the cat sat on the cat"
SCORES = {"previous-scores", "induction-scores"}


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    for name, family, head in (("gpt2", "GPT-2", "LMHead"), ("bert", "BERT", "ForMaskedLM")):
        random_model(family, head=head).save_pretrained(tmp_path / name)
        small_tokenizer().save_pretrained(tmp_path / name)
    yield tmp_path
    loaded_models().end()


def test_it_opens_on_the_scores_of_the_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    monkeypatch.setenv("HF_HUB_CACHE", "none")
    app = open_page("inside_model")
    assert {*charts(app)} >= {"previous-scores"}
    assert not warnings(app)
    encoder, decoder, _ = example()
    scores = scores_of(example())
    assert scores.previous.shape[1:] == (len(encoder.weights) + len(decoder.weights), encoder.weights.shape[1])
    row, head = np.unravel_index(scores.previous[0].argmax(), scores.previous[0].shape)
    kind, layer = (encoder, row) if row < len(encoder.weights) else (decoder, row - len(encoder.weights))
    before = np.mean([kind.weights[layer, head, place, place - 1] for place in range(1, len(kind.queries))])
    assert f"head {kind.name.title()} {layer + 1}.{head + 1} looks most at the token before ({before:.2f})" in markdown(
        app
    )
    assert "Open a model of your own under" in written(app)


def test_the_example_s_text_is_edited_on_every_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    monkeypatch.setenv("SERVES_OTHERS", "yes")
    app = open_page("inside_model", **{"example-text": "The dog saw the dog."})
    assert {*charts(app)} == SCORES
    assert not warnings(app)
    app.segmented_control(key="inside").set_value("lens")
    run(app)
    assert {*charts(app)} == {"own-lens"}
    app.segmented_control(key="inside").set_value("attribution")
    run(app)
    assert {*charts(app)} == {"own-attribution"}
    assert re.search("the logit of .es. is .* above that of .er.", markdown(app))
    app.text_input(key="inside-text-beside").set_value("The dog was tired.")
    run(app)
    assert {*charts(app)} == {"own-attribution", "own-attribution-beside"}
    assert not warnings(app)
    loaded_models().end()


@pytest.mark.parametrize("shown", ["scores", "lens"])
def test_another_model_under_the_same_name_is_read_again(shown: str, models: Path) -> None:
    app = open_page("inside_model", **{"inside": shown, "inside-of": "gpt2", "inside-text": TEXT})
    before = drawn(app)
    assert drawn(run(app)) == before
    random_model("GPT-2", head="LMHead").save_pretrained(models / "gpt2")
    assert drawn(run(app)) != before
    assert not warnings(app)


def drawn(app: AppTest) -> dict[str, str]:
    return {key: chart.spec for key, chart in charts(app).items()}


@pytest.mark.usefixtures("models")
def test_a_second_model_and_a_pair_stand_beside_it() -> None:
    link = {"inside-of": "bert", "inside-text": TEXT, "inside-second": "the mat", "inside-beside": "gpt2"}
    app = open_page("inside_model", **link)
    assert not warnings(app)
    assert {*charts(app)} == {*SCORES, *(f"{key}-beside" for key in SCORES)}
    assert "**bert**" in markdown(app)
    assert "**gpt2**" in markdown(app)


@pytest.mark.usefixtures("models")
def test_an_encoder_decoder_of_one_s_own_is_read_inside(models: Path) -> None:
    random_model("T5").save_pretrained(models / "t5")
    small_tokenizer().save_pretrained(models / "t5")
    app = open_page("inside_model", **{"inside-of": "t5", "inside-text": TEXT, "inside-target": "the cat"})
    assert {*charts(app)} == SCORES
    for shown in ("lens", "attribution"):
        app.segmented_control(key="inside").set_value(shown)
        run(app)
        assert {*charts(app)} == {f"own-{shown}"}
    assert not warnings(app)


@pytest.mark.usefixtures("models")
def test_a_decoder_of_one_s_own_is_read_inside() -> None:
    link = {"inside-of": "gpt2", "inside-text": TEXT}
    app = open_page("inside_model", **link)
    assert {*charts(app)} == SCORES
    app.segmented_control(key="inside").set_value("lens")
    run(app)
    assert {*charts(app)} == {"own-lens"}
    assert "of 8 tokens it already leads" in markdown(app)
    app.segmented_control(key="inside").set_value("attribution")
    run(app)
    app.text_input(key="inside-answers").set_value("mat, tired")
    run(app)
    assert {*charts(app)} == {"own-attribution"}
    assert re.search("the logit of .mat. is .* above that of .tired.", markdown(app))
    app.text_input(key="inside-text").set_value("the mat")
    run(app)
    assert not warnings(app)


def test_one_token_has_no_scores_and_that_is_said(models: Path) -> None:
    # Like that of most decoders, it adds no tokens of its own.
    tokenizer = models / "gpt2" / "tokenizer.json"
    tokenizer.write_text(json.dumps({**json.loads(tokenizer.read_text()), "post_processor": None}))
    link = {"inside-of": "gpt2", "inside-text": "cat"}
    app = open_page("inside_model", **{"scored-on": "text"}, **link)
    (info,) = app.info
    assert "one token" in info.value
    assert "**gpt2**" in info.value
    assert not {*charts(app)} & SCORES
    assert "head  looks" not in markdown(app)
    app.segmented_control(key="scored-on").set_value("random")
    run(app)
    assert not app.info
    assert {*charts(app)} == SCORES
    beside = open_page(
        "inside_model", **{"scored-on": "text", **link, "inside-text": TEXT, "inside-text-beside": "cat"}
    )
    assert len(beside.info) == 1
    assert {*charts(beside)} == SCORES


@pytest.mark.usefixtures("models")
def test_a_model_that_is_no_decoder_is_one_sentence_and_has_scores() -> None:
    app = open_page("inside_model", inside="lens", **{"inside-of": "bert", "inside-text": TEXT})
    (sentence,) = warnings(app)
    assert "The final norm and the unembedding of BertForMaskedLM are not known" in sentence
    app.segmented_control(key="inside").set_value("scores")
    run(app)
    assert {*charts(app)} == SCORES
    assert not warnings(app)
