"""The choice of a translator on the page Translate, with a second one that has the weights of the first."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pretrained import loader
from pretrained.loader import METRICS
from tests.app.running import open_script, run, written
from viz.pages.translation_state import How, translator
from viz.pages.translators import EXAMPLES, KEY, MODEL, examples, offered

CAPTIONS = "translation-en-de-captions"
LABELS = ["English to German", "English to German, photo captions"]
APP = Path(__file__).parents[2] / "app.py"


@pytest.fixture(autouse=True)
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with two translators, the second one of captions alone."""
    for name in (MODEL, CAPTIONS):
        shutil.copytree(loader.FOLDER / MODEL, tmp_path / name)
    metrics = json.loads((tmp_path / CAPTIONS / METRICS).read_text(encoding="utf-8"))
    metrics["training"] |= {"corpus": "multi30k-eng-deu", "more_corpora": []}
    (tmp_path / CAPTIONS / METRICS).write_text(json.dumps(metrics), encoding="utf-8")
    monkeypatch.setattr(loader, "FOLDER", tmp_path)
    translator.clear()
    yield tmp_path
    translator.clear()


def test_every_translator_can_be_chosen_and_brings_its_examples() -> None:
    app = open_script(APP)
    choice = app.selectbox(key=KEY)
    assert list(choice.options) == LABELS
    assert choice.value == MODEL
    app.selectbox(key=KEY).set_value(CAPTIONS)
    app = run(app)
    assert [button.label for button in app.button if button.key.startswith("example")] == list(
        examples("English", "captions")
    )
    assert app.text_input(key="text").value == EXAMPLES[0]


def test_a_link_names_the_translator() -> None:
    app = open_script(APP, **{KEY: LABELS[1]})
    assert app.selectbox(key=KEY).value == CAPTIONS
    assert app.text_input(key="text").value == examples("English", "captions")[0]
    assert not app.warning


def test_a_translator_that_does_not_ship_is_named_and_the_first_one_translates() -> None:
    app = open_script(APP, **{KEY: "Latin to Klingon"})
    (warning,) = app.warning
    assert warning.value.startswith("This link's translator is `Latin to Klingon`, and English to German, ")
    assert app.selectbox(key=KEY).value == MODEL
    assert "line-token" in written(app)


def test_what_a_translation_began_with_is_left_with_its_translator() -> None:
    begin = ".".join(map(str, translator(MODEL).tokenizer.encode("Ein Tier")))
    app = open_script(APP, text=EXAMPLES[3], begin=begin)
    assert "Ein Tier" in written(app)
    app.selectbox(key=KEY).set_value(CAPTIONS)
    app = run(app)
    assert "Ein Tier" not in written(app)
    assert "begin" not in app.query_params


def test_a_translator_without_its_card_is_not_offered(two: Path) -> None:
    (two / CAPTIONS / METRICS).unlink()
    assert tuple(offered()) == (MODEL,)
    app = open_script(APP)
    assert not any(choice.key == KEY for choice in app.selectbox)
    assert "line-token" in written(app)


def test_a_translator_without_its_weights_says_so_and_the_other_can_be_chosen(two: Path) -> None:
    (two / CAPTIONS / "weights.safetensors").unlink()
    app = open_script(APP, **{KEY: LABELS[1]})
    (warning,) = app.warning
    assert warning.value.startswith("The translator cannot be used: there is no weights file")
    app.selectbox(key=KEY).set_value(MODEL)
    app = run(app)
    assert not app.warning
    assert "line-token" in written(app)


def test_a_link_to_another_page_names_the_translator() -> None:
    assert How.from_link(How("greedy", model=CAPTIONS).as_link()) == How("greedy", model=CAPTIONS)
    assert How.from_link(How("sample", model=CAPTIONS).as_link()) == How("sample", model=CAPTIONS)
    assert How.from_link({"by-model": "../secret"}) == How()
