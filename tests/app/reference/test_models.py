"""Models, run by Streamlit without a browser."""

import pytest

from pretrained import read_card, shipped
from pretrained.translators import shipped_in
from tests.app.running import open_page, written


def test_every_shipped_model_stands_in_the_table() -> None:
    app = open_page("models")
    assert not app.warning
    for name in shipped():
        assert f'<code translate="no">{name}</code>' in written(app)
        assert f"{read_card(name).metrics['dev']['sacrebleu']:.2f}" in written(app)


def test_one_model_at_a_time_is_shown_with_all_that_was_recorded_of_it() -> None:
    app = open_page("models", **{"shown-model": "translation-ja-en"})
    assert "Japanese to English" in written(app)
    card = read_card("translation-ja-en")
    assert card.metrics["sha256"]["config.json"] in written(app)
    assert read_card("translation-en-de").metrics["sha256"]["config.json"] not in written(app)
    (warning,) = open_page("models", **{"shown-model": "translation-en-xx"}).warning
    assert "`translation-en-xx`" in warning.value


def test_who_made_the_models_comes_first_and_commits_are_folded_away() -> None:
    app = open_page("models")
    texts = [entry.value for entry in app.markdown]
    words = ("trained these models itself", "sacreBLEU", "Apache")
    places = [next(at for at, text in enumerate(texts) if word in text) for word in words]
    assert places == sorted(places)
    assert places[0] == 0
    (folded,) = (one for one in app.expander if "SHA-256" in one.label)
    assert written(app).count("-dirty") == written(folded).count("-dirty") > 0


def test_licence_and_citation_can_be_saved() -> None:
    offered = [button.proto.label for button in open_page("models").get("download_button")]
    assert {"Save LICENSE", "Save CITATION.cff"} <= {*offered}


def test_a_model_that_goes_while_it_is_listed_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pretrained.translators.shipped_in", lambda folder: ("gone", *shipped_in(folder)))
    app = open_page("models")
    assert not app.exception
    assert "gone" not in written(app)
