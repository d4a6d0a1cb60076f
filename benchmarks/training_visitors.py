"""Three visitors train at once: their places in the queue, and what the pages of others take at that time.

    python -m benchmarks.training_visitors http://127.0.0.1:8501

Some readers go from page to page and act there, first by themselves and then while all trainers press Train at the same
moment and look on until their runs are over. Over Streamlit's websocket, as ``benchmarks/load.py``. Prints what each
trainer saw, and the median of opening and acting of the readers in both times with their ratio. The load of the machine
beside this is printed too: both times stand in the same one.
"""

import argparse
import asyncio
import itertools
import os
import re
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from benchmarks.load import quantile
from benchmarks.visitor import Visitor, tab
from viz.base.words import page_text

LINK = "train-steps=200"
# Seconds that a reader reads.
REST = 2.0
PAGE, PAGES = "train-yourself", ("translate", "sinusoid", "learning-rate", "dot-product", "why-self-attention")
TEXT = page_text("pages/training/train_yourself")
ENDS = ("end finished", "end stopped", "end left", "end out of time", "failed", "refused")
SAID = {name: TEXT[name] for name in ("state training", *ENDS)} | {"waiting": page_text("shell/heavy")["waiting"]}
# What the page says of a run, with any numbers in it.
PATTERNS = {name: re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(text))) for name, text in SAID.items()}


@dataclass
class Seen:
    """What one trainer saw: the lines about the place, when the first step came, and the last line about the run."""

    places: list[str] = field(default_factory=list)
    first_step: float | None = None
    last: str = ""
    is_over: bool = False


def texts(visitor: Visitor) -> list[str]:
    """Return what the page said in the last run."""
    return [shown.body for name, shown in visitor.elements if name in ("markdown", "alert")]


async def read(url: str, page: str, times: list[float], is_over: Callable[[], bool]) -> None:
    """Open ``page`` and act on it, again and again, and note what each took."""
    while not is_over():
        async with tab(url) as visitor:
            times.append(await visitor.open(page))
            times.append(await visitor.act())
            await asyncio.sleep(REST)


async def train(url: str, seen: Seen, most_seconds: float) -> None:
    """Press Train, and look on as an open tab does until the run is over."""
    async with tab(url) as visitor:
        await visitor.open(PAGE, LINK)
        start = time.perf_counter()
        await visitor.press(TEXT["train"])
        while not seen.is_over and (now := time.perf_counter() - start) < most_seconds:
            note(texts(visitor), seen, now)
            await visitor.look_on()


def note(said: list[str], seen: Seen, now: float) -> None:
    """Take up what is new in what the page said."""
    for text in said:
        state = next((name for name, pattern in PATTERNS.items() if pattern.search(text)), "")
        if not state:
            continue
        seen.last, seen.is_over = text, state in ENDS
        if state == "waiting" and text not in seen.places:
            seen.places.append(text)
        elif state == "state training":
            seen.first_step = seen.first_step or now


async def measure(given: argparse.Namespace) -> tuple[list[float], list[float], list[Seen]]:
    """Return the readers' times when nobody trains, those while the trainers do, and what these saw."""
    quiet: list[float] = []
    busy: list[float] = []
    pages = list(itertools.islice(itertools.cycle(PAGES), given.readers))
    for page in dict.fromkeys((*pages, PAGE)):
        async with tab(given.url) as visitor:  # what a page imports when it is opened first
            await visitor.open(page)
    end = time.perf_counter() + given.quiet
    await asyncio.gather(*(read(given.url, page, quiet, lambda: time.perf_counter() > end) for page in pages))
    trainers = [Seen() for _ in range(given.trainers)]
    training = asyncio.gather(*(train(given.url, seen, given.patience) for seen in trainers))
    await asyncio.gather(training, *(read(given.url, page, busy, training.done) for page in pages))
    return quiet, busy, trainers


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.training_visitors", description="Train, many at once.")
    parser.add_argument("url", help="where the app is, for example http://127.0.0.1:8501")
    parser.add_argument("--trainers", type=int, default=3)
    parser.add_argument("--readers", type=int, default=5)
    parser.add_argument("--quiet", type=float, default=20, help="seconds in which nobody trains")
    parser.add_argument("--patience", type=float, default=300, help="seconds after which nobody looks on any more")
    given = parser.parse_args(arguments)
    print(f"load before, over 1 and 5 minutes: {os.getloadavg()[0]:.1f}, {os.getloadavg()[1]:.1f}")
    quiet, busy, trainers = asyncio.run(measure(given))
    for number, seen in enumerate(trainers, start=1):
        first = "none" if seen.first_step is None else f"{seen.first_step:.1f} s"
        print(f"trainer {number}: first step after {first}; at last: {seen.last or 'nothing'}; waited: {seen.places}")
    print(f"over: {sum(seen.is_over for seen in trainers)} of {len(trainers)}")
    for name, times in (("quiet", quiet), ("while they train", busy)):
        print(f"{name}: {len(times)} runs, median {statistics.median(times):.3f} s, p95 {quantile(times):.3f} s")
    print(f"ratio of the medians: {statistics.median(busy) / statistics.median(quiet):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
