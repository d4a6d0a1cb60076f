"""Models in processes of their own: loaded once, stopped where they should be, and nothing is left behind."""

import socket
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from threading import Thread
from typing import Any

import numpy as np
import psutil
import pytest

from pretrained.huggingface.answer_file import read_readings
from pretrained.huggingface.answering import answer_all
from pretrained.huggingface.apart import CALL, LoadedModels
from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.folders import CONFIGURATION, checked_folder
from pretrained.huggingface.loading import load
from pretrained.huggingface.recorded import Head
from pretrained.huggingface.recording import record
from tests.fixtures.foreign_models import MOST_BYTES, random_model, reading_request, small_tokenizer

MASKED = "the [MASK] sat"
request = partial(reading_request, text=MASKED)
OFF = (Head("self", 0, 1),)
PATIENCE = 100.0


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the allowed folder, with a BERT in it."""
    root = tmp_path_factory.mktemp("root")
    random_model("BERT", head="ForMaskedLM").save_pretrained(root / "bert")
    small_tokenizer().save_pretrained(root / "bert")
    return root


@pytest.fixture
def models() -> Iterator[LoadedModels]:
    """Return models of which no process is left after the test."""
    held = LoadedModels()
    yield held
    held.end()
    assert not processes()


def processes() -> list[psutil.Process]:
    """Return the processes that models run in."""
    return [child for child in psutil.Process().children() if "pretrained.huggingface" in child.cmdline()]


def test_a_process_returns_what_the_model_gives_and_answers_again(root: Path, models: LoadedModels) -> None:
    models.ask(request(root, text="the cat"), most_seconds=PATIENCE)
    (first,) = processes()
    readings = models.ask(request(root, off=OFF), most_seconds=PATIENCE)
    assert processes() == [first]
    model, tokenizer = load(checked_folder(root, "bert", MOST_BYTES), MOST_BYTES)
    expected = record(model, tokenizer, MASKED, off=OFF)
    for reading, other in zip(readings, expected, strict=True):
        ((found,), (wanted,)) = reading.blocks, other.blocks
        assert (found.name, found.queries, found.keys) == (wanted.name, wanted.queries, wanted.keys)
        np.testing.assert_allclose(found.layers, np.concatenate(wanted.layers), atol=1e-6)
        assert reading.predictions[0].place == other.predictions[0].place == 2
        shares, probabilities = (dict(one.predictions[0].candidates) for one in (reading, other))
        assert shares == pytest.approx(probabilities)


def test_models_stay_together_only_where_there_is_room_for_all(tmp_path: Path, models: LoadedModels) -> None:
    for name, size in (("small", 10), ("large", 1_000), ("other", 1_000)):
        (tmp_path / name).mkdir()
        # Refused before anything is loaded, which is all that is wanted of them here.
        (tmp_path / name / CONFIGURATION).write_text('{"auto_map": {}}', encoding="utf-8")
        (tmp_path / name / "model.safetensors").write_bytes(b"x" * size)
    found = []
    for name in ("small", "large", "other"):
        with pytest.raises(ForeignModelError, match="remote code"):
            models.ask(request(tmp_path, name, most_bytes=2_100), most_seconds=PATIENCE)
        found.append(processes())
    assert [*map(len, found)] == [1, 2, 1]
    assert found[0][0] in found[1]
    assert not {*found[1]} & {*found[2]}


def test_a_model_that_takes_too_long_is_stopped(root: Path, models: LoadedModels) -> None:
    with pytest.raises(ForeignModelError, match="too slow"):
        models.ask(request(root), most_seconds=0.1)
    assert not processes()


def test_a_model_whose_visitor_left_is_stopped(root: Path, models: LoadedModels) -> None:
    def leave(_: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        models.ask(request(root), most_seconds=PATIENCE, tick=leave)
    assert not processes()


def test_a_model_that_nobody_calls_for_ends(root: Path) -> None:
    models = LoadedModels(lease=0.1)
    with pytest.raises(ForeignModelError):
        models.ask(request(root, "none"), most_seconds=PATIENCE)
    psutil.wait_procs(processes(), timeout=PATIENCE)
    assert not processes()


def test_a_process_loads_its_model_once_and_ends_with_the_one_who_began_it(root: Path) -> None:
    loads: list[Path] = []

    def load_and_note(folder: Path, most_bytes: int) -> tuple[Any, Any]:
        loads.append(folder)
        return load(folder, most_bytes)

    ours, its_end = socket.socketpair()
    with its_end:
        thread = Thread(target=answer_all, args=(its_end, PATIENCE, load_and_note))
        thread.start()
        with ours:
            ours.settimeout(PATIENCE)
            for text in ("the cat", "the mat sat"):
                ours.send(CALL)
                with TemporaryFile() as file:
                    file.write(request(root, text=text).to_line())
                    file.seek(0)
                    socket.send_fds(ours, [CALL], [file.fileno()])
                    assert ours.recv(1) == CALL
                    (reading,) = read_readings(file)
                    assert reading.blocks[0].queries.texts[1:-1] == tuple(text.split())
        thread.join(PATIENCE)
    assert not thread.is_alive()
    assert loads == [root / "bert"]
