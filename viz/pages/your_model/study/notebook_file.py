"""A Jupyter notebook that opens the page's model, text and heads, in three lines of code."""

import json

from pretrained.huggingface.recorded import Head
from viz.pages.your_model.state import ModelInputs

_CODE = """\
from pathlib import Path

from pretrained.huggingface.loading import load
from viz.notebook import explore_model

model, tokenizer = load(Path({folder!r}), most_bytes={most_bytes})
view = explore_model(model, tokenizer, {arguments})
view"""
_SAVE = 'view.save("view.html")\nview.save("maps.npz")'


def notebook_of(asked: ModelInputs, folder: str, most_bytes: int, *, title: str, install: str, files: str) -> str:
    """Return the notebook as JSON (nbformat 4.5).

    Args:
        asked: what the model of the page reads, and its heads that are off.
        folder: where the model lies.
        most_bytes: that its weights may need.
        title: the first heading.
        install: what must be installed, and how.
        files: what the saved files are for.
    """
    options = {"target": asked.target, "second": asked.second, "off": [_arguments(head) for head in asked.off]}
    arguments = "".join(f", {name}={value!r}" for name, value in options.items() if value)
    code = _CODE.format(folder=folder, most_bytes=most_bytes, arguments=f"{asked.text!r}{arguments}")
    cells = [
        _cell("markdown", f"# {title}\n\n{install}"),
        _cell("code", code),
        _cell("markdown", files),
        _cell("code", _SAVE),
    ]
    python = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    numbered = [{"id": f"cell-{number}", **cell} for number, cell in enumerate(cells, start=1)]
    return json.dumps(
        {"cells": numbered, "metadata": python, "nbformat": 4, "nbformat_minor": 5}, ensure_ascii=False, indent=1
    )


def _cell(kind: str, source: str) -> dict[str, object]:
    cell: dict[str, object] = {"cell_type": kind, "metadata": {}, "source": source}
    return cell | {"execution_count": None, "outputs": []} if kind == "code" else cell


def _arguments(head: Head) -> tuple[int, int] | tuple[str, int, int]:
    """Return ``head`` as ``explore_model`` takes it."""
    return (head.layer, head.head) if head.block == "self" else (head.block, head.layer, head.head)
