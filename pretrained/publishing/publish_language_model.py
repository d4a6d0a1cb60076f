"""Ship a trained language model: ``python -m pretrained.publishing.publish_language_model runs/transformer_xl-1``.

Its best weights are measured as they ship, in float16, on the test part of its text. What was measured of the run
before joins the results of all runs; with --results-only that is all, for seeds whose weights do not ship.
"""

import argparse
import dataclasses
import hashlib
import json
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

import torch

from model.architectures.decoder_only import DecoderOnly
from model.checkpoint import load_weights, save_weights
from model.config import config_to_json
from model.data.loading import DATA_DIR_VARIABLE, CorpusMissingError, load_text, split_text
from model.device import choose_device
from model.training.history import commit, read_history
from model.training.language_model.run import LanguageModelRun, load_run, run_name
from model.training.language_model.streams import cut_rows
from pretrained import language_models
from pretrained.language_models import RESULTS, VOCABULARY, draft_of
from pretrained.publishing.evaluate_language_model import RESULTS as EVALUATIONS
from pretrained.publishing.evaluate_language_model import BySegments, keep, measure
from pretrained.publishing.language_model_card import language_model_card
from pretrained.publishing.metrics import write_metrics
from pretrained.translators import CARD, CONFIG, METRICS, WEIGHTS

_PROGRAM = "python -m pretrained.publishing.publish_language_model"


@dataclasses.dataclass(frozen=True)
class Scoring:
    """How the shipped weights are measured: on which device, in how many rows, without the first of each."""

    data_dir: Path | None = None
    device: str | None = None
    n_rows: int = 8
    skipped: int = 1024


def publish(run_folder: Path, *, folder: Path, name: str | None, scoring: Scoring, command: str) -> Path:
    """Write weights, configuration, vocabulary, metrics and card of a run to ``folder``; return where they stand.

    All of it is made and measured beside its place, so that weights never stand beside the scores of others.

    Raises:
        FileNotFoundError: the run has not validated yet, or there is none.
        CorpusMissingError: its text is not in the data folder.
        ValueError: its text is too short to be measured on.
    """
    run = load_run(run_folder)
    name = name or run_name(run_folder, run.training.seed)
    draft = draft_of(folder / name)
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    (draft / CONFIG).write_text(config_to_json(run.model.config), encoding="utf-8")
    (draft / VOCABULARY).write_text(run.vocabulary.to_json(), encoding="utf-8")
    save_weights(run.model.state_dict(), draft / WEIGHTS)
    sha256 = {file: hashlib.sha256((draft / file).read_bytes()).hexdigest() for file in (WEIGHTS, CONFIG, VOCABULARY)}
    history = [
        {key: part[key] for key in ("from_step", "commit", "torch")}
        | {"n_steps": part["training"]["schedule"]["n_steps"]}
        for part in read_history(run_folder)
    ]
    metrics = {
        "sha256": sha256,
        "n_parameters": sum(parameter.numel() for parameter in run.model.parameters()),
        "vocabulary_size": run.vocabulary.size,
        "step": run.step,
        "training": dataclasses.asdict(run.training),
        "history": history,
        "test": {**_scores(run, draft / WEIGHTS, sha256[WEIGHTS], scoring), "command": command},
    }
    write_metrics(draft / METRICS, **metrics)
    (draft / CARD).write_text(language_model_card(name, run.training, metrics), encoding="utf-8")
    shutil.rmtree(folder / name, ignore_errors=True)
    return draft.rename(folder / name)


def merge_results(run_folder: Path, folder: Path) -> int:
    """Add what was measured of a run to the results of all; return how many evaluations that were."""
    path = run_folder / EVALUATIONS
    entries = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    if entries:
        folder.mkdir(parents=True, exist_ok=True)
        keep(entries, folder / RESULTS)
    return len(entries)


def _scores(run: LanguageModelRun, weights: Path, sha256: str, scoring: Scoring) -> dict[str, Any]:
    """Return what the weights as they ship reach, read as in training, and how that was measured."""
    data = run.training.data
    text = split_text(load_text(data.corpus, scoring.data_dir)).test
    device = choose_device(scoring.device)
    rows = cut_rows(run.vocabulary.encode(text).ids, scoring.n_rows).to(device)
    reading = BySegments(data.segment_length, data.mem_len)
    model = DecoderOnly(run.model.config).eval()
    load_weights(model, weights, sha256=sha256)
    shipped = dataclasses.replace(run, model=model.to(device))
    measured = measure(shipped, rows, reading, skipped=scoring.skipped)
    return {
        **{key: measured[key] for key in ("bits_per_character", "n_counted")},
        "reading": {"kind": type(reading).__name__, **dataclasses.asdict(reading)},
        "n_rows": scoring.n_rows,
        "skipped": scoring.skipped,
        "commit": commit(),
        "torch": torch.__version__,
        "device": str(device),
    }


def main(arguments: list[str] | None = None) -> int:
    """Publish what the arguments name; return the process's exit status."""
    parser = argparse.ArgumentParser(prog=_PROGRAM, description=__doc__)
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("--name", help="of the model (default: the folder's, without the seed)")
    parser.add_argument("--results-only", action="store_true", help="ship no weights, only what was measured")
    parser.add_argument("--n-rows", type=int, default=Scoring.n_rows, help="cut the test part into so many rows")
    parser.add_argument("--skipped", type=int, default=Scoring.skipped, help="first characters of a row not counted")
    parser.add_argument("--data-dir", type=Path, help=f"folder of the corpora (else ${DATA_DIR_VARIABLE})")
    parser.add_argument("--device", help="cuda, mps or cpu (default: the first that there is)")
    given = parser.parse_args(arguments)
    command = f"{_PROGRAM} {shlex.join(sys.argv[1:] if arguments is None else arguments)}"
    folder = language_models.LANGUAGE_MODELS
    try:
        if not given.results_only:
            scoring = Scoring(given.data_dir, given.device, given.n_rows, given.skipped)
            published = publish(given.run, folder=folder, name=given.name, scoring=scoring, command=command)
            sys.stdout.write((published / CARD).read_text(encoding="utf-8"))
        n_merged = merge_results(given.run, folder)
    except (OSError, ValueError, CorpusMissingError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{n_merged} evaluations of {given.run.name} are in {RESULTS}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
