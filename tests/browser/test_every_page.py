"""Every page as it opens: named in its tab, short, a picture in the first screen, nothing under 13 px or against axe.

A theme of high contrast takes no data away. It leads to the next page. Each of its pictures is saved and fills the
window by the same two controls at its top right, and no two of its boxes and sliders have one name. Then the same tab
opens a link of somebody else: nothing that it says is asked for, and no script of it runs. That link is in Japanese or
Korean, by turns: no name is cut there, no word is English, and no blank follows a Japanese full stop.

``LINKS=200 pytest tests/browser/test_every_page.py`` opens about so many such links, of one parameter each; without
it, one link a page that gives every parameter of the page.
"""

import os
from collections.abc import Callable
from itertools import cycle, islice, product
from math import ceil
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from tests.app.links import HOST, HOSTILE, PAGES, each_page, linkable
from tests.browser.accessibility import CONTRAST, accessibility_faults, lost_in_high_contrast
from tests.browser.labels import label_faults
from tests.browser.waiting import at_rest, left_of
from viz.base.colours import PALETTES
from viz.base.languages import ENGLISH, LANGUAGES
from viz.base.words import page_text
from viz.shell.navigation import Place, sections

LAPTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
TALLEST = 2_000
NAME = page_text("shell/page")["name"]
OTHERS = [name for name in LANGUAGES if name != ENGLISH]
IN_ORDER = [page for of_section in sections().values() for page in of_section]
# Its stops lead on to each other, and only the last of them to the next page.
LEADS_ON_LATER = {"read-along"}
SMALLEST_TEXT = 13

_ALL = """const all = (root) => [...root.querySelectorAll("*")].flatMap((node) =>
  [node, ...(node.shadowRoot ? all(node.shadowRoot) : [])]);"""
# Icons are pictures too: what is meant is at least 100 by 60 pixels of the screen.
_PICTURES = f"""() => {{
  {_ALL}
  return all(document.querySelector("[data-testid=stMain]")).filter((node) => {{
    if (!node.matches("canvas, svg")) return false;
    const {{ left, right, top, bottom }} = node.getBoundingClientRect();
    const width = Math.min(right, innerWidth) - Math.max(left, 0);
    return width >= 100 && Math.min(bottom, innerHeight) - Math.max(top, 0) >= 60;
  }}).length;
}}"""
# Lists and tables. Scores of models that were measured on different sentences make no picture.
_TEXT_ALONE = {"encodings", "models"}
_IS_SHORT = """tallest => document.querySelector("[data-testid=stMainBlockContainer]").scrollHeight <= tallest"""
# Exponents, indices and fractions are smaller than the text that they belong to, in formulas and at Plotly's axes.
_SMALL_TEXTS = f"""(smallest) => {{
  {_ALL}
  const size = (node) => parseFloat(getComputedStyle(node).fontSize);
  const isExponent = (node, text) => node.localName === "tspan" && size(node) < size(text) && size(text) >= smallest;
  const inFormula = (node) => node.closest(".katex-mathml, .katex :is(.mtight, .mfrac)") !== null;
  const isRaised = (node) => inFormula(node) || isExponent(node, node.closest("text"));
  return all(document.querySelector("[data-testid=stMain]")).filter((node) => {{
    const texts = [...node.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE);
    const hasText = texts.some((child) => child.data.replace(/[\\s\\u200b-\\u200d\\u2060\\ufeff]/g, ""));
    if (!hasText || ["style", "script"].includes(node.localName)) return false;
    if (isRaised(node)) return false;
    const {{ width, height }} = node.getBoundingClientRect();
    return width > 1 && height > 1 && size(node) < smallest - 0.01;
  }}).map((node) => `${{getComputedStyle(node).fontSize}} ${{node.textContent.trim().slice(0, 60)}}`);
}}"""
# Of every picture that has not one Save and one Full screen at its top right, and of what is as large as a picture
# but part of none. The cards of the first page are links, and lead to the pictures that they show small.
_WITHOUT_CONTROLS = f"""() => {{
  {_ALL}
  const PICTURE = "[class*=st-key-picture-], .explorer, .head-grid, .pattern-editor, .beam-tree, .stepper figure, " +
    ".term-maps, .mosaic-part, .relative-shift, .training-player, .playground figure, .architecture, .computation, " +
    ".diagram, .circuit";
  const main = all(document.querySelector("[data-testid=stMain]"));
  const size = (node) => node.getBoundingClientRect();
  const above = (node) => node.parentElement ?? node.getRootNode().host;
  const isIn = (node, selector) => node && (node.matches(selector) || isIn(above(node), selector));
  const pictures = main.filter((node) => node.matches(PICTURE) && size(node).width);
  const bare = pictures.filter((picture) => {{
    const parts = all(picture);
    const [menu, ...more] = parts.filter((node) => node.matches(".picture-menu"));
    if (!menu || more.length) return true;
    const controls = [...menu.querySelectorAll("summary, button.full")];
    if (controls.length !== 2 || controls.some((node) => !size(node).width)) return true;
    const right = Math.min(size(picture).right, innerWidth);
    return Math.abs(size(menu).right - right) > 20 || Math.abs(size(menu).top - size(picture).top) > 40;
  }});
  const loose = main.filter((node) => node.matches("canvas, svg") && size(node).width >= 100 && size(node).height >= 60
    && !isIn(node, PICTURE) && !isIn(node, "a"));
  return [...bare, ...loose].map((node) => `${{node.localName}} ${{node.getAttribute("class")}}`);
}}"""
# The names that several boxes or sliders have: nobody can tell which of two pictures such a one changes.
_NAMED_TWICE = f"""() => {{
  {_ALL}
  const labels = (node) => [...(node.labels ?? [])].map((label) => label.textContent).join(" ");
  const name = (node) => (node.getAttribute("aria-label") ?? labels(node)).trim();
  const names = all(document.querySelector("[data-testid=stMain]")).filter((node) =>
    node.matches("input:not([type=radio]), select, textarea, [role=slider]") && node.getBoundingClientRect().width
  ).map(name);
  return names.filter((found, place) => names.indexOf(found) < place);
}}"""
# What Python draws has the colours that it was told when the page ran: none of it is left from the light.
_IS_DARK = f"""(light) => {{
  {_ALL}
  return all(document.querySelector("[data-testid=stMain]")).every((node) =>
    !(node.getAttribute("style") ?? "").includes(light) &&
    !(node.matches(".main-svg") && getComputedStyle(node).backgroundColor === "rgb(255, 255, 255)"));
}}"""


N_LINKS = int(os.environ.get("LINKS", "0"))
# A link to another page of the app may carry what this one's does.
_LEADS_TO = """host => [...document.querySelectorAll("[href], [src]")]
  .map(element => element.getAttribute("href") ?? element.getAttribute("src"))
  .filter(address => new URL(address, location).hostname.endsWith(host))"""
MARKUP = [value for value in HOSTILE if HOST in value]


def hostile_links(shown: Place) -> list[str]:
    """Return this page's share of the links asked for, or a link with all of its parameters."""
    names, first = linkable(shown).names, PAGES.index(shown)
    values = [*MARKUP[first % len(MARKUP) :], *MARKUP[: first % len(MARKUP)]]
    if N_LINKS:
        links = [{name: value} for value, name in islice(product(values, names), ceil(N_LINKS / len(PAGES)))]
    else:
        # The same visit shows the page in another language.
        links = [dict(zip(names, cycle(values), strict=False)) | {"language": OTHERS[first % len(OTHERS)]}]
    return [f"{shown.page.url_path}?{urlencode({**link, **shown.query})}" for link in links]


def opened(open_page: Callable[..., Page], url: str) -> Page:
    page = open_page(viewport=LAPTOP, color_scheme="light")
    page.goto(url)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("[data-stale='true']")).to_have_count(0)
    at_rest(page)
    return page


def in_the_dark(page: Page) -> None:
    """Have the open page run and drawn again in the dark, which takes a fraction of the time of opening it so."""
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        "getComputedStyle(document.querySelector('.stApp')).backgroundColor !== 'rgb(255, 255, 255)'"
    )
    page.keyboard.press("r")
    page.wait_for_function(_IS_DARK, arg=f"--ink:{PALETTES['light'].ink}")


@each_page("shown")
def test_a_page_is_short_and_has_no_fault_on_a_laptop_a_phone_in_the_dark_and_by_a_hostile_link(
    app_url: str, open_page: Callable[..., Page], shown: Place
) -> None:
    page = opened(open_page, f"{app_url}/{shown.address}")
    expect(page).to_have_title(f"{shown.page.title} · {NAME}")
    following = dict(zip(IN_ORDER, [*IN_ORDER[1:], None], strict=True))[shown.page]
    if shown.page.url_path not in LEADS_ON_LATER:
        name = f"Next: {following.question}" if following else "Next: "
        expect(page.get_by_role("link", name=name)).to_have_count(1 if following else 0)
    has_picture = shown.part.path.stem not in _TEXT_ALONE
    if has_picture:
        page.wait_for_function(_PICTURES)
    # What a page shows while it computes may be higher for a moment.
    page.wait_for_function(_IS_SHORT, arg=TALLEST)
    assert left_of(page, _WITHOUT_CONTROLS) == []
    assert page.evaluate(_NAMED_TWICE) == []
    assert page.evaluate(_SMALL_TEXTS, SMALLEST_TEXT) == []
    assert accessibility_faults(page) == []
    assert lost_in_high_contrast(page) == []
    page.set_viewport_size(PHONE)
    at_rest(page)
    assert left_of(page, _WITHOUT_CONTROLS) == []
    assert page.evaluate(_PICTURES) or not has_picture
    assert page.get_by_test_id("stMain").evaluate("node => node.scrollWidth <= node.clientWidth")
    page.set_viewport_size(LAPTOP)
    in_the_dark(page)
    # Names, roles and order are those of the light.
    assert accessibility_faults(page, rules=CONTRAST) == []
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    for link in hostile_links(shown):
        page.set_viewport_size(LAPTOP)
        page.goto(f"{app_url}/{link}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        at_rest(page)
        assert page.evaluate(_LEADS_TO, HOST) == [], link
        assert page.get_by_test_id("stException").count() == 0, link
        assert N_LINKS or label_faults(page) == {}, link
    assert dialogs == []
