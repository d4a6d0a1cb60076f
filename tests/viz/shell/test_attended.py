"""A process for one visitor: his turn, his leaving, and the ways in which it ends."""

import subprocess
import sys

import psutil
import pytest

from tests.fixtures.system import wait_until
from viz.shell.attended import Attended
from viz.shell.heavy import LEASE, Lane, Queue, QueuePlace

ONE = Lane("one", at_once=1, most_waiting=3)
# Says its number, and every line that it is told.
ECHO = "import os, sys; print(os.getpid(), flush=True); [print(line, end='', flush=True) for line in sys.stdin]"


class Written:
    """What a process wrote, and the process itself."""

    def __init__(self) -> None:
        self.text = ""

    def take(self, content: bytes) -> None:
        self.text += content.decode()

    @property
    def process(self) -> psutil.Process:
        wait_until(lambda: "\n" in self.text)
        return psutil.Process(int(self.text.split()[0]))


def begun(written: Written, place: QueuePlace, code: str = ECHO, **limits: float) -> Attended:
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", code]
    start = lambda: subprocess.Popen(command, stdin=pipe, stdout=pipe, bufsize=0)  # noqa: E731
    return Attended(start, place, written.take, **limits)


def wait_for_the_end(attended: Attended) -> None:
    wait_until(lambda: not attended.is_running)


def test_a_process_that_ends_by_itself_gives_its_place_back() -> None:
    queue, written = Queue(), Written()
    first = begun(written, queue.enter(ONE), "print('all')")
    waiting = queue.enter(ONE)
    wait_for_the_end(first)
    assert written.text == "all\n"
    assert (first.status, first.is_stopped, first.has_failed) == (0, False, False)
    assert waiting.n_ahead == 0


def test_it_is_told_lines_and_ends_with_its_place() -> None:
    queue, written = Queue(), Written()
    attended = begun(written, queue.enter(ONE))
    process = written.process
    attended.tell(b"a line\n")
    wait_until(lambda: "a line" in written.text)
    attended.stop()
    assert attended.is_stopped
    assert not attended.has_failed
    assert not process.is_running()
    attended.tell(b"too late\n")


def test_it_begins_in_its_turn_and_not_where_that_was_left() -> None:
    queue = Queue()
    before, written, unheard = queue.enter(ONE), Written(), Written()
    left, waiting = begun(unheard, queue.enter(ONE)), begun(written, queue.enter(ONE))
    left.stop()
    assert left.is_stopped
    assert unheard.text == written.text == ""
    before.leave()
    assert written.process.is_running()
    waiting.stop()


def test_it_ends_where_its_visitor_is_not_heard_of() -> None:
    written = Written()
    attended = begun(written, Queue().enter(ONE, lease=0.2))
    wait_for_the_end(attended)
    assert attended.is_stopped
    assert not attended.is_out_of_time
    assert not written.text or not psutil.pid_exists(int(written.text))


def test_the_next_begins_once_a_process_whose_visitor_is_not_heard_of_has_ended() -> None:
    seconds, written, following = [0.0], Written(), Written()
    queue = Queue(lambda: seconds[0])
    left = begun(written, queue.enter(ONE, LEASE))
    process, waiting = written.process, begun(following, queue.enter(ONE, LEASE))
    seconds[0] = LEASE - 0.1
    waiting.place.renew()
    assert process.is_running()
    assert following.text == ""
    seconds[0] = LEASE + 0.1
    assert following.process.is_running()
    assert not process.is_running()
    assert left.is_stopped
    waiting.stop()


def test_it_has_no_more_time_than_it_is_given() -> None:
    attended = begun(Written(), Queue().enter(ONE), most_seconds=0.1)
    wait_for_the_end(attended)
    assert attended.is_out_of_time
    assert not attended.has_failed


@pytest.mark.parametrize("code", ["import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "raise SystemExit(3)"])
def test_a_process_that_is_killed_by_others_or_gives_up_has_failed(code: str) -> None:
    attended = begun(Written(), Queue().enter(ONE), code)
    wait_for_the_end(attended)
    assert attended.has_failed
    assert not attended.is_stopped
