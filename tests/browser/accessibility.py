"""What axe-core finds wrong in a page at rest, and what a theme of high contrast takes away from it."""

from collections.abc import Sequence
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.waiting import at_rest

CONTRAST = ("color-contrast", "link-in-text-block")
"""The rules of axe on which a theme bears."""

_COLOURED = """() => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap((node) =>
    [node, ...(node.shadowRoot ? all(node.shadowRoot) : [])]);
  const isColoured = (node) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(node);
    const [red, green, blue, alpha = 1] = backgroundColor.match(/[\\d.]+/g).map(Number);
    const isGrey = Math.max(red, green, blue) - Math.min(red, green, blue) < 24;
    return (alpha > 0.02 && !isGrey) || backgroundImage.includes("gradient");
  };
  window.coloured = all(document.querySelector("[data-testid=stMain]")).filter(isColoured);
}"""
# A button keeps its letters and its border, a mark its line; what is chosen needs more than that.
_LOST = """() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).join();
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.background = "Canvas";
  const canvas = channels(getComputedStyle(probe).backgroundColor);
  probe.remove();
  return window.coloured.filter((node) => {
    const { forcedColorAdjust, backgroundColor, outlineStyle } = getComputedStyle(node);
    const isMarked = outlineStyle !== "none" || node.matches("mark, :checked + *, button:not([data-selected=true])");
    return forcedColorAdjust !== "none" && channels(backgroundColor) === canvas && !isMarked;
  }).map((node) => `${node.localName} ${node.getAttribute("class")}: ${node.textContent.trim().slice(0, 30)}`);
}"""


def lost_in_high_contrast(page: Page) -> list[str]:
    """Return a line for each coloured background of which a theme of high contrast leaves nothing."""
    page.evaluate(_COLOURED)
    page.emulate_media(forced_colors="active")
    lost = page.evaluate(_LOST)
    page.emulate_media(forced_colors="none")
    return lost


def accessibility_faults(page: Page, context: str | None = None, rules: Sequence[str] = ()) -> list[str]:
    """Return a line for each fault, in the whole page or in what the selector ``context`` names.

    Only faults against ``rules``, by axe's names, where any are given.
    """
    # A run that begins late fades what is there, and half faded text has little contrast: a fault is one that stays.
    return _faults(page, context, rules) and _faults(page, context, rules)


def _faults(page: Page, context: str | None, rules: Sequence[str]) -> list[str]:
    # Streamlit fades new elements in.
    at_rest(page)
    page.wait_for_function("!document.getAnimations().some(({ timeline }) => timeline instanceof DocumentTimeline)")
    options = {"resultTypes": ["violations"]} | ({"runOnly": [*rules]} if rules else {})
    found: Any = Axe().run(page, context=context, options=options)
    return [
        f"{fault['id']} ({fault['impact']}): {node['target']} {node['html'][:200]}"
        for fault in found.response["violations"]
        for node in fault["nodes"]
    ]
