"""A link that names encodings as they were called once opens the same view, on every page that has such a link."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.running import open_in_app


@pytest.mark.usefixtures("zoo")
@pytest.mark.parametrize("title", ["No encoding (NoPE)", "None (NoPE)"])
@pytest.mark.parametrize(
    ("page", "key", "value"),
    [("cliff", "encodings", ["none"]), ("race", "pin", "none"), ("edit_model", "reach", "none")],
)
def test_pages_of_the_zoo_open_on_the_encoding_meant(page: str, key: str, value: object, title: str) -> None:
    assert shown(open_in_app(page, **{key: title}), key) == value


@pytest.mark.usefixtures("zoo")
def test_a_swap_is_the_one_meant() -> None:
    app = open_in_app("edit_model", reach="ALiBi", **{"reach-swap": "No encoding (NoPE)"})
    assert shown(app, "reach-swap") == "none"


@pytest.mark.usefixtures("zoo")
def test_one_encoding_stands_beside_another() -> None:
    assert shown(open_in_app("race", pin="ALiBi", beside="No encoding (NoPE)"), "beside") == "none"


@pytest.mark.parametrize(
    ("key", "title", "name"),
    [("v1", "Rotary (RoPE)", "rotary"), ("v2", "None (NoPE)", "none"), ("v1", "T5 relative bias", "t5")],
)
def test_columns_compare_the_encodings_meant(key: str, title: str, name: str) -> None:
    assert shown(open_in_app("compare_encodings", **{key: title}), key) == name


def shown(app: AppTest, key: str) -> object:
    assert not app.warning
    return app.session_state[key]
