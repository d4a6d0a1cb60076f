"""What every head of a text costs on the screen: bytes sent, and time from arrays in Python to a painted picture.

    python -m benchmarks.attention_views

Needs the test requirements (`make test` installs them) and a Chromium on the PATH. Weights are made up, 6 layers of 8
heads. Each time is the median of several fresh pages, more where a page takes less, by the browser's clock: from asking
for the data, which is packed only then, to two frames after the last of it was drawn. Every page is one in use, as an
app's is: it names its two fonts and shows a few words in them already. Hovering is the script time from a pointer event
to its end. BertViz is as it is published, except that this machine serves its libraries, at once, instead of a CDN;
they are not in its bytes. Its head view draws one layer of those that it is sent.
"""

import argparse
import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import numpy as np
import torch
from bertviz import head_view, model_view
from jaxtyping import Float32
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.first_screen import FLAGS, chromium
from viz.base.attention_maps import AttentionKind, TokenRow
from viz.base.words import page_text
from viz.components import attention_explorer
from viz.components.attention_explorer import ExplorerView
from viz.components.attention_explorer.payload import pack
from viz.components.attention_explorer.view import MAX_PINS
from viz.components.browser import bundle, menu_header
from viz.pages.translate.components.bertviz_view import libraries

LAYERS, HEADS = 6, 8
VIEWPORT = {"width": 1440, "height": 900}
PAGE = b"""<!doctype html><meta charset=utf-8>
<style>:root { --st-font: sans-serif; --st-code-font: monospace; font-family: var(--st-font) }</style>
<p>Every head of every layer, <strong>looked</strong> at.</p><code style="font-family: var(--st-code-font)">0.123</code>
<div id=host></div>"""
Weights = Float32[np.ndarray, "layer head query key"]

PAGE_SCRIPT = """const script = await (await fetch("/script")).blob();
  const module = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  const style = document.createElement("style");
  style.textContent = await (await fetch("/style")).text();
  const parentElement = document.querySelector("#host").attachShadow({ mode: "open" });
  parentElement.append(style);"""
MOUNT = f"""async () => {{
  {PAGE_SCRIPT}
  const start = performance.now();
  const data = new Uint8Array(await (await fetch("/data")).arrayBuffer());
  module.default({{ data, parentElement, setStateValue() {{}} }});
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return {{ bytes: data.length, milliseconds: performance.now() - start }};
}}"""
HOVER = """async (steps) => {
  const cells = document.querySelector("#host").shadowRoot.querySelector(".matrix .cells");
  const box = cells.getBoundingClientRect();
  const times = [];
  for (let step = 0; step < steps; step++) {
    const clientX = box.left + ((step * 37) % 97) / 97 * box.width;
    const clientY = box.top + ((step * 53) % 89) / 89 * box.height;
    const start = performance.now();
    cells.dispatchEvent(new PointerEvent("pointermove", { clientX, clientY, bubbles: true, pointerType: "mouse" }));
    times.push(performance.now() - start);
    await new Promise(requestAnimationFrame);
  }
  return times;
}"""

BERTVIZ_LIBRARIES = "https://cdnjs.cloudflare.com/**"
BERTVIZ = """async (lines) => {
  const start = performance.now();
  const html = await (await fetch("/data")).text();
  const frame = document.createElement("iframe");
  Object.assign(frame.style, { width: "100%", height: "800px" });
  frame.srcdoc = html;
  document.querySelector("#host").append(frame);
  const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  do await frames();
  while (frame.contentDocument.querySelectorAll("svg line").length < lines);
  await frames();
  return { bytes: new Blob([html]).size, milliseconds: performance.now() - start };
}"""


@dataclass(frozen=True)
class Drawn:
    """What one page took; ``hover`` is in milliseconds for each step, and empty where it was not asked for."""

    payload_bytes: int
    milliseconds: float
    hover: tuple[float, ...] = ()


@dataclass(frozen=True)
class Peer:
    """A way to show every head: ``draw`` opens one of its fresh pages; texts above ``most_tokens`` are left out."""

    name: str
    draw: Callable[[Browser, Weights], Drawn]
    most_tokens: int
    pages: int


def made_up(tokens: int) -> Weights:
    """Return weights [layer, head, token, token] whose rows add up to 1."""
    weights = np.random.default_rng(0).random((LAYERS, HEADS, tokens, tokens), dtype=np.float32) ** 8
    return weights / weights.sum(axis=-1, keepdims=True)


@contextmanager
def served(answers: dict[str, Callable[[], bytes]]) -> Iterator[str]:
    """Answer each path by what its function returns, on a port of this machine; give the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = answers.get(self.path, lambda: PAGE)()
            self.send_response(200)
            self.send_header("Content-Type", "text/html" if self.path == "/" else "application/octet-stream")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()


def draw_explorer(browser: Browser, weights: Weights) -> Drawn:
    """Show ``weights`` in the explorer: the overview of all heads, and one head as matrix, lines and rows."""
    row = TokenRow(tuple(f"token{index}" for index in range(weights.shape[-1])))
    folder = Path(attention_explorer.__file__).parent
    text = dict(page_text("components/attention_explorer"))
    header = {
        "view": asdict(ExplorerView()),
        "max_pins": MAX_PINS,
        "is_echo": False,
        "names": ("", ""),
        "measure": "",
        "text": text,
        "menu": menu_header(),
    }
    answers: dict[str, Callable[[], bytes]] = {
        "/script": bundle(folder / "main.js").encode,
        "/style": (folder / "attention_explorer.css").read_bytes,
        "/data": lambda: pack((AttentionKind("encoder", weights, row, row),), theme="light", header=header),
    }
    with served(answers) as address:
        page: Page = browser.new_page(viewport=VIEWPORT)
        page.goto(address)
        found = page.evaluate(MOUNT)
        hover = page.evaluate(HOVER, 100)
        page.close()
    return Drawn(found["bytes"], found["milliseconds"], tuple(hover))


def draw_bertviz(view: Callable[..., object], drawn_layers: int, browser: Browser, weights: Weights) -> Drawn:
    """Show ``weights`` in a view of BertViz, which draws a line for each weight of ``drawn_layers``."""
    tokens = [f"token{index}" for index in range(weights.shape[-1])]

    def html() -> bytes:
        attention = [torch.from_numpy(layer)[None] for layer in weights]  # [1, head, query, key]
        return view(attention, tokens, html_action="return").data.encode()

    with served({"/data": html}) as address:
        page = browser.new_page(viewport=VIEWPORT)
        page.route(BERTVIZ_LIBRARIES, lambda route: route.fulfill(content_type="text/javascript", body=libraries()))
        page.goto(address)
        found = page.evaluate(BERTVIZ, drawn_layers * weights[0].size)
        page.close()
    return Drawn(found["bytes"], found["milliseconds"])


PEERS = (
    Peer("explorer: all heads, one in detail", draw_explorer, most_tokens=512, pages=9),
    Peer("BertViz's head view", partial(draw_bertviz, head_view, 1), most_tokens=128, pages=3),
    Peer("BertViz's model view", partial(draw_bertviz, model_view, LAYERS), most_tokens=128, pages=3),
)


def report(peer: Peer, weights: Weights, drawn: list[Drawn]) -> None:
    """Print the medians of one peer at one length."""
    size = drawn[0].payload_bytes
    took = statistics.median(one.milliseconds for one in drawn)
    hover = [milliseconds for one in drawn for milliseconds in one.hover]
    hovering = f", hover {statistics.median(hover):5.1f} ms" if hover else ""
    print(
        f"{weights.shape[-1]:4} tokens  {peer.name:36} {size:12,} bytes, {size / weights.size:6.3f} a weight,"
        f" {took:9,.0f} ms{hovering}"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokens", type=int, nargs="+", default=[32, 64, 128, 256, 512])
    given = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for tokens in given.tokens:
            weights = made_up(tokens)
            for peer in PEERS:
                if tokens <= peer.most_tokens:
                    report(peer, weights, [peer.draw(browser, weights) for _ in range(peer.pages)])
        browser.close()


if __name__ == "__main__":
    main()
