"""What a page shows on a phone: names of its controls, its chosen part, whole labels, and pictures that lie free."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.waiting import at_rest

PHONE = {"width": 390, "height": 844}
_HIDDEN_LABELS = """() => [...document.querySelectorAll(".st-key-controls [data-testid=stWidgetLabel]")]
  .filter((label) => label.textContent.trim())
  .filter((label) => getComputedStyle(label).clipPath !== "none" || label.getBoundingClientRect().width < 10)
  .map((label) => label.textContent)"""
_CUT = """() => [...document.querySelectorAll("[data-testid=stMain] button *")]
  .filter((node) => !node.closest(".st-key-example") && getComputedStyle(node).overflowX === "hidden")
  .filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.textContent)"""


@pytest.fixture
def phone(app_url: str, open_page: Callable[..., Page]) -> Callable[[str], Page]:
    """Open a page on a phone, in the dark."""

    def opened(address: str) -> Page:
        page = open_page(viewport=PHONE, color_scheme="dark")
        page.goto(f"{app_url}/{address}")
        expect(page.locator(".picture-menu").first).to_be_visible(timeout=90_000)
        at_rest(page)
        return page

    return opened


@pytest.mark.parametrize("address", ["shift", "translate", "why-this-word", "patch-activations", "compare-encodings"])
def test_each_control_has_its_name_above_or_before_it(phone: Callable[[str], Page], address: str) -> None:
    assert phone(address).evaluate(_HIDDEN_LABELS) == []


@pytest.mark.parametrize("address", ["lasting-circuits", "phenomena", "replication"])
def test_the_chosen_part_is_in_sight(phone: Callable[[str], Page], address: str) -> None:
    chosen = phone(address).locator(".st-key-parts [aria-checked=true]").bounding_box()
    assert chosen["x"] >= 0
    assert chosen["x"] + chosen["width"] <= PHONE["width"]


@pytest.mark.parametrize("address", ["microscope", "compare-encodings"])
def test_no_picture_lies_under_its_menu(phone: Callable[[str], Page], address: str) -> None:
    for place in phone(address).locator("[class*=st-key-picture-]").all():
        menu = place.locator(".picture-menu summary").bounding_box()
        drawn = place.locator(".nsewdrag, .colorbar .cbbg").evaluate_all(
            "nodes => Math.min(...nodes.map((node) => node.getBoundingClientRect().top + scrollY))"
        )
        assert menu["y"] + menu["height"] <= drawn + 0.5


@pytest.mark.parametrize("address", ["", "read-along"])
def test_no_button_is_cut(phone: Callable[[str], Page], address: str) -> None:
    assert phone(address).evaluate(_CUT) == []


def test_a_button_that_leads_on_is_underlined(phone: Callable[[str], Page]) -> None:
    # The last one, since one without a frame looks like a sentence.
    words = phone("cliff").locator("[data-testid=stBaseButton-tertiary] p").last
    assert "underline" in words.evaluate("node => getComputedStyle(node).textDecorationLine")


@pytest.mark.parametrize(
    ("address", "key", "column"),
    [
        ("does-attention-explain", "worth", "book"),
        ("phenomena", "phenomena", "Cross 3.5"),
        ("lasting-circuits", "edges", "40"),
    ],
)
def test_a_wide_map_opens_at_what_the_words_are_about_beside_the_names_of_its_rows(
    phone: Callable[[str], Page], address: str, key: str, column: str
) -> None:
    place = phone(address).locator(f".st-key-scrolling-{key}")
    names = place.locator(".row-names").bounding_box()
    assert names["x"] == pytest.approx(place.bounding_box()["x"], abs=1)
    label = place.locator(".xtick").get_by_text(column, exact=True).bounding_box()
    assert label["x"] >= names["x"] + names["width"]
    assert label["x"] + label["width"] <= PHONE["width"]
    first, *_ = place.locator(".ytick text").all()
    assert names["y"] < first.bounding_box()["y"] < names["y"] + names["height"]


@pytest.mark.parametrize("address", ["logit-lens", "direct-attribution"])
def test_where_numbers_have_no_room_a_line_says_how_they_are_seen(phone: Callable[[str], Page], address: str) -> None:
    expect(phone(address).get_by_text("Held sideways", exact=False)).to_be_visible()
