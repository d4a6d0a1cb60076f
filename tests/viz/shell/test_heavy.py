"""The queue of heavy acts: turns, limits, and visitors who leave."""

import threading
import time

import pytest
from streamlit.testing.v1 import AppTest

from tests.fixtures.system import wait_until
from viz.shell.heavy import GRACE, LEASE, Lane, Queue, QueueFullError, QueuePlace, from_environment, queue

ONE = Lane("one", at_once=1, most_waiting=3)
TWO = Lane("two", at_once=2, most_waiting=3)


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def ahead(*places: QueuePlace) -> list[int]:
    return [place.n_ahead for place in places]


def test_acts_of_a_lane_have_their_turn_in_order() -> None:
    line = Queue()
    first, second, third = (line.enter(ONE) for _ in range(3))
    assert ahead(first, second, third) == [0, 1, 2]
    second.leave()
    assert ahead(first, third) == [0, 1]
    first.leave()
    assert third.n_ahead == 0


def test_a_lane_lets_as_many_act_at_once_as_it_says_and_lanes_do_not_wait_for_each_other() -> None:
    line = Queue()
    places = [line.enter(TWO) for _ in range(4)]
    assert ahead(*places) == [0, 0, 1, 2]
    assert line.enter(ONE).n_ahead == 0


def test_a_full_queue_takes_nobody() -> None:
    line = Queue()
    places = [line.enter(ONE) for _ in range(4)]
    with pytest.raises(QueueFullError) as refused:
        line.enter(ONE)
    assert refused.value.n_waiting == 3
    places[0].leave()
    assert line.enter(ONE).n_ahead == 3


def test_leaving_twice_is_leaving_once() -> None:
    line = Queue()
    first, second, third = (line.enter(ONE) for _ in range(3))
    first.leave()
    first.leave()
    assert first.is_left
    assert ahead(second, third) == [0, 1]


def test_who_is_not_heard_of_has_left_within_ten_seconds() -> None:
    clock = Clock()
    line = Queue(clock)
    gone, there = line.enter(ONE, LEASE), line.enter(ONE, LEASE)
    clock.now = LEASE - 0.1
    there.renew()
    assert not gone.is_left
    clock.now = LEASE + 0.1
    assert gone.is_left
    assert not there.is_left
    # What it did has a moment to end before the next begins.
    assert there.n_ahead == 1
    clock.now = LEASE + GRACE + 0.1
    assert there.n_ahead == 0
    assert LEASE + GRACE < 10


def test_who_has_left_does_not_come_back_by_being_heard_of() -> None:
    clock = Clock()
    line = Queue(clock)
    gone = line.enter(ONE, LEASE)
    clock.now = LEASE + 0.1
    gone.renew()
    assert gone.is_left


def test_an_act_without_a_lease_holds_its_place() -> None:
    clock = Clock()
    line = Queue(clock)
    held = line.enter(ONE)
    clock.now = 1e6
    assert not held.is_left
    assert line.enter(ONE).n_ahead == 1


@pytest.mark.parametrize("lane", [ONE, TWO])
def test_threads_never_act_more_at_once_than_the_lane_says(lane: Lane) -> None:
    line = Queue()
    acting, most, refused = [0], [0], [0]
    lock = threading.Lock()

    def act() -> None:
        for _ in range(5):
            try:
                place = line.enter(lane)
            except QueueFullError:
                refused[0] += 1
                continue
            wait_until(lambda place=place: not place.n_ahead, pause=0.001)
            with lock:
                acting[0] += 1
                most[0] = max(most[0], acting[0])
            time.sleep(0.002)
            with lock:
                acting[0] -= 1
            place.leave()

    threads = [threading.Thread(target=act) for _ in range(lane.at_once + lane.most_waiting)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert acting[0] == refused[0] == 0
    assert most[0] == lane.at_once


@pytest.mark.parametrize(("given", "number"), [("3", 3), ("", 2), ("0", 2), ("-1", 2), ("x", 2), ("²", 2)])
def test_the_owner_s_number_is_taken_where_it_is_one(given: str, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACTS_AT_ONCE", given)
    assert from_environment("ACTS_AT_ONCE", 2) == number


SCRIPT = """\
import streamlit as st

from tests.fixtures.system import wait_until
from viz.shell.heavy import Lane, queue, turn

ONE = Lane("one", at_once=1, most_waiting=3)
if "other" not in st.session_state:
    st.session_state["other"] = queue().enter(ONE)
if st.button("act"):
    with turn(ONE):
        if st.session_state.get("fails"):
            raise ValueError("of the act")
        st.write("acted")
"""


def test_a_visitor_who_leaves_while_he_waits_gives_his_place_back() -> None:
    queue.clear()
    app = AppTest.from_string(SCRIPT).run(timeout=60)
    app.button[0].click()
    # AppTest asks the script to stop where it takes too long, as the server does where a visitor leaves.
    with pytest.raises(RuntimeError, match="timed out"):
        app.run(timeout=0.5)
    assert app.session_state["other"].n_ahead == 0
    probe = queue().enter(ONE)
    wait_until(lambda: probe.n_ahead == 1)


def test_an_act_that_fails_gives_its_place_back() -> None:
    queue.clear()
    app = AppTest.from_string(SCRIPT, default_timeout=30).run()
    app.session_state["other"].leave()
    app.session_state["fails"] = True
    app.button[0].click()
    assert app.run().exception
    assert queue().enter(ONE).n_ahead == 0
