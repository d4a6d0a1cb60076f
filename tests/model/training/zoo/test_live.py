"""Runs that somebody looks on at: the command line's numbers, whatever is wished meanwhile, and an end with him."""

import os
import queue
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load

from model.training.zoo.live import Controls, LineReader, answer, side_by_side, steps_apart
from model.training.zoo.watch import HeldOutInputs, main, watch
from model.zoo.messages import Control, Message, Messages, Opening, Order, Refusal, SeenFrame, Weights
from model.zoo.recording import Frame, as_seen, load_recording, recording_of
from model.zoo.watched_runs import WatchedRun

# Randomized positions draw from PyTorch's own random numbers at every step.
TINY = WatchedRun(encoding="randomized", n_layers=1, n_heads=2, d_model=16, n_steps=12)
ROOT = Path(__file__).parents[4]

pytestmark = pytest.mark.unchecked


class Process:
    """A process that trains, and what it told."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "model.training.zoo.live"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, bufsize=0)
        self._messages = Messages()

    def tell(self, line: bytes) -> None:
        self.process.stdin.write(line)

    def answers(self) -> Iterator[Message]:
        while content := os.read(self.process.stdout.fileno(), 1 << 16):
            yield from self._messages.take(content)


class Told(LineReader):
    """Controls that are there after each frame; who waits for another one gets a rate of 0."""

    def __init__(self, wishes: list[list[Control]]) -> None:
        self._wishes = iter(wishes)

    def waiting(self) -> Iterator[bytes]:
        return (wish.to_line() for wish in next(self._wishes, []))

    def next(self, _: float | None = None) -> bytes:
        return Control(rate_factor=0.0).to_line()


@contextmanager
def started() -> Iterator[Process]:
    one = Process()
    try:
        yield one
    finally:
        one.process.kill()
        one.process.stdin.close()
        one.process.stdout.close()
        one.process.wait()


def test_the_process_gives_the_numbers_of_the_command_line_though_it_rests_and_its_rate_is_changed(
    tmp_path: Path,
) -> None:
    runs = (TINY, WatchedRun(n_layers=2, n_heads=1, d_model=16, n_steps=12))
    with started() as process:
        process.tell(b"\n")
        process.tell(Order(runs).to_line())
        answers = process.answers()
        opening = next(answers)
        assert opening == Opening(HeldOutInputs("induction").tokens, 2)
        seen: list[list[Frame]] = [[], []]
        weights: dict[int, bytes] = {}
        for number, answered in enumerate(answers):
            if isinstance(answered, Weights):
                weights[answered.place] = answered.content
                continue
            assert isinstance(answered, SeenFrame)
            seen[answered.place].append(answered.frame)
            if number == 3:
                process.tell(Control(is_paused=True).to_line())
                process.tell(Control(rate_factor=0.5).to_line())
        assert [len(frames) for frames in seen] == [7, 7]
        assert process.process.wait(60) == 0
    for place, run in enumerate(runs):
        changed = as_seen(run, seen[place])
        assert changed.rate_factors in [*(((step, 0.5),) for step in (3, 5, 7, 9, 11)), ()]
        out = tmp_path / f"{place}.safetensors"
        alone_weights = tmp_path / f"{place}-weights.safetensors"
        command = [*changed.command(str(out), opening.every).split()[3:], "--weights", str(alone_weights)]
        assert main(command) == 0
        assert load(alone_weights.read_bytes()).keys() == load(weights[place]).keys()
        for name, tensor in load(alone_weights.read_bytes()).items():
            assert torch.equal(load(weights[place])[name], tensor), name
        alone = load_recording(out)
        together = recording_of(changed, opening.tokens, seen[place], command="", commit="")
        assert alone.watched == changed
        for name in ("loss", "accuracy", "gradient_norm", "held_out", "longer", "induction", "patterns"):
            np.testing.assert_array_equal(getattr(alone, name), getattr(together, name))


def test_runs_that_take_turns_get_the_numbers_of_each_alone() -> None:
    held_out, runs = (
        HeldOutInputs("induction"),
        (TINY, WatchedRun(encoding="randomized", d_model=16, n_heads=1, n_steps=12)),
    )
    together = list(side_by_side(runs, held_out, 5))
    assert [(seen.place, seen.frame.step) for seen in together][:4] == [(0, 0), (1, 0), (0, 5), (1, 5)]
    for place, run in enumerate(runs):
        ours = [seen.frame.loss for seen in together if seen.place == place]
        assert ours == [frame.loss for frame in watch(run, held_out, 5)]


def test_what_is_wished_holds_from_the_next_frame_on() -> None:
    told = Told([[Control(rate_factor=3.0)], [], [Control(is_paused=True)]])
    factors = [seen.frame.rate_factor for seen in side_by_side([TINY], HeldOutInputs("induction"), 3, Controls(told))]
    assert factors == [1.0, 3.0, 3.0, 0.0, 0.0]


def test_it_ends_where_nobody_can_tell_it_anything_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: queue.Queue[int] = queue.Queue()
    monkeypatch.setattr(os, "_exit", ended.put)
    lines = LineReader(BytesIO(b"\n"))
    assert lines.next(30) == b"\n"
    assert ended.get(timeout=30) == 0


def test_what_cannot_be_built_is_refused_with_the_reason() -> None:
    out = BytesIO()
    answer(Order((WatchedRun(task="no such"),)), Controls(Told([])), out)
    (refusal,) = Messages().take(out.getvalue())
    assert isinstance(refusal, Refusal)
    assert "'no such' is no task" in refusal.reason


def test_frames_are_further_apart_where_there_are_many_maps() -> None:
    assert steps_apart([TINY], 22) == 2
    assert steps_apart([WatchedRun(n_steps=3_200)], 22) == 8
    many = WatchedRun(n_layers=4, n_heads=4, n_steps=2_000)
    every = steps_apart([many] * 4, 60)
    assert 4 * 16 * 60**2 * many.n_steps / every <= 8_000_000
