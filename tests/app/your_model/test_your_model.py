"""Your model, run by Streamlit without a browser."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.decoding.options import GREEDY
from pretrained import load_translator
from pretrained.huggingface.recorded import Prediction
from tests.app.running import markdown, open_page, run, warnings
from tests.fixtures.foreign_models import random_model, small_tokenizer
from viz.base.attention_files import kinds_as_npz
from viz.base.attention_maps import AttentionKind, TokenRow
from viz.base.markdown import plain
from viz.pages.your_model import allowed, state
from viz.pages.your_model.allowed import FOLDER_VARIABLE
from viz.pages.your_model.asking import loaded_models
from viz.pages.your_model.examples import example
from viz.pages.your_model.state import EXAMPLE, ModelPlace

MARKUP = "![](https://e.example)<script>"


def archive(scale: float = 1) -> bytes:
    maps = np.full((2, 3, 2, 2), scale / 2, np.float32)
    row = TokenRow(("<script>", MARKUP))
    return kinds_as_npz([AttentionKind("encoder", maps, row, row)])


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    random_model("BERT", head="ForMaskedLM").save_pretrained(tmp_path / "bert")
    small_tokenizer().save_pretrained(tmp_path / "bert")
    yield tmp_path
    loaded_models().end()


def is_shown(app: AppTest) -> bool:
    return bool(app.get("bidi_component"))


def test_it_opens_on_a_pronoun_that_looks_at_its_word_as_the_words_say() -> None:
    app = open_page("your_model")
    assert "most to" in markdown(app)
    assert "animal" in markdown(app)
    assert is_shown(app)
    assert not warnings(app)
    for kind in example():
        np.testing.assert_allclose(kind.weights.sum(axis=-1), 1, atol=1e-5)


@pytest.mark.parametrize(("button", "way"), [("begin-upload", "upload"), ("begin-here", "machine")])
def test_a_first_visit_leads_to_each_way_to_a_model(button: str, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    app = open_page("your_model")
    assert "(#own-notebook)" in markdown(app)
    app.button(key=button).click()
    run(app)
    assert (app.button_group(key="open").value, app.button_group(key="from").value) == ("folder", way)
    assert not [one for one in app.button if one.key == button]


def test_the_example_s_tokens_have_the_names_of_the_app() -> None:
    written = state.named_as_here(example())[-1].queries
    assert "⟨end⟩" in written.labels
    assert "," in written.labels
    assert not {"</s>", "·,", "·."} & {*written.labels, *written.word_labels}
    assert written.words == example()[-1].queries.words


def test_the_example_s_text_can_be_edited_and_its_heads_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    monkeypatch.setenv("SERVES_OTHERS", "yes")
    app = open_page("your_model")
    app.text_input(key="own-text").set_value("The cat sleeps.")
    run(app)
    assert not warnings(app)
    assert plain(load_translator(EXAMPLE.stem, "cpu").translate("The cat sleeps.", GREEDY).text) in markdown(app)
    assert recorded(app).whole.kinds[0].queries.labels[:2] == ("The", "cat")
    press(app, "Switch off the chosen heads")
    assert "**Without Cross 3.5**: " in markdown(app)
    assert app.query_params["own-off"] == "cross.3.5"
    app.text_input(key="own-text").set_value("cat " * 700)
    (warning,) = warnings(run(app))
    assert "701 tokens" in warning
    assert is_shown(app)
    loaded_models().end()


def test_the_example_is_what_its_model_does() -> None:
    app = open_page("your_model", **{"own-off": "cross.3.5"})
    run(app)
    for kind, found in zip(example(), recorded(app).whole.kinds, strict=True):
        assert kind.queries.labels == found.queries.labels
        np.testing.assert_allclose(kind.weights, found.weights, atol=1e-5)
    loaded_models().end()


def test_a_file_takes_the_place_of_the_example() -> None:
    app = open_page("your_model", open="file")
    assert "the word that it stands for" in markdown(app)
    app.file_uploader(key="own-file").upload(f"{MARKUP}.npz", archive())
    run(app)
    assert "every head is on the left" in markdown(app)
    assert "![](" not in markdown(app)
    assert not warnings(app)
    assert is_shown(app)


@pytest.mark.parametrize(("content", "said"), [(b"PK", "no NPZ archive"), (archive(0.5), "12 of 12 rows")])
def test_what_is_wrong_with_a_file_is_one_sentence_and_a_picture_stays(content: bytes, said: str) -> None:
    app = open_page("your_model", open="file")
    app.file_uploader(key="own-file").upload("maps.npz", content)
    (warning,) = warnings(run(app))
    assert said in warning
    assert is_shown(app)


def press(app: AppTest, label: str) -> AppTest:
    (button,) = [one for one in app.button if one.label == label]
    button.click()
    return run(app)


def recorded(app: AppTest) -> state.Recordings:
    return app.session_state["viz.pages.your_model.state.Recordings"]


@pytest.mark.usefixtures("models")
def test_a_model_in_the_folder_reads_a_text_also_without_some_of_its_heads() -> None:
    app = open_page("your_model", open="folder", **{"own-text": "the [MASK] sat", "own-second": "on", "heads": "1.2"})
    press(app, "Read the text")
    assert not warnings(app)
    assert "**bert**" in markdown(app)
    assert "mask at token 3" in markdown(app)
    assert recorded(app).whole.kinds[0].queries.labels == (*("[CLS]", "the", "[MASK]", "sat", "[SEP]", "on", "[SEP]"),)
    assert recorded(app).changed is None
    press(app, "Switch off the chosen heads")
    assert "**Without 1.2**, mask at token 3" in markdown(app)
    assert app.query_params["own-off"] == "1.2"
    found = recorded(app)
    assert found.changed is not None
    whole, changed = (reading.kinds[0].weights for reading in (found.whole, found.changed))
    np.testing.assert_array_equal(whole[0], changed[0])
    assert not np.array_equal(whole[1], changed[1])
    app.multiselect(key="own-chosen").set_value([])
    run(app)
    assert recorded(app).changed is None
    assert "own-off" not in app.query_params


def test_two_checkpoints_are_shown_side_by_side_with_their_difference(models: Path) -> None:
    random_model("BERT", head="ForMaskedLM").save_pretrained(models / "later")
    small_tokenizer().save_pretrained(models / "later")
    link = {"own-text": "the [MASK] sat", "model": "bert", "own-beside": "later"}
    app = press(open_page("your_model", open="folder", **link), "Read the text")
    assert not warnings(app)
    assert "the same heads of both, and the difference" in markdown(app)
    assert "**later**, mask at token 3" in markdown(app)
    assert app.query_params["compare"] == "recordings"
    found = recorded(app)
    assert found.beside is not None
    assert not np.array_equal(found.whole.kinds[0].weights, found.beside.kinds[0].weights)
    app.selectbox(key="own-beside").set_value("")
    press(app, "Read the text")
    assert recorded(app).beside is None
    assert "compare" not in app.query_params


def test_a_name_on_the_hub_is_fetched_only_where_the_owner_allows_it(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(allowed.HUB_VARIABLE, raising=False)
    assert not [one for one in open_page("your_model", open="folder").button if one.key == "hub-fetch"]
    monkeypatch.setenv(allowed.HUB_VARIABLE, "http://127.0.0.1:9")
    app = open_page("your_model", open="folder", **{"from": "hub"})
    app.text_input(key="hub-name").set_value("lab/bert")
    (warning,) = warnings(press(app, "Fetch the model"))
    assert "there is no network here" in warning

    def fetched(root: Path, name: str, **_: object) -> str:
        shutil.copytree(models / "bert", root / "hub" / name)
        return f"hub/{name}"

    monkeypatch.setattr("viz.pages.your_model.from_hub.fetch", fetched)
    press(app, "Fetch the model")
    assert not warnings(app)
    assert app.selectbox(key="model").value == "hub/lab/bert"


@pytest.mark.usefixtures("models")
def test_what_a_model_says_is_never_markup() -> None:
    app = open_page("your_model", open="folder")
    prediction = Prediction(None, ((MARKUP, 0.5), ("\n# a", 0.25)))
    reading = state.ModelReading(example(), (prediction,), None, None)
    app.session_state["viz.pages.your_model.state.Recordings"] = state.Recordings(
        state.ModelInputs(ModelPlace(MARKUP, "", ""), MARKUP, "", "", ()), reading, None
    )
    shown = markdown(run(app))
    assert "next token" in shown
    assert "![](" not in shown
    assert "<script>" not in shown
    assert "\n# a" not in shown


@pytest.mark.usefixtures("models")
def test_heads_of_a_link_that_the_model_does_not_have_are_one_sentence() -> None:
    app = open_page("your_model", open="folder", **{"own-off": "9.1"})
    (warning,) = warnings(press(app, "Read the text"))
    assert "no head 1 in layer 9" in warning
    assert is_shown(app)


def test_a_model_that_cannot_be_used_gets_one_sentence(models: Path) -> None:
    (models / "bert" / "model.safetensors").rename(models / "bert" / "pytorch_model.bin")
    app = open_page("your_model", open="folder")
    (warning,) = warnings(press(app, "Read the text"))
    assert "pickled" in warning
    assert is_shown(app)


@pytest.mark.parametrize("value", ["", "nothing", "1e999", "nan"])
def test_a_size_that_is_no_number_counts_as_not_given(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    monkeypatch.setenv(allowed.GIGABYTES_VARIABLE, value)
    assert allowed.allowed().most_bytes == 2 * 10**9
