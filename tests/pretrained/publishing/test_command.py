"""The one command of publishing: what it lists and explains, what it refuses, and that it writes all or nothing."""

import json
import re
import shlex
import subprocess
from importlib import import_module
from pathlib import Path

import pandas as pd
import pytest

from model.files import write_text
from model.training.runs import ROWS
from pretrained.publishing import __main__ as publishing
from pretrained.publishing import unit_examples
from pretrained.publishing.__main__ import kinds, main, parser_of
from pretrained.publishing.command import PROGRAM
from pretrained.publishing.shipping import draft

ROOT = Path(__file__).parents[3]
TRANSLATION = "model/training/translation/configurations/translation-en-de.toml"
PARSING = "model/training/parsing/configurations/parser-from-nothing.toml"
RUN_OF = {
    "translator": "translator {TRANSLATION} --run {run}",
    "parser": "parser {PARSING} --run {run}",
    "language_model": "language_model {run}",
    "snapshots": "snapshots --run {run}",
    "compare_parsers": "compare_parsers nothing={run}",
    "ablations": "ablations --run {sweep}",
    "longer_ablations": "longer_ablations --run {sweep}",
    "ablated_models": "ablated_models --run {sweep}",
    "longer_sentences": "longer_sentences --run {sweep}",
    "zoo": "zoo --run {sweep}",
    "crasp": "crasp --run {sweep}",
}
"""For each kind that ships what a run learned, the arguments that name a run or a sweep."""


def test_without_arguments_every_kind_is_listed_with_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^0$"):
        main([])
    overview = capsys.readouterr().out
    for name, kind in kinds().items():
        assert re.search(rf"^  {name} +{re.escape(kind.summary)}$", overview, flags=re.MULTILINE)
        assert 10 < len(kind.summary) <= 100


@pytest.mark.parametrize("kind", kinds())
def test_every_kind_explains_itself(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^0$"):
        main([kind, "--help"])
    assert capsys.readouterr().out.startswith(f"usage: {PROGRAM} {kind}")


def test_what_is_no_kind_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^2$"):
        main(["nothing"])
    assert "invalid choice: 'nothing'" in capsys.readouterr().err


def test_every_command_that_a_reader_meets_is_understood() -> None:
    """A line of its own is parsed with its arguments; within a sentence only its kind is known."""
    command = ["git", "grep", "-hIE", f"{PROGRAM} [a-z]", "--", "*.md", "*.toml", "*.json", "*.sh"]
    lines = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    known = kinds()
    named = {kind for line in lines for kind in re.findall(rf"{PROGRAM} (\w+)", line)}
    assert named <= known.keys()
    for line in lines:
        if line.startswith(PROGRAM) and line.isascii():
            kind, *words = shlex.split(line.removeprefix(PROGRAM))
            module = import_module(f"pretrained.publishing.{known[kind].module}")
            parser_of(kind, getattr(module, known[kind].function)).parse_args(words)


@pytest.fixture
def dirty(tmp_path: Path) -> Path:
    """A folder with a run in ``run`` and a sweep around it, by code that no commit holds."""
    history = [{"from_step": 0, "commit": "abc-dirty", "training": {"schedule": {"n_steps": 1}}}]
    for name in ("run", "ablation-1", "length-1"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "history.json").write_text(json.dumps(history))
        pd.DataFrame([{"variant": "base", "seed": 1, "commit": "abc-dirty"}]).to_parquet(tmp_path / name / ROWS)
    return tmp_path


@pytest.mark.parametrize("kind", RUN_OF)
def test_code_that_no_commit_holds_ships_nothing(kind: str, dirty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = RUN_OF[kind].format(run=dirty / "run", sweep=dirty, TRANSLATION=TRANSLATION, PARSING=PARSING)
    assert main(arguments.split()) == 2
    (line,) = capsys.readouterr().err.splitlines()
    run = dirty / ("ablation-1" if "{sweep}" in RUN_OF[kind] else "run")
    assert line == f"files were changed or added since the commit that trained {run}; commit them, and train it again"


@pytest.mark.parametrize("kind", RUN_OF)
def test_code_of_which_no_commit_is_known_ships_nothing(
    kind: str, dirty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in dirty.iterdir():
        history = folder / "history.json"
        history.write_text(history.read_text().replace("abc-dirty", "unknown"))
        pd.read_parquet(folder / ROWS).assign(commit="unknown").to_parquet(folder / ROWS)
    arguments = RUN_OF[kind].format(run=dirty / "run", sweep=dirty, TRANSLATION=TRANSLATION, PARSING=PARSING)
    assert main(arguments.split()) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("no commit of what trained")
    assert line.endswith("; train it again in a checkout of git")


def write_half(folder: Path) -> None:
    with draft(folder) as unfinished:
        (unfinished / "card.md").write_text("half")
        raise KeyboardInterrupt


@pytest.mark.parametrize("before", [None, "whole"])
def test_an_interrupted_write_leaves_what_was_there(tmp_path: Path, before: str | None) -> None:
    folder, file = tmp_path / "model", tmp_path / "table.txt"
    if before:
        folder.mkdir()
        (folder / "card.md").write_text(before)
        file.write_text(before)
    untouched = sorted(tmp_path.rglob("*"))
    with pytest.raises(KeyboardInterrupt):
        write_half(folder)
    with pytest.raises(UnicodeEncodeError):
        write_text("half \ud800", file)
    assert sorted(tmp_path.rglob("*")) == untouched
    assert not before or (folder / "card.md").read_text() == file.read_text() == before


def test_a_draft_takes_the_place_of_what_was_there(tmp_path: Path) -> None:
    for content in ("old", "new"):
        with draft(tmp_path / "model") as unfinished:
            (unfinished / content).touch()
    assert [path.relative_to(tmp_path) for path in sorted(tmp_path.rglob("*"))] == [Path("model"), Path("model/new")]


def test_a_measurement_asks_for_its_commit_before_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    monkeypatch.setattr(publishing, "commit", lambda: order.append("commit"))
    monkeypatch.setattr(unit_examples, "write_unit_examples", lambda: (order.append("work"), "done")[1])
    assert main(["unit_examples"]) == 0
    assert order == ["commit", "work"]
