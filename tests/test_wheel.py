"""The project as a wheel: what a notebook needs runs from another folder."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from pretrained import load_translator

ROOT = Path(__file__).parents[1]
PARTS = (
    "model",
    "pretrained",
    "viz",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    *map(str, ROOT.glob("requirements*.txt")),
)
SCRIPT = """
import numpy as np
from pretrained import load_translator
from viz.notebook import explore
explore(np.full((1, 2, 2, 2), 0.5), ["a", "b"]).save("view.html")
print(load_translator("translation-en-de").translate("The dog sleeps.").text)
"""


def run(*command: str, folder: Path, **variables: str) -> str:
    surroundings = os.environ | variables
    done = subprocess.run(command, cwd=folder, env=surroundings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_every_file_that_is_not_code_goes_into_the_wheel() -> None:
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-data"]["*"]
    command = ["git", "ls-files", "model", "pretrained", "viz"]
    files = map(Path, subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines())
    # Scripts for a shell, and types that only tsc reads.
    data = [file for file in files if file.suffix not in {".py", ".sh", ".ts"}]
    assert [file for file in data if not any(file.match(pattern) for pattern in patterns)] == []


@pytest.mark.slow
def test_a_wheel_runs_from_another_folder(tmp_path: Path) -> None:
    source, wheels, installed, elsewhere = (tmp_path / name for name in ("source", "wheels", "installed", "elsewhere"))
    source.mkdir()
    elsewhere.mkdir()
    for part in map(ROOT.joinpath, PARTS):
        if part.is_dir():
            shutil.copytree(part, source / part.name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(part, source)
    pip = (sys.executable, "-m", "pip")
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(wheels), str(source), folder=tmp_path)
    (wheel,) = wheels.glob("*.whl")
    run(*pip, "install", "--no-deps", "--target", str(installed), str(wheel), folder=tmp_path)
    written = run(sys.executable, "-c", SCRIPT, folder=elsewhere, PYTHONPATH=str(installed))
    assert load_translator("translation-en-de").translate("The dog sleeps.").text in written
    assert (elsewhere / "view.html").stat().st_size > 10_000
