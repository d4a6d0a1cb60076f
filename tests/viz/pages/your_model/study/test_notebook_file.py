"""The notebook that the page offers runs as it is, and shows what the page shows."""

import os
from pathlib import Path
from unittest.mock import patch

import nbformat
import pytest
from nbclient import NotebookClient

from pretrained.huggingface.recorded import Head
from tests.fixtures.foreign_models import random_model, small_tokenizer
from viz.pages.your_model.state import ModelInputs, ModelPlace
from viz.pages.your_model.study.notebook_file import notebook_of

ROOT = Path(__file__).parents[5]
WORDS = {"title": "Every head of a model", "install": "Install once", "files": "Files"}


def notebook(folder: Path, **changes: object) -> nbformat.NotebookNode:
    asked = ModelInputs(ModelPlace("a model", str(folder.parent), folder.name), 'say "yes"', "", "", ())
    read = nbformat.reads(notebook_of(ModelInputs(**vars(asked) | changes), str(folder), 10**9, **WORDS), as_version=4)
    nbformat.validate(read)
    return read


# pyzmq and the kernel warn of event loops, which the notebook has no part in.
@pytest.mark.filterwarnings("default")
def test_it_runs_and_shows_the_heads(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    random_model("BERT").save_pretrained(folder)
    small_tokenizer().save_pretrained(folder)
    asked = notebook(folder, off=(Head("self", 0, 1),))
    quiet = {"IPYTHONDIR": str(tmp_path), "JUPYTER_PLATFORM_DIRS": "1", "HF_HUB_OFFLINE": "1", "PYTHONPATH": str(ROOT)}
    with patch.dict(os.environ, quiet):
        NotebookClient(asked, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in asked.cells for output in cell.get("outputs", [])]
    assert sum(output.get("data", {}).get("text/html", "").startswith("<iframe sandbox=") for output in outputs) == 1
    assert (tmp_path / "view.html").is_file()
    assert (tmp_path / "maps.npz").is_file()


def test_it_asks_for_what_the_page_does(tmp_path: Path) -> None:
    read = notebook(tmp_path, target="ja", second="no", off=(Head("cross", 2, 0), Head("self", 1, 3)))
    code = read.cells[1].source
    assert "'say \"yes\"', target='ja', second='no', off=[('cross', 2, 0), (1, 3)])" in code
    assert "target" not in notebook(tmp_path).cells[1].source
