"""What make says where it cannot start the app."""

import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    shutil.copy(ROOT / "Makefile", folder)
    (folder / "requirements.txt").touch()
    command = ["make", "app", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=60)


# A Python that says it is of another version.
OF_ANOTHER_VERSION = """shift; exec {python} -c "import sys; sys.version_info = {version}; $1\""""


@pytest.mark.parametrize(
    "body",
    [
        "exit 1",
        None,
        *(OF_ANOTHER_VERSION.format(python=sys.executable, version=version) for version in ((3, 10, 9), (3, 14, 0))),
    ],
)
def test_a_python_that_is_too_old_or_new_or_missing_gets_one_sentence_and_leaves_nothing(
    body: str | None, tmp_path: Path
) -> None:
    python = tmp_path / "python3.10"
    if body:
        python.write_text(f"#!/bin/sh\n{body}\n")
        python.chmod(0o755)
    done = make(tmp_path, f"PYTHON={python}")
    assert done.returncode
    assert "This needs Python 3.11, 3.12 or 3.13" in done.stderr
    assert not (tmp_path / ".venv").exists()


def test_a_taken_port_gets_one_sentence(tmp_path: Path) -> None:
    installed = tmp_path / ".venv" / "bin"
    installed.mkdir(parents=True)
    (installed / "python").symlink_to(shutil.which("python3") or "")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        (tmp_path / "requirements.txt").touch()
        (tmp_path / ".venv" / ".app-installed").touch()
        done = make(tmp_path, f"PORT={port}", "-o", ".venv/.app-installed")
    assert done.returncode
    assert f"Port {port} is taken" in done.stderr
    assert f"make app PORT={port + 1}" in done.stderr
