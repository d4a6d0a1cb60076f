"""Measure the relative effective context length of trained language models (Dai et al. 2019, appendix C).

All models predict the same characters of the test part, each after so many before it. A model with a memory reads that
context in its segments with its memory; any other one is given no more of it than a segment of its training holds. The
losses are kept in a Parquet file, from which the lengths follow for any share of positions.
"""

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from model.analysis.losses.character_losses import context_losses
from model.analysis.losses.effective_context import EffectiveContext, effective_contexts
from model.data.loading import DATA_DIR_VARIABLE, CorpusMissingError, load_text, split_text
from model.device import choose_device
from model.training.history import commit
from model.training.language_model.run import LanguageModelRun, run_name
from pretrained.publishing.evaluate_language_model import run_or_shipped

_PROGRAM = "python -m pretrained.publishing.effective_context"


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


def _print(names: Sequence[str], hardest: float, contexts: Sequence[EffectiveContext]) -> None:
    for name, context in zip(names, contexts, strict=True):
        length = f"{context.length}" if context.is_reached else f"at least {context.length}"
        sys.stdout.write(f"r = {hardest:g}: {name} {length}\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=_PROGRAM, description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help="of the runs to compare, or of shipped models")
    parser.add_argument("--step", type=int, default=64, help="characters from one context to the next (default: 64)")
    parser.add_argument("--longest", type=int, default=512, help="the longest context (default: 512)")
    parser.add_argument("--n-places", type=int, default=1000, help="characters to predict (default: 1000)")
    parser.add_argument("--hardest", type=float, nargs="+", default=[0.1, 0.5, 1.0], help="shares r of the positions")
    parser.add_argument("--results", type=Path, required=True, help="Parquet file to write")
    parser.add_argument("--data-dir", type=Path, help=f"folder of the corpora (else ${DATA_DIR_VARIABLE})")
    parser.add_argument("--device", help="cuda, mps or cpu (default: the first that there is)")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Print the lengths and keep the losses; return the process's exit status."""
    given = _parser().parse_args(arguments)
    try:
        runs, device = _load(given.folders), choose_device(given.device)
        text = split_text(load_text(runs[0].training.data.corpus, given.data_dir)).test
        ids = runs[0].vocabulary.encode(text).ids.to(device)
        contexts = list(range(given.step, given.longest + 1, given.step)) if given.step > 0 else []
        places = _places(len(ids), given.longest, given.n_places).to(device)
        for run in runs:
            run.model.to(device)
        losses = measure(runs, ids, places, contexts)
        lengths_of = {hardest: effective_contexts(losses, contexts, hardest=hardest) for hardest in given.hardest}
    except (OSError, ValueError, CorpusMissingError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    names = [run_name(folder, run.training.seed) for folder, run in zip(given.folders, runs, strict=True)]
    table = as_table(losses, names, runs, contexts, places)
    table["commit"] = commit()
    table["command"] = f"{_PROGRAM} {shlex.join(sys.argv[1:] if arguments is None else arguments)}"
    table.to_parquet(given.results, index=False, compression="zstd")
    for hardest, lengths in lengths_of.items():
        _print([folder.name for folder in given.folders], hardest, lengths)
    return 0


if __name__ == "__main__":
    sys.exit(main())
