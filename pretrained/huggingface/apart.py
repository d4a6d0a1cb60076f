"""Models loaded and run in processes of their own: they can be stopped, and their memory is given back.

A process loads one model at its first request, and answers more of them until nobody has called for it for a while, or
whoever began it has ended. A request is a file without a name: it holds a line of JSON, see ``requests.py``, and then
the answer, see ``answer_file.py``. Through a socket the process gets that file, and says when the answer is there.
"""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock, Thread
from typing import BinaryIO, TypeVar

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.folders import FileStamps, file_stamps
from pretrained.huggingface.requests import Request
from pretrained.huggingface.weights import SAFE

Answer = TypeVar("Answer")

LEASE = 60.0
"""Seconds that a model stays loaded after it was last called for."""

CALL = b"."
"""What is sent with a file, to renew the lease, and when an answer is there."""

_ROOT = Path(__file__).parents[2]
_TICK = 0.3
# The network is not asked, and the server keeps its other processors.
_SURROUNDINGS = {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "OMP_NUM_THREADS": "1"}
# Weights of half precision are loaded in full.
_LARGEST_GROWTH = 2


@dataclass(frozen=True)
class _Model:
    """A model as its files are now: after a change of one it is another."""

    root: str
    name: str
    most_bytes: int
    files: FileStamps

    @property
    def n_bytes(self) -> int:
        """What its weights take at most once they are loaded."""
        return _LARGEST_GROWTH * sum(size for name, _, size in self.files if name.endswith(SAFE))


class LoadedModels:
    """Models that stay loaded while somebody asks them, together within what one model may need."""

    def __init__(self, lease: float = LEASE) -> None:
        """Begin without any; each stays for ``lease`` seconds after it was last called for."""
        self._lease = lease
        self._lock = Lock()
        self._processes: dict[_Model, _Process] = {}

    def ask(
        self,
        request: Request[Answer],
        *,
        most_seconds: float,
        tick: Callable[[float], object] = lambda _: None,
    ) -> Answer:
        """Return the answer to ``request``.

        Args:
            request: the model, and what is asked of it.
            most_seconds: until the model's process is stopped.
            tick: called some times a second with the seconds so far; where it raises, the process is stopped.

        Raises:
            ForeignModelError: what ``checked_folder``, ``load`` and the request's own work raise, a process that took
                too long, or one that died.
        """
        model = _Model(request.root, request.name, request.most_bytes, file_stamps(Path(request.root, request.name)))
        with self._lock, TemporaryFile() as file:
            file.write(request.to_line())
            process = self._process_of(model)
            try:
                process.ask(file, most_seconds, tick)
            except BaseException:
                self._end(model)
                raise
            return request.read_answer(file)

    def renew(self) -> None:
        """Have all models stay; a process that answers just now stays anyway."""
        if self._lock.acquire(blocking=False):
            try:
                for process in self._processes.values():
                    process.call()
            finally:
                self._lock.release()

    def end(self) -> None:
        """Give all models' memory back."""
        with self._lock:
            for model in [*self._processes]:
                self._end(model)

    def end_of(self, root: str) -> None:
        """Give the memory of the models below ``root`` back, once no model is being asked."""
        with self._lock:
            for model in [model for model in self._processes if model.root == root]:
                self._end(model)

    def _process_of(self, model: _Model) -> "_Process":
        """Return the process that has ``model`` or is to load it, once there is room for it."""
        process = self._processes.pop(model, None)
        if process is not None and not process.call():
            process.end()
            process = None
        # Those that were asked last stay.
        while self._processes and sum(held.n_bytes for held in (model, *self._processes)) > model.most_bytes:
            self._end(next(iter(self._processes)))
        if process is None:
            process = _Process(self._lease)
            Thread(target=self._forget_at_its_end, args=(model, process), daemon=True).start()
        self._processes[model] = process
        return process

    def _end(self, model: _Model) -> None:
        self._processes.pop(model).end()

    def _forget_at_its_end(self, model: _Model, process: "_Process") -> None:
        # Its end is heard of at once, also where nobody asks for it.
        process.wait()
        with self._lock:
            if self._processes.get(model) is process:
                self._end(model)


class _Process:
    """A process that loads a model and answers requests."""

    def __init__(self, lease: float) -> None:
        self._socket, its_end = socket.socketpair()
        self._socket.settimeout(_TICK)
        unheard = subprocess.DEVNULL
        with its_end:
            number = its_end.fileno()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "pretrained.huggingface", str(number), str(lease)],
                cwd=_ROOT,
                env=os.environ | _SURROUNDINGS,
                pass_fds=[number],
                stdin=unheard,
                stdout=unheard,
                stderr=unheard,
            )

    def ask(self, file: BinaryIO, most_seconds: float, tick: Callable[[float], object]) -> None:
        """Have the answer to the request in ``file`` be there; a process that died leaves the file without one."""
        file.seek(0)
        begin = time.monotonic()
        with suppress(ConnectionError):
            socket.send_fds(self._socket, [CALL], [file.fileno()])
            while (answered := self._heard()) is None:
                seconds = time.monotonic() - begin
                if seconds > most_seconds:
                    raise ForeignModelError("too slow", seconds=f"{most_seconds:g}")
                tick(seconds)
            if answered:
                return
        raise ForeignModelError("died")

    def call(self) -> bool:
        """Renew the lease; return whether the process is there."""
        with suppress(ConnectionError):
            return bool(self._socket.send(CALL))
        return False

    def wait(self) -> None:
        self._process.wait()

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        self._socket.close()

    def _heard(self) -> bytes | None:
        """Return what the process says, which is nothing where it ended; None where it says nothing yet."""
        try:
            return self._socket.recv(1)
        except TimeoutError:
            return None
