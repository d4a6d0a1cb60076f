"""Does attention explain, run by Streamlit without a browser."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.running import EXAMPLES, charts, markdown, open_page, run, warnings
from tests.fixtures.each_translator import each_translator


def words(app: AppTest) -> list[str]:
    (chart,) = charts(app).values()
    texts: list[str] = json.loads(chart.spec)["layout"]["xaxis"]["ticktext"]
    return texts


@each_translator()
def test_every_translator_is_asked(name: str) -> None:
    app = open_page("does_attention_explain", translator=name)
    assert not app.warning
    assert words(app)[-1] == "⟨end⟩"
    assert "Over all" in markdown(app)


def test_another_token_is_in_the_link_which_reopens_it() -> None:
    app = open_page("does_attention_explain", text=EXAMPLES[3])
    app.button_group(key="step-of-translation").set_value(2)
    (second,) = charts(run(app)).values()
    assert dict(app.query_params) == {"text": EXAMPLES[3], "step": "2"}
    (linked,) = charts(open_page("does_attention_explain", text=EXAMPLES[3], step="2")).values()
    assert linked.alt == second.alt


@pytest.mark.parametrize("link", [{"step": "99"}, {"text": "   "}, {"text": "a " * 200}])
def test_what_cannot_be_shown_gets_one_sentence(link: dict[str, str]) -> None:
    assert len(warnings(open_page("does_attention_explain", **link))) == 1
