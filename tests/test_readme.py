"""Every command in the README and the documents exists, and the README's Python runs."""

import json
import re
import statistics
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from model.tasks.registry import registered
from pretrained.zoo import zoo_results

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [README, *(path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").glob("*.md")))]
MODULES = sorted({name for text in DOCUMENTS for name in re.findall(r"^python -m ([\w.]+)", text, flags=re.MULTILINE)})
BENCHMARKS = sorted(
    f"benchmarks.{path.stem}" for path in (ROOT / "benchmarks").glob("*.py") if "\ndef main(" in path.read_text("utf-8")
)
TARGETS = sorted(set(re.findall(r"^make (\w+)", README, flags=re.MULTILINE)))
FILES = sorted({name for text in DOCUMENTS for name in re.findall(r"[\w./-]+\.toml|docs/[\w./-]+\w", text)})


@pytest.mark.parametrize("module", MODULES)
def test_commands_explain_themselves(
    module: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    is_package = bool(find_spec(module).submodule_search_locations)
    monkeypatch.setattr(sys, "argv", [module, "--help"])
    with pytest.raises(SystemExit, match=r"^0$"):
        import_module(f"{module}.__main__" if is_package else module).main()
    assert capsys.readouterr().out.startswith("usage:")


@pytest.mark.parametrize("name", BENCHMARKS)
def test_help_of_a_benchmark_is_its_docstring_and_writes_nothing(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    benchmark = import_module(name)
    monkeypatch.setattr(sys, "argv", [name, "--help"])
    for write in ("write_text", "write_bytes", "mkdir"):
        monkeypatch.setattr(Path, write, lambda path, *_, **__: pytest.fail(f"{path} was written"))
    with pytest.raises(SystemExit, match=r"^0$"):
        benchmark.main()
    output = capsys.readouterr().out
    assert output.startswith(f"usage: python -m {name} ")
    assert benchmark.__doc__.strip() in output


def test_a_benchmark_without_its_corpus_ends_with_a_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks.word_alignment", "--data-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("the corpus tatoeba-eng-deu has no file ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("module", ["model.training.sweep", "pretrained.publishing"])
def test_commands_run_by_themselves(module: str) -> None:
    command = [sys.executable, "-m", module, "--help"]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.startswith("usage:")


def test_help_of_the_site_names_the_one_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["viz.site", "--help"])
    with pytest.raises(SystemExit, match=r"^0$"):
        import_module("viz.site.__main__").main()
    assert "python -m viz.site one-file --help" in capsys.readouterr().out


@pytest.mark.parametrize("target", TARGETS)
def test_make_knows_the_targets(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)


@pytest.mark.parametrize("file", FILES)
def test_files_named_are_there(file: str) -> None:
    assert (ROOT / file).is_file()


def test_the_way_of_a_sentence_to_a_head_is_twelve_files_that_do_what_is_said() -> None:
    architecture = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = architecture.partition("## From a sentence to a head\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(.+?)` \| (.*) \|$", section, flags=re.MULTILINE)
    assert 10 <= len(rows) <= 12
    for file, text in rows:
        source = (ROOT / file).read_text(encoding="utf-8")
        names = re.findall(r"`(\w+)`", text)
        assert names
        assert [name for name in names if not re.search(rf"\b{name}\b", source)] == []


def test_a_task_listed_as_without_results_has_none() -> None:
    section = (
        (ROOT / "docs" / "training.md")
        .read_text("utf-8")
        .partition("## Tasks without results\n")[2]
        .partition("\n## ")[0]
    )
    names = {task.description.title: name for name, task in registered().items()}
    listed = {names[title] for title in re.findall(r"^\| ([A-Z].*?) \|", section, flags=re.MULTILINE)}
    assert listed
    assert listed.isdisjoint(zoo_results().task)


@pytest.mark.parametrize("corpus", ["multi30k-eng-deu", "multi30k-eng-fra"])
def test_what_is_written_of_the_captions_test_set_was_measured(corpus: str) -> None:
    results = json.loads((ROOT / "benchmarks" / "multi30k.json").read_text(encoding="utf-8"))
    scores = {result["name"]: result["test_bleu"] for result in results if result["corpus"] == corpus}
    (shipped,) = [name for name in scores if (ROOT / "pretrained" / name).is_dir()]
    mean, least, most = statistics.mean(scores.values()), min(scores.values()), max(scores.values())
    assert len(scores) == 3
    models = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    assert f"| {scores[shipped]:.2f} | {mean:.2f} ({least:.2f} to {most:.2f}) |" in models


def test_the_python_example_runs(tmp_path: Path) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    script = tmp_path / "example.py"
    script.write_text(example, encoding="utf-8")
    command = [sys.executable, str(script)]
    done = subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True)
    assert "torch.Size([1, 8," in done.stdout
