"""What ships is described as its run was trained, to its last step, whatever its configuration says now."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from torch import Tensor

from model.checkpoint import load_state, save_state
from model.decoding.parser import Parser
from model.training.__main__ import main as train
from model.training.parsing.config import ParserTraining
from model.training.parsing.measure import score_parser
from pretrained import translators
from pretrained.publishing import parser
from pretrained.publishing.__main__ import main as publish
from pretrained.publishing.language_model import _history
from pretrained.publishing.parser import ship_parser
from tests.fixtures.foreign_models import random_model, small_tokenizer
from tests.fixtures.translation_run import as_toml
from tests.fixtures.treebank import finish_parser, small_parser

pytestmark = pytest.mark.unchecked


@pytest.mark.usefixtures("own_folder")
def test_a_translator_ships_as_its_run_was_trained_or_not_at_all(capsys, tmp_path: Path, data, write_toml) -> None:
    configuration, run = str(write_toml()), tmp_path / "run"
    assert train([configuration, "--seed", "2", "--folder", str(run), *data, "--device", "cpu"]) == 0
    command = ["translator", configuration, "--run", str(run), *data, "--device", "cpu"]
    assert publish(command) == 0
    card = translators.read_card("tiny-run")
    assert card.metrics["training"]["seed"] == 2
    assert f"`python -m model.training {configuration} --seed 2`, seed 2" in card.text
    write_toml(lr_scale=0.9)
    capsys.readouterr()
    assert publish(command) == 2
    assert capsys.readouterr().err.startswith(f"{run} was trained by other entries than {configuration} has")
    write_toml()
    checkpoint = load_state(run / "checkpoint.pt")
    n_steps = checkpoint["progress"]["step"]
    save_state({**checkpoint, "progress": checkpoint["progress"] | {"step": n_steps - 1}}, run / "checkpoint.pt")
    assert publish(command) == 2
    assert capsys.readouterr().err.startswith(f"{run} stands at step {n_steps - 1} of {n_steps}; python -m")


def test_a_parser_ships_as_its_run_was_trained_or_not_at_all(
    small_treebank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parser, "PARSERS", tmp_path / "parsers")
    configuration, run, training = tmp_path / "tiny.toml", tmp_path / "run", small_parser()
    entries = _entries(training)
    configuration.write_text(as_toml(entries))
    finish_parser(replace(training, seed=2), run, small_treebank)
    ship_parser(configuration, run=run, data_dir=small_treebank)
    assert json.loads((tmp_path / "parsers" / "tiny" / "metrics.json").read_text())["training"]["seed"] == 2
    configuration.write_text(as_toml({**entries, "label_smoothing": 0.2}))
    with pytest.raises(ValueError, match="was trained by other entries than"):
        ship_parser(configuration, run=run, data_dir=small_treebank)


def _entries(training: ParserTraining) -> dict[str, Any]:
    entries = asdict(training)
    plain = {name: value for name, value in entries["model"].items() if isinstance(value, str | int | float)}
    return {**entries, "model": plain}  # the rest are defaults, with values that no TOML file can have


def test_the_scores_of_a_parser_are_those_of_the_weights_that_ship(
    small_treebank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parser, "PARSERS", tmp_path / "parsers")
    measured: list[Tensor] = []

    def scores(of: Parser, *arguments: Any) -> dict[str, Any]:
        measured.extend(weight.detach() for weight in of.model.parameters())
        return score_parser(of, *arguments)

    monkeypatch.setattr(parser, "score_parser", scores)
    configuration, run = tmp_path / "tiny.toml", tmp_path / "run"
    configuration.write_text(as_toml(_entries(small_parser())))
    finish_parser(small_parser(), run, small_treebank)
    ship_parser(configuration, run=run, data_dir=small_treebank)
    trained = load_state(run / "best.pt")["weights"].values()
    assert any((weight != weight.half()).any() for weight in trained)
    assert all((weight == weight.half()).all() for weight in measured)


@pytest.mark.parametrize("from_step", [5, 6])
def test_a_segment_after_the_best_step_trained_nothing_that_ships(from_step: int) -> None:
    parts = [
        {"from_step": 0, "commit": "a", "n_steps": 6},
        {"from_step": from_step, "commit": "b", "n_steps": 6},
    ]
    assert _history(parts, 5) == "commit `a`, steps 0 to 5 on a schedule of 6"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["unit_examples", "nope"], "no model 'nope' ships"),
        (["longer_sentences", "--run", "runs/typo"], "runs/typo has no finished run; python -m model.training.sweep"),
        (["language_model", "runs/typo", "--results-only"], "runs/typo has no evaluations; python -m"),
        (["probe_zoo", "--tasks", "revrse"], "no model of the task 'revrse' ships"),
        (["alignment_errors", "translation-en-de", "--gold", "links"], "links names no two languages; its name must"),
    ],
)
def test_a_name_of_nothing_gets_one_sentence(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish(arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(message)


def test_a_model_without_learned_positions_gets_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    random_model("Llama", head="ForCausalLM").save_pretrained(tmp_path / "llama")
    small_tokenizer().save_pretrained(tmp_path / "llama")
    capsys.readouterr()
    assert publish(["position_table", str(tmp_path / "llama"), str(tmp_path / "table.npz")]) == 2
    assert capsys.readouterr().err.endswith(f"the model in {tmp_path / 'llama'} has no table of learned positions\n")


def test_a_run_does_not_begin_with_what_uncommitted_code_learned(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, write_toml
) -> None:
    history = [{"from_step": 0, "commit": "abc-dirty", "training": {}}]
    (tmp_path / "history.json").write_text(json.dumps(history))
    assert publish(["warm_start", str(tmp_path), str(write_toml()), "--run", str(tmp_path / "child")]) == 2
    assert capsys.readouterr().err.startswith(f"files were changed or added since the commit that trained {tmp_path};")


def test_a_run_that_uncommitted_code_began_does_not_ship(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    origin = {"from_step": 0, "commit": "abc-dirty", "corpora": [], "parent": "translation-en-de"}
    (tmp_path / "history.json").write_text(json.dumps([origin, {"from_step": 0, "commit": "abc", "training": {}}]))
    assert publish(["snapshots", "--run", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("files were changed or added since the commit that trained")
