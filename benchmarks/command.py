"""Parser and exit of the benchmarks: what they all share as commands."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from model.data.loading import CorpusMissingError


def parser_of(file: str, text: str | None) -> argparse.ArgumentParser:
    """Return the parser of the benchmark in ``file``, whose help shows its docstring ``text`` as it stands.

    A ``main`` parses before anything else, so that ``--help`` neither measures nor writes.
    """
    return argparse.ArgumentParser(
        prog=f"python -m benchmarks.{Path(file).stem}",
        description=text,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def run_command(main: Callable[[], int | None]) -> NoReturn:
    """Run ``main`` and end with its exit status: 2, after one sentence, where a corpus is missing."""
    try:
        status = main()
    except CorpusMissingError as error:
        sys.stderr.write(f"{error}\n")
        status = 2
    sys.exit(status)
