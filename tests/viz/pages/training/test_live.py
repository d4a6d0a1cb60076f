"""Runs of a visitor: their place in the queue, what is seen of them, and what is left of their process."""

import io
import os
import signal
import subprocess
import sys

import numpy as np
import psutil
import pytest

from model.zoo.messages import Control, Refusal, to_bytes
from tests.fixtures.system import wait_until
from tests.fixtures.training import ENDS, GOES_ON, TINY, Answering, frames_of
from viz.pages.training import ready
from viz.pages.training.live import LEASE, LiveRuns
from viz.pages.training.ready import READY_SECONDS, ReadyTrainers
from viz.shell.heavy import Lane, Queue, QueuePlace

TWO = Lane("training", at_once=2, most_waiting=20)


def place(queue: Queue | None = None) -> QueuePlace:
    return (queue or Queue()).enter(TWO, LEASE)


def wait_for_the_end(runs: LiveRuns) -> LiveRuns:
    wait_until(lambda: not runs.is_running)
    return runs


def test_what_is_seen_is_what_was_trained(answering: Answering) -> None:
    runs = wait_for_the_end(LiveRuns(TINY, place(), answering))
    assert (runs.state, runs.end, runs.n_frames) == ("over", "finished", 4)
    for asked, recording in zip(TINY, runs.recordings(), strict=True):
        assert recording.watched == asked
        frames = frames_of(asked)
        np.testing.assert_array_equal(recording.patterns, np.stack([frame.patterns for frame in frames]))
        assert recording.loss.tolist() == pytest.approx([loss for frame in frames for loss in frame.loss])
    assert runs.weights == (b"weights 0", b"weights 1")


def test_of_three_visitors_two_train_and_the_third_sees_his_place_and_has_his_turn(answering: Answering) -> None:
    queue = Queue()
    first, second, third = (LiveRuns(TINY, place(queue), lambda: answering(GOES_ON)) for _ in range(3))
    wait_until(lambda: first.n_frames == second.n_frames == 4)
    assert (first.state, third.state, third.place.n_ahead, third.n_frames) == ("training", "waiting", 1, 0)
    first.stop()
    wait_until(lambda: third.n_frames == 4)
    assert (first.end, first.n_frames) == ("stopped", 4)
    for runs in (second, third):
        runs.stop()


def test_what_is_wished_while_a_run_waits_reaches_it_and_a_pause_rests_its_clock(answering: Answering) -> None:
    queue = Queue()
    queue.enter(TWO)
    before = queue.enter(TWO)
    process: list[subprocess.Popen[bytes]] = []

    def start() -> "subprocess.Popen[bytes]":
        process.append(answering(GOES_ON))
        return process[0]

    runs = LiveRuns(TINY, place(queue), start)
    runs.change(Control(is_paused=True))
    before.leave()
    wait_until(lambda: runs.n_frames == 4)
    assert runs.state == "paused"
    seconds = runs.seconds
    runs.change(Control())
    assert runs.state == "training"
    assert runs.seconds == seconds
    runs.stop()
    assert process[0].returncode == -signal.SIGKILL


def test_a_process_that_is_killed_by_others_leaves_what_was_seen(answering: Answering) -> None:
    runs = wait_for_the_end(LiveRuns(TINY, place(), lambda: answering("import os; os.kill(os.getpid(), 9)")))
    assert runs.has_failed
    assert runs.n_frames == len(runs.recordings()[0].steps) == 4


def test_a_refusal_says_why(answering: Answering) -> None:
    runs = wait_for_the_end(LiveRuns(TINY, place(), lambda: answering(ENDS, to_bytes(Refusal("of this")))))
    assert (runs.refusal, runs.n_frames, runs.recordings()) == ("of this", 0, ())


def test_who_left_is_told_so(answering: Answering) -> None:
    runs = LiveRuns(TINY, Queue().enter(TWO, lease=0.2), lambda: answering(GOES_ON))
    assert wait_for_the_end(runs).end == "left"


def test_a_process_that_nobody_took_leaves_no_open_pipe(answering: Answering, monkeypatch: pytest.MonkeyPatch) -> None:
    process = answering(ENDS, b"")
    monkeypatch.setattr(ready, "_started", lambda: process)
    trainer = ReadyTrainers()
    trainer.keep_ready("one")
    trainer.keep_ready("one")
    del trainer
    wait_until(lambda: all(pipe is not None and pipe.closed for pipe in (process.stdin, process.stdout)))


def test_a_trainer_is_ready_for_one_and_is_replaced_where_it_has_ended(
    answering: Answering, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ready, "_started", lambda: answering(GOES_ON, b""))
    trainer = ReadyTrainers()
    trainer.keep_ready("one")
    first, second = trainer.take(), trainer.take()
    assert first.pid != second.pid
    for process in (first, second):
        process.communicate()


def test_one_is_ready_for_each_visitor_up_to_the_most_and_none_for_who_left(
    answering: Answering, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def start() -> "subprocess.Popen[bytes]":
        started.append(answering(GOES_ON, b""))
        return started[-1]

    now = 0.0
    monkeypatch.setattr(ready, "_started", start)
    trainer = ReadyTrainers(most=2, clock=lambda: now)
    for visitor in ("one", "one", "two", "three"):
        trainer.keep_ready(visitor)
    assert len(started) == 2
    assert [trainer.take(), trainer.take()] == started
    now = 2 * READY_SECONDS
    trainer.keep_ready("one")
    assert len(started) == 3
    assert trainer.take() is started[-1]  # else its end is the trainer's to close, at any moment
    for process in started:
        process.communicate()


def test_the_trainer_does_not_outlive_the_server() -> None:
    code = "import subprocess, sys; p = subprocess.PIPE; print(subprocess.Popen(sys.argv[1:], stdin=p, stdout=p).pid)"
    command = [sys.executable, "-c", f"{code}; sys.stdout.flush(); sys.stdin.read()", *ready.COMMAND]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as server:
        assert isinstance(server.stdout, io.TextIOBase)
        trainer = psutil.Process(int(server.stdout.readline()))
        os.kill(server.pid, signal.SIGKILL)
    trainer.wait(60)
