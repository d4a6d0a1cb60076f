"""The command line of everything that measures a shipped translator and writes the result into its metrics."""

import argparse
import sys
from pathlib import Path
from typing import Any, Protocol

from model.checkpoint import DamagedWeightsError
from model.data.loading import DATA_DIR_VARIABLE, CorpusMissingError
from pretrained.publishing.metrics import write_metrics
from pretrained.translators import FOLDER, METRICS


class Measure(Protocol):
    """Measures one thing of the shipped translator ``name``."""

    def __call__(self, name: str, *, data_dir: Path | None, device: str | None) -> dict[str, Any]:
        """Return what was measured."""


def measure_and_write(
    entry: str, measure: Measure, parser: argparse.ArgumentParser, arguments: list[str] | None
) -> int:
    """Write the result of ``measure`` as ``entry`` of the model's metrics and print it; return the exit status."""
    parser.add_argument("name", help="folder in pretrained/")
    parser.add_argument("--data-dir", type=Path, help=f"folder of the corpora (else ${DATA_DIR_VARIABLE})")
    parser.add_argument("--device", help="cuda, mps or cpu (default: the first that there is)")
    given = parser.parse_args(arguments)
    try:
        measured = measure(given.name, data_dir=given.data_dir, device=given.device)
    except (OSError, ValueError, CorpusMissingError, DamagedWeightsError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    write_metrics(FOLDER / given.name / METRICS, **{entry: measured})
    sys.stdout.writelines(f"{key}: {value}\n" for key, value in measured.items())
    return 0
