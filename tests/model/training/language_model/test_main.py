"""``python -m model.training``: from a TOML file to a trained language model, or one line that says why not."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from model.checkpoint import load_state
from model.data.loading import DATA_DIR_VARIABLE
from model.training.__main__ import main
from model.training.kinds import load_training
from model.training.language_model.config import LanguageModelTraining
from model.training.language_model.run import load_run
from model.training.language_model.streams import StreamLoss
from tests.fixtures.system import error_line
from tests.fixtures.translation_run import as_toml, changed

pytestmark = pytest.mark.usefixtures("restored_signals")

FOLDER = Path(__file__).parents[4] / "model/training/language_model/configurations"


@pytest.fixture
def command(run_values: dict[str, Any], tmp_path: Path) -> Callable[..., list[str]]:
    """The arguments of the tiny run in the folder ``run``; keywords change its configuration."""

    def arguments(**changes: Any) -> list[str]:
        path = tmp_path / "tiny.toml"
        path.write_text(as_toml(changed(run_values, LanguageModelTraining, **changes)), encoding="utf-8")
        return [str(path), "--device", "cpu"]

    return arguments


def test_a_run_goes_from_a_file_to_a_trained_model(command, make_run, tmp_path: Path, capsys) -> None:
    folder = tmp_path / "run"
    assert main([*command(), "--folder", str(folder)]) == 0
    files = {"vocabulary.json", "log.jsonl", "checkpoint.pt", "best.pt", "history.json"}
    assert {path.name for path in folder.iterdir()} == files
    assert load_run(folder).training == make_run()
    assert "8/8" in capsys.readouterr().err


def test_another_seed_is_another_run_in_a_folder_of_its_own(command, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for seed in ("1", "2"):
        assert main([*command(n_steps=2), "--seed", seed]) == 0
    one, two = (load_run(tmp_path / "runs" / f"tiny-{seed}") for seed in (1, 2))
    assert (one.training.seed, two.training.seed) == (1, 2)
    assert (one.model.embedding.weight != two.model.embedding.weight).any()


@pytest.mark.unchecked
def test_a_stopped_run_says_so_and_the_same_command_goes_on(command, tmp_path: Path, capsys, monkeypatch) -> None:
    original = StreamLoss.__call__

    def stopping(self: StreamLoss, segment: Any) -> Any:
        monkeypatch.setattr(StreamLoss, "__call__", original)
        os.kill(os.getpid(), signal.SIGTERM)
        return original(self, segment)

    monkeypatch.setattr(StreamLoss, "__call__", stopping)
    arguments = [*command(), "--folder", str(tmp_path / "run")]
    assert main(arguments) == 130
    assert "stopped at step 1; the same command continues from there" in capsys.readouterr().err
    assert main(arguments) == 0
    assert load_state(tmp_path / "run" / "checkpoint.pt")["progress"]["step"] == 8


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"corpus": "klingon"}, "'klingon' is neither a text corpus nor a file"),
        ({"n_streams": 4000}, "4000 streams of segments of 10 need 40010"),
        ({"n_validated": 3}, "3 characters make no 8 rows"),
        ({"warmup": 0}, "warmup is 0"),
    ],
)
def test_a_wrong_configuration_is_said_in_one_line(command, tmp_path: Path, capsys, changes, message: str) -> None:
    assert main([*command(**changes), "--folder", str(tmp_path / "run")]) == 2
    assert message in error_line(capsys)
    assert not (tmp_path / "run").exists()


def test_a_missing_corpus_is_said_in_one_line(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.delenv(DATA_DIR_VARIABLE, raising=False)
    configuration = FOLDER / "transformer_xl.toml"
    assert main([str(configuration), "--folder", str(tmp_path / "run")]) == 2
    line = error_line(capsys)
    assert load_training(configuration).data.corpus in line
    assert all(part in line for part in ("--data-dir", DATA_DIR_VARIABLE, "https://"))
