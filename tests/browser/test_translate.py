"""What a visitor does on the Translate page, in a real Chromium."""

import re
from collections.abc import Callable
from urllib.parse import parse_qsl, quote, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

ATTACK = "</script><script>alert(1)</script>"
FOOTBALL = "I love to play football."
# Nine bytes in a URL, as many as a character that can be typed ever takes.
LONGEST = "語" * 1000


def visit(page: Page, url: str) -> Page:
    page.goto(url)
    expect(page.locator(".line-token").first).to_be_visible()
    expect(mosaic(page).locator(".heatmaplayer image").first).to_be_attached()
    return settled(page)


def wait_for_url(page: Page, **parameters: str) -> None:
    page.wait_for_url(lambda url: dict(parse_qsl(urlsplit(url).query)) == parameters, wait_until="commit")


def settled(page: Page) -> Page:
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.locator("[data-stale='true']")).to_have_count(0)
    return page


def sentence(page: Page) -> Locator:
    return page.get_by_label("English sentence")


def type_sentence(page: Page, text: str) -> None:
    box = sentence(page)
    box.fill(text)
    expect(box).to_have_value(text)
    box.press("Enter")


def choose(page: Page, group: str, option: str) -> None:
    page.locator(f".st-key-{group}").get_by_text(option, exact=True).click()


def heatmap(page: Page, alt: str) -> Locator:
    return page.get_by_label(re.compile(f"Heatmap of {alt}"))


def matrix(page: Page) -> Locator:
    return page.locator(".st-key-matrix")


def mosaic(page: Page) -> Locator:
    # While a rerun is under way, Streamlit keeps the chart before beside the new one.
    return page.locator("[class*='st-key-mosaic-'][data-stale='false']")


def row_labels(page: Page) -> Locator:
    return matrix(page).locator(".ytick text")


def tokens(page: Page) -> Locator:
    return page.locator(".line-token")


def test_a_sentence_is_typed_explored_and_shared(page: Page, open_page: Callable[..., Page], app_url: str) -> None:
    visit(page, app_url)
    before = tokens(page).all_text_contents()
    type_sentence(page, FOOTBALL)
    expect(tokens(page)).not_to_have_text(before)
    choose(page, "kind", "Encoder")
    choose(page, "layer", "1")
    choose(page, "head", "2")
    expect(heatmap(page, "Encoder attention, layer 1, head 2:")).to_be_visible()
    choose(page, "by", "Words")
    expect(row_labels(page).filter(has_text="football")).to_be_visible()
    settled(page)

    again = visit(open_page(), page.url)
    expect(heatmap(again, "Encoder attention, layer 1, head 2:")).to_be_visible()
    expect(sentence(again)).to_have_value(FOOTBALL)
    expect(tokens(again)).to_have_text(tokens(page).all_text_contents())
    expect(row_labels(again)).to_have_text(row_labels(page).all_text_contents())
    assert page.errors == again.errors == []


def click_tile(page: Page, layer: int, head: int, across: float, down: float, *, kind: str = "Cross") -> None:
    mosaic(page).scroll_into_view_if_needed()
    tiles = mosaic(page).locator(".heatmaplayer image").bounding_box()
    alt = mosaic(page).get_by_label("Overview").get_attribute("aria-label")
    n_layers, n_heads = (int(count) for count in re.search(r"(\d+) layers by (\d+) heads", alt).groups())
    x = tiles["x"] + (head - 1 + across) * tiles["width"] / n_heads
    y = tiles["y"] + (layer - 1 + down) * tiles["height"] / n_layers
    page.mouse.move(x, y)
    page.mouse.click(x, y)
    expect(heatmap(page, f"{kind} attention, layer {layer}, head {head}:")).to_be_visible()
    settled(page)


def test_a_click_anywhere_in_a_tile_opens_its_head(page: Page, app_url: str) -> None:
    visit(page, app_url)
    click_tile(page, 1, 1, 0.15, 0.2)
    click_tile(page, 2, 2, 0.8, 0.8)
    click_tile(page, 1, 1, 0.5, 0.5)
    click_tile(page, 1, 1, 0.4, 0.5)
    choose(page, "head", "3")
    expect(heatmap(page, "Cross attention, layer 1, head 3:")).to_be_visible()
    click_tile(page, 1, 1, 0.5, 0.5)
    wait_for_url(page, layer="1", head="1")
    choose(page, "kind", "Encoder")
    expect(heatmap(page, "Encoder attention, layer 1, head 1:")).to_be_visible()
    choose(page, "head", "3")
    expect(heatmap(page, "Encoder attention, layer 1, head 3:")).to_be_visible()
    settled(page)
    click_tile(page, 1, 1, 0.5, 0.5, kind="Encoder")
    page.get_by_role("button", name="Next head").click()
    expect(heatmap(page, "Encoder attention, layer 1, head 2:")).to_be_visible()
    settled(page)
    click_tile(page, 1, 1, 0.5, 0.5, kind="Encoder")
    assert page.errors == []


def test_heads_are_stepped_through_by_keyboard(page: Page, app_url: str) -> None:
    visit(page, app_url)
    page.keyboard.press("Alt+ArrowRight")
    expect(heatmap(page, "Cross attention, layer \\d+, head 1:")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Previous head").focus()
    page.keyboard.press("Enter")
    expect(heatmap(page, "Cross attention, layer \\d+, mean of")).to_be_visible()


def test_a_hasty_click_after_typing_loses_no_text(page: Page, app_url: str) -> None:
    visit(page, app_url)
    for kind in ("Encoder", "Decoder", "Cross"):
        text = f"{FOOTBALL} {kind} first."
        type_sentence(page, text)
        choose(page, "kind", kind)
        expect(heatmap(page, f"{kind} attention")).to_be_visible()
        expect(sentence(settled(page))).to_have_value(text)


def test_markup_stays_text(page: Page, app_url: str) -> None:
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    visit(page, app_url)
    type_sentence(page, f"{ATTACK} <b>bold</b> &amp; <img src=x onerror=alert(2)>")
    choose(page, "kind", "Encoder")
    expect(row_labels(page).filter(has_text="·pt").first).to_be_visible()
    settled(page)
    written = "".join(label.lstrip("·") for label in row_labels(page).all_text_contents())
    assert "</script><script>alert(1)</script>" in written
    assert "&amp;" in written
    assert dialogs == []
    assert page.errors == []


@pytest.mark.parametrize("width", [1440, 390])
def test_alternatives_open_by_focus_and_stay_on_the_screen(
    open_page: Callable[..., Page], app_url: str, width: int
) -> None:
    page = visit(open_page(viewport={"width": width, "height": 844}), app_url)
    for token in (page.locator(".line-token").first, page.locator(".line-token").last):
        token.focus()
        alternatives = token.locator(".alternatives")
        expect(alternatives).to_be_visible()
        expect(token).to_have_accessible_description(re.compile(r"^\S+ [\d.]+% \S+ [\d.]+% "))
        box = alternatives.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


def test_a_mistake_keeps_the_last_good_result(page: Page, app_url: str) -> None:
    visit(page, app_url)
    type_sentence(page, FOOTBALL)
    expect(page).to_have_url(re.compile("football"))
    expect(matrix(page).locator(".xtick text").filter(has_text="foot").first).to_be_visible()
    good = settled(page).locator(".line-token").all_text_contents()
    type_sentence(page, "")
    expect(page.get_by_role("alert")).to_contain_text("nothing to translate")
    expect(tokens(settled(page))).to_have_text(good)
    assert page.errors == []


def test_the_view_survives_a_visit_to_the_other_page(page: Page, app_url: str) -> None:
    visit(page, app_url)
    type_sentence(page, FOOTBALL)
    expect(page).to_have_url(re.compile("football"))
    choose(page, "kind", "Decoder")
    choose(page, "layer", "1")
    choose(page, "head", "2")
    expect(heatmap(page, "Decoder attention, layer 1, head 2:")).to_be_visible()
    good = settled(page).locator(".line-token").all_text_contents()
    page.get_by_role("button", name="Reference").click()
    page.get_by_role("menuitem", name="Models and hooks").click()
    expect(page.get_by_text("encoder.{layer}.self_attention.pattern").first).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Attention").click()
    page.get_by_role("menuitem", name="Translate").click()
    expect(heatmap(page, "Decoder attention, layer 1, head 2:")).to_be_visible()
    expect(sentence(page)).to_have_value(FOOTBALL)
    expect(tokens(page)).to_have_text(good)
    wait_for_url(page, text=FOOTBALL, kind="Decoder", layer="1", head="2")
    assert page.errors == []


def test_the_longest_text_can_be_typed_and_reloaded(page: Page, app_url: str) -> None:
    visit(page, app_url)
    type_sentence(page, LONGEST)
    expect(page.get_by_role("alert")).to_contain_text("at most 256 are translated")
    expect(page).to_have_url(re.compile("text="))
    assert settled(page).reload().ok
    expect(page.get_by_role("alert")).to_contain_text("Below is an example")
    expect(sentence(page)).to_have_value(LONGEST)
    assert page.errors == []


@pytest.mark.parametrize(
    ("text", "said"),
    [("🙂" * 1000, "at most 256 are translated"), ("I am. " * 1666, "at most 256|at most 1,000 are read")],
)
def test_a_link_with_a_long_text_opens(page: Page, app_url: str, text: str, said: str) -> None:
    visit(page, f"{app_url}/?text={quote(text)}")
    expect(page.get_by_role("alert")).to_have_count(1)
    expect(page.get_by_role("alert")).to_contain_text(re.compile(said))
    assert page.errors == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_is_wider_than_a_phone(open_page: Callable[..., Page], app_url: str, scheme: str) -> None:
    page = visit(open_page(viewport={"width": 390, "height": 844}, color_scheme=scheme), app_url)
    expect_no_wider_than_the_screen(page)
    page.goto(f"{app_url}/models-and-hooks")
    expect(page.get_by_text("encoder.{layer}.self_attention.pattern").first).to_be_visible()
    expect_no_wider_than_the_screen(settled(page))


def expect_no_wider_than_the_screen(page: Page) -> None:
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth <= main.clientWidth")
