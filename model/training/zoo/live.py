"""Train small runs side by side for somebody who looks on: ``python -m model.training.zoo.live``.

Orders come in and frames go out as ``model/zoo/messages.py`` says. The process ends with its runs, and where nobody can
tell it anything any more: what asked for it is gone then, however it ended.
"""

import os
import queue
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import IO

from model.architectures.decoder_only import DecoderOnly
from model.device import use_one_thread
from model.training.zoo.watch import HeldOutInputs, watch, weights_as_file
from model.zoo.messages import IDLE_SECONDS, Control, Message, Opening, Order, Refusal, SeenFrame, Weights, to_bytes
from model.zoo.watched_runs import WatchedRun

# Two models take so many steps, each, in about a twentieth of a second.
_EVERY = 2
# All frames of a recording, and all patterns in them, which a browser gets at once when it is over.
_MOST_FRAMES, _MOST_BYTES = 400, 8_000_000
_WARM_UP = WatchedRun(n_layers=1, n_heads=1, d_model=16, n_steps=1)


class LineReader:
    """Lines of ``source`` as they come; at its end the whole process ends."""

    def __init__(self, source: IO[bytes]) -> None:
        """Begin to read."""
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._read, args=(source,), daemon=True).start()

    def next(self, seconds: float | None = None) -> bytes:
        """Return the next line, once it is there; raises queue.Empty where that takes longer than ``seconds``."""
        return self._lines.get(timeout=seconds)

    def waiting(self) -> Iterator[bytes]:
        """Yield the lines that are there."""
        while not self._lines.empty():
            yield self._lines.get()

    def _read(self, source: IO[bytes]) -> None:
        for line in source:
            self._lines.put(line)
        os._exit(0)


class Controls:
    """The latest command."""

    def __init__(self, lines: LineReader) -> None:
        """Read a control from every line of ``lines``."""
        self._lines = lines
        self._now = Control()

    def rate_factor(self, _: int) -> float:
        """Return what the rate of any step that is taken now is multiplied by."""
        return self._now.rate_factor

    def apply_pending(self) -> None:
        """Apply pending commands; block while paused."""
        for line in self._lines.waiting():
            self._now = Control.from_line(line)
        while self._now.is_paused:
            self._now = Control.from_line(self._lines.next())


def steps_apart(runs: Sequence[WatchedRun], n_tokens: int) -> int:
    """Return the number of steps between frames of ``runs``, which keeps frames few and small."""
    n_bytes = sum(run.n_steps * run.n_layers * run.n_heads for run in runs) * n_tokens**2
    n_steps = max(run.n_steps for run in runs)
    return max(_EVERY, -(-n_bytes // _MOST_BYTES), -(-n_steps // _MOST_FRAMES))


def side_by_side(
    runs: Sequence[WatchedRun],
    held_out: HeldOutInputs,
    every: int,
    controls: Controls | None = None,
    at_end: Callable[[int, DecoderOnly], object] = lambda *_: None,
) -> Iterator[SeenFrame]:
    """Yield the frames of all ``runs``, which take turns, and apply the controls in between.

    ``at_end`` is called with the place and the model of each run that has taken all its steps.
    """
    factor: Callable[[int], float] | None = controls.rate_factor if controls else None
    courses = (watch(run, held_out, every, factor, partial(at_end, place)) for place, run in enumerate(runs))
    for together in zip(*courses, strict=True):
        yield from (SeenFrame(place, frame) for place, frame in enumerate(together))
        if controls:
            controls.apply_pending()


def answer(order: Order, controls: Controls, out: IO[bytes]) -> None:
    """Train what ``order`` asks for, and write every frame, and the weights at the end, into ``out``."""

    def write(message: Message) -> None:
        out.write(to_bytes(message))
        out.flush()

    try:
        for run in order.runs:
            run.run()
        held_out = HeldOutInputs(order.runs[0].task)
        every = steps_apart(order.runs, len(held_out.tokens))
        write(Opening(held_out.tokens, every))

        def hand_over(place: int, model: DecoderOnly) -> None:
            write(Weights(place, weights_as_file(order.runs[place], model)))

        for seen in side_by_side(order.runs, held_out, every, controls, hand_over):
            write(seen)
    except ValueError as error:
        write(Refusal(str(error)))


def main() -> int:
    """Wait for an order and train; return the process's exit status."""
    use_one_thread()
    # Without a buffer, whose lock the reader would still hold where this process ends.
    lines = LineReader(os.fdopen(sys.stdin.fileno(), "rb", 0, closefd=False))
    # What the first steps import takes as long as some hundred steps.
    list(watch(_WARM_UP, HeldOutInputs(_WARM_UP.task), 1))
    try:
        while not (line := lines.next(IDLE_SECONDS)).strip():
            pass
    except queue.Empty:
        return 0
    answer(Order.from_line(line), Controls(lines), sys.stdout.buffer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
