"""The steps of everything that ships: refuse uncommitted code, collect, write all or nothing, record, describe."""

import dataclasses
import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd
import torch
from torch import Tensor

from model.checkpoint import load_state
from model.config import config_to_json
from model.files import UNFINISHED, Write, replace_file, write_text
from model.training.history import UNKNOWN, commit, is_committed, read_history
from model.training.loop import CHECKPOINT
from model.training.runs import ROWS, finished_folders
from model.training.translation.finished import load_finished
from pretrained.translators import CARD, CONFIG, FOLDER, METRICS, TOKENIZER, WEIGHTS

Files = Mapping[str, bytes | Write]
"""The names of files, and their content or what writes it."""
Save = Callable[[Mapping[str, Tensor], Path], object]
"""Writes weights to a path, in the precision in which they ship."""


def check_committed(run: object, commits: Iterable[str]) -> None:
    """Raise ValueError if one of the ``commits`` that trained ``run`` does not hold the code that did."""
    for one in commits:
        if one == UNKNOWN:
            raise ValueError(f"no commit of what trained {run} is known; train it again in a checkout of git")
        if not is_committed(one):
            raise ValueError(
                f"files were changed or added since the commit that trained {run}; commit them, and train it again"
            )


def committed_history(run: Path) -> list[dict[str, Any]]:
    """Return the history of ``run``; raises ValueError where code that no commit holds trained or began it.

    Parts that a shipped model brought along have neither a configuration nor a parent; they shipped already.
    """
    history = read_history(run)
    check_committed(run, (part["commit"] for part in history if "training" in part or "parent" in part))
    return history


def finished_history(run: Path) -> list[dict[str, Any]]:
    """Return the history of ``run``.

    Raises:
        ValueError: there is no run, it has not taken its last step, or as :func:`committed_history`.
    """
    history = committed_history(run)
    if not history or "training" not in history[-1]:
        raise ValueError(f"{run} holds no run that has been trained; name the folder of a finished run")
    if not (run / CHECKPOINT).is_file():
        raise ValueError(f"{run} has no {CHECKPOINT}, which holds its last step; copy it there from where it trained")
    n_steps, step = history[-1]["training"]["schedule"]["n_steps"], load_state(run / CHECKPOINT)["progress"]["step"]
    if step < n_steps:
        raise ValueError(f"{run} stands at step {step:,} of {n_steps:,}; python -m model.training continues it")
    return history


def check_configuration(run: Path, training: Any, configured: Any, configuration: Path) -> None:
    """Raise ValueError if ``training``, by which ``run`` ended, is not what is ``configured``, whatever the seed."""
    if training != dataclasses.replace(configured, seed=training.seed):
        raise ValueError(f"{run} was trained by other entries than {configuration} has; name that of the run")


def committed_rows(sweep: Path) -> pd.DataFrame:
    """Return the rows of all finished runs of ``sweep``, which may go on; empty where there is none.

    Raises:
        ValueError: no commit holds the code that trained one of them.
    """
    tables = []
    for run in finished_folders(sweep):
        committed_history(run)
        rows = pd.read_parquet(run / ROWS)
        check_committed(run, rows.commit.unique())
        tables.append(rows)
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def ship(
    folder: Path,
    *,
    files: Files,
    entries: Callable[[Path], Iterable[Mapping[str, Any]]],
    card: Callable[[dict[str, Any]], str],
) -> Path:
    """Write a model to ``folder``, all of it or nothing, and return that.

    Weights never stand beside the scores of others: everything is made and measured in a folder beside it.

    Args:
        folder: where it ships.
        files: what it consists of.
        entries: from the unfinished folder, the entries of the metrics; each is written before the next is asked for.
        card: from all entries, its card.
    """
    with draft(folder) as unfinished:
        _collect(unfinished, files)
        write_metrics(unfinished / METRICS, sha256=checksums(unfinished / name for name in files))
        for part in entries(unfinished):
            write_metrics(unfinished / METRICS, **part)
        (unfinished / CARD).write_text(card(read_metrics(unfinished / METRICS)), encoding="utf-8")
    return folder


def ship_variants(folder: Path, runs: Mapping[str, Path], *, seed: int, save: Save, keep: Iterable[str] = ()) -> None:
    """Write the best weights of each variant's run to a folder of its own, and the tokenizer that all share.

    The files in ``folder`` named in ``keep`` stay.

    Raises:
        ValueError: a run is not finished, is of code that no commit holds, or has a tokenizer of its own.
    """
    with draft(folder, keep=keep) as unfinished:
        for variant, run in runs.items():
            history, finished = finished_history(run), load_finished(run, torch.device("cpu"))
            tokenizer, place = finished.translator.tokenizer.serialized, unfinished / variant
            if (unfinished / TOKENIZER).is_file() and (unfinished / TOKENIZER).read_bytes() != tokenizer:
                raise ValueError(f"{run} has another tokenizer than the runs before it; they must share one")
            (unfinished / TOKENIZER).write_bytes(tokenizer)
            place.mkdir()
            (place / CONFIG).write_text(config_to_json(finished.training.model), encoding="utf-8")
            save(load_state(run / "best.pt")["weights"], place / WEIGHTS)
            sha256 = checksums((place / WEIGHTS, place / CONFIG, unfinished / TOKENIZER))
            write_metrics(place / METRICS, sha256=sha256, commit=history[-1]["commit"], seed=seed)


def _collect(folder: Path, files: Files) -> None:
    for name, content in files.items():
        if isinstance(content, bytes):
            (folder / name).write_bytes(content)
        else:
            content(folder / name)


@contextmanager
def draft(folder: Path, *, keep: Iterable[str] = ()) -> Iterator[Path]:
    """Yield an empty folder that takes the place of ``folder`` at the end; an error leaves ``folder`` as it was.

    Of the files that were in ``folder``, those named in ``keep`` come along.
    """
    unfinished, previous = (folder.with_name(folder.name + ending) for ending in (UNFINISHED, f".previous{UNFINISHED}"))
    if previous.exists() and not folder.exists():  # the last time, it ended just before the last step
        previous.rename(folder)
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    try:
        yield unfinished
        for path in (folder / name for name in keep):
            if path.is_file():
                shutil.copyfile(path, unfinished / path.name)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    shutil.rmtree(previous, ignore_errors=True)
    if folder.exists():
        folder.rename(previous)
    unfinished.rename(folder)
    shutil.rmtree(previous, ignore_errors=True)


def write_json(content: object, path: Path) -> None:
    """Write ``content`` to ``path`` as JSON, whole or not at all."""
    write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", path)


def write_table(table: pd.DataFrame, path: Path) -> None:
    """Write ``table`` to ``path`` as Parquet, whole or not at all."""
    replace_file(path, lambda unfinished: table.to_parquet(unfinished, index=False, compression="zstd"))


def merged_rows(before: pd.DataFrame, measured: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Return the rows of ``measured``, and those ``before`` of runs that it lacks; ``keys`` together name a run."""
    if before.empty:
        return measured
    names = list(keys)
    is_new = before.set_index(names).index.isin(measured.set_index(names).index)
    return pd.concat([before[~is_new], measured], ignore_index=True)


def checksums(files: Iterable[Path]) -> dict[str, str]:
    """Return the SHA-256 of each file, by its name."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def training_entries(training: Any) -> dict[str, Any]:
    """Return a run's configuration without the model's, which ships as a file."""
    return {key: value for key, value in dataclasses.asdict(training).items() if key != "model"}


def history_entries(history: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the parts of a run's history without their configurations."""
    return [{key: value for key, value in part.items() if key != "training"} for part in history]


def read_metrics(path: Path) -> dict[str, Any]:
    """Return the content of a metrics file, or nothing where there is none yet."""
    if not path.is_file():
        return {}
    metrics: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return metrics


def write_metrics(path: Path, **entries: Any) -> None:
    """Replace ``entries`` in the metrics file and keep the others."""
    write_json(read_metrics(path) | entries, path)


def translator_metrics(name: str) -> dict[str, Any]:
    """Return the metrics of the shipped translator ``name``."""
    return read_metrics(FOLDER / name / METRICS)


def provenance(name: str, command: str) -> dict[str, str]:
    """Return what a measurement of the translator ``name`` records of itself: weights, commit and command."""
    return {"weights": translator_metrics(name)["sha256"][WEIGHTS], "commit": commit(), "command": command}


def written_bleu(scores: dict[str, Any]) -> str:
    """Return the sacreBLEU of ``scores`` and, where its signature says so, that it counts characters."""
    counts_characters = "tok:char" in scores["sacrebleu_signature"]
    return f"{scores['sacrebleu']} (of characters)" if counts_characters else str(scores["sacrebleu"])
