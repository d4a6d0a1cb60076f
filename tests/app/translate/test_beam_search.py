"""Beam search, run by Streamlit without a browser."""

import re
from dataclasses import replace

from streamlit.testing.v1 import AppTest

from pretrained import load_translator
from tests.app.running import EXAMPLES, ROOT, charts, open_page, open_script, run, written
from viz.base.numbers import signed
from viz.shared.translation import DecodingChoice

OTHER = "Die Katze jagt den Hund."


def tree(app: AppTest) -> bool:
    return any(element.key == "beam-tree" for element in app.get("bidi_component"))


def scores(app: AppTest) -> list[str]:
    table = next(html.proto.body for html in app.get("html") if "hypotheses" in html.proto.body)
    return re.findall(r"<td>(−[\d.]+)</td>", table)


def test_it_opens_on_the_tree_of_an_example_and_on_its_runner_up() -> None:
    app = open_page("beam_search")
    assert not app.warning
    assert tree(app)
    assert all(chart.alt for chart in charts(app).values())
    assert len(charts(app)) == 2


def test_another_translation_is_weighed() -> None:
    app = open_page("beam_search", text=EXAMPLES[3], instead=OTHER)
    assert any("times** as probable as “Die Katze jagt den Hund\\.”" in entry.value for entry in app.markdown)
    loaded = load_translator("translation-en-de")
    own = loaded.translate(EXAMPLES[3], DecodingChoice().options(loaded.options)).text
    app.text_input(key="instead").set_value(own)
    assert [warning.value.replace("\\", "") for warning in run(app).warning] == [
        "This is the translation itself: change a word of it."
    ]


def test_greedy_search_has_a_tree_and_no_runner_up() -> None:
    app = open_page("beam_search", text=EXAMPLES[3], search="greedy")
    assert not app.warning
    assert tree(app)
    assert not charts(app)


def test_the_score_of_greedy_decoding_can_be_compared_with_that_of_beam_search() -> None:
    best, (greedy,) = (scores(open_page("beam_search", text=EXAMPLES[3], search=name)) for name in ("beam", "greedy"))
    loaded = load_translator("translation-en-de")
    (hypothesis,) = loaded.translate(EXAMPLES[3], replace(loaded.options, beam_size=1, n_best=1)).hypotheses
    assert len(best) > 1
    assert greedy == signed(hypothesis.score, 3)


def test_a_table_of_fewer_hypotheses_than_ended_says_that_they_are_the_best() -> None:
    app = open_page("beam_search", text=EXAMPLES[3])
    table = next(html.proto.body for html in app.get("html") if "hypotheses" in html.proto.body)
    ((n_finished,), n_shown) = re.findall(r"The best of (\d+) finished", table), table.count("<td>−")
    assert int(n_finished) > n_shown


def test_why_another_is_told_by_the_score_that_the_beam_ranks_by() -> None:
    """Compared by plain sums alone, the section contradicted the tree above it."""
    app = open_page("beam_search", text=EXAMPLES[3])
    first, second, *_ = scores(app)
    (ranked,) = [entry.value for entry in app.markdown if entry.value.startswith("**How the beam ranks them.**")]
    assert f"score {first}" in " ".join(ranked.split())
    assert f"and {second}. So it ranks this one higher." in " ".join(ranked.split())
    assert "6)^{0.6}$" in ranked


def test_a_link_of_the_past_to_a_part_that_moved_leads_to_it() -> None:
    for old in ({"search-tree": "true"}, {"why": "true"}, {"instead": OTHER}):
        app = open_script(ROOT / "app.py", text=EXAMPLES[3], search="greedy", **old)
        assert tree(app), old
        assert app.text_area(key="text").value == EXAMPLES[3]
        assert app.button_group(key="search").value == "greedy"
    assert "instead" in app.query_params
    assert OTHER.replace(".", "\\.") in written(app)
