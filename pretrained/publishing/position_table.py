"""Write the table of learned positions of a model of others with one byte a number, as the app ships it.

``python -m pretrained.publishing.position_table FOLDER FILE.npz``.
"""

import argparse
from pathlib import Path

import numpy as np

from pretrained.huggingface.folders import load
from pretrained.huggingface.positions import positions_of

_MOST_BYTES = 10**9
_LARGEST = 127


def main() -> None:
    """Read the folder, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("file", type=Path)
    given = parser.parse_args()
    model, _ = load(given.folder, _MOST_BYTES)
    table = next(found.values for found in positions_of(model) if found.kind == "table")
    # A scale for each dimension: a few are far larger than the rest.
    scales = np.abs(table).max(axis=0) / np.float32(_LARGEST)
    np.savez_compressed(given.file, steps=np.round(table / scales).astype(np.int8), scales=scales)


if __name__ == "__main__":
    main()
