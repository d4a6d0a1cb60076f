"""Measure the bits per character of a trained language model on text that its training never saw."""

import dataclasses
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Protocol

import torch
from torch import Tensor

from model.analysis.losses.character_losses import bits, bits_by_position, segment_losses, window_losses
from model.architectures.decoder_only import DecoderOnly
from model.checkpoint import n_parameters
from model.data.loading import load_text, split_text
from model.device import choose_device
from model.files import write_text
from model.training.history import commit
from model.training.language_model.config import language_model_training
from model.training.language_model.run import LanguageModelRun, load_run, run_name
from model.training.language_model.streams import cut_rows
from pretrained.language_models import load_language_model
from pretrained.publishing.command import DataDir, Device, command
from pretrained.translators import METRICS

RESULTS = "evaluations.json"


class TextReading(Protocol):
    """A way to read a text: its settings are its fields."""

    def losses(self, model: DecoderOnly, rows: Tensor) -> Tensor:
        """Return −ln p of every id but the first of each row."""
        ...

    def segment_positions(self, losses: Tensor, skipped: int) -> list[float]:
        """Return the mean bits at each position of a segment, without what begins in the first ``skipped`` ids."""
        ...


@dataclass(frozen=True)
class BySegments:
    """Segment by segment with a memory."""

    segment_length: int
    mem_len: int

    def losses(self, model: DecoderOnly, rows: Tensor) -> Tensor:
        """Return the losses of ``rows``."""
        return segment_losses(model, rows, self.segment_length, model.new_memory(self.mem_len))

    def segment_positions(self, losses: Tensor, skipped: int) -> list[float]:
        """Return the mean bits at each position of a segment."""
        begun = -(-skipped // self.segment_length) * self.segment_length
        return bits_by_position(losses[:, begun:], self.segment_length)


@dataclass(frozen=True)
class ThroughWindow:
    """Each character after the last ``window`` characters, which are read again for each."""

    window: int

    def losses(self, model: DecoderOnly, rows: Tensor) -> Tensor:
        """Return the losses of ``rows``."""
        return window_losses(model, rows, self.window)

    def segment_positions(self, losses: Tensor, skipped: int) -> list[float]:
        """Return nothing: there are no segments."""
        del losses, skipped
        return []


def measure(run: LanguageModelRun, rows: Tensor, reading: TextReading, *, skipped: int) -> dict[str, Any]:
    """Return bits per character, how many were counted, and how fast they were read; ``rows`` are on the device.

    The first ``skipped`` predictions of each row, which have little before them, do not count.

    Raises:
        ValueError: nothing is left to count.
    """
    if not 0 <= skipped < rows.shape[1] - 1:
        raise ValueError(
            f"the first {skipped} characters of each row were to be left out, and a row has {rows.shape[1] - 1}; "
            "leave out fewer, or read more text or fewer rows"
        )
    start = time.perf_counter()
    losses = reading.losses(run.model, rows).cpu()
    seconds = time.perf_counter() - start
    return {
        "bits_per_character": bits(losses[:, skipped:]),
        "bits_by_position": reading.segment_positions(losses, skipped),
        "n_counted": losses[:, skipped:].numel(),
        "characters_per_second": losses.numel() / seconds,
    }


def keep(entries: Sequence[dict[str, Any]], path: Path) -> None:
    """Add ``entries`` to the results file, in the place of those with the same model and settings."""
    known = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    new = {_identity(entry): entry for entry in (*known, *entries)}
    write_text(json.dumps(list(new.values()), indent=1) + "\n", path)


def _identity(entry: dict[str, Any]) -> str:
    return json.dumps(
        [entry[name] for name in ("name", "seed", "step", "n_characters", "n_rows", "skipped", "reading")]
    )


@command("evaluate_language_model")
def evaluate_language_model(
    folder: Annotated[Path, "of the run, or of a shipped model"],
    *,
    name: Annotated[str | None, "of the model in the results (default: the folder's, without the seed)"] = None,
    mem_len: Annotated[Sequence[int] | None, "positions remembered (default: as in training)"] = None,
    window: Annotated[Sequence[int] | None, "read through a moving window of so many characters"] = None,
    n_rows: Annotated[int, "cut the text into so many rows"] = 8,
    skipped: Annotated[int, "first characters of a row not counted"] = 1024,
    results: Annotated[Path | None, f"file to add to (default: {RESULTS} in the folder)"] = None,
    data_dir: DataDir = None,
    device: Device = None,
    command: str,
) -> Iterator[str]:
    """Measure the bits per character of a language model on text that its training never saw.

    A model with a memory reads the text segment by segment, with one memory length after the other; any model can read
    it through a window that moves by one character (--window). The scores are printed, and kept in a results file.
    """
    run = run_or_shipped(folder)
    readings: Sequence[BySegments | ThroughWindow] = (
        [ThroughWindow(size) for size in window] if window else _by_segments(run, mem_len)
    )
    text = split_text(load_text(run.training.data.corpus, data_dir)).test
    encoded, place = run.vocabulary.encode(text), choose_device(device)
    run.model.to(place)
    rows = cut_rows(encoded.ids, n_rows).to(place)
    shared = {
        "name": name or run_name(folder, run.training.seed),
        "seed": run.training.seed,
        "step": run.step,
        "n_characters": len(text),
        "n_rows": n_rows,
        "skipped": skipped,
        "unknown": "".join(encoded.unknown),
        "n_parameters": n_parameters(run.model.state_dict().values()),
        "training": dataclasses.asdict(run.training),
        "trained_by": run.commit,
        "commit": commit(),
        "torch": torch.__version__,
        "device": str(place),
        "n_threads": torch.get_num_threads(),
        "command": command,
    }
    entries = [
        {
            **shared,
            "reading": {"kind": type(reading).__name__, **dataclasses.asdict(reading)},
            **measure(run, rows, reading, skipped=skipped),
        }
        for reading in readings
    ]
    keep(entries, results or folder / RESULTS)
    for entry in entries:
        settings = ", ".join(f"{setting} {value}" for setting, value in entry["reading"].items())
        yield (
            f"{entry['bits_per_character']:.4f} bits per character, {entry['n_counted']:,} characters "
            f"at {entry['characters_per_second']:,.0f} a second: {settings}"
        )


def run_or_shipped(folder: Path) -> LanguageModelRun:
    """Return the run in ``folder``, or the shipped model there as the run that it was made of.

    Raises:
        FileNotFoundError: there is neither.
        DamagedWeightsError: the shipped model's files are not the recorded ones.
    """
    if not (folder / METRICS).is_file():
        return load_run(folder)
    shipped = load_language_model(folder.name, folder.parent)
    metrics = shipped.metrics
    training = language_model_training(metrics["training"])
    return LanguageModelRun(
        shipped.model, shipped.vocabulary, training, metrics["step"], metrics["history"][-1]["commit"]
    )


def _by_segments(run: LanguageModelRun, mem_len: Sequence[int] | None) -> list[BySegments]:
    data = run.training.data
    lengths = [data.mem_len] if mem_len is None else mem_len
    for length in lengths:
        # Raises where the encoding allows no memory.
        dataclasses.replace(run.training, data=dataclasses.replace(data, mem_len=length))
    return [BySegments(data.segment_length, length) for length in lengths]
