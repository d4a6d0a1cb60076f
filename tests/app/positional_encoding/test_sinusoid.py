"""The sinusoidal encoding, run by Streamlit without a browser."""

from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from model.positional.sinusoidal import sinusoidal_encoding
from tests.app.running import page_file
from tests.fixtures.payload import unpack

PAGE = page_file("sinusoid")
ATTACK = "`</script><script>alert(1)</script>![x](http://x)"


def open_page(**url: str) -> AppTest:
    app = AppTest.from_file(PAGE, default_timeout=120)
    for name, value in url.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def sent(app: AppTest) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What the playground is shown: its header and its blocks of numbers."""
    (component,) = app.get("bidi_component")
    return unpack(component.proto.bytes)


def playground_warnings(app: AppTest) -> list[str]:
    return [warning.value for warning in app.warning]


def test_it_opens_on_a_computed_encoding() -> None:
    app = open_page()
    header, blocks = sent(app)
    view = header["view"]
    exact = sinusoidal_encoding(torch.arange(view["length"]), view["d_model"], view["base"]).numpy()
    assert np.array_equal(blocks["rows"], exact)
    p, k = view["position"], view["offset"]
    assert np.array_equal(blocks["followed"], exact[[p, p + k]])
    assert np.allclose(blocks["similarities"], exact[[0, p, view["length"] - 1]] @ exact.T, atol=1e-4)
    assert not playground_warnings(app)


def test_a_large_encoding_is_sent_in_part() -> None:
    header, blocks = sent(open_page(d_model="1024", length="4096", position="4000", offset="4095"))
    assert blocks["rows"].shape == (256, 1024)
    assert blocks["similarities"].shape == (3, 4096)
    assert np.allclose(blocks["followed"], sinusoidal_encoding(torch.tensor([4000, 8095]), 1024).numpy())
    assert header["view"]["length"] == 4096


@pytest.mark.parametrize(
    ("name", "given", "allowed"),
    [
        ("d_model", "7", "must be an even whole number from 4 to 1,024"),
        ("base", "1", "must be a number from 2 to 1,000,000"),
        ("base", "NaN", "must be a number from 2 to 1,000,000"),
        ("length", "0", "must be a whole number from 8 to 4,096"),
        ("position", "999", "must be a whole number from 0 to 255"),
        ("pair", "-1", "must be a whole number from 0 to 63"),
        ("offset", "", "must be a whole number from 0 to 255"),
    ],
)
def test_a_bad_link_gets_one_sentence_and_the_default(name: str, given: str, allowed: str) -> None:
    app = open_page(**{name: given})
    (warning,) = playground_warnings(app)
    assert f"`{given or ' '}`" in warning
    assert allowed in warning
    usual, _ = sent(open_page())
    assert sent(app)[0]["view"] == usual["view"]
    assert name not in app.query_params


def test_a_link_is_never_markup() -> None:
    (warning,) = playground_warnings(open_page(base=ATTACK))
    assert warning.count("`") == 2
    assert warning.index("`") < warning.index("script") < warning.rindex("`")


def test_a_link_reopens_the_view() -> None:
    header, _ = sent(open_page(d_model="64", base="100", length="32", position="5", pair="3", offset="2"))
    assert header["view"] == {"d_model": 64, "base": 100, "length": 32, "position": 5, "pair": 3, "offset": 2}
