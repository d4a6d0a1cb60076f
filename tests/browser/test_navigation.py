"""The way through the pages, in a real Chromium: what the tab says, and where a page's end leads."""

from collections.abc import Callable
from itertools import islice, pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.browser.waiting import at_rest
from viz.base.words import page_text
from viz.pages.start.reading_path import STOPS
from viz.shell.navigation import place_at, sections

PAGES = [page for found in sections().values() for page in found]


def test_the_way_leads_on_through_the_last_stop_of_read_along(app_url: str, open_page: Callable[..., Page]) -> None:
    # All moves that can.
    page = open_page(reduced_motion="no-preference")
    page.goto(app_url)
    for shown, following in islice(pairwise(PAGES), 3):
        expect(page.get_by_role("heading", level=1)).to_have_text(shown.question)
        if shown.url_path == "read-along":
            page.get_by_role("button", name=STOPS[-1].words["title"]).click()
        page.get_by_role("link", name=f"Next: {following.question}").click(timeout=60_000)
    expect(page.get_by_role("heading", level=1)).to_have_text(PAGES[3].question)


_ROWS = """(bar) => new Set([...bar.querySelectorAll("a, button, select")]
  .map((node) => node.getBoundingClientRect()).filter(({ width }) => width > 1)
  .map(({ top, bottom }) => Math.round((top + bottom) / 20))).size"""


@pytest.mark.parametrize("language", ["en", "ja", "ko"])
def test_each_bar_is_one_row_on_phones_laptops_and_projectors(
    app_url: str, open_page: Callable[..., Page], language: str
) -> None:
    page = open_page()
    page.goto(f"{app_url}/translate?language={language}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for width in (360, 390, 1024, 1440, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        at_rest(page)
        for name in ("sections", "pages"):
            bar = page.locator(f".st-key-{name}")
            assert not bar.is_visible() or bar.evaluate(_ROWS) <= 1, (name, width)
        assert page.get_by_test_id("stMain").evaluate("node => node.scrollWidth <= node.clientWidth"), width


def test_no_page_of_a_section_is_out_of_sight_on_a_tablet(app_url: str, open_page: Callable[..., Page]) -> None:
    longest = max(sections().values(), key=lambda pages: sum(len(page.title) for page in pages))
    page = open_page(viewport={"width": 820, "height": 1180})
    page.goto(f"{app_url}/{longest[-1].url_path}")
    expect(page.locator(".st-key-pages a")).to_have_count(len(longest))
    at_rest(page)
    ends = page.locator(".st-key-pages a").evaluate_all("links => links.map(one => one.getBoundingClientRect().right)")
    assert max(ends) <= 820


@pytest.mark.parametrize("place", ["word-order#sum", "compare-encodings#formulas"])
def test_a_link_to_a_heading_lands_on_it_below_pictures_that_come_late(
    app_url: str, open_page: Callable[..., Page], place: str
) -> None:
    page = open_page(viewport={"width": 1440, "height": 600})
    page.goto(f"{app_url}/{place}")
    heading = page.locator(f"#{place.split('#')[1]}")
    expect(heading).to_be_visible()
    at_rest(page)
    expect(heading).to_be_in_viewport()
    page.mouse.move(700, 400)
    page.mouse.wheel(0, -5000)
    expect(page.get_by_role("heading", level=1)).to_be_in_viewport()
    expect(heading).not_to_be_in_viewport()


def test_a_place_that_no_heading_has_and_a_slash_after_the_page_are_passed_over(
    app_url: str, open_page: Callable[..., Page]
) -> None:
    page = open_page()
    page.goto(f"{app_url}/glossary/#%E0%A4%A")
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    # What the words of a page link to is beside the page.
    assert page.evaluate("new URL('translate', location).href") == f"{app_url}/translate"


def question(name: str) -> str:
    return page_text(f"pages/length_generalization/{name}")["question"]


def test_an_old_link_opens_its_view_on_the_new_page(app_url: str, open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.goto(f"{app_url}/length-generalization?task=Reverse&reach=ALiBi&reach-tau=2")
    expect(page.get_by_role("heading", level=1)).to_have_text(question("edit_model"))
    expect(page.get_by_label("Attention scale τ")).to_have_value("2")
    assert "/edit-model?" in page.url
    assert "reach=alibi" in page.url
    page.goto(f"{app_url}/length-generalization?encodings=ALiBi&encodings=FIRE")
    expect(page.get_by_role("heading", level=1)).to_have_text(question("cliff"))
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    assert "/cliff?encodings=alibi&encodings=fire" in page.url


def test_a_link_to_a_part_that_left_a_page_leads_to_it(app_url: str, open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.goto(f"{app_url}/?text=The+dog+sleeps.&instead=Der+Hund+ruht.")
    expect(page.get_by_role("heading", level=1)).to_have_text(page_text("pages/translate/beam_search")["question"])
    expect(page.get_by_label("Another translation")).to_have_value("Der Hund ruht.")
    expect(page.get_by_label("English sentence")).to_have_value("The dog sleeps.")
    assert "/beam-search?" in page.url


def test_a_part_has_its_own_address_and_takes_nothing_of_another_into_the_link(
    app_url: str, open_page: Callable[..., Page]
) -> None:
    page = open_page()
    # Where it was a page of its own, and what its link carried.
    link = f"{app_url}/checkpoints?task=reverse&wear=path"
    page.goto(link)
    expect(page.get_by_role("heading", level=1)).to_have_text(question("checkpoints"))
    page.wait_for_url("**/cliff?*part=checkpoints*")
    # At once, before the part is drawn: what its link says of the task holds all the same.
    page.get_by_role("radio", name=page_text("pages/length_generalization/cliff")["part"], exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(question("cliff"))
    page.wait_for_url(f"{app_url}/cliff?task=reverse")
    assert page.url == f"{app_url}/cliff?task=reverse"
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text(question("cliff"))
    page.goto(link)
    # The link is written while the page is drawn, from the top.
    page.wait_for_url("**/cliff?*wear=path*")


def test_the_task_goes_along_to_the_next_page(app_url: str, open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.goto(f"{app_url}/race?task=reverse")
    page.get_by_role("link", name=f"Next: {question('edit_model')}").click(timeout=60_000)
    expect(page.get_by_role("heading", level=1)).to_have_text(question("edit_model"))
    expect(page.get_by_label("Attention scale τ")).to_be_visible()
    page.wait_for_url("**/edit-model?*task=reverse*")


def test_the_way_back_leads_to_each_page_as_it_was_left(app_url: str, open_page: Callable[..., Page]) -> None:
    page, text = open_page(), page_text("pages/translate/attention_views")
    sentence, translator = page.get_by_label("English sentence"), page.get_by_role("combobox").first
    page.goto(f"{app_url}/translate?text=The+dog+sleeps.&translator=translation-en-fr")
    expect(sentence).to_have_value("The dog sleeps.")
    sentence.fill("The cat is red.")
    page.wait_for_url("**/translate?*text=The+cat+is+red.*")
    page.get_by_role("radio", name=text["measure rollout"]).click()
    page.wait_for_url("**/translate?*measure=rollout*")
    at_rest(page)
    left, visited = page.url, page.evaluate("history.length")
    page.get_by_test_id("stPageLink").get_by_text(page_text("shell/page")["section position"]).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(question_of("word-order"))
    # What is written into the address at once is not for the page that is left.
    page.get_by_test_id("stPageLink").get_by_text(place_at("claims").page.title, exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(question_of("claims"))
    at_rest(page)
    assert page.evaluate("history.length") == visited + 2
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text(question_of("word-order"))
    at_rest(page)
    page.go_back()
    expect(sentence).to_have_value("The cat is red.")
    expect(translator).to_have_value("English to French")
    expect(page.get_by_role("radio", name=text["measure rollout"])).to_be_checked()
    at_rest(page)
    assert page.url == left
    page.get_by_test_id("stPageLink").get_by_text(place_at("beam-search").page.title, exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(question_of("beam-search"))
    expect(sentence).to_have_value("The cat is red.")
    expect(translator).to_have_value("English to French")


def question_of(address: str) -> str:
    return place_at(address).part.question


@pytest.mark.parametrize(
    ("name", "picture"), [("translate", ".explorer"), ("beam-search", ".beam-tree"), ("cliff", ".js-plotly-plot")]
)
def test_an_embedded_page_shows_its_pictures_alone(
    app_url: str, open_page: Callable[..., Page], name: str, picture: str
) -> None:
    page = open_page()
    address = "" if name == PAGES[0].url_path else name
    page.goto(f"{app_url}/{address}?embed=true")
    expect(page.locator(picture).first).to_be_visible(timeout=90_000)
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.get_by_role("heading", level=1)).to_have_count(0)
    expect(page.get_by_role("link", name="Next: ")).to_have_count(0)
    for other in ("stTextInput", "stSelectbox", "stMarkdown", "stDownloadButton", "stHeader"):
        expect(page.get_by_test_id(other).filter(visible=True)).to_have_count(0)
    # What is drawn takes the whole width.
    assert page.locator(picture).first.bounding_box()["width"] > 1200
