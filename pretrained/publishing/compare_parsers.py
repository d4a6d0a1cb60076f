"""Measure what a parser's beginning and its symbols are worth: finished runs of the same length, side by side.

``python -m pretrained.publishing.compare_parsers translator=RUN nothing=RUN tags=RUN``.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch

from model.data.loading import DATA_DIR_VARIABLE, CorpusMissingError
from model.device import use_one_thread
from model.training.history import read_history
from model.training.parsing.measure import measure_parser
from pretrained.parsers import COMPARED, COMPARISON


def compare(runs: Mapping[str, Path], *, data_dir: Path | None, path: Path = COMPARISON) -> None:
    """Write the scores of ``runs`` on the dev part of their treebank to ``path``, by name.

    Raises:
        CorpusMissingError: the treebank is not in ``data_dir``.
        ValueError: a run is not finished, was trained by code that no commit holds, or is longer than another.
    """
    use_one_thread()
    histories = {name: read_history(run) for name, run in runs.items()}
    for name, history in histories.items():
        if any(segment["commit"].endswith("-dirty") for segment in history):
            raise ValueError(f"files were changed since the commit that trained {runs[name]}; train it anew")
    steps = {name: history[-1]["training"]["schedule"]["n_steps"] for name, history in histories.items()}
    if len(set(steps.values())) > 1:
        raise ValueError(f"the runs have {', '.join(map(str, steps.values()))} steps; they must be of one length")
    scores = {
        name: {
            **measure_parser(run, device=torch.device("cpu"), data_dir=data_dir),
            "n_steps": steps[name],
            "commit": histories[name][-1]["commit"],
        }
        for name, run in runs.items()
    }
    path.write_text(json.dumps(scores, indent=2) + "\n", encoding="utf-8")


def _named(text: str) -> tuple[str, Path]:
    name, _, run = text.partition("=")
    if name not in COMPARED or not run:
        raise argparse.ArgumentTypeError(
            f"{text!r} was given; name a run as one of {', '.join(COMPARED)}, =, its folder"
        )
    return name, Path(run)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the arguments name; return the process's exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m pretrained.publishing.compare_parsers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "runs", nargs="+", type=_named, metavar="NAME=RUN", help=f"NAME is one of {', '.join(COMPARED)}"
    )
    parser.add_argument("--data-dir", type=Path, help=f"folder of the treebank (else ${DATA_DIR_VARIABLE})")
    given = parser.parse_args(arguments)
    try:
        compare(dict(given.runs), data_dir=given.data_dir)
    except (OSError, ValueError, CorpusMissingError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(COMPARISON.read_text(encoding="utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
