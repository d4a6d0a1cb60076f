"""What a visitor of the site waits for and loads, in a real Chromium, and what that costs the server.

    python -m benchmarks.site [--visitors N]

Needs the test requirements and onnxruntime-web (`make site` installs both) and a Chromium on the PATH. Writes the site
with all translators and serves it by Python's own server of files. Prints the bytes and the seconds until the first
translation of a cold browser, the time from Enter to a new sentence's maps, the memory of the tab, and the requests of
many visitors one after the other, who load what a browser loads.
"""

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.client import HTTPConnection
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import psutil
from playwright.sync_api import Page, sync_playwright

from benchmarks.browser import FLAGS, chromium
from benchmarks.command import parser_of, run_command
from viz.shared.shipped import offered
from viz.site.folder import write_site
from viz.site.parts import common_assets

_MEGABYTE = 1e6
_TURNS = 4
_SENTENCES = tuple(
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
_TRANSLATED = """(before) => new Promise((resolve) => {
  const text = () => document.querySelector(".token-line")?.textContent;
  const isNew = () => text() && text() !== before;
  const look = () => requestAnimationFrame(isNew() ? () => resolve(text()) : look);
  look();
})"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Write nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve ``folder`` on this machine while the block runs; yield its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def main() -> None:
    """Print all."""
    parser = parser_of(__file__, __doc__)
    parser.add_argument("--visitors", type=int, default=1000, help="who load the site one after the other")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as address:
        write_site(Path(folder), [*offered().values()], common_assets())
        files = _visit(address)
        _load(address, files, given.visitors)


def _visit(address: str) -> list[str]:
    """Print what one visitor waits for; return the addresses that the browser loads."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        context = browser.new_context(bypass_csp=True, service_workers="block", reduced_motion="reduce")
        page = context.new_page()
        files: dict[str, int] = {}
        page.on("response", lambda answer: files.update({answer.url: int(answer.headers.get("content-length", 0))}))
        start = time.perf_counter()
        page.goto(f"{address}/translate/")
        page.locator(".token-line .line-token").first.wait_for()
        seconds = time.perf_counter() - start
        print(f"first translation: {seconds:.2f} s, {sum(files.values()) / _MEGABYTE:.1f} MB in {len(files)} files")
        for search in ("greedy", "beam"):
            page.get_by_label("Search").select_option(search)
            page.wait_for_timeout(500)
            times = [_translate(page, sentence) for _ in range(_TURNS) for sentence in _SENTENCES]
            most, least = statistics.median(times), min(times)
            print(f"Enter to maps, {search}: {1000 * most:.0f} ms, least {1000 * least:.0f} ms ({len(times)} times)")
        tabs = [child for child in psutil.Process().children(recursive=True) if "--type=renderer" in child.cmdline()]
        print(f"memory of the tab: {max(tab.memory_info().rss for tab in tabs) / _MEGABYTE:.0f} MB")
        browser.close()
    return [urlsplit(url).path for url in files]


def _translate(page: Page, sentence: str) -> float:
    before = page.locator(".token-line").text_content()
    box = page.get_by_label("English sentence")
    box.fill(sentence)
    start = time.perf_counter()
    box.press("Enter")
    page.evaluate(_TRANSLATED, before)
    return time.perf_counter() - start


def _load(address: str, files: list[str], n: int) -> None:
    """Print what ``n`` visitors cost the server who each load ``files``."""
    process, received = psutil.Process(), 0
    used, start = process.cpu_times().user + process.cpu_times().system, time.perf_counter()
    for _ in range(n):
        connection = HTTPConnection(urlsplit(address).netloc)
        for path in files:
            connection.request("GET", path)
            received += len(connection.getresponse().read())
        connection.close()
    seconds = time.perf_counter() - start
    cpu = process.cpu_times().user + process.cpu_times().system - used
    print(
        f"{n} visitors: {len(files)} requests and {received / n / _MEGABYTE:.1f} MB each, in {seconds:.0f} s; "
        f"{1000 * cpu / n:.0f} ms of a processor each, the visitor's part with it"
    )


if __name__ == "__main__":
    run_command(main)
