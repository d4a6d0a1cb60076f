"""What the tests of the shipped models share: a folder of their own to ship to, and a small model in it."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from model.training import history
from model.training.__main__ import main as train
from pretrained import translators
from pretrained.publishing import shipping, translator, translator_measures
from pretrained.publishing.__main__ import main as publish
from tests.fixtures.translation_run import TinyCorpus


@pytest.fixture(autouse=True)
def committed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs are trained by committed code, whatever is being changed around the tests."""
    monkeypatch.setattr(history, "commit", lambda: "0" * 40)


@pytest.fixture
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder of shipped models in which there is none yet."""
    for module in (translators, shipping, translator, translator_measures):
        monkeypatch.setattr(module, "FOLDER", tmp_path / "pretrained")
    (tmp_path / "pretrained").mkdir()


@pytest.fixture
def data(tiny_corpus: TinyCorpus) -> Sequence[str]:
    """The arguments that name the folder of the tiny corpus."""
    return "--data-dir", str(tiny_corpus.data_dir)


@pytest.fixture
def train_and_publish(data: Sequence[str]) -> Callable[[Path, Path], None]:
    """Return what trains a configuration in a folder, and ships the result."""

    def both(configuration: Path, run: Path) -> None:
        assert train([str(configuration), "--folder", str(run), *data, "--device", "cpu"]) == 0
        assert publish(["translator", str(configuration), "--run", str(run), *data, "--device", "cpu"]) == 0

    return both
