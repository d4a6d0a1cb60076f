"""The notebook of each lab runs from its first cell to its last; what it claims is asserted in it."""

import os
from pathlib import Path
from unittest.mock import patch

import nbformat
import pytest
from nbclient import NotebookClient

from viz.pages.start.course.lab import Lab, labs

ROOT = Path(__file__).parents[5]
FEWEST_CELLS, MOST_CELLS = 3, 5
LABS = pytest.mark.parametrize("lab", labs(), ids=lambda lab: lab.id)


@LABS
def test_it_is_short_and_kept_without_outputs(lab: Lab) -> None:
    notebook = nbformat.read(lab.notebook, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert FEWEST_CELLS <= len(code) <= MOST_CELLS
    assert not any(cell.outputs or cell.execution_count for cell in code)


@pytest.mark.slow
# pyzmq and the kernel warn of event loops, which the notebook has no part in.
@pytest.mark.filterwarnings("default")
@LABS
def test_it_runs(lab: Lab, tmp_path: Path) -> None:
    notebook = nbformat.read(lab.notebook, as_version=4)
    quiet = {"IPYTHONDIR": str(tmp_path), "JUPYTER_PLATFORM_DIRS": "1", "HF_HUB_OFFLINE": "1", "PYTHONPATH": str(ROOT)}
    with patch.dict(os.environ, quiet):
        NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert all(cell.outputs for cell in notebook.cells if cell.cell_type == "code")
