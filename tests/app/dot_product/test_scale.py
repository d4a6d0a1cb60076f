"""Why divide by √d_k, run by Streamlit without a browser."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.dot_product.test_dot_product import matrix, type_in
from tests.app.running import ROOT, charts, open_page, open_script, page_file, run, written
from viz.shell.navigation import PART

PAGE = "scale"


def test_every_chart_says_what_it_shows() -> None:
    shown = charts(open_page(PAGE))
    assert set(shown) == {"study-variance", "study-entropy", "study-gradient"}
    assert all(chart.alt for chart in shown.values())


def test_a_link_reopens_the_study_and_odd_values_fall_back() -> None:
    app = open_page(PAGE, samples="200", keys="4", **{"scale-seed": "7"}, hidden="8", **{"additive-seed": "3"})
    assert (app.select_slider(key="samples").value, app.select_slider(key="keys").value) == (200, 4)
    assert (app.number_input(key="scale-seed").value, app.number_input(key="additive-seed").value) == (7, 3)
    assert "means of 200 random queries with 4 keys" in written(app)
    odd = open_page(PAGE, samples="nan", keys="3", **{"scale-seed": "-4"}, hidden="x", **{"additive-seed": "1e400"})
    assert "means of 1,000 random queries with 16 keys" in written(odd)


def test_additive_attention_compares_the_matrices_of_the_link() -> None:
    opening, linked = open_page(PAGE), open_page(PAGE, X="1 0 1 0; 0 1 0 1")
    assert len(matrix(opening, "dot-product pattern")) == 3
    assert matrix(linked, "dot-product pattern") == [["0.500", "0.500"], ["0.500", "0.500"]]
    assert len(matrix(linked, "additive pattern")) == 2


@pytest.mark.parametrize("link", [{"X": "1 x"}, {"X": "1 2 3"}])
def test_matrices_that_cannot_be_used_leave_the_opening_ones(link: dict[str, str]) -> None:
    assert matrix(open_page(PAGE, **link), "additive scores") == matrix(open_page(PAGE), "additive scores")


def in_app() -> AppTest:
    app = open_script(ROOT / "app.py")
    app.switch_page(str(page_file("dot_product").relative_to(ROOT)))
    return run(app)


def test_additive_attention_compares_what_was_typed_in_the_part_before() -> None:
    app = in_app()
    type_in(app, X="4 0 1 0; 0 1 0 1")
    expected = matrix(run(app), "pattern")
    app.segmented_control(key=PART).set_value("scale")
    assert matrix(run(app), "dot-product pattern") == expected
