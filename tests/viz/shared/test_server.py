"""The health address: whether a translation works, by a real one."""

from typing import cast

import anyio.from_thread
import pytest
from starlette.requests import Request

from model.checkpoint import DamagedWeightsError
from viz.shared import server
from viz.shell.one_person import FOR_OTHERS_VARIABLE, is_for_one_person


def asked() -> tuple[int, str]:
    # In a thread of its own: beside browser tests, an event loop already runs in this one.
    with anyio.from_thread.start_blocking_portal() as portal:
        answer = portal.call(server.health, cast(Request, None))
    return answer.status_code, bytes(answer.body).decode()


@pytest.fixture(autouse=True)
def nobody_has_asked() -> None:
    server.fault.clear()


def test_who_asks_again_at_once_takes_no_second_translation(monkeypatch: pytest.MonkeyPatch) -> None:
    asked()
    monkeypatch.delattr(server, "translator")
    assert asked() == (200, "ok")


def test_it_says_ok_after_a_translation() -> None:
    assert asked() == (200, "ok")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (DamagedWeightsError("no weights", file="weights.safetensors"), "no weights file weights.safetensors"),
        (ValueError("no model of that name ships"), "no model of that name ships"),
    ],
)
def test_it_says_503_and_why_where_no_model_loads(
    error: Exception, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: str) -> None:
        raise error

    monkeypatch.setattr(server, "translator", fails)
    status, text = asked()
    assert status == 503
    assert reason in text


def test_it_is_for_others_wherever_it_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOR_OTHERS_VARIABLE, "")
    monkeypatch.delenv(FOR_OTHERS_VARIABLE)

    async def serve() -> None:
        async with server.serving_others(server.app):
            assert not is_for_one_person()

    assert is_for_one_person()
    with anyio.from_thread.start_blocking_portal() as portal:
        portal.call(serve)
