"""What a view costs as a file: its bytes, the time to write it, and the time until a browser shows it.

    python -m benchmarks.saved_views

Needs the test requirements (`make test` installs them) and a Chromium on the PATH. Weights are made up, 12 layers of 12
heads. Time to open is by the browser's clock, from the beginning of the page to two frames after its heads are there.
BertViz's model view of the same weights is written in a process of at most 6 GB, and is not opened: it draws a line for
each weight (`benchmarks.attention_views` opens small ones).
"""

import argparse
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from bertviz import model_view
from jaxtyping import Float32
from playwright.sync_api import Browser, sync_playwright

from benchmarks.first_screen import FLAGS, chromium
from viz.notebook import explore

LAYERS, HEADS = 12, 12
MOST_BYTES = 6 * 10**9
PAINTED = """() => new Promise((done) => {
  const wait = () => document.querySelector(".explorer .tile") ? requestAnimationFrame(() =>
    requestAnimationFrame(() => done(performance.now()))) : requestAnimationFrame(wait);
  wait();
})"""
Weights = Float32[np.ndarray, "layer head query key"]


def made_up(tokens: int) -> tuple[Weights, list[str]]:
    """Return weights [layer, head, token, token] whose rows add up to 1, and their tokens."""
    weights = np.random.default_rng(0).random((LAYERS, HEADS, tokens, tokens), dtype=np.float32) ** 8
    return weights / weights.sum(axis=-1, keepdims=True), [f"token{index}" for index in range(tokens)]


def report(tokens: int, name: str, result: str) -> None:
    print(f"{tokens:5} tokens  {name:22} {result}", flush=True)


def write_explorer(browser: Browser, tokens: int, folder: Path) -> None:
    """Write the explorer, open it, and print what that took."""
    weights, labels = made_up(tokens)
    file = folder / "view.html"
    begin = time.perf_counter()
    explore(weights, labels).save(file)
    wrote = time.perf_counter() - begin
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(file.as_uri())
    opened = page.evaluate(PAINTED) / 1000
    page.close()
    report(tokens, "explorer", f"{file.stat().st_size:13,} bytes, written in {wrote:5.1f} s, opens in {opened:4.1f} s")


def write_bertviz(tokens: int) -> None:
    """Print the bytes of BertViz's model view, and the time that it takes to write."""
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))
    weights, labels = made_up(tokens)
    begin = time.perf_counter()
    layers = [torch.from_numpy(layer)[None] for layer in weights]  # [1, head, query, key]
    html = model_view(layers, labels, html_action="return").data
    wrote = time.perf_counter() - begin
    report(tokens, "BertViz's model view", f"{len(html.encode()):13,} bytes, written in {wrote:5.1f} s")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokens", type=int, nargs="+", default=[128, 256, 512, 1024])
    parser.add_argument("--bertviz", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.bertviz:
        write_bertviz(given.bertviz)
        return
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for tokens in given.tokens:
            write_explorer(browser, tokens, Path(folder))
            command = [sys.executable, "-m", "benchmarks.saved_views", "--bertviz", str(tokens)]
            if error := subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False).stderr.strip():
                report(tokens, "BertViz's model view", f"none: {error.splitlines()[-1] or 'killed'}")
        browser.close()


if __name__ == "__main__":
    main()
