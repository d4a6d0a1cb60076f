"""The browser code that needs no browser: its own tests, and what it writes for Python and reads from it."""

import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.node import ROOT, run_module, run_node
from viz.components.browser import bundle, pack
from viz.components.browser.bundling import modules

ESBUILD = ROOT / "node_modules" / ".bin" / "esbuild"
ENTRIES = [
    path
    for path in sorted((ROOT / "viz").rglob("*.js"))
    if "vendor" not in path.parts and re.search("^export default", path.read_text(encoding="utf-8"), re.MULTILINE)
]

Esbuild = Callable[..., dict[Path, tuple[Path, list[Path]]]]
"""From entries to the file that esbuild made of each, and the modules in it, in order."""


def test_the_scripts_own_tests_pass() -> None:
    tests = sorted((ROOT / "tests").rglob("*.test.js"))
    assert tests
    run_node("--test", *tests)


@pytest.fixture(scope="module")
def esbuild(tmp_path_factory: pytest.TempPathFactory) -> Esbuild:
    """Return a function that bundles entries by esbuild."""
    assert ESBUILD.exists(), "esbuild is not installed: run `make lint` once, which sees to it"

    def run_esbuild(*entries: Path) -> dict[Path, tuple[Path, list[Path]]]:
        folder = tmp_path_factory.mktemp("bundles")
        meta = folder / "meta.json"
        options = (
            "--bundle",
            "--tree-shaking=false",
            "--format=esm",
            "--out-extension:.js=.mjs",
            "--log-level=warning",
        )
        run_node(ESBUILD, *entries, *options, f"--outdir={folder}", f"--metafile={meta}")
        outputs = json.loads(meta.read_text(encoding="utf-8"))["outputs"]
        return {
            (ROOT / output["entryPoint"]).resolve(): (
                (ROOT / path).resolve(),
                [(ROOT / source).resolve() for source in output["inputs"]],
            )
            for path, output in outputs.items()
        }

    return run_esbuild


def test_the_bundler_takes_the_modules_that_esbuild_takes_in_its_order(esbuild: Esbuild) -> None:
    by_esbuild = esbuild(*ENTRIES)
    assert {entry: modules(entry) for entry in ENTRIES} == {entry: taken for entry, (_, taken) in by_esbuild.items()}


EXPORTS = """
globalThis.matchMedia = () => ({ matches: false });
const [paths] = JSON.parse((await import("node:fs")).readFileSync(0));
const kinds = async (path) => Object.entries(await import(path)).map(([name, value]) => [name, typeof value]);
console.log(JSON.stringify(await Promise.all(paths.map(kinds))));
"""


def test_every_bundle_runs_and_exports_what_esbuild_s_does(esbuild: Esbuild, tmp_path: Path) -> None:
    by_esbuild = esbuild(*ENTRIES)
    paths = []
    for index, entry in enumerate(ENTRIES):
        (tmp_path / f"{index}.mjs").write_text(bundle(entry), encoding="utf-8")
        paths += [str(tmp_path / f"{index}.mjs"), str(by_esbuild[entry][0])]
    kinds = json.loads(run_module(EXPORTS, given=json.dumps([paths]).encode()))
    assert kinds[::2] == kinds[1::2] == [[["default", "function"]]] * len(ENTRIES)


def test_a_bundle_computes_what_esbuild_s_computes(esbuild: Esbuild, tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text("const hidden = 1;\nexport async function one() {\n  return hidden;\n}\n")
    (tmp_path / "two.js").write_text(
        'import { one } from "./one.js";\nconst hidden = 2;\nexport const two = async () => hidden + (await one());\n'
    )
    entry = tmp_path / "entry.js"
    entry.write_text(
        'import {\n  one,\n} from "./one.js";\nimport { two } from "./two.js";\n'
        "export default async () => [await one(), await two()];\n"
    )
    (tmp_path / "ours.mjs").write_text(bundle(entry))
    ((by_esbuild, _),) = esbuild(entry).values()
    for path in (tmp_path / "ours.mjs", by_esbuild):
        script = f"console.log(JSON.stringify(await (await import({json.dumps(str(path))})).default()))"
        assert json.loads(run_module(script)) == [1, 3]


READS = """
import { readFileSync } from "node:fs";
import { unpack } from "./viz/components/browser/payload.js";
const { header, blocks } = unpack(new Uint8Array(readFileSync(0)));
console.log(JSON.stringify([header.title, Array.from(blocks.rows), Array.from(blocks.weights)]));
"""


def test_the_browser_reads_what_python_packs() -> None:
    rows, weights = np.array([[0.5, -2.0, 1e-8]], dtype=np.float32), np.arange(5, dtype=np.uint8)
    packed = pack({"title": "·lo ⟨end⟩"}, {"weights": weights, "rows": rows})
    title, read_rows, read_weights = json.loads(run_module(READS, given=packed))
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


def test_numpy_loads_what_the_browser_saves() -> None:
    with np.load(io.BytesIO(run_module(WRITES))) as archive:
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
