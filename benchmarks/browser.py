"""A Chromium and a running app, for what is measured or pictured in a browser."""

import http.client
import shutil
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).parents[1]
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")
STARTUP_SECONDS = 120


def chromium() -> str | None:
    """Return where the browser lies; None for the one that Playwright brings."""
    return next(
        filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"))),
        None,
    )


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def start_server(port: int) -> subprocess.Popen[bytes]:
    """Start the app on ``port`` without opening a browser."""
    options = ["--server.port", str(port), "--server.headless", "true"]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", *options]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_for_server(server: subprocess.Popen[bytes], port: int) -> None:
    """Return once ``server`` answers on ``port``.

    Raises:
        RuntimeError: it ended, or did not answer in time.
    """
    deadline = time.monotonic() + STARTUP_SECONDS
    while not answers(port):
        if server.poll() is not None:
            raise RuntimeError(f"the server ended with exit status {server.returncode}")
        if time.monotonic() > deadline:
            raise RuntimeError(f"the server did not answer within {STARTUP_SECONDS} s")
        time.sleep(0.02)


def answers(port: int) -> bool:
    """Whether a healthy server listens on ``port``."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
        try:
            connection.request("GET", "/_stcore/health")
            return connection.getresponse().read() == b"ok"
        except (OSError, http.client.HTTPException):
            return False
