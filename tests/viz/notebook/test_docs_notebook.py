"""The notebook of the documentation runs from its first cell to its last, and every view in it can be seen."""

import os
from pathlib import Path
from unittest.mock import patch

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[3]


# pyzmq and the kernel warn of event loops, which the notebook has no part in.
@pytest.mark.filterwarnings("default")
def test_the_notebook_runs(tmp_path: Path) -> None:
    notebook = nbformat.read(ROOT / "docs" / "notebook.ipynb", as_version=4)
    quiet = {"IPYTHONDIR": str(tmp_path), "JUPYTER_PLATFORM_DIRS": "1", "HF_HUB_OFFLINE": "1", "PYTHONPATH": str(ROOT)}
    with patch.dict(os.environ, quiet):
        NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    shown = [output.data.get("text/html", "") for output in outputs if "data" in output]
    assert sum(html.startswith("<iframe sandbox=") for html in shown) == 2
    assert "'cross_queries'" in outputs[-1].data["text/plain"]


def test_the_notebook_is_kept_without_outputs() -> None:
    notebook = nbformat.read(ROOT / "docs" / "notebook.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)
