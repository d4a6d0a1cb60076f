"""How long visitors wait, and what the server takes: many at once on every page, over Streamlit's websocket.

    python -m benchmarks.load http://127.0.0.1:8501 --visitors 50

A visitor opens each page in turn, in a random order, and acts there: moves the first number, slider or switch.
``--think`` is a random wait before each opening and act, so that visitors do not all act at once. Prints
a line a page, median and 95th percentile of opening and acting in seconds, faults, and the memory of the server with
its processes. With ``--press LABEL --pages NAME`` visitors press that button instead, with ``--write`` they write a
text that nobody wrote before; ``--stay`` says how many seconds they then stay, with the reruns that the page asks a
browser for.

    python -m benchmarks.load http://127.0.0.1:8501 --visitors 2 --sessions 2000 --each 2 --write --pid PID

One visitor comes after another, two at once, to two pages each; after every hundredth, the memory is told.
"""

import argparse
import asyncio
import random
import statistics
from collections import defaultdict
from collections.abc import Awaitable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import psutil
from websockets.exceptions import ConnectionClosed

from benchmarks.command import parser_of, run_command
from benchmarks.visitor import Visitor, tab
from viz.shell.navigation import places

# Sessions from one line on memory to the next.
REMARK = 100


@dataclass
class Counts:
    """What was seen of a page."""

    opened: list[float] = field(default_factory=list)
    acted: list[float] = field(default_factory=list)
    n_faults: int = 0


async def visit(given: argparse.Namespace, number: int, counts: dict[str, Counts]) -> None:
    """Be one visitor, from opening the tab to closing it."""
    pages, rng = list(given.pages), random.Random(number)
    rng.shuffle(pages)

    def act(visitor: Visitor) -> Awaitable[float]:
        if given.press:
            return visitor.press(given.press)
        return visitor.write(rng) if given.write else visitor.act()

    async def think() -> None:
        # Visitors who all came and acted at the same moments would wait for each other alone.
        await visitor.stay(rng.uniform(0, 2 * given.think))

    async with tab(given.url) as visitor:
        for page in pages[: given.each]:
            await think()
            try:
                counts[page].opened.append(await visitor.open(page))
                await think()
                counts[page].acted.append(await act(visitor))
                await visitor.stay(given.stay)
            except (TimeoutError, OSError, ValueError, ConnectionClosed):
                counts[page].n_faults += 1
            counts[page].n_faults += visitor.n_faults
            visitor.n_faults = 0


def megabytes(pid: int) -> float:
    """Return the resident memory of a process and of all that it started."""
    whole = psutil.Process(pid)
    return sum(map(resident, [whole, *whole.children(recursive=True)])) / 1e6


def resident(process: psutil.Process) -> int:
    """Return the resident memory of a process in bytes; 0 where it has just ended, as a visitor's training may."""
    try:
        return int(process.memory_info().rss)
    except psutil.NoSuchProcess:
        return 0


async def watch(pid: int, peak: list[float]) -> None:
    """Keep the most memory that is seen."""
    while True:
        peak[0] = max(peak[0], megabytes(pid))
        await asyncio.sleep(0.2)


async def load(given: argparse.Namespace, counts: dict[str, Counts], peak: list[float]) -> None:
    """Count what all visitors see, by page, and keep the most memory that the server takes; 0 without its process."""
    watching = asyncio.create_task(watch(given.pid, peak)) if given.pid else None
    numbers = iter(range(1, max(given.visitors, given.sessions) + 1))

    async def visit_in_turn() -> None:
        # All take from the same numbers: where one leaves, the next one comes.
        for number in numbers:
            await visit(given, number, counts)
            if given.pid and number % REMARK == 0:
                print(f"{number} sessions: {megabytes(given.pid):,.0f} MB", flush=True)

    await asyncio.gather(*(visit_in_turn() for _ in range(given.visitors)))
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
    every = [place.address for place in places()]
    parser = parser_of(__file__, __doc__)
    parser.add_argument("url", help="where the app is, for example http://127.0.0.1:8501")
    parser.add_argument("--visitors", type=int, default=10, help="how many are there at once")
    parser.add_argument("--sessions", type=int, default=0, help="how many come in all, where they are more than that")
    parser.add_argument("--pages", nargs="+", choices=every, default=every, metavar="PAGE")
    parser.add_argument("--each", type=int, help="pages that each opens of these; all by default")
    parser.add_argument("--write", action="store_true", help="write a new text where the page has one")
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
    run_command(main)
