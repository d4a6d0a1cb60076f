"""Machine code where it cannot be kept, and where it is kept for the next process."""

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[4]
PROGRAM = """
import numpy as np
from model.decoding.compiled import kernels

x = np.array([[1, 2, 4, 5]], np.float32)
norm = kernels.NormWeights(np.ones((1, 4), np.float32), np.zeros((1, 4), np.float32), np.float32(0))
kernels._layer_norm(x, norm, 0, x)
hits = sum(kernels._layer_norm.stats.cache_hits.values())
print(hits, *np.round(x[0], 4))
"""
BY_HAND = "-1.2649 -0.6325 0.6325 1.2649"


def run(program: str, cache: Path) -> str:
    called = subprocess.run(
        [sys.executable, "-c", program],
        cwd=FOLDER,
        env={"NUMBA_CACHE_DIR": str(cache), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    return called.stdout.strip()


def test_a_second_process_finds_what_the_first_compiled(tmp_path: Path) -> None:
    assert run(PROGRAM, tmp_path) == f"0 {BY_HAND}"
    assert run(PROGRAM, tmp_path) == f"1 {BY_HAND}"


def test_where_nothing_can_be_kept_it_compiles_all_the_same(tmp_path: Path) -> None:
    nowhere = "from numba.core import caching\ncaching.CacheImpl._locator_classes = []\n"
    assert run(nowhere + PROGRAM, tmp_path) == f"0 {BY_HAND}"


@pytest.mark.parametrize("n_bytes", [0, 100])
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_damaged_file_is_compiled_anew(tmp_path: Path, ending: str, n_bytes: int) -> None:
    run(PROGRAM, tmp_path)
    damaged = list(tmp_path.rglob(f"*.{ending}"))
    for file in damaged:
        file.write_bytes(file.read_bytes()[:n_bytes])
    assert damaged
    assert run(PROGRAM, tmp_path) == f"0 {BY_HAND}"
    assert run(PROGRAM, tmp_path) == f"1 {BY_HAND}"
