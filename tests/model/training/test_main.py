"""``python -m model.training``: from a TOML file to a trained model, or one line that says what is wrong."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from model.checkpoint import load_state
from model.data.loading import DATA_DIR_VARIABLE, Pair
from model.text.tokenizer import Tokenizer
from model.training import history
from model.training.__main__ import main
from model.training.history import read_history
from model.training.translation import trainer as translation
from tests.fixtures.system import error_line

pytestmark = pytest.mark.usefixtures("restored_signals")

ROOT = Path(__file__).parents[3]


@pytest.fixture
def command(tiny_corpus: Any, write_toml: Callable[..., Path], tmp_path: Path) -> Callable[..., list[str]]:
    """The arguments of the tiny run in the folder ``run``; keywords change its configuration."""

    def arguments(**changes: Any) -> list[str]:
        places = ["--folder", str(tmp_path / "run"), "--data-dir", str(tiny_corpus.data_dir)]
        return [str(write_toml(**changes)), *places, "--device", "cpu"]

    return arguments


def test_a_run_goes_from_a_file_to_a_trained_model(command, tmp_path: Path, capsys) -> None:
    assert main(command(n_steps=5)) == 0
    folder = tmp_path / "run"
    assert {path.name for path in folder.iterdir()} == {
        "tokenizer.model",
        "log.jsonl",
        "checkpoint.pt",
        "best.pt",
        "history.json",
    }
    assert Tokenizer.load(folder / "tokenizer.model").vocabulary_size == 320
    assert load_state(folder / "checkpoint.pt")["progress"]["step"] == 5
    progress = capsys.readouterr().err
    assert "5/5" in progress
    assert "loss=" in progress
    assert "tokens_per_s=" in progress


def test_the_command_of_a_finished_run_leaves_its_history_as_it_is(
    command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(command(n_steps=2)) == 0
    before = read_history(tmp_path / "run")
    monkeypatch.setattr(history, "commit", lambda: "later")
    assert main(command(n_steps=2, lr_scale=0.9)) == 0
    assert read_history(tmp_path / "run") == before
    assert main(command(n_steps=3)) == 0
    assert [part["commit"] for part in read_history(tmp_path / "run")] == [before[0]["commit"], "later"]


def test_a_run_keeps_the_weights_of_the_steps_that_are_asked_for(command, tmp_path: Path) -> None:
    assert main([*command(n_steps=3), "--keep", "1", "3"]) == 0
    kept = {path.name: load_state(path) for path in (tmp_path / "run").glob("step-*.pt")}
    assert {name: state["step"] for name, state in kept.items()} == {"step-1.pt": 1, "step-3.pt": 3}
    last = load_state(tmp_path / "run" / "checkpoint.pt")["weights"]
    assert all(torch.equal(kept["step-3.pt"]["weights"][name], last[name]) for name in last)
    assert any(not torch.equal(kept["step-1.pt"]["weights"][name], last[name]) for name in last)


@pytest.mark.unchecked
@pytest.mark.parametrize(
    "changes",
    [{"copy_augmentation": 1.0}, {"drop_end_marks": 0.5}, {"precision": "bfloat16"}, {"lr_scale": 2.5}],
    ids=str,
)
def test_every_option_changes_what_is_learned_and_goes_on_after_a_stop(command, tmp_path, changes) -> None:
    def weights(n_steps: int, **options: Any) -> dict[str, Any]:
        assert main(command(n_steps=n_steps, validate_every=2, **options)) == 0
        found: dict[str, Any] = load_state(tmp_path / "run" / "checkpoint.pt")["weights"]
        return found

    at_once = weights(4, **changes)
    shutil.rmtree(tmp_path / "run")
    weights(2, **changes)
    in_two_parts = weights(4, **changes)
    shutil.rmtree(tmp_path / "run")
    plain = weights(4)
    for name, weight in at_once.items():
        torch.testing.assert_close(in_two_parts[name], weight, rtol=1e-4, atol=1e-6, msg=name)
    assert any(not torch.allclose(plain[name], weight, rtol=1e-3) for name, weight in at_once.items())


@pytest.mark.unchecked
def test_pairs_with_other_nouns_are_what_is_learned(command, tmp_path, monkeypatch) -> None:
    class Turned:
        def __init__(self, pairs: Sequence[Pair], share: float) -> None:
            self.is_asked = share == 0.5 and len(pairs) > 0

        def varied(self, pairs: Sequence[Pair], seed: int) -> list[Pair]:
            return [Pair(pair.target, pair.source) if self.is_asked and seed else pair for pair in pairs]

    monkeypatch.setattr(translation, "NounSwap", Turned)
    japanese = {"source_language": "English", "target_language": "Japanese", "n_steps": 2}
    learned = []
    for swap_nouns in (0.0, 0.5):
        assert main(command(**japanese, swap_nouns=swap_nouns)) == 0
        learned.append(load_state(tmp_path / "run" / "checkpoint.pt")["weights"])
        shutil.rmtree(tmp_path / "run")
    plain, other = learned
    assert any(not torch.allclose(plain[name], weight, rtol=1e-3) for name, weight in other.items())


@pytest.mark.unchecked
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_says_so_and_the_same_command_goes_on(command, tmp_path, capsys, monkeypatch, number) -> None:
    original = translation.sequence_loss

    def stopping(*arguments: Any, **options: Any) -> Any:
        monkeypatch.setattr(translation, "sequence_loss", original)
        signal.raise_signal(number)
        return original(*arguments, **options)

    monkeypatch.setattr(translation, "sequence_loss", stopping)
    assert main(command(n_steps=3)) == 130
    assert "stopped at step 1; the same command continues from there" in capsys.readouterr().err
    assert main(command(n_steps=3)) == 0
    assert load_state(tmp_path / "run" / "checkpoint.pt")["progress"]["step"] == 3


def test_the_folder_is_named_after_the_configuration(tiny_corpus, write_toml, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(DATA_DIR_VARIABLE, str(tiny_corpus.data_dir))
    assert main([str(write_toml(n_steps=1)), "--device", "cpu"]) == 0
    assert (tmp_path / "runs" / "tiny-run" / "best.pt").is_file()


@pytest.mark.usefixtures("tiny_corpus")
def test_a_missing_corpus_is_said_in_one_line(write_toml, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.delenv(DATA_DIR_VARIABLE, raising=False)
    toml, folder = str(write_toml()), str(tmp_path / "run")
    assert main([toml, "--folder", folder]) == 2
    line = error_line(capsys)
    assert all(part in line for part in ("tiny.en", "--data-dir", DATA_DIR_VARIABLE, "https://example.org/tiny.zip"))
    assert main([toml, "--folder", folder, "--data-dir", str(tmp_path / "nowhere")]) == 2
    assert str(tmp_path / "nowhere" / "tiny.en") in error_line(capsys)
    assert not Path(folder).exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"corpus": "klingon"}, "'klingon' is no corpus"),
        ({"n_dev": 80}, "a dev set of 80 was asked of 80 different sentences"),
        ({"warmup": 0}, "warmup is 0"),
        ({"max_length": 1}, "no sentence pair to train on"),
    ],
)
def test_a_wrong_configuration_is_said_in_one_line(command, capsys, changes: dict[str, Any], message: str) -> None:
    assert main(command(**changes)) == 2
    assert message in error_line(capsys)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"vocabulary_size": 9000}, "no 9000 pieces can be learned from this text"),
        ({"d_model": 15}, "dimension = 15"),
        ({"positional": {"name": "rotten"}}, "'rotten' is no positional encoding"),
    ],
)
def test_a_wrong_model_is_said_in_one_line(
    command, training_values, capsys, changes: dict[str, Any], message: str
) -> None:
    assert main(command(model=training_values["model"] | changes)) == 2
    assert message in error_line(capsys)


def test_a_missing_file_and_a_missing_device_are_said_in_one_line(command, tmp_path: Path, capsys) -> None:
    assert main([str(tmp_path / "lost.toml")]) == 2
    assert str(tmp_path / "lost.toml") in error_line(capsys)
    assert main([*command(), "--device", "abacus"]) == 2
    assert "the device 'abacus' is not available on this machine; there is " in error_line(capsys)


def test_a_seed_takes_the_place_of_the_configuration_s_and_names_the_folder(
    command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    configuration, _, _, *rest = command(n_steps=1)
    assert main([configuration, *rest, "--seed", "9"]) == 0
    (segment,) = read_history(tmp_path / "runs" / f"{Path(configuration).stem}-9")
    assert segment["training"]["seed"] == 9


def test_the_command_in_the_readme_starts_and_says_what_it_lacks(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != DATA_DIR_VARIABLE}
    configuration = "model/training/translation/configurations/translation-en-de.toml"
    command = [sys.executable, "-m", "model.training", configuration, "--folder", str(tmp_path / "run")]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    (line,) = run.stderr.splitlines()
    assert "--data-dir" in line
    assert "tatoeba/deu-eng/train.eng" in line
