"""An app that a test opens in a browser: one server of it for all processes of a run, so that it is warm but once."""

import fcntl
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
STARTUP_SECONDS = 90


@contextmanager
def shared(script: str, arguments: Sequence[str], folder: Path, models: Path) -> Iterator[tuple[str, Path]]:
    """Yield the address of the app ``script`` and its log.

    Who needs it first starts it, and who leaves it last ends it; ``folder`` is one for all processes of the run.
    """
    place = folder / "-".join([*script.split("/"), *arguments])
    place.mkdir(exist_ok=True)
    user, address, process, log = (place / name for name in (f"user-{os.getpid()}", "address", "process", "log"))
    with _locked(place / "lock"):
        if not any(place.glob("user-*")):
            address.write_text(_start(script, arguments, process, log, models))
        user.touch()
    try:
        yield address.read_text(), log
    finally:
        with _locked(place / "lock"):
            user.unlink()
            if not any(place.glob("user-*")):
                _end(int(process.read_text()))


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _start(script: str, arguments: Sequence[str], process: Path, log: Path, models: Path) -> str:
    port = _free_port()
    options = ["--server.port", str(port), "--server.headless", "true"]
    command = [sys.executable, "-m", "streamlit", "run", script, *options, "--", *arguments]
    # Among tests that keep every core busy, a nice process would be given next to nothing of them.
    surroundings = os.environ | {"TRAINING_NICENESS": "0", "OWN_MODELS_FOLDER": str(models)}
    with log.open("wb") as sink:
        server = subprocess.Popen(
            command, cwd=ROOT, env=surroundings, stdout=sink, stderr=subprocess.STDOUT, start_new_session=True
        )
    process.write_text(str(server.pid))
    try:
        _wait_until_healthy(server, port)
    except RuntimeError:
        server.kill()
        raise
    # It outlives this process where others of the run use it: Python must not warn of that.
    server.returncode = 0
    return f"http://127.0.0.1:{port}"


def _end(pid: int) -> None:
    deadline = time.monotonic() + 10
    try:
        os.kill(pid, signal.SIGTERM)
        while time.monotonic() < deadline:
            os.kill(pid, 0)
            os.waitpid(pid, os.WNOHANG)
            time.sleep(0.05)
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, ChildProcessError):
        return


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_until_healthy(server: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + STARTUP_SECONDS
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise RuntimeError(f"the app ended with exit status {server.returncode}; its log is below")
        if _health(port) == "ok":
            return
        time.sleep(0.1)
    raise RuntimeError(f"the app was not healthy after {STARTUP_SECONDS} s; its log is below")


def _health(port: int) -> str | None:
    # http.client, because urllib would ask a configured proxy.
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/_stcore/health")
        return connection.getresponse().read().decode()
    except OSError:
        return None
    finally:
        connection.close()
