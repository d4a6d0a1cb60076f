"""The browser code that needs no browser: its own tests, and what it writes for Python and reads from it."""

import io
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from viz.components.browser import pack

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.skipif(not shutil.which("node"), reason="Node is not installed")


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the scripts and their tests that says of itself that it holds ES modules, as a server of them does."""
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    for top in ("viz", "tests"):
        for path in (ROOT / top).rglob("*.js"):
            copy = folder / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    return folder


@pytest.fixture
def run(scripts: Path) -> Callable[..., bytes]:
    """Return what runs Node among the scripts, and hands back what it writes."""

    def run_node(*arguments: str, given: bytes = b"") -> bytes:
        done = subprocess.run(["node", *arguments], cwd=scripts, input=given, capture_output=True, check=False)
        assert not done.returncode, (done.stdout + done.stderr).decode()
        return done.stdout

    return run_node


def test_the_scripts_own_tests_pass(scripts: Path, run: Callable[..., bytes]) -> None:
    tests = sorted(str(path.relative_to(scripts)) for path in scripts.glob("tests/**/*.test.js"))
    assert tests
    run("--test", *tests)


READS = """
import { readFileSync } from "node:fs";
import { unpack } from "./viz/components/browser/payload.js";
const { header, blocks } = unpack(new Uint8Array(readFileSync(0)));
console.log(JSON.stringify([header.title, Array.from(blocks.rows), Array.from(blocks.weights)]));
"""


def test_the_browser_reads_what_python_packs(run: Callable[..., bytes]) -> None:
    rows, weights = np.array([[0.5, -2.0, 1e-8]], dtype=np.float32), np.arange(5, dtype=np.uint8)
    packed = pack({"title": "·lo ⟨end⟩"}, {"weights": weights, "rows": rows})
    title, read_rows, read_weights = json.loads(run("--input-type=module", "--eval", READS, given=packed))
    assert title == "·lo ⟨end⟩"
    np.testing.assert_array_equal(np.array(read_rows, dtype=np.float32), rows.ravel())
    assert read_weights == weights.tolist()


WRITES = """
import { npz, texts } from "./viz/components/browser/save.js";
const archive = npz({
  square: { values: Float32Array.of(0.5, -2, 1e-8, 4), shape: [2, 2] },
  long: { values: Float64Array.of(1 / 3), shape: [1] },
  bytes: { values: Uint8Array.of(0, 255, 7), shape: [3, 1, 1] },
  counts: { values: Int32Array.of(-1, 70000), shape: [2] },
  labels: texts(["·lo", "🙂", ""]),
});
process.stdout.write(new Uint8Array(await archive.arrayBuffer()));
"""


def test_numpy_loads_what_the_browser_saves(run: Callable[..., bytes]) -> None:
    with np.load(io.BytesIO(run("--input-type=module", "--eval", WRITES))) as archive:
        arrays = dict(archive)
    expected = {
        "square": np.array([[0.5, -2], [1e-8, 4]], dtype=np.float32),
        "long": np.array([1 / 3]),
        "bytes": np.array([[[0]], [[255]], [[7]]], dtype=np.uint8),
        "counts": np.array([-1, 70000], dtype=np.int32),
        "labels": np.array(["·lo", "🙂", ""]),
    }
    assert arrays.keys() == expected.keys()
    for name, array in expected.items():
        assert arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(arrays[name], array)
