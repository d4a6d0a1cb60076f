"""What one step of dragging a slider costs in the positional-encoding playground, in a real Chromium.

    python -m benchmarks.encoding_drag

Needs the test requirements (`make test` installs them) and a Chromium on the PATH. Drags the slider of the base, which
changes every picture, with all seven on screen, and prints the median script time of a step beside that of redrawing
one heatmap of the same numbers with Plotly.react, from the same run. Ends with an error if a drag used the network.
"""

import argparse
import statistics
from importlib.resources import files
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Locator, Page, WebSocket, sync_playwright

from benchmarks.first_screen import FLAGS, MILLISECONDS, chromium, free_port, start_server, wait_for_server

SIZES = ((512, 512, 8.0), (2048, 1024, 16.0))
VIEWPORT = {"width": 1440, "height": 1100}
# The whole of both event and drawing: an input event is handled before one frame and drawn in it.
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
PLOTLY = Path(str(files("plotly").joinpath("package_data/plotly.min.js")))
PLOTLY_PAGE = """
<input type="range" min="0" max="1000" value="500" style="width: 300px">
<div id="chart" style="width: 520px; height: 270px"></div>
"""
PLOTLY_SETUP = """([length, d_model]) => {
  const layout = { margin: { l: 50, r: 10, t: 5, b: 30 } };
  const draw = (base) => {
    const z = Array.from({ length }, (_, position) => Float32Array.from({ length: d_model }, (_, dimension) => {
      const angle = position * base ** (-(dimension - (dimension % 2)) / d_model);
      return dimension % 2 ? Math.cos(angle) : Math.sin(angle);
    }));
    return Plotly.react("chart", [{ type: "heatmap", z, zmin: -1, zmax: 1, showscale: false }], layout);
  };
  const slider = document.querySelector("input");
  slider.addEventListener("input", () => draw(10 ** (0.3 + slider.value * 0.0057)));
  return draw(10000);
}"""


class Traffic:
    """Counts what a page sends and receives."""

    def __init__(self, page: Page) -> None:
        self.count = 0
        page.on("request", self._add)
        page.on("websocket", self._watch)

    def _watch(self, socket: WebSocket) -> None:
        socket.on("framesent", self._add)
        socket.on("framereceived", self._add)

    def _add(self, _: object) -> None:
        self.count += 1


def milliseconds_of(session: CDPSession) -> tuple[float, float]:
    """Return how long scripts, and the whole main thread, have worked so far."""
    metrics = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
    return metrics["ScriptDuration"] * 1000, metrics["TaskDuration"] * 1000


def drag(page: Page, slider: Locator, steps: int) -> list[tuple[float, float]]:
    """Drag ``slider`` from end to end; return the milliseconds of scripts and of the main thread for each step."""
    session = page.context.new_cdp_session(page)
    # The processor time of the thread: what else the machine does is not in it.
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    box = slider.bounding_box()
    assert box
    y = box["y"] + box["height"] / 2
    left, width = box["x"] + 8, box["width"] - 16
    page.mouse.move(left, y)
    page.mouse.down()
    page.evaluate(TWO_FRAMES)
    spent = []
    before = milliseconds_of(session)
    for step in range(1, steps + 1):
        page.mouse.move(left + width * step / steps, y)
        page.evaluate(TWO_FRAMES)
        after = milliseconds_of(session)
        spent.append((after[0] - before[0], after[1] - before[1]))
        before = after
    return spent


def drag_playground(browser: Browser, address: str, length: int, d_model: int, steps: int) -> list[tuple[float, float]]:
    """Drag the base of the playground; RuntimeError where a picture is off screen or the drag used the network."""
    page = browser.new_page(viewport=VIEWPORT)
    traffic = Traffic(page)
    page.goto(f"{address}/sinusoid?d_model={d_model}&length={length}")
    page.locator(".playground[data-source=server]").wait_for(timeout=MILLISECONDS)
    page.wait_for_timeout(1000)
    ends = page.locator(".playground .picture").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().bottom)"
    )
    if not ends or max(ends) > VIEWPORT["height"]:
        raise RuntimeError(f"not every picture is on screen: {ends}")
    before = traffic.count
    spent = drag(page, page.locator("input[type=range][data-name=base]"), steps)
    if traffic.count != before:
        raise RuntimeError(f"the drag sent or received {traffic.count - before} messages")
    page.close()
    return spent


def drag_plotly(browser: Browser, length: int, d_model: int, steps: int) -> list[tuple[float, float]]:
    """Drag a slider that redraws one Plotly heatmap of the encoding at every step."""
    page = browser.new_page(viewport=VIEWPORT)
    page.set_content(PLOTLY_PAGE)
    page.add_script_tag(path=PLOTLY)
    page.evaluate(PLOTLY_SETUP, [length, d_model])
    spent = drag(page, page.locator("input"), steps)
    page.close()
    return spent


def report(what: str, spent: list[tuple[float, float]], budget: float | None = None) -> None:
    """Print the medians of ``spent``."""
    script, thread = (statistics.median(part) for part in zip(*spent, strict=True))
    target = "" if budget is None else f", where at most {budget:g} ms are wanted"
    print(f"{script:8.1f} ms of scripts a step{target}; {thread:.1f} ms of the main thread: {what}")


def main() -> None:
    """Print the medians."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=100)
    steps = parser.parse_args().steps
    port = free_port()
    server = start_server(port)
    try:
        wait_for_server(server, port)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
            for length, d_model, budget in SIZES:
                numbers = f"{length} positions by {d_model} dimensions"
                spent = drag_playground(browser, f"http://127.0.0.1:{port}", length, d_model, steps)
                report(f"{numbers}, our seven pictures, no network traffic", spent, budget)
            length, d_model, _ = SIZES[0]
            report(
                f"{length} positions by {d_model} dimensions, one Plotly heatmap",
                drag_plotly(browser, length, d_model, steps),
            )
            browser.close()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
