"""The controls of the stops on the site: a slider by mouse and keys, links of the app, three languages, one file."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility import accessibility_faults
from viz.base.words import sections_in
from viz.pages.start.reading_path import STOPS

NAMES = [stop.name for stop in STOPS]
NUMBER = {name: NAMES.index(name) + 1 for name in NAMES}
EXAMPLE = {language: sections_in(language, "site/site")["example sentence"] for language in ("en", "ja", "ko")}


def address(url: str, name: str, query: str = "") -> str:
    return f"{url}/read-along/?stop={NUMBER[name]}{query}"


def picture(page: Page) -> Locator:
    return page.locator(".chart > [role=img]")


def test_a_slider_is_moved_by_mouse_and_keys_and_its_file_is_loaded_once_then(site_url: str, page: Page) -> None:
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(urlsplit(request.url).path.rpartition("/")[2]))
    file = f"read-along-{NUMBER['causal-mask']}.json.bin"
    page.goto(address(site_url, "causal-mask"))
    slider, question = page.get_by_role("slider", name="Tokens"), page.locator(".question")
    expect(slider).to_have_attribute("aria-valuetext", "8")
    expect(picture(page)).to_have_attribute("aria-label", re.compile("8 by 8"))
    expect(question).to_contain_text("8 × 8")
    assert file not in fetched
    box = slider.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] - 3, box["y"] + box["height"] / 2)
    expect(page).to_have_url(re.compile("mask-n=16"))
    expect(question).to_contain_text("16 × 16")
    expect(picture(page)).to_have_attribute("aria-label", re.compile("16 by 16"))
    slider.press("ArrowLeft")
    slider.press("ArrowLeft")
    expect(page).to_have_url(re.compile("mask-n=14"))
    expect(question).to_contain_text("14 × 14")
    expect(slider).to_be_focused()
    page.get_by_label("Your answer").fill("91")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("Answered right: 1 of")).to_be_visible()
    for _ in range(6):
        slider.press("ArrowLeft")
    expect(page).not_to_have_url(re.compile("mask-n="))
    expect(question).to_contain_text("8 × 8")
    assert fetched.count(file) == 1
    assert page.errors == []


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("sinusoids", "&sinusoids-d_model=128&sinusoids-length=10"),
        ("sinusoids", "&d_model=128&length=10"),
        ("cross-attention", "&cross-layer=3&cross-head=5"),
        ("cross-attention", "&stop-layer=3&stop-head=5"),
        ("residual", "&stack=decoder"),
        ("generalization", "&stop-task=reverse"),
    ],
)
def test_a_link_opens_the_same_in_the_app_and_on_the_site(
    site_url: str, app_url: str, open_page: Callable[..., Page], name: str, query: str
) -> None:
    site, app, opened = (open_page() for _ in range(3))
    app.goto(f"{app_url}/read-along?stop={NUMBER[name]}{query}")
    site.goto(address(site_url, name, query))
    opened.goto(address(site_url, name))
    for page in (site, opened):
        expect(picture(page)).to_be_visible()
    written = picture(site).get_attribute("aria-label") or ""
    assert written != picture(opened).get_attribute("aria-label")
    expect(app.get_by_role("figure", name=written, exact=True)).to_be_visible()
    expect(site.locator(".notes")).to_be_empty()
    assert site.errors == []


def test_choices_and_numbers_write_the_link_of_the_app(site_url: str, page: Page) -> None:
    page.goto(address(site_url, "residual"))
    expect(page.get_by_text(EXAMPLE["en"])).to_be_visible()
    decoder = page.get_by_role("button", name="decoder", exact=True)
    expect(decoder).to_have_attribute("aria-pressed", "false")
    decoder.click()
    expect(page).to_have_url(re.compile("stack=decoder"))
    expect(decoder).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Next").click()
    expect(page).not_to_have_url(re.compile("stack="))
    page.goto(address(site_url, "cross-attention"))
    layer = page.get_by_role("spinbutton", name="Layer")
    expect(layer).to_have_value("2")
    layer.fill("3")
    expect(page).to_have_url(re.compile("cross-layer=3"))
    layer.fill("9")
    layer.press("Tab")
    expect(layer).to_have_value("3")
    page.go_back()
    expect(page.get_by_role("button", name="Next")).to_be_visible()
    assert page.errors == []


def test_a_link_to_no_value_gets_one_sentence_which_goes_with_its_stop(site_url: str, page: Page) -> None:
    page.goto(address(site_url, "sinusoids", "&sinusoids-d_model=63"))
    expect(page.locator(".notes p")).to_have_text(
        [re.compile("The link asks for 63 as sinusoids-d_model. It takes: 16, 32")]
    )
    expect(page.get_by_role("slider", name="d_model")).to_have_attribute("aria-valuetext", "64")
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".notes p")).to_have_count(0)
    assert page.errors == []


def test_what_cannot_be_loaded_gets_a_sentence_and_the_picture_stays(site_url: str, page: Page) -> None:
    page.goto(address(site_url, "dropout"))
    expect(picture(page)).to_be_visible()
    before = picture(page).get_attribute("aria-label") or ""
    page.route("**/read-along-*.json.bin", lambda route: route.fulfill(status=404))
    page.get_by_role("slider").press("End")
    expect(page.locator(".notes p")).to_contain_text("cannot be loaded")
    expect(picture(page)).to_have_attribute("aria-label", before)


@pytest.mark.parametrize("language", ["en", "ja", "ko"])
def test_a_picture_is_changed_in_every_language(site_url: str, page: Page, language: str) -> None:
    page.goto(address(site_url, "label-smoothing", f"&epsilon=0.5&language={language}"))
    words = sections_in(language, "pages/start/training")
    slider = page.get_by_role("slider", name=words["epsilon"])
    expect(slider).to_have_attribute("aria-valuetext", "0.5")
    expect(picture(page).last).to_have_attribute("aria-label", re.compile(re.escape(words["alt loss"].split("{")[0])))
    before = picture(page).last.get_attribute("aria-label") or ""
    slider.press("ArrowLeft")
    expect(picture(page).last).not_to_have_attribute("aria-label", before)
    page.goto(address(site_url, "beam-search", f"&language={language}"))
    expect(page.get_by_text(EXAMPLE[language])).to_be_visible()
    assert page.errors == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["sinusoids", "cross-attention", "residual", "generalization"])
def test_controls_fit_a_phone_and_have_no_accessibility_fault(
    site_url: str, open_page: Callable[..., Page], name: str, theme: str
) -> None:
    # What looks for faults is a text that runs in the page.
    page = open_page(color_scheme=theme, bypass_csp=True)
    page.goto(address(site_url, name))
    expect(page.locator(".chart .main-svg").first).to_be_visible()
    assert accessibility_faults(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_one_file_has_the_pictures_as_they_open(file_url: str, open_page: Callable[..., Page]) -> None:
    page = open_page(offline=True)
    page.goto(f"{file_url}?page=read-along&stop={NUMBER['causal-mask']}&mask-n=16")
    expect(page.get_by_text(sections_in("en", "site/site")["as it opens"])).to_be_visible()
    expect(picture(page)).to_have_attribute("aria-label", re.compile("8 by 8"))
    expect(page.get_by_role("slider")).to_have_count(0)
    page.goto(f"{file_url}?page=read-along&stop={NUMBER['stacks']}")
    expect(picture(page)).to_be_visible()
    expect(page.get_by_text(sections_in("en", "site/site")["as it opens"])).to_have_count(0)
    assert page.errors == []
