"""Ship a language model, with its card, and the measurements of its runs."""

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import torch

from model.architectures.decoder_only import DecoderOnly
from model.checkpoint import load_weights, n_parameters, save_weights
from model.config import config_to_json
from model.data.corpora import TEXT_CORPORA
from model.data.loading import load_text, split_text
from model.device import choose_device
from model.training.history import commit, read_history
from model.training.language_model.config import LanguageModelTraining
from model.training.language_model.run import LanguageModelRun, load_run, run_name
from model.training.language_model.streams import cut_rows
from pretrained import language_models
from pretrained.language_models import RESULTS, VOCABULARY
from pretrained.publishing.command import DataDir, Device, command
from pretrained.publishing.language_model_scores import RESULTS as EVALUATIONS
from pretrained.publishing.language_model_scores import BySegments, keep, measure
from pretrained.publishing.shipping import checksums, finished_history, ship
from pretrained.translators import CARD, CONFIG, WEIGHTS

_CARD = """# {name}

A language model of characters with {n_parameters:.1f} M parameters: {n_layers} layers of {n_heads} heads, d_model
{d_model}, d_ff {d_ff}, {norm}-norm, {positional} positions, read in segments of {segment_length} characters with a
memory of {mem_len} positions (Dai et al. 2019; 0 cuts the segments apart).

**Data.** {data}

**Training.** `python -m model.training model/training/language_model/configurations/{configuration}.toml
--seed {seed}`, {n_steps:,} steps of {n_streams} streams, the {loss} loss; the weights are of step {step:,}, the best on
{n_validated:,} characters of the validation part. Code: {history}.

**Scores.** {bits:.4f} bits per character on {n_counted:,} characters of the test part, read as in training, with the
weights as they ship, by `{command}`.

**Use.** To be looked into. What it writes is in the manner of its one book, and its statements are invented.
"""


@dataclasses.dataclass(frozen=True)
class Scoring:
    """How the shipped weights are measured: on which device, in how many rows, without the first of each."""

    data_dir: Path | None
    device: str | None
    n_rows: int
    skipped: int


@command("language_model")
def ship_language_model(
    run: Annotated[Path, "folder of the run"],
    *,
    name: Annotated[str | None, "of the model (default: the folder's, without the seed)"] = None,
    results_only: Annotated[bool, "ship no weights, only what was measured"] = False,
    n_rows: Annotated[int, "cut the test part into so many rows"] = 8,
    skipped: Annotated[int, "first characters of a row not counted"] = 1024,
    data_dir: DataDir = None,
    device: Device = None,
    command: str,
) -> Iterator[str]:
    """Ship the best weights of a language model's run, and add the run's measurements to those of all.

    The weights are measured as they ship, in float16, on the test part of their text. Of seeds whose weights do not
    ship, --results-only adds the measurements.
    """
    folder = language_models.LANGUAGE_MODELS
    # A shipped model, whose other measurements may be added, has none.
    history = finished_history(run) if read_history(run) or not results_only else []
    if not results_only:
        shipped = load_run(run)
        scoring = Scoring(data_dir, device, n_rows, skipped)
        place = folder / (name or run_name(run, shipped.training.seed))
        _ship(shipped, history, place, scoring, command)
        yield (place / CARD).read_text(encoding="utf-8").rstrip("\n")
    n_merged = merge_results(run, folder)
    if results_only and not n_merged:
        raise ValueError(
            f"{run} has no evaluations; python -m pretrained.publishing evaluate_language_model makes them"
        )
    yield f"{n_merged} evaluations of {run.name} are in {RESULTS}"


def _ship(
    run: LanguageModelRun, history: Sequence[Mapping[str, Any]], place: Path, scoring: Scoring, command: str
) -> None:
    def entries(draft: Path) -> Iterator[dict[str, Any]]:
        yield {
            "n_parameters": n_parameters(run.model.state_dict().values()),
            "vocabulary_size": run.vocabulary.size,
            "step": run.step,
            "training": dataclasses.asdict(run.training),
            "history": [
                {key: part[key] for key in ("from_step", "commit", "torch")}
                | {"n_steps": part["training"]["schedule"]["n_steps"]}
                for part in history
            ],
            "test": {**_scores(run, draft / WEIGHTS, scoring), "command": command},
        }

    ship(
        place,
        files={
            WEIGHTS: partial(save_weights, run.model.state_dict()),
            CONFIG: config_to_json(run.model.config).encode(),
            VOCABULARY: run.vocabulary.to_json().encode(),
        },
        entries=entries,
        card=partial(language_model_card, place.name, run.training),
    )


def merge_results(run_folder: Path, folder: Path) -> int:
    """Add what was measured of a run to the results of all; return how many evaluations that were."""
    path = run_folder / EVALUATIONS
    entries = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    if entries:
        keep(entries, folder / RESULTS)
    return len(entries)


def _scores(run: LanguageModelRun, weights: Path, scoring: Scoring) -> dict[str, Any]:
    """Return what the weights as they ship reach, read as in training, and how that was measured."""
    data = run.training.data
    text = split_text(load_text(data.corpus, scoring.data_dir)).test
    device = choose_device(scoring.device)
    rows = cut_rows(run.vocabulary.encode(text).ids, scoring.n_rows).to(device)
    reading = BySegments(data.segment_length, data.mem_len)
    model = DecoderOnly(run.model.config).eval()
    load_weights(model, weights, sha256=checksums([weights])[weights.name])
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


def language_model_card(name: str, training: LanguageModelTraining, metrics: dict[str, Any]) -> str:
    """Return the card of the model ``name`` in Markdown; ``metrics`` is what its metrics file holds."""
    corpus = TEXT_CORPORA.get(training.data.corpus)
    # The path of another text says nothing on another machine.
    data = f"{corpus.title}, {corpus.address}. {corpus.licence}." if corpus else "A text file of its trainer's own."
    model = training.model_config(metrics["vocabulary_size"])
    return _CARD.format(
        name=name,
        configuration=name,
        data=f"{data} The last twentieth is the test part, the one before it the validation part.",
        n_parameters=metrics["n_parameters"] / 1e6,
        n_layers=model.n_layers,
        n_heads=model.n_heads,
        d_model=model.d_model,
        d_ff=model.d_ff,
        norm=model.norm,
        positional=model.positional.name,
        segment_length=training.data.segment_length,
        mem_len=training.data.mem_len,
        seed=training.seed,
        n_steps=training.schedule.n_steps,
        n_streams=training.data.n_streams,
        loss=training.loss.counted,
        step=metrics["step"],
        n_validated=training.data.n_validated,
        history=_history(metrics["history"], metrics["step"]),
        bits=metrics["test"]["bits_per_character"],
        n_counted=metrics["test"]["n_counted"],
        command=metrics["test"]["command"],
    )


def _history(parts: Sequence[Mapping[str, Any]], last_step: int) -> str:
    """Return which commit took which steps, and the length of its schedule; the last ends with the best weights."""
    parts = [part for part in parts if part["from_step"] < last_step]
    ends = [*(part["from_step"] for part in parts[1:]), last_step]
    return ", then ".join(
        f"commit `{part['commit']}`, steps {part['from_step']:,} to {end:,} on a schedule of {part['n_steps']:,}"
        for part, end in zip(parts, ends, strict=True)
    )
