"""Measure the relative effective context length of trained language models (Dai et al. 2019, appendix C)."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from model.analysis.losses.character_losses import context_losses
from model.analysis.losses.effective_context import effective_contexts
from model.data.loading import load_text, split_text
from model.device import choose_device
from model.training.history import commit
from model.training.language_model.run import LanguageModelRun, run_name
from pretrained.publishing.command import DataDir, Device, command
from pretrained.publishing.language_model_scores import run_or_shipped
from pretrained.publishing.shipping import write_table


@command("effective_context")
def write_effective_context(
    folders: Annotated[Sequence[Path], "of the runs to compare, or of shipped models"],
    *,
    results: Annotated[Path, "Parquet file to write"],
    step: Annotated[int, "characters from one context to the next"] = 64,
    longest: Annotated[int, "the longest context"] = 512,
    n_places: Annotated[int, "characters to predict"] = 1000,
    hardest: Annotated[Sequence[float], "shares r of the positions"] = (0.1, 0.5, 1.0),
    data_dir: DataDir = None,
    device: Device = None,
    command: str,
) -> Iterator[str]:
    """Measure the relative effective context length of language models (Dai et al. 2019, appendix C).

    All models predict the same characters of the test part, each after so many before it. A model with a memory reads
    that context in its segments with its memory; any other one gets no more of it than a segment of its training holds.
    The losses are kept in a Parquet file, from which the lengths follow for any share of positions.
    """
    runs, place = _load(folders), choose_device(device)
    text = split_text(load_text(runs[0].training.data.corpus, data_dir)).test
    ids = runs[0].vocabulary.encode(text).ids.to(place)
    contexts = list(range(step, longest + 1, step)) if step > 0 else []
    places = _places(len(ids), longest, n_places).to(place)
    for run in runs:
        run.model.to(place)
    losses = measure(runs, ids, places, contexts)
    lengths_of = {share: effective_contexts(losses, contexts, hardest=share) for share in hardest}
    names = [run_name(folder, run.training.seed) for folder, run in zip(folders, runs, strict=True)]
    write_table(as_table(losses, names, runs, contexts, places).assign(commit=commit(), command=command), results)
    for share, lengths in lengths_of.items():
        for folder, context in zip(folders, lengths, strict=True):
            length = f"{context.length}" if context.is_reached else f"at least {context.length}"
            yield f"r = {share:g}: {folder.name} {length}"


def measure(runs: Sequence[LanguageModelRun], ids: Tensor, places: Tensor, contexts: Sequence[int]) -> np.ndarray:
    """Return the loss of every run at ``places`` of ``ids`` after each of ``contexts``, [context, model, place]."""
    losses_of = np.empty((len(contexts), len(runs), len(places)))
    for row, context in enumerate(contexts):
        for column, run in enumerate(runs):
            data = run.training.data
            # At positions that it never met in training, a model without a memory would only be confused.
            read = context if data.mem_len else min(context, data.segment_length)
            length, mem_len = min(read, data.segment_length), data.mem_len
            losses = context_losses(run.model, ids, places, read, segment_length=length, mem_len=mem_len)
            losses_of[row, column] = losses.cpu().numpy()
    return losses_of


def as_table(
    losses: np.ndarray, names: Sequence[str], runs: Sequence[LanguageModelRun], contexts: Sequence[int], places: Tensor
) -> pd.DataFrame:
    """Return the losses [context, model, place] as a row for each."""
    row, column, place = (axis.ravel() for axis in np.indices(losses.shape))
    return pd.DataFrame(
        {
            "name": np.array(names, dtype=object)[column],
            "seed": np.array([run.training.seed for run in runs])[column],
            "trained_by": np.array([run.commit for run in runs], dtype=object)[column],
            "context": np.array(contexts)[row],
            "place": places.cpu().numpy()[place],
            "loss": losses.ravel().astype(np.float32),
        }
    )


def _load(folders: Sequence[Path]) -> list[LanguageModelRun]:
    runs = [run_or_shipped(folder) for folder in folders]
    for folder, run in zip(folders, runs, strict=True):
        if run.vocabulary != runs[0].vocabulary or run.training.data.corpus != runs[0].training.data.corpus:
            raise ValueError(f"{folder} was trained on another text than {folders[0]}; compare models of one text")
    return runs


def _places(n_characters: int, longest: int, n_places: int) -> Tensor:
    if n_characters - longest < n_places or n_places < 1:
        raise ValueError(
            f"{n_places} places after {longest} characters were asked of a text of {n_characters}; "
            "ask for fewer, at least one, or for shorter contexts"
        )
    return torch.from_numpy(np.linspace(longest, n_characters - 1, n_places).astype(np.int64))
