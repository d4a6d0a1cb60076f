"""Every command in the README exists, and its Python runs."""

import json
import re
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MODULES = sorted(set(re.findall(r"^python -m ([\w.]+)", README, flags=re.MULTILINE)))
TARGETS = sorted(set(re.findall(r"^make (\w+)", README, flags=re.MULTILINE)))
FILES = sorted(set(re.findall(r"[\w./-]+\.toml|docs/[\w.-]+", README)))


@pytest.mark.parametrize("module", MODULES)
def test_commands_explain_themselves(module: str) -> None:
    command = [sys.executable, "-m", module, "--help"]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.startswith("usage:")


@pytest.mark.parametrize("target", TARGETS)
def test_make_knows_the_targets(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)


@pytest.mark.parametrize("file", FILES)
def test_files_named_are_there(file: str) -> None:
    assert (ROOT / file).is_file()


@pytest.mark.parametrize("corpus", ["multi30k-eng-deu", "multi30k-eng-fra"])
def test_what_it_says_of_the_captions_test_set_was_measured(corpus: str) -> None:
    results = json.loads((ROOT / "benchmarks" / "multi30k.json").read_text(encoding="utf-8"))
    found = {result["name"]: result["test_bleu"] for result in results if result["corpus"] == corpus}
    (shipped,) = [name for name in found if (ROOT / "pretrained" / name).is_dir()]
    mean, least, most = statistics.mean(found.values()), min(found.values()), max(found.values())
    assert len(found) == 3
    assert f"{found[shipped]:.2f} to " in README
    assert f"{mean:.2f} ({least:.2f} to {most:.2f}) to" in README


def test_the_python_example_runs(tmp_path: Path) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    script = tmp_path / "example.py"
    script.write_text(example, encoding="utf-8")
    command = [sys.executable, str(script)]
    done = subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True)
    assert "torch.Size([1, 8," in done.stdout
