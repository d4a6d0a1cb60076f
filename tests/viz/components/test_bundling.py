"""Several scripts become one, or are refused; tests/test_javascript.py holds the result to esbuild's."""

import re
from pathlib import Path

import pytest

from viz.components.browser import bundle


def test_scripts_become_one_in_which_each_keeps_its_names(tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text("const hidden = 1;\nexport function one() {\n  return hidden;\n}\n")
    (tmp_path / "two.js").write_text(
        'import { one } from "./one.js";\nconst hidden = 2;\nexport const two = () => hidden + one();\n'
    )
    entry = tmp_path / "entry.js"
    entry.write_text(
        'import {\n  one,\n} from "./one.js";\nimport { two } from "./two.js";\nexport default [one(), two()];\n'
    )
    joined = bundle(entry)
    assert "import" not in joined
    assert re.findall(r"^export .*", joined, re.MULTILINE) == ["export default [one(), two()];"]
    assert joined.count("const hidden = 1;") == 1
    assert joined.index("one.js") < joined.index("two.js") < joined.index("export default")


def test_scripts_in_a_circle_are_refused(tmp_path: Path) -> None:
    for one, other in (("a", "b"), ("b", "a")):
        (tmp_path / f"{one}.js").write_text(f'import {{ {other} }} from "./{other}.js";\nexport const {one} = 1;\n')
    with pytest.raises(ValueError, match=r"a\.js imports itself, by way of a\.js, b\.js"):
        bundle(tmp_path / "a.js")


@pytest.mark.parametrize(
    "line",
    [
        'import one from "./one.js";',
        'import * as all from "./one.js";',
        'import "./one.js";',
        'import { one } from "package";',
        "import { one } from './one.js';",
        'const one = await import("./one.js");',
        "export { one };",
        'export { one } from "./one.js";',
        'export * from "./one.js";',
        "export let one = 1;",
        "export const { one } = {};",
        "  export const one = 1;",
    ],
)
def test_a_form_that_the_bundler_does_not_know_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "one.js").write_text("export const one = 1;\n")
    (tmp_path / "entry.js").write_text(f"// A comment\n{line}\n")
    with pytest.raises(ValueError, match=r"entry\.js:2: the bundler does not understand: "):
        bundle(tmp_path / "entry.js")


@pytest.mark.parametrize("names", ["two", "one as first", "default as one"])
def test_a_name_that_is_not_exported_is_refused(tmp_path: Path, names: str) -> None:
    (tmp_path / "one.js").write_text("export const one = 1;\n")
    (tmp_path / "entry.js").write_text(f'import {{ {names} }} from "./one.js";\n')
    with pytest.raises(ValueError, match=rf"imports {names}, which one\.js does not export"):
        bundle(tmp_path / "entry.js")


def test_only_the_entry_has_a_default_export(tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text("export const one = 1;\nexport default one;\n")
    (tmp_path / "entry.js").write_text('import { one } from "./one.js";\n')
    with pytest.raises(ValueError, match=r"one\.js:2: the bundler does not understand: export default one;"):
        bundle(tmp_path / "entry.js")
