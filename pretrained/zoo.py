"""The shipped models of the zoo: a weights file for each encoding and task, loaded on demand."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from model.architectures.decoder_only import DecoderOnly
from model.checkpoint import DamagedWeightsError, load_weights
from model.zoo.plan import Run
from pretrained.tables import read_table
from pretrained.translators import FOLDER

ZOO = FOLDER / "zoo"
INDEX, RESULTS, PROBES, COSTS = "index.json", "results.parquet", "probes.parquet", "costs.parquet"
HEADS, CIRCUITS, CRASP = "heads.parquet", "circuits.parquet", "crasp.parquet"
CIRCUIT_MODELS = (
    *(("reverse", "rotary"), ("reverse", "path"), ("copy_letters", "rotary"), ("copy_letters", "kerple")),
    *(("sort", "rotary"), ("sort", "none"), ("parity", "rotary"), ("parity", "path")),
)
"""A task and an encoding of each model whose circuit is measured: rotary, or one that is right on longer inputs."""
_COMMAND = "python -m model.training.zoo --tasks {task} --encodings {encoding} --seeds {seed}"


@dataclass(frozen=True)
class ZooModel:
    """A shipped model of the zoo: its run, the step of its weights, and their file with its checksum."""

    run: Run
    step: int
    file: str
    sha256: str

    @property
    def command(self) -> str:
        """The command that trains it again, to be followed by ``python -m pretrained.publishing zoo``."""
        return _COMMAND.format(task=self.run.task, encoding=self.run.encoding, seed=self.run.seed)


def shipped_zoo(folder: Path = ZOO) -> tuple[ZooModel, ...]:
    """Return every shipped model of the zoo, by task and encoding; none where none was published.

    Raises:
        DamagedWeightsError: the index is unreadable.
    """
    path = folder / INDEX
    if not path.is_file():
        return ()
    try:
        entries: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
        return tuple(ZooModel(**{**entry, "run": Run.from_json(json.dumps(entry["run"]))}) for entry in entries)
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedWeightsError("damaged index", file=f"zoo/{INDEX}") from error


def load_zoo_model(model: ZooModel, folder: Path = ZOO) -> DecoderOnly:
    """Return the network of ``model`` in evaluation mode.

    Raises:
        DamagedWeightsError: its weights are missing or not the recorded ones; its value ``command`` trains it again.
    """
    network = DecoderOnly(model.run.model)
    try:
        load_weights(network, folder / model.file, sha256=model.sha256)
    except DamagedWeightsError as error:
        again = f"{model.command}, then python -m pretrained.publishing zoo"
        raise DamagedWeightsError(error.key, **error.values, command=again) from error
    return network.eval()


def zoo_results(folder: Path = ZOO) -> pd.DataFrame:
    """Return the measurements of every run, of all seeds, shipped or not; empty where nothing was published.

    A row is a run, a checkpoint ("during" training at ``step``, or the "best" of it again) and a length.
    """
    return read_table(folder / RESULTS)


def crasp_results(folder: Path = ZOO) -> pd.DataFrame:
    """Return what the runs measured that test C-RASP's predictions; empty where nothing was published.

    A row is a run, a step, and a bin of lengths from ``first`` to ``last``; ``is_last`` marks the end of a run.
    """
    return read_table(folder / CRASP)


def zoo_probes(folder: Path = ZOO) -> pd.DataFrame:
    """Return the scores that ``pretrained.publishing probe_zoo`` wrote, as its ``rows_of`` lists them; empty before."""
    return read_table(folder / PROBES)


def zoo_heads(folder: Path = ZOO) -> pd.DataFrame:
    """Return what ``pretrained.publishing zoo_heads`` measured, a row a head of a shipped model; empty before.

    Its columns are those of :func:`pretrained.head_catalogue.head_roles`, and the model's ``task`` and ``encoding``.
    """
    return read_table(folder / HEADS)


def zoo_circuits(folder: Path = ZOO) -> pd.DataFrame:
    """Return what ``pretrained.publishing zoo_circuits`` measured of some models, by length of input; empty before.

    ``measure`` says of what a row is. A part is a head of the attention at a point, from 0, or with -1 all hidden units
    there, at every position; off, it is at its mean over training inputs. ``kept`` names the parts of the smallest
    circuit that keeps the accuracy on training inputs of the longest trained length. ``difference`` is by how much the
    right token's logit is above that of the strongest other one, on average; an ``edge`` is what a source adds to it
    through a target alone (through none where its point is ""), with patterns, gates and norm scales held, and
    ``share`` that of what it adds at the longest trained length, with ``low`` and ``high`` of 95 % of bootstrap draws.
    ``reads`` is how much a head that reads the right token looks, on average, at the place in the input where that
    stands, or ``offset`` places after it.

    ``accuracy`` is the share of answer tokens that are right, each given the right ones before it, with something
    ``changed``: "none"; all "others" off, or the parts that are "kept"; the weight of all "reading" heads put on their
    places, of "one" of them, or of as many others that were "drawn" (of ten draws the mean). ``n`` counts the inputs;
    the other columns say of what it is.
    """
    return read_table(folder / CIRCUITS)


def encoding_costs(folder: Path = ZOO) -> pd.DataFrame:
    """Return what ``pretrained.publishing encoding_costs`` measured, a row an encoding; empty before."""
    return read_table(folder / COSTS)
