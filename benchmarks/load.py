"""How long visitors wait, and what the server takes: many at once on every page, over Streamlit's websocket.

    python -m benchmarks.load http://127.0.0.1:8501 --visitors 50

A visitor opens each page in turn, in an order of his own, and acts there: he moves the first number, slider or switch.
``--think`` has him wait before he opens and before he acts, by chance, so that visitors do not all act at once. Prints
a line a page, median and 95th percentile of opening and acting in seconds, faults, and the memory of the server with
its processes. With ``--press LABEL --pages NAME`` he presses that button instead; ``--stay`` says how many seconds he
then stays, with the reruns that the page asks a browser for.
"""

import argparse
import asyncio
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import psutil
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from viz.shell.navigation import sections

# Seconds after which a run counts as lost.
PATIENCE = 120


@dataclass
class Counts:
    """What was seen of a page."""

    opened: list[float] = field(default_factory=list)
    acted: list[float] = field(default_factory=list)
    n_faults: int = 0


class Visitor:
    """One tab: a websocket, and the widgets that the page showed last."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.elements: list[Any] = []
        self.script_hash = ""
        self.fragments: dict[str, float] = {}
        self.n_faults = 0

    async def run(self, request: BackMsg) -> float:
        """Ask for a run, and return the seconds until it is over."""
        start = time.perf_counter()
        self.elements, self.fragments = [], {}
        await self.socket.send(request.SerializeToString())
        while True:
            message = ForwardMsg.FromString(await asyncio.wait_for(self.socket.recv(), PATIENCE))
            kind = message.WhichOneof("type")
            if kind == "new_session":
                self.script_hash = message.new_session.page_script_hash
            elif kind == "navigation":
                self.script_hash = message.navigation.page_script_hash
            elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                element = message.delta.new_element
                name = element.WhichOneof("type")
                self.n_faults += name == "exception"
                self.elements.append((name, getattr(element, name)) if name else ("", None))
            elif kind == "auto_rerun":
                self.fragments[message.auto_rerun.fragment_id] = message.auto_rerun.interval
            elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return time.perf_counter() - start

    async def open(self, page: str, link: str = "") -> float:
        request = BackMsg()
        request.rerun_script.page_name = page
        request.rerun_script.query_string = link
        request.rerun_script.context_info.url = ""
        return await self.run(request)

    async def act(self) -> float:
        request = BackMsg()
        request.rerun_script.page_script_hash = self.script_hash
        for name, shown in self.elements:
            state = request.rerun_script.widget_states.widgets.add(id=getattr(shown, "id", ""))
            if name == "number_input" and shown.default + shown.step <= shown.max:
                state.double_value = shown.default + shown.step
            elif name == "slider" and len(shown.options) > 1:
                chosen = int(shown.default[0] + 1) % len(shown.options)
                state.string_array_value.data.append(shown.options[chosen])
            elif name == "checkbox":
                state.bool_value = not shown.default
            else:
                del request.rerun_script.widget_states.widgets[-1]
                continue
            break
        return await self.run(request)

    async def press(self, label: str) -> float:
        request = BackMsg()
        request.rerun_script.page_script_hash = self.script_hash
        (button,) = [shown for name, shown in self.elements if name == "button" and shown.label == label]
        request.rerun_script.widget_states.widgets.add(id=button.id, trigger_value=True)
        return await self.run(request)

    async def stay(self, seconds: float) -> None:
        """Do what an open tab does meanwhile."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            await self.look_on()

    async def look_on(self) -> None:
        """Run each fragment again, once, after the time that it asks for."""
        fragments = dict(self.fragments)
        await asyncio.sleep(min(fragments.values(), default=0.5))
        for fragment in fragments:
            request = BackMsg()
            request.rerun_script.page_script_hash = self.script_hash
            request.rerun_script.fragment_id = fragment
            request.rerun_script.is_auto_rerun = True
            await self.run(request)
        self.fragments = self.fragments or fragments


@asynccontextmanager
async def tab(address: str) -> AsyncIterator[Visitor]:
    """Yield a visitor of the app at ``address``, until his tab is closed."""
    url = urlsplit(address)
    stream = f"ws{'s' if url.scheme == 'https' else ''}://{url.netloc}{url.path.rstrip('/')}/_stcore/stream"
    origin = f"{url.scheme}://{url.netloc}"
    # A server that is busy answers late, and is measured all the same.
    async with connect(
        stream, max_size=None, origin=origin, subprotocols=["streamlit"], ping_interval=None, open_timeout=PATIENCE
    ) as socket:
        yield Visitor(socket)


async def visit(given: argparse.Namespace, number: int, counts: dict[str, Counts]) -> None:
    """Be one visitor, from opening the tab to closing it."""
    pages, rng = list(given.pages), random.Random(number)
    rng.shuffle(pages)

    async def think() -> None:
        # Visitors who all came and acted at the same moments would wait for each other alone.
        await visitor.stay(rng.uniform(0, 2 * given.think))

    async with tab(given.url) as visitor:
        for page in pages:
            await think()
            try:
                counts[page].opened.append(await visitor.open(page))
                await think()
                counts[page].acted.append(await (visitor.press(given.press) if given.press else visitor.act()))
            except (TimeoutError, OSError, ValueError):
                counts[page].n_faults += 1
            counts[page].n_faults += visitor.n_faults
            visitor.n_faults = 0
            await visitor.stay(given.stay)


def megabytes(pid: int) -> float:
    """Return the resident memory of a process and of all that it started."""
    whole = psutil.Process(pid)
    return sum(process.memory_info().rss for process in [whole, *whole.children(recursive=True)]) / 1e6


async def watch(pid: int, peak: list[float]) -> None:
    """Keep the most memory that is seen."""
    while True:
        peak[0] = max(peak[0], megabytes(pid))
        await asyncio.sleep(0.2)


async def load(given: argparse.Namespace, counts: dict[str, Counts], peak: list[float]) -> None:
    """Count what all visitors see, by page, and keep the most memory that the server takes; 0 without its process."""
    watching = asyncio.create_task(watch(given.pid, peak)) if given.pid else None
    await asyncio.gather(*(visit(given, number, counts) for number in range(given.visitors)))
    if watching:
        watching.cancel()


def lines(counts: dict[str, Counts]) -> Iterator[str]:
    """Yield the table."""
    yield f"{'page':<24}{'open p50':>10}{'p95':>8}{'act p50':>10}{'p95':>8}{'faults':>8}"
    for page, seen in sorted(counts.items()):
        times = "".join(
            f"{statistics.median(values):>10.2f}{quantile(values):>8.2f}" if values else f"{'-':>10}{'-':>8}"
            for values in (seen.opened, seen.acted)
        )
        yield f"{page:<24}{times}{seen.n_faults:>8}"


def quantile(values: list[float]) -> float:
    """Return the 95th percentile."""
    return sorted(values)[min(len(values) - 1, int(0.95 * len(values)))]


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    every = [page.url_path for pages in sections().values() for page in pages]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description="Visit every page, many at once.")
    parser.add_argument("url", help="where the app is, for example http://127.0.0.1:8501")
    parser.add_argument("--visitors", type=int, default=10)
    parser.add_argument("--pages", nargs="+", choices=every, default=every, metavar="PAGE")
    parser.add_argument("--press", default="", help="the label of a button to press on each page")
    parser.add_argument("--think", type=float, default=0, help="mean seconds before opening a page and before acting")
    parser.add_argument("--stay", type=float, default=0, help="seconds on a page after acting")
    parser.add_argument("--pid", type=int, help="the server's process, whose memory is to be told")
    given = parser.parse_args(arguments)
    counts: dict[str, Counts] = defaultdict(Counts)
    peak = [0.0]
    # Interrupted, it still tells what was seen so far.
    with suppress(KeyboardInterrupt):
        asyncio.run(load(given, counts, peak))
    print("\n".join(lines(counts)))
    if given.pid:
        print(f"memory: at most {peak[0]:,.0f} MB, {megabytes(given.pid):,.0f} MB at the end")
    return 0


if __name__ == "__main__":
    sys.exit(main())
