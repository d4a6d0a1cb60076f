"""What a large recording costs in the app's explorer: bytes sent, time to the picture, and time to open a head.

    python -m benchmarks.large_recordings

Needs the test requirements (`make test` installs them) and a Chromium on the PATH. Weights are made up, 12 layers of 12
heads. Each time is the median of several fresh pages, by the browser's clock: to the picture, from asking for the data,
which is packed only then, to two frames after every head and the mean of the last layer were drawn; to open a head,
from the click on its tile to two frames after its own weights were drawn. Bytes of a head are those that the page sends
after the click, needed or not. "reduced" is what *Your model* sends, "every
map" is what it would send without.
"""

import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import numpy as np
from jaxtyping import Float32
from playwright.sync_api import Browser, sync_playwright

from benchmarks.browser import FLAGS, chromium
from benchmarks.command import parser_of, run_command
from viz.base.attention_maps import AttentionKind, TokenRow
from viz.base.words import page_text
from viz.components import attention_explorer
from viz.components.attention_explorer import ExplorerView
from viz.components.attention_explorer.payload import pack
from viz.components.attention_explorer.sending import SendAll, Sending, SendReduced
from viz.components.attention_explorer.view import MAX_PINS
from viz.components.browser import bundle, menu_header

LAYERS, HEADS = 12, 12
OPENING = ExplorerView(kind="encoder", heads=tuple((LAYERS - 1, head) for head in range(HEADS)))
OPENED = ExplorerView(kind="encoder", heads=((0, 0),))
VIEWPORT = {"width": 1440, "height": 900}
PAGE = b"""<!doctype html><meta charset=utf-8>
<style>:root { --st-font: sans-serif; --st-code-font: monospace; font-family: var(--st-font) }</style>
<p>Every head of every layer, <strong>looked</strong> at.</p><code style="font-family: var(--st-code-font)">0.123</code>
<div id=host></div>"""
Weights = Float32[np.ndarray, "layer head query key"]
MOUNT = """async () => {
  const script = await (await fetch("/script")).blob();
  const module = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  const style = document.createElement("style");
  style.textContent = await (await fetch("/style")).text();
  const parentElement = document.querySelector("#host").attachShadow({ mode: "open" });
  parentElement.append(style);
  const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const get = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());
  let headBytes = 0;
  const answer = async () => {
    const head = await get("/head");
    headBytes += head.length;
    show(head);
  };
  const show = (data) => module.default({ data, parentElement, setStateValue: answer });
  const start = performance.now();
  const data = await get("/data");
  show(data);
  await frames();
  const picture = performance.now() - start;
  const clicked = performance.now();
  parentElement.querySelector(".tile").click();
  do await frames();
  while (parentElement.querySelector(".reduced"));
  const head = performance.now() - clicked;
  while (!headBytes) await frames();
  return { bytes: data.length, picture, headBytes, head };
}"""


@dataclass(frozen=True)
class Way:
    """A way to send a recording: ``of`` makes it for a view; longer texts than ``most_tokens`` are left out."""

    name: str
    of: Callable[[ExplorerView], Sending]
    most_tokens: int


WAYS = (Way("every map", lambda _: SendAll(), 512), Way("reduced", SendReduced, 1024))


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


def draw(browser: Browser, weights: Weights, way: Way) -> dict[str, float]:
    """Show ``weights`` in the explorer, open a head, and return bytes and milliseconds."""
    row = TokenRow(tuple(f"token{index}" for index in range(weights.shape[-1])))
    folder = Path(attention_explorer.__file__).parent

    def data(view: ExplorerView, *, is_echo: bool) -> bytes:
        header = {
            "view": asdict(view),
            "max_pins": MAX_PINS,
            "is_echo": is_echo,
            "names": ("", ""),
            "measure": "",
            "text": dict(page_text("components/attention_explorer")),
            "menu": menu_header(),
        }
        return pack(kinds, theme="light", header=header, sending=way.of(view))

    def first() -> bytes:
        # Measures and reduced maps are kept with a recording, so each page has one of its own.
        kinds[:] = [AttentionKind("encoder", weights, row, row)]
        return data(OPENING, is_echo=False)

    kinds: list[AttentionKind] = []
    answers: dict[str, Callable[[], bytes]] = {
        "/script": bundle(folder / "main.js").encode,
        "/style": (folder / "attention_explorer.css").read_bytes,
        "/data": first,
        "/head": lambda: data(OPENED, is_echo=True),
    }
    with served(answers) as address:
        page = browser.new_page(viewport=VIEWPORT)
        page.goto(address)
        found: dict[str, float] = page.evaluate(MOUNT)
        page.close()
    return found


def main() -> None:
    """Print the table."""
    parser = parser_of(__file__, __doc__)
    parser.add_argument("--tokens", type=int, nargs="+", default=[128, 256, 512, 1024])
    parser.add_argument("--pages", type=int, default=5)
    given = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for tokens in given.tokens:
            weights = made_up(tokens)
            for way in WAYS:
                if tokens > way.most_tokens:
                    continue
                pages = [draw(browser, weights, way) for _ in range(given.pages)]
                size, picture, head_size, head = (
                    statistics.median(page[name] for page in pages)
                    for name in ("bytes", "picture", "headBytes", "head")
                )
                print(
                    f"{tokens:5} tokens  {way.name:10} {size:12,.0f} bytes, picture in {picture:6,.0f} ms;"
                    f" a head: {head_size:12,.0f} bytes, {head:6,.0f} ms",
                    flush=True,
                )
        browser.close()


if __name__ == "__main__":
    run_command(main)
