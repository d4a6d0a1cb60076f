"""Heavy acts for all visitors of the server: each waits for its turn, and ends with its visitor.

An act takes a place in its lane. The first places of a lane have their turn, the others wait. What runs in a visitor's
own script gives its place back when that script ends, as it does at the next Streamlit call after the visit; what goes
on between these runs has a lease, which every run renews.
"""

import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock

import streamlit as st

from viz.base.words import page_text

TEXT = page_text("shell/heavy")

LEASE = 7.0
"""Seconds without a word from its visitor, after which an act ends. A hidden tab still calls once a second."""

GRACE = 1.0
"""Seconds that an act then has to end before the next begins."""

POLL = 0.2
"""Seconds between two looks at the queue."""


@dataclass(frozen=True)
class Lane:
    """Acts that wait for each other: how many run at once, and how many may wait."""

    name: str
    at_once: int
    most_waiting: int


def from_environment(variable: str, default: int, least: int = 1) -> int:
    """Return the number in the environment's ``variable``; ``default`` without one of at least ``least``."""
    text = os.environ.get(variable, "")
    return int(text) if text.isascii() and text.isdecimal() and int(text) >= least else default


# Two measurements at once would measure each other; one is a process of up to 350 MB.
MEASURING = Lane("measuring", at_once=1, most_waiting=20)
# One thread keeps one core busy, and holds Python's lock between products.
COMPUTING = Lane("computing", at_once=1, most_waiting=50)
# A writer rests half of the time.
WRITING = Lane("writing", at_once=2, most_waiting=50)
# A process of one thread and of 250 MB, which yields to every visitor's page. The owner of the server may say how many.
TRAINING = Lane("training", at_once=from_environment("TRAININGS_AT_ONCE", os.cpu_count() or 1), most_waiting=20)


class QueueFullError(Exception):
    """A lane in which as many wait as may."""

    def __init__(self, n_waiting: int) -> None:
        """Tell how many wait."""
        super().__init__(f"{n_waiting} waiting")
        self.n_waiting = n_waiting


class Queue:
    """The lanes of one server, and who has a place in them."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with empty lanes; ``clock`` tells seconds."""
        self.clock = clock
        self._lock = Lock()
        self._places: dict[Lane, list[QueuePlace]] = {}

    def enter(self, lane: Lane, lease: float = math.inf) -> "QueuePlace":
        """Return the last place of ``lane``; it is lost where it is not renewed for ``lease`` seconds.

        Raises:
            QueueFullError: as many wait as may.
        """
        with self._lock:
            places = self._held(lane)
            if len(places) >= lane.at_once + lane.most_waiting:
                raise QueueFullError(lane.most_waiting)
            place = QueuePlace(self, lane, lease)
            places.append(place)
            return place

    def index(self, place: "QueuePlace") -> int:
        """Return the number of places before ``place``; 0 for one that is given back."""
        with self._lock:
            places = self._held(place.lane)
            return places.index(place) if place in places else 0

    def remove(self, place: "QueuePlace") -> None:
        """Take ``place`` back, if it is held."""
        with self._lock:
            self._places[place.lane] = [held for held in self._held(place.lane) if held is not place]

    def _held(self, lane: Lane) -> list["QueuePlace"]:
        held = [place for place in self._places.get(lane, []) if not place.is_over]
        self._places[lane] = held
        return held


class QueuePlace:
    """A place in a lane."""

    def __init__(self, queue: Queue, lane: Lane, lease: float) -> None:
        """Belong to ``queue``, which makes places by :meth:`Queue.enter`."""
        self.lane = lane
        self._queue, self._lease = queue, lease
        self._renewed = queue.clock()
        self._is_given_back = False

    @property
    def n_ahead(self) -> int:
        """The number of acts that have to end before this one's turn."""
        return max(0, self._queue.index(self) + 1 - self.lane.at_once)

    @property
    def is_left(self) -> bool:
        """Whether it was given back, or its visitor has not been heard of for too long."""
        return self._is_given_back or self._queue.clock() > self._renewed + self._lease

    @property
    def is_over(self) -> bool:
        """Whether the next may have it."""
        return self._is_given_back or self._queue.clock() > self._renewed + self._lease + GRACE

    def renew(self) -> None:
        """Say that the visitor is still there."""
        if not self.is_left:
            self._renewed = self._queue.clock()

    def leave(self) -> None:
        """Give it back."""
        self._is_given_back = True
        self._queue.remove(self)


@st.cache_resource(show_spinner=False)
def queue() -> Queue:
    """Return the queue of this server."""
    return Queue()


@contextmanager
def turn(lane: Lane) -> Iterator[None]:
    """Hold a turn in ``lane`` for this run's own computation; a waiting visitor sees the queue.

    Between Streamlit calls, at which the run ends where its visitor left, it should compute for some seconds at most.

    Raises:
        QueueFullError: as many wait as may.
    """
    place = queue().enter(lane)
    try:
        waiting = st.empty()
        while n_ahead := place.n_ahead:
            waiting.caption(waiting_text(n_ahead))
            time.sleep(POLL)
        waiting.empty()
        yield
    finally:
        place.leave()


@contextmanager
def turn_of_thread(lane: Lane) -> Iterator[None]:
    """Hold a turn in ``lane`` for a thread outside any run, which waits for a place as well."""
    while (place := _entered(lane)) is None:
        time.sleep(POLL)
    try:
        while place.n_ahead:
            time.sleep(POLL)
        yield
    finally:
        place.leave()


def _entered(lane: Lane) -> QueuePlace | None:
    try:
        return queue().enter(lane)
    except QueueFullError:
        return None


def waiting_text(n_ahead: int) -> str:
    """Return the sentence for a visitor whose act waits for ``n_ahead`` others."""
    return TEXT["waiting"].format(n_ahead=n_ahead)


def full_text(error: QueueFullError) -> str:
    """Return the sentence for a visitor whom a full queue did not take."""
    return TEXT["full"].format(n_waiting=error.n_waiting)
