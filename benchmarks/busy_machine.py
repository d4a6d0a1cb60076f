"""How long Transformer-XL's pages take to read a new text while other processes keep the machine busy.

    python -m benchmarks.busy_machine http://127.0.0.1:8501

A visitor opens each page with 1,000 new letters, on a quiet machine and beside processes that only count. Prints the
median seconds until the page is there, beside each number of them, and what that is of the quiet time. The quiet time
is measured before and after the busy ones, and the longer of the two is printed first.
"""

import argparse
import asyncio
import random
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from string import ascii_lowercase
from urllib.parse import urlencode

from benchmarks.visitor import tab

PAGES = ("segments", "microscope", "terms", "shift")
LETTERS = 1000


@contextmanager
def busy(n: int) -> Iterator[None]:
    """Let ``n`` processes of the same priority as this one count beside it."""
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(n)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


async def seconds(url: str, page: str, repetitions: int, rng: random.Random) -> float:
    """Return the median seconds of opening ``page`` with a text that nobody opened before."""
    taken = []
    for _ in range(repetitions):
        text = "".join(rng.choices(f"{ascii_lowercase} ", k=LETTERS))
        async with tab(url) as visitor:
            taken.append(await visitor.open(page, urlencode({"text": text})))
            if visitor.n_faults:
                raise RuntimeError(f"{page} shows an exception")
    return statistics.median(taken)


def measured(url: str, page: str, n_busy: Sequence[int], repetitions: int) -> list[float]:
    """Return the median seconds beside each number of busy processes, the longer of two quiet ones first."""
    # Another text at each run, also on a server that has read those of an earlier one.
    rng = random.Random()
    medians = []
    for n in (0, *n_busy, 0):
        with busy(n):
            medians.append(asyncio.run(seconds(url, page, repetitions, rng)))
    return [max(medians[0], medians[-1]), *medians[1:-1]]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.busy_machine", description=__doc__.splitlines()[0])
    parser.add_argument("url", help="where the app is, for example http://127.0.0.1:8501")
    parser.add_argument("--busy", type=int, nargs="+", default=[1, 2], help="how many processes count beside it")
    parser.add_argument("--repetitions", type=int, default=9)
    given = parser.parse_args()
    print(f"{'page':<12}{'quiet':>8}" + "".join(f"{f'{n} busy':>16}" for n in given.busy))
    for page in PAGES:
        asyncio.run(seconds(given.url, page, 2, random.Random()))  # loads the models
        quiet, *medians = measured(given.url, page, given.busy, given.repetitions)
        beside = "".join(f"{median:>8.2f} ({median / quiet:.2f}x)".rjust(16) for median in medians)
        print(f"{page:<12}{quiet:>8.2f}{beside}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
