"""Hooks, run by Streamlit without a browser."""

from model.hooks import HOOKS
from tests.app.running import open_page, run, written

ATTACK = "</script><script>alert(1)</script>"


def test_every_hook_point_is_listed() -> None:
    app = open_page("hooks")
    assert all(point.name in written(app) for point in HOOKS)


def test_hook_points_are_searched() -> None:
    app = open_page("hooks", hook="CROSS pattern")
    assert "decoder.{layer}.cross_attention.pattern" in written(app)
    assert "encoder.{layer}.self_attention.pattern" not in written(app)
    app.text_input(key="hook").set_value(ATTACK)
    assert ATTACK in run(app).text[0].value
