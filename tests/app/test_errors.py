"""A fault of the app itself: its visitor is told so, and no more."""

from streamlit.testing.v1 import AppTest


def test_a_visitor_sees_no_traceback() -> None:
    (error,) = AppTest.from_string("raise ValueError('secret')").run().exception
    assert "secret" not in error.message
    assert list(error.stack_trace) == []
