"""Dot product by hand, run by Streamlit without a browser."""

import io
import re
from dataclasses import replace
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from tests.app.running import open_in_app, open_page, run, saved_files, written
from viz.pages.dot_product.state import EXAMPLES, Matrices, matrices_from_link
from viz.pages.dot_product.study.by_hand import parse_matrix

PAGE = "dot_product"
ATTACK = "</script><script>alert(1)</script>"


def type_in(app: AppTest, **texts: str) -> None:
    """Have the page hold these texts, as its editor does."""
    key = f"{Matrices.__module__}.{Matrices.__qualname__}"
    app.session_state[key] = replace(app.session_state[key], **texts)


def matrices(html: str) -> list[tuple[str, list[list[str]]]]:
    """The name and the cells, as they are written, of each matrix of ``html``."""
    tables = re.findall(r'<table class="matrix"><caption>(.*?) <span.*?<tbody>(.*?)</tbody>', html)
    rows = ((name, re.findall(r"<tr>(.*?)</tr>", body)) for name, body in tables)
    return [(name, [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in found]) for name, found in rows]


def matrix(app: AppTest, name: str) -> list[list[str]]:
    """The cells of the last matrix called ``name``."""
    return next(cells for found, cells in reversed(matrices(written(app))) if found == name)


def test_it_opens_on_two_heads_that_differ() -> None:
    app = open_page(PAGE)
    first = matrix(app, "pattern")
    assert len({weight for row in first for weight in row}) > 2
    app.segmented_control(key="shown-head").set_value(1)
    assert matrix(run(app), "pattern") != first


@pytest.mark.parametrize("n_heads", ["1", "2"])
def test_the_table_of_patterns_says_of_each_row_which_head_it_is_of(
    monkeypatch: pytest.MonkeyPatch, n_heads: str
) -> None:
    saved = saved_files(monkeypatch, "viz.shell.picture")
    app = open_page(PAGE, **vars(EXAMPLES["heads"].matrices), n_heads=n_heads)
    table = pd.read_csv(io.StringIO(saved["pattern.csv"]))
    assert [*table.columns] == ["head", "query \\ key", "1", "2", "3"]
    assert len(table) == 3 * int(n_heads)
    for head, rows in table.groupby("head"):
        if head > 1:
            app.segmented_control(key="shown-head").set_value(head - 1)
            run(app)
        np.testing.assert_allclose(numbers(matrix(app, "pattern")), rows[["1", "2", "3"]].to_numpy(), atol=0.0006)


def test_a_link_opens_the_head_that_was_shown() -> None:
    app = open_page(PAGE)
    app.segmented_control(key="shown-head").set_value(1)
    again = open_page(PAGE, **run(app).query_params)
    assert not again.warning
    assert matrix(again, "pattern") == matrix(app, "pattern")
    assert "Q_2" in written(again)
    again.button(key="example-heads").click()
    assert "Q_1" in written(run(again))


def test_the_link_of_one_head_names_none() -> None:
    app = open_page(PAGE)
    app.segmented_control(key="shown-head").set_value(1)
    run(app)
    app.segmented_control(key="n_heads").set_value(1)
    assert not open_page(PAGE, **run(app).query_params).warning


def test_a_link_to_a_head_beyond_those_there_are_gets_one_sentence_and_the_first_head() -> None:
    app = open_page(PAGE, **vars(EXAMPLES["heads"].matrices), n_heads="2", **{"shown-head": "3"})
    assert [warning.value for warning in app.warning] == [
        "The link asks for `3` as shown-head. It takes: 1, 2. The default of “Show head” is shown instead."
    ]
    assert "Q_1" in written(app)


def numbers(cells: list[list[str]]) -> np.ndarray:
    return np.array([[float(text.replace("\N{MINUS SIGN}", "-")) for text in row] for row in cells])


def test_what_is_drawn_as_a_product_is_that_of_the_two_matrices_before_it() -> None:
    """The scores stood beside Q and K, which is not what they are made of."""
    app = open_page(PAGE)
    names = []
    for product in written(app).split('<div class="product')[1:]:
        (left, first), (right, second), (_, result) = matrices(product)[:3]
        np.testing.assert_allclose(numbers(first) @ numbers(second), numbers(result), atol=0.005)
        names.append((left, right))
    assert ("Q_1", "K_1ᵀ") in names


def worked() -> AppTest:
    app = open_page(PAGE)
    app.button(key="example-worked").click()
    return run(app)


def test_the_worked_example_has_equal_weights_and_a_link_of_its_own() -> None:
    app = worked()
    assert matrix(app, "Q") == [["2", "0"], ["0", "2"]]
    assert matrix(app, "K") == [["1", "1"], ["1", "1"]]
    assert matrix(app, "pattern") == [["0.500", "0.500"], ["0.500", "0.500"]]
    assert not app.warning
    assert "every weight is 0.5000" in app.caption[0].value
    again = open_page(PAGE, X=app.query_params["X"][0])
    assert matrix(again, "Q") == [["2", "0"], ["0", "2"]]


def test_the_identity_gives_6698() -> None:
    app = open_page(PAGE)
    app.button(key="example-identity").click()
    run(app)
    assert matrix(app, "pattern")[0][0] == "0.670"
    assert "0.6698" in app.caption[0].value


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_opens_and_is_in_the_url(name: str) -> None:
    app = open_page(PAGE)
    app.button(key=f"example-{name}").click()
    run(app)
    link = {key: value if isinstance(value, str) else value[0] for key, value in app.query_params.items()}
    assert matrices_from_link(link) == (EXAMPLES[name].matrices, None)
    assert bool(app.warning) == (name == "overflow")
    again = open_page(PAGE, **link)
    assert matrix(again, "output") == matrix(app, "output")


def test_subtracting_the_maximum_mends_the_overflow() -> None:
    app = open_page(PAGE)
    app.button(key="example-overflow").click()
    run(app)
    assert "NaN" in matrix(app, "pattern")[0]
    app.toggle(key="subtract_maximum").set_value(True)
    assert matrix(run(app), "pattern")[0] == ["1", "0"]
    assert not app.warning


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("X", "1 x 1 0; 0 1 0 1", "row 1, column 2 of X is “x”"),
        ("X", "1 _ 1 0; 0 1 0 1", "row 1, column 2 of X is empty"),
        ("X", "inf 0 0 0", "row 1, column 1 of X is “inf”"),
        ("W_K", "1 0; 0 1", "W_K has 2 rows and X has 4 columns"),
        ("W_V", ATTACK, "row 1, column 1 of W_V is “</script><s…”"),
    ],
)
def test_a_mistake_gets_one_sentence_and_the_last_result_stays(name: str, text: str, said: str) -> None:
    app = open_page(PAGE)
    before = matrix(app, "output")
    type_in(app, **{name: text})
    run(app)
    assert len(app.warning) == 1
    assert said in app.warning[0].value.replace("\\", "")
    assert app.warning[0].value.endswith("Below is still the last result.")
    assert matrix(app, "output") == before


@pytest.mark.parametrize("text", ["", "1 2; 3", "nan", "1 2 3 4 5 6 7 8 9", ATTACK])
def test_a_bad_link_is_said_once_and_the_worked_example_is_shown(text: str) -> None:
    app = open_page(PAGE, X=text)
    assert len(app.warning) == 1
    assert "The example “Two tokens” is shown" in app.warning[0].value
    assert matrix(app, "Q") == [["2", "0"], ["0", "2"]]


def test_a_link_may_name_some_of_the_matrices() -> None:
    texts, problem = matrices_from_link({"X": "3 0 0 0", "other": "5"})
    assert problem is None
    assert parse_matrix("X", texts.X).tolist() == [[3, 0, 0, 0]]
    assert texts.W_O == EXAMPLES["worked"].matrices.W_O


def test_odd_options_in_a_link_fall_back() -> None:
    app = open_page(PAGE, n_heads="7", mask="sideways", precision="int8", n_padding="99")
    assert matrix(app, "Q") == [["2", "0"], ["0", "2"]]


def test_an_edit_reaches_every_step() -> None:
    app = worked()
    type_in(app, X="4 0 1 0; 0 1 0 1")
    run(app)
    assert matrix(app, "Q") == [["5", "0"], ["0", "2"]]
    assert matrix(app, "Q Kᵀ") == [["20", "5"], ["2", "2"]]


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_a_real_head_is_computed_by_hand_to_what_the_model_made(kind: str) -> None:
    app = open_in_app(PAGE, kind=kind, layer="2", head="3", sentence="I love to play football.", decoding="beam")
    assert not app.warning
    said = next(entry.value for entry in app.markdown if "Softmax over the chosen keys" in entry.value)
    assert float(re.search(r"equal to (\S+?)\.$", said)[1]) < 1e-5
    chosen, model = matrix(app, "softmax, chosen keys"), matrix(app, "in the model, all keys")
    assert len(chosen) == len(model) == 6


def test_a_real_head_can_be_that_of_a_chosen_beginning() -> None:
    link = {"kind": "decoder", "layer": "1", "head": "1", "sentence": "I love to play football."}
    app = open_in_app(PAGE, **link, begin="57.12")
    assert not app.warning
    plain = matrix(open_in_app(PAGE, **link), "in the model, all keys")
    assert matrix(app, "in the model, all keys") != plain
    assert "numbers of tokens" in open_in_app(PAGE, **link, begin="x").warning[0].value


@pytest.mark.parametrize(
    "choice",
    [
        {},
        {"decoding": "greedy", "begin": "57.12"},
        {"by-model": "translation-en-fr"},
        {
            "decoding": "sample",
            **{"decoding-temperature": "1.5", "decoding-top-k": "5", "decoding-top-p": "0.5", "decoding-seed": "7"},
        },
    ],
)
def test_the_whole_head_opens_on_translate_and_leads_back_to_the_same(choice: dict[str, str]) -> None:
    link = {"kind": "encoder", "layer": "2", "head": "3", "sentence": "Two dogs are running.", **choice}
    query = way_on(open_in_app(PAGE, **link), "See the whole head on Translate")
    # Left out, they would be what was chosen there before.
    assert {"translator", "search"} <= {*query}
    translate = open_in_app("translate", **query)
    assert not translate.warning
    assert way_on(translate, "Compute layer 2, head 3 by hand") == link


def way_on(app: AppTest, label: str) -> dict[str, str]:
    """Return what the page's link ``label`` carries."""
    (link,) = (link.proto for link in app.get("page_link") if link.proto.label == label)
    return dict(parse_qsl(link.query_string))


def test_other_tokens_can_be_chosen() -> None:
    app = open_in_app(PAGE, kind="cross", layer="1", head="1", sentence="I love to play football.")
    app.multiselect(key="head-queries").set_value([0, 2])
    app.multiselect(key="head-keys").set_value([1])
    run(app)
    assert matrix(app, "softmax, chosen keys") == [["1"], ["1"]]


def test_choosing_none_or_only_later_keys_is_said_and_the_first_choice_shown() -> None:
    app = open_in_app(PAGE, kind="decoder", layer="1", head="1", sentence="I love to play football.")
    for queries, keys, said in (([], [0], "no token is chosen"), ([0], [3], "may look at none of the chosen keys")):
        app.multiselect(key="head-queries").set_value(queries)
        app.multiselect(key="head-keys").set_value(keys)
        run(app)
        assert len(app.warning) == 1
        assert said in app.warning[0].value
        assert len(matrix(app, "softmax, chosen keys")) == 6


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ({"kind": "sideways"}, "“sideways” attention was asked for"),
        ({"kind": "cross", "layer": "9", "head": "1", "sentence": "A dog."}, "layer 9 and head 1 were asked for"),
        ({"kind": "cross", "layer": "nan", "head": "0", "sentence": "A dog."}, "layer nan and head 0"),
        ({"kind": "cross", "layer": "1", "head": "1"}, "nothing to translate"),
    ],
)
def test_a_link_to_no_head_is_said_and_matrices_are_shown(url: dict[str, str], said: str) -> None:
    app = open_in_app(PAGE, **url)
    assert len(app.warning) == 1
    assert said in app.warning[0].value
    assert len(matrix(app, "Q")) == 3
