"""What the tests of the shipped models share: a folder of their own to ship to, and a small model in it."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from model.training.__main__ import main as train
from pretrained import translators
from pretrained.publishing import (
    as_teacher,
    dev_sentences,
    head_means,
    measuring,
    publish_translator,
    resume_from_shipped,
)
from tests.fixtures.translation_run import TinyCorpus


@pytest.fixture
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder of shipped models in which there is none yet."""
    readers = (translators, dev_sentences, head_means, measuring, publish_translator, resume_from_shipped, as_teacher)
    for module in readers:
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
        assert publish_translator.main([str(configuration), "--run", str(run), *data, "--device", "cpu"]) == 0

    return both
