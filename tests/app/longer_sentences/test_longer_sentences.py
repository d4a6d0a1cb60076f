"""Longer sentences, run by Streamlit without a browser."""

from pathlib import Path

import pandas as pd
import pytest

from model.decoding.translator import Translator
from model.positional import registered
from pretrained import longer_sentences
from pretrained.longer_sentences import HELPED, SHIPPED, longer_results
from tests.app.running import charts, open_page, run, warnings, written
from viz.base.words import page_text
from viz.pages.longer_sentences.study.by_length import KINDS, MEASURES

TEXT = page_text("pages/longer_sentences/longer_sentences")
N_WORDS = len(TEXT["opening caption"].split())


def test_it_opens_on_a_line_for_each_encoding_and_a_map_for_each_model() -> None:
    app = open_page("longer_sentences")
    assert not app.warning
    shown = charts(app)
    assert "training ended at 12 words" in shown["longer"].alt
    assert "range of 2 seeds" in written(app)
    assert "joined by one recipe" in written(app)
    assert all(f"of the {N_WORDS} source words" in shown[f"longer-{variant}"].alt for variant in SHIPPED)


def test_what_is_published_has_a_name_on_the_page() -> None:
    assert set(longer_results().variant) <= {*registered(), *HELPED}


def test_a_further_encoding_needs_no_word_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    results = longer_results()
    further = results[results.variant == "rotary"].assign(variant="kerple")
    monkeypatch.setattr(longer_sentences, "RESULTS", tmp_path / "results.parquet")
    pd.concat([results, further]).to_parquet(longer_sentences.RESULTS)
    app = open_page("longer_sentences")
    assert not app.exception
    assert "KERPLE" in charts(app)["longer"].alt


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_of_every_kind_is_drawn(kind: str, measure: str) -> None:
    name = TEXT[f"measure {measure}"]
    app = open_page("longer_sentences", captions=kind, **{"longer-measure": measure})
    assert not app.warning
    assert charts(app)["longer"].alt.startswith(f"{name} of each encoding")


def test_no_text_and_too_much_get_one_sentence() -> None:
    (warning,) = warnings(open_page("longer_sentences", **{"longer-sentence": " "}))
    assert warning.startswith("There is nothing to translate: type a sentence.")
    (warning,) = warnings(open_page("longer_sentences", **{"longer-sentence": "\u019b" * 300}))
    assert "at most 256" in warning


@pytest.mark.parametrize("page", ["longer_sentences", "ablated_models"])
def test_what_a_model_writes_is_no_markup(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Translator, "text_of", lambda *_: "[a](https://e.example) **b**")
    shown = written(open_page(page, **{"longer-sentence": "A new cat."}, caption="A new cat."))
    assert r"e\.example" in shown
    assert "](https://e.example" not in shown
    assert "**b**" not in shown


def test_without_results_the_models_are_still_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(longer_sentences, "RESULTS", tmp_path / "results.parquet")
    longer_sentences.RESULTS.write_bytes(b"no parquet")
    app = open_page("longer_sentences")
    assert len(warnings(app)) == 1
    assert f"of the {N_WORDS} source words" in written(app)


@pytest.mark.parametrize(
    ("text", "begin"),
    [
        (" ", "There is nothing to translate"),
        ("\u019b" * 300, "This text"),
        ("猫が好きです。", "This model reads English"),
    ],
    ids=["none", "long", "script"],
)
@pytest.mark.parametrize(("page", "key"), [("longer_sentences", "longer-sentence"), ("ablated_models", "caption")])
def test_a_text_that_cannot_be_read_gets_one_sentence_and_the_last_one_stays(
    page: str, key: str, text: str, begin: str
) -> None:
    app = open_page(page, **{key: "Two dogs are running."})
    before = {name: chart.spec for name, chart in charts(app).items()}
    app.session_state[key] = text
    (warning,) = warnings(run(app))
    assert warning.startswith(begin)
    assert warning.endswith("Below is still the sentence before.")
    assert {name: chart.spec for name, chart in charts(app).items()} == before
