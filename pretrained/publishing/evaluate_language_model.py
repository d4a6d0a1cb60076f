"""Measure the bits per character of a trained language model on text that its training never saw.

A model with a memory reads the text segment by segment, with one memory length after the other; any model can read it
through a window that moves by one character (--window). The scores are printed, and kept in a results file.
"""

import argparse
import dataclasses
import json
import shlex
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor

from model.analysis.losses.character_losses import bits, bits_by_position, segment_losses, window_losses
from model.architectures.decoder_only import DecoderOnly
from model.data.loading import DATA_DIR_VARIABLE, CorpusMissingError, load_text, split_text
from model.device import choose_device
from model.training.history import commit
from model.training.language_model.config import language_model_training
from model.training.language_model.run import LanguageModelRun, load_run, run_name
from model.training.language_model.streams import cut_rows
from pretrained.language_models import load_language_model
from pretrained.translators import METRICS

RESULTS = "evaluations.json"
_PROGRAM = "python -m pretrained.publishing.evaluate_language_model"


class Reading(Protocol):
    """A way to read a text: its settings are its fields."""

    def losses(self, model: DecoderOnly, rows: Tensor) -> Tensor:
        """Return −ln p of every id but the first of each row."""
        ...

    def segment_positions(self, losses: Tensor, skipped: int) -> list[float]:
        """Return the mean bits at each position of a segment, without what begins in the first ``skipped`` ids."""
        ...


@dataclass(frozen=True)
class BySegments:
    """Segment by segment with a memory; ``clamp`` is the distance from which on all count the same, None as trained."""

    segment_length: int
    mem_len: int
    same_length: bool = False
    clamp: int | None = None

    def losses(self, model: DecoderOnly, rows: Tensor) -> Tensor:
        """Return the losses of ``rows``."""
        if self.clamp is not None:
            model = clamped(model, self.clamp)
        memory = model.new_memory(self.mem_len, same_length=self.same_length)
        return segment_losses(model, rows, self.segment_length, memory)

    def segment_positions(self, losses: Tensor, skipped: int) -> list[float]:
        """Return the mean bits at each position of a segment."""
        begun = -(-skipped // self.segment_length) * self.segment_length
        return bits_by_position(losses[:, begun:], self.segment_length)


@dataclass(frozen=True)
class ThroughWindow:
    """Each character after the last ``window``, read anew."""

    window: int

    def losses(self, model: DecoderOnly, rows: Tensor) -> Tensor:
        """Return the losses of ``rows``."""
        return window_losses(model, rows, self.window)

    def segment_positions(self, losses: Tensor, skipped: int) -> list[float]:
        """Return nothing: there are no segments."""
        del losses, skipped
        return []


def clamped(model: DecoderOnly, clamp: int) -> DecoderOnly:
    """Return ``model`` with distances from ``clamp`` on counting the same; 0 for none.

    Raises:
        ValueError: its encoding clamps no distances.
    """
    positional = model.config.positional
    changed = dataclasses.replace(positional, parameters={**positional.parameters, "clamp": clamp})
    copy = DecoderOnly(dataclasses.replace(model.config, positional=changed))
    copy.load_state_dict(model.state_dict())
    return copy.to(model.embedding.weight.device).eval()


def measure(run: LanguageModelRun, rows: Tensor, reading: Reading, *, skipped: int) -> dict[str, Any]:
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
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text(json.dumps(list(new.values()), indent=1) + "\n", encoding="utf-8")
    unfinished.replace(path)


def _identity(entry: dict[str, Any]) -> str:
    return json.dumps(
        [entry[name] for name in ("name", "seed", "step", "part", "n_characters", "n_rows", "skipped", "reading")]
    )


def evaluate(given: argparse.Namespace, command: str) -> list[dict[str, Any]]:
    """Return an entry for every way of reading in the arguments.

    Raises:
        FileNotFoundError: there is neither a trained run in the folder nor a shipped model.
        CorpusMissingError: the text is not in the data folder.
        ValueError: the run cannot be read in that way.
    """
    run = run_or_shipped(given.folder)
    readings = _readings(given, run)
    text = getattr(split_text(load_text(run.training.data.corpus, given.data_dir)), given.part)[: given.n_characters]
    encoded = run.vocabulary.encode(text)
    device = choose_device(given.device)
    run.model.to(device)
    rows = cut_rows(encoded.ids, given.n_rows).to(device)
    shared = {
        "name": given.name or run_name(given.folder, run.training.seed),
        "seed": run.training.seed,
        "step": run.step,
        "part": given.part,
        "n_characters": len(text),
        "n_rows": given.n_rows,
        "skipped": given.skipped,
        "unknown": "".join(encoded.unknown),
        "n_parameters": sum(parameter.numel() for parameter in run.model.parameters()),
        "training": dataclasses.asdict(run.training),
        "trained_by": run.commit,
        "commit": commit(),
        "torch": torch.__version__,
        "device": str(device),
        "n_threads": torch.get_num_threads(),
        "command": command,
    }
    return [
        {
            **shared,
            "reading": {"kind": type(reading).__name__, **dataclasses.asdict(reading)},
            **measure(run, rows, reading, skipped=given.skipped),
        }
        for reading in readings
    ]


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


def _readings(given: argparse.Namespace, run: LanguageModelRun) -> list[BySegments | ThroughWindow]:
    if given.window:
        return [ThroughWindow(window) for window in given.window]
    data = run.training.data
    segment_length = given.segment_length or data.segment_length
    lengths = [data.mem_len] if given.mem_len is None else given.mem_len
    for mem_len in lengths:
        # Raises where the encoding allows no memory.
        dataclasses.replace(run.training, data=dataclasses.replace(data, mem_len=mem_len))
    return [BySegments(segment_length, mem_len, given.same_length, given.clamp) for mem_len in lengths]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=_PROGRAM, description=__doc__)
    parser.add_argument("folder", type=Path, help="of the run, or of a shipped model")
    parser.add_argument("--name", help="of the model in the results (default: the folder's, without the seed)")
    parser.add_argument("--mem-len", type=int, nargs="+", help="positions remembered (default: as in training)")
    parser.add_argument("--segment-length", type=int, help="characters read at once (default: as in training)")
    parser.add_argument("--same-length", action="store_true", help="every character sees as many before it")
    parser.add_argument("--clamp", type=int, help="distance from which on all count the same; 0 for none")
    parser.add_argument("--window", type=int, nargs="+", help="read through a moving window of so many characters")
    parser.add_argument("--part", choices=("validation", "test"), default="test", help="of the text (default: test)")
    parser.add_argument("--n-characters", type=int, help="of the part, from its start (default: all)")
    parser.add_argument("--n-rows", type=int, default=8, help="cut the text into so many rows (default: 8)")
    parser.add_argument("--skipped", type=int, default=1024, help="first characters of a row not counted")
    parser.add_argument("--results", type=Path, help=f"file to add to (default: {RESULTS} in the folder)")
    parser.add_argument("--data-dir", type=Path, help=f"folder of the corpora (else ${DATA_DIR_VARIABLE})")
    parser.add_argument("--device", help="cuda, mps or cpu (default: the first that there is)")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Print and keep the scores; return the process's exit status."""
    given = _parser().parse_args(arguments)
    command = f"{_PROGRAM} {shlex.join(sys.argv[1:] if arguments is None else arguments)}"
    try:
        entries = evaluate(given, command)
        keep(entries, given.results or given.folder / RESULTS)
    except (OSError, ValueError, CorpusMissingError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    for entry in entries:
        settings = ", ".join(f"{name} {value}" for name, value in entry["reading"].items())
        sys.stdout.write(
            f"{entry['bits_per_character']:.4f} bits per character, {entry['n_counted']:,} characters "
            f"at {entry['characters_per_second']:,.0f} a second: {settings}\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
