"""What a user waits for, in a real Chromium: the first page after the server's start, and a new sentence's maps.

    python -m benchmarks.first_screen

Needs the test requirements (`make test` installs them) and a Chromium on the PATH. Prints, for the entrance and for
Translate, the time from starting the server to each part of the first screen with the bytes that the browser received
until then, and the time from Enter in Translate's sentence box to the new translation's map.
"""

import argparse
import http.client
import os
import shutil
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
# Each is typed once: a translation is kept.
SENTENCES = tuple(
    sentence.format(who=who)
    for who in ("man", "woman", "boy", "girl")
    for sentence in (
        "The old {who} who lives next door told me that he wanted to learn German.",
        "The {who} bought a new car last week because the old one was too small.",
        "The {who} would have arrived on time if you had not forgotten the keys at home.",
        "I do not know why the {who} is so tired after a long day at school.",
        "The {who} asked me whether I had ever been to the museum in the old town.",
    )
)
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")
EXPLORER = ".explorer"
MAP = f"{EXPLORER} .matrix .cells"
ENTRANCE = (("the page", "h1"), ("its picture", ".architecture svg .head"))
TRANSLATE = (("the page", "h1"), ("its translation", ".line-token"), ("its first map", MAP))
COLUMNS = ".views > .matrix .top .label:not(.here)"
STARTUP_SECONDS = 120
MILLISECONDS = 60_000


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


def seconds_to_new_map(page: Page, sentence: str) -> float:
    """Type ``sentence``, press Enter, and return the time until the map's columns spell it on screen."""
    box = page.get_by_role("textbox").first
    box.fill(sentence)
    start = time.perf_counter()
    box.press("Enter")
    # A column is a piece: a raised dot marks one that goes on with a word, and the last one ends the sentence.
    page.wait_for_function(
        """([explorer, columns, wanted]) => [...explorer.querySelectorAll(columns)].slice(0, -1)
            .map((label) => label.textContent.replace("·", "")).join("") === wanted""",
        arg=[page.locator(EXPLORER).element_handle(), COLUMNS, sentence.replace(" ", "")],
        timeout=MILLISECONDS,
    )
    return time.perf_counter() - start


def count_bytes(page: Page) -> Callable[[], int]:
    """Return what tells how many bytes ``page`` has received so far, by HTTP and over its WebSocket."""
    received = [0]
    session = page.context.new_cdp_session(page)

    def add(number: float) -> None:
        received[0] += int(number)

    session.on("Network.loadingFinished", lambda event: add(event["encodedDataLength"]))
    # The protocol gives what is binary in base64, four characters for three bytes.
    session.on("Network.webSocketFrameReceived", lambda event: add(len(event["response"]["payloadData"]) * 3 / 4))
    session.send("Network.enable")
    return lambda: received[0]


def first_screen(page: Page, port: int, address: str, parts: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Start the app, load ``address`` as soon as it answers, and yield a line for each of ``parts``; end the app."""
    received = count_bytes(page)
    start = time.perf_counter()
    server = start_server(port)
    try:
        wait_for_server(server, port)
        yield f"{time.perf_counter() - start:6.2f} s  the server answers"
        page.goto(f"http://127.0.0.1:{port}/{address}")
        for what, selector in parts:
            page.locator(selector).first.wait_for(timeout=MILLISECONDS)
            yield f"{time.perf_counter() - start:6.2f} s  {what} is on screen, after {received() / 1e6:.2f} MB"
        if parts == TRANSLATE:
            time.sleep(2)
            new = [seconds_to_new_map(page, sentence) for sentence in SENTENCES]
            spread = f"{min(new):.2f} to {max(new):.2f} s, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
            yield f"{statistics.median(new):6.2f} s  from Enter to new maps, beam 4, median of {len(new)}; {spread}"
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    """Print every wait."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for name, address, parts in (("The entrance", "", ENTRANCE), ("Translate", "translate", TRANSLATE)):
            print(name)
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            for line in first_screen(page, free_port(), address, parts):
                print(line)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
