"""Drawings that are saved as files, without the style sheets of the page."""

import re
from pathlib import Path

import viz

VIZ = Path(viz.__file__).parent
KEEPS = (VIZ / "components" / "browser" / "svg_file.js").read_text(encoding="utf-8")
SAVES = re.compile(r"\bimport \{[^}]*\b(?:drawnFiles|SvgView)\b")
# The properties that SVG has, but for what lays out letters of a line, which no drawing does.
DRAWN = {
    *("fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray"),
    *(
        "stroke-dashoffset",
        "stroke-linecap",
        "stroke-linejoin",
        "opacity",
        "display",
        "visibility",
        "paint-order",
        "filter",
    ),
    *("mix-blend-mode", "clip-path", "mask", "image-rendering", "shape-rendering", "vector-effect"),
    *("font-family", "font-size", "font-weight", "font-style", "text-anchor", "dominant-baseline", "writing-mode"),
}


def test_a_saved_drawing_keeps_what_style_sheets_say_of_its_marks() -> None:
    (listed,) = re.findall(r"const KEPT = \[(.*?)\];", KEEPS, re.DOTALL)
    kept = {*re.findall(r'"([\w-]+)"', listed)}
    folders = {
        path.parent
        for path in VIZ.rglob("*.js")
        if "vendor" not in path.parts and SAVES.search(path.read_text(encoding="utf-8"))
    }
    sheets = [sheet for folder in folders for sheet in folder.glob("*.css")]
    assert sheets
    said = {name for sheet in sheets for name in re.findall(r"[{;]\s*([\w-]+):", sheet.read_text(encoding="utf-8"))}
    assert "stroke-dasharray" in said
    assert said & DRAWN <= kept
