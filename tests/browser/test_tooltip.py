"""The tooltip that all pictures have, alone in a page of a phone's width."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Page

from viz.components.browser import bundle
from viz.components.browser.bundling import modules

TOOLTIP = Path(__file__).parents[2] / "viz" / "components" / "browser" / "tooltip.js"
SIZE = {"width": 390, "height": 844}
SHOW = """async ({ js, css, text, x, y }) => {
  const module = await import(URL.createObjectURL(new Blob([js], { type: "text/javascript" })));
  document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
  document.body.replaceChildren();
  const tooltip = new module.Tooltip(document.body);
  tooltip.show(text, x, y);
  const { left, right, top, bottom } = tooltip.node.getBoundingClientRect();
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = tooltip.node;
  return [left, right, top, bottom, scrollWidth - clientWidth, scrollHeight - clientHeight];
}"""
# Those that show one, each with what its style sheet says of it.
SHEETS = [
    next(path.parent.glob("*.css"))
    for path in sorted((TOOLTIP.parents[2]).rglob("main.js"))
    if TOOLTIP in modules(path)
]


TEXTS = ("word " * 60, "x" * 300, "dimension 12: −0.4213 × 0.1234 = −0.05199; sum so far −0.6433")


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.stem)
def test_a_long_text_lies_whole_inside_a_phone_s_window(open_page: Callable[..., Page], sheet: Path) -> None:
    page = open_page(viewport=SIZE)
    page.set_content("<!doctype html><body></body>")
    given = {"js": bundle(TOOLTIP), "css": sheet.read_text(encoding="utf-8")}
    for text, (x, y) in product(TEXTS, [(5, 5), (385, 5), (200, 400), (385, 840)]):
        left, right, top, bottom, *cut = page.evaluate(SHOW, {**given, "text": text, "x": x, "y": y})
        assert min(left, top) >= 0, text
        assert right <= SIZE["width"], text
        assert bottom <= SIZE["height"], text
        assert max(cut) <= 0, text
