"""The page Translate as the tests open it, and what it shows."""

from functools import partial
from typing import Any

from streamlit.testing.v1 import AppTest

from tests.app.running import open_in_app
from tests.fixtures.payload import unpack

open_app = partial(open_in_app, "translate")


def translation(app: AppTest) -> str:
    return next(html.proto.body for html in app.get("html") if "token-line" in html.proto.body)


def explorer(app: AppTest) -> dict[str, Any]:
    """Return the header of what the explorer was given."""
    (found,) = [element.proto for element in app.get("bidi_component") if element.key == "explorer"]
    return unpack(found.bytes)[0]
