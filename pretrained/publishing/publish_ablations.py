"""Publish what a sweep of the paper's table 3 has measured: ``python -m pretrained.publishing.publish_ablations``.

It may be given at any time, also while the sweep goes on: what is finished is published, and what was published of
other runs stays.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from model.training.runs import collect
from pretrained.ablations import CPU_SECONDS, RESULTS
from pretrained.publishing.rows import merged_rows

RUN_KEYS = ("variant", "seed")
OF_THE_MACHINE = ("torch", CPU_SECONDS)
"""Columns that are left out: they differ by the machine that a run was trained on, and by nothing else."""


def publish(runs: Path, *, path: Path = RESULTS) -> int:
    """Put the results of every finished run in the folder ``runs`` into ``path``; return how many runs that holds.

    Raises:
        FileNotFoundError: no run is finished.
        ValueError: a run was trained by code that no commit holds.
    """
    measured = collect(runs)
    if measured.empty:
        raise FileNotFoundError(f"{runs} has no finished run; python -m model.training.sweep trains them")
    if changed := sorted(measured[measured.commit.str.endswith("-dirty")].variant.unique()):
        raise ValueError(f"files were changed since the commit that trained {', '.join(changed)}; train them anew")
    before = pd.read_parquet(path) if path.is_file() else pd.DataFrame()
    rows = merged_rows(before, measured.drop(columns=list(OF_THE_MACHINE), errors="ignore"), RUN_KEYS)
    rows = rows.sort_values([*RUN_KEYS, "checkpoint", "step"], ignore_index=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".unfinished")
    rows.to_parquet(draft, index=False, compression="zstd")
    draft.replace(path)
    return len(rows[list(RUN_KEYS)].drop_duplicates())


def main(arguments: Sequence[str] | None = None) -> int:
    """Publish what the arguments name; return the process's exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m pretrained.publishing.publish_ablations",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    default = Path("runs/ablations")
    parser.add_argument("--run", type=Path, default=default, help=f"folder of the sweep (default: {default})")
    given = parser.parse_args(arguments)
    try:
        n_runs = publish(given.run)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{RESULTS}: {n_runs} runs\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
