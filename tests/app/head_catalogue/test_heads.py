"""The catalogue of heads, run by Streamlit without a browser."""

from urllib.parse import parse_qs

import pytest

from tests.app.running import charts, open_in_app, warnings, written
from viz.base.languages import LANGUAGES
from viz.pages.head_catalogue.study.roles import MEASURES


def test_it_opens_on_the_head_that_does_most_with_its_sentences() -> None:
    app = open_in_app("heads")
    assert not app.exception
    alt = charts(app)["heads"].alt
    assert "Weight on the previous token" in alt
    written = " ".join(entry.value for entry in app.markdown)
    assert "of 72 heads are positional" in written
    assert "**Most, in these sentences**" in written


@pytest.mark.parametrize("reading", [*LANGUAGES])
def test_its_sentences_lead_to_the_translator_of_the_head_in_every_language(reading: str) -> None:
    name = "translation-de-en"
    app = open_in_app("heads", of=name, language=reading)
    links = [parse_qs(link.proto.query_string) for link in app.get("page_link")]
    sentences = [link for link in links if "text" in link]
    assert sentences
    assert {*(link["translator"][0] for link in sentences)} == {name}


def test_a_head_can_be_chosen_and_a_measure_that_not_all_have() -> None:
    app = open_in_app("heads", **{"head-measure": "induction"})
    assert not app.exception
    head = next(box for box in app.selectbox if box.label == "Head")
    # Only the decoder repeats what it has written.
    assert all(option.startswith(("The highest", "Decoder")) for option in head.options)
    head.set_value(head.options[3]).run()
    assert not app.exception


def test_a_small_decoder_is_shown_beside_those_with_other_encodings() -> None:
    link = {"of": "zoo-copy_letters", "encoding": "rotary", "head-measure": "previous"}
    app = open_in_app("heads", **link)
    assert not app.warning
    assert charts(app)["heads"].alt.startswith("A grid of 16 heads")
    assert "The highest head with every encoding" in " ".join(entry.value for entry in app.subheader)
    assert "▸ Rotary" in written(app)
    assert {name: app.query_params[name] for name in ("of", "encoding")} == {
        name: link[name] for name in ("of", "encoding")
    }
    (warning,) = warnings(open_in_app("heads", **link | {"encoding": "None such"}))
    assert "None such" in warning


@pytest.mark.parametrize("measure", MEASURES)
def test_a_small_decoder_is_asked_for_what_was_measured_of_it_alone(measure: str) -> None:
    app = open_in_app("heads", of="zoo-sort", encoding="rotary", **{"head-measure": measure})
    assert not app.exception
    assert [measure in text for text in warnings(app)] == [True] * (measure in ("last", "marks"))
