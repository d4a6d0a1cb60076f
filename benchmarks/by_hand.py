"""How long the page Dot product by hand takes from an edit to every step recomputed.

    python -m benchmarks.by_hand

Needs the test requirements (`make test` installs them) and a Chromium on the PATH. Prints medians in milliseconds: the
steps alone, the same in PyTorch, and in the browser from a key in a cell to the last step's new number.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from playwright.sync_api import sync_playwright

from benchmarks.first_screen import FLAGS, chromium, free_port, start_server, wait_for_server
from model.device import use_one_thread
from viz.pages.dot_product.study.by_hand import AttentionInputs, AttentionOptions, compute

# Types the next value into the first cell of X, and waits for the last table of the page to change.
EDIT = """async (value) => {
    const everything = [...document.querySelectorAll("*")];
    const roots = [document, ...everything.map((one) => one.shadowRoot).filter(Boolean)];
    const cell = roots.map((root) => root.querySelector('input[aria-label="X, row 1, column 1"]')).find(Boolean);
    const output = () => [...document.querySelectorAll("table.matrix")].map((table) => table.textContent).join();
    const before = output();
    const start = performance.now();
    cell.value = value;
    cell.dispatchEvent(new Event("input", { bubbles: true }));
    while (output() === before) await new Promise(requestAnimationFrame);
    return performance.now() - start;
}"""


def milliseconds(call: Callable[[], object], repetitions: int) -> float:
    """Return the median duration of ``call``, after one that warms up."""
    call()
    durations = []
    for _ in range(repetitions):
        start = time.perf_counter()
        call()
        durations.append(1000 * (time.perf_counter() - start))
    return statistics.median(durations)


def edit_in_browser(repetitions: int) -> float:
    """Return the median time from a key to the new number on screen."""
    port = free_port()
    server = start_server(port)
    try:
        wait_for_server(server, port)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(f"http://127.0.0.1:{port}/dot-product")
            page.get_by_label("X, row 1, column 1", exact=True).wait_for()
            page.locator(".js-plotly-plot").nth(2).wait_for()
            durations = []
            for value in range(2, repetitions + 3):
                durations.append(page.evaluate(EDIT, str(value)))
                page.wait_for_timeout(300)
            browser.close()
        return statistics.median(durations[1:])
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=20)
    given = parser.parse_args()
    use_one_thread()
    random = np.random.default_rng(0)
    inputs = AttentionInputs(*(random.normal(size=(8, 8)) for _ in range(5)))
    q = torch.randn(2, 8, 4, dtype=torch.float64)
    parts: dict[str, Callable[[], object]] = {
        "all steps, 8 tokens, 2 heads": lambda: compute(inputs, AttentionOptions(n_heads=2)),
        "scaled_dot_product_attention on the same sizes": lambda: F.scaled_dot_product_attention(q, q, q),
    }
    for name, call in parts.items():
        print(f"{milliseconds(call, given.repetitions):8.2f} ms  {name}")
    print(f"{edit_in_browser(given.repetitions):8.2f} ms  an edit in the browser, to the last step's new number")


if __name__ == "__main__":
    main()
