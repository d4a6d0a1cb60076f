"""Word alignment, run by Streamlit without a browser."""

import json
import re
from urllib.parse import parse_qsl

import pytest

from tests.app.running import charts, markdown, open_in_app, run, written


def test_it_opens_on_all_heads_and_on_a_pair_that_people_linked() -> None:
    app = open_in_app("word_alignment")
    assert not app.warning
    assert charts(app)["alignment"].alt.startswith("A grid of 24 heads of cross-attention")
    assert "“Maria trägt gern Blumen im Haar .”" in charts(app)["pair-map"].alt
    assert "linked by hand" in markdown(app)
    assert "Kobayashi et al." in written(app)


def test_a_pair_a_head_and_a_step_can_be_chosen_the_other_way_too() -> None:
    link = {"of": "translation-de-en", "weighing": "norms", "aligned-part": "caption"}
    app = open_in_app("word_alignment", **link, **{"align-head": "3.3", "at": "output"})
    assert not app.warning
    before = charts(app)["pair-map"].spec
    pair = app.selectbox(key="pair")
    pair.set_value(next(option for option in pair.options if option.startswith("caption-41"))[:10])
    run(app)
    assert "a picnic under a big tree" in charts(app)["pair-map"].alt
    assert charts(app)["pair-map"].spec != before


def test_where_links_do_not_ship_there_is_no_pair_to_look_at() -> None:
    app = open_in_app("word_alignment", of="translation-en-fr")
    assert {*charts(app)} == {"alignment"}
    assert "Hansards" in markdown(app)


@pytest.mark.parametrize("name", ["translation-en-de", "translation-ja-en"])
def test_a_sentence_of_ones_own_is_one_link_away_at_the_head_that_links_words_best(name: str) -> None:
    app = open_in_app("word_alignment", of=name)
    (link,) = app.get("page_link")
    query = dict(parse_qsl(link.proto.query_string))
    assert query["kind"] == "cross"
    assert f"Cross {query['heads']}" in link.proto.label
    assert f"writes** a word is Cross {query['heads']}" in markdown(app)
    assert query["translator"] == name


def test_a_head_has_the_name_that_it_has_everywhere() -> None:
    rows = json.loads(charts(open_in_app("word_alignment"))["alignment"].spec)["layout"]["yaxis"]["ticktext"]
    assert all(re.fullmatch(r"Cross \d (writes|reads)", row) for row in rows)
