"""What every page that runs without a browser stands on."""

from collections.abc import Iterator
from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner

from tests.app.running import end_visit
from viz.pages.training.ready import ReadyTrainers


@pytest.fixture(autouse=True, scope="session")
def one_scan_for_components() -> Iterator[None]:
    """Look through the installed packages for components once, not in every AppTest."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(autouse=True)
def no_trainer_is_kept_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody presses Train in most of these tests, for whom a process would import PyTorch."""
    monkeypatch.setattr(ReadyTrainers, "keep_ready", lambda *_: None)


@pytest.fixture(autouse=True)
def a_visit_ends_with_its_test() -> Iterator[None]:
    """Let no test open what an earlier visitor sent, whose folder is gone."""
    yield
    end_visit()
