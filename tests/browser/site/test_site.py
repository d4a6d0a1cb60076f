"""The site without Python, from a server of files below a path."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import accessibility_faults
from tests.browser.saving import saved
from tests.browser.site.conftest import BROTHER, SENTENCE
from tests.browser.site.shown import written
from tests.browser.test_data import expect_marked
from viz.base.words import sections_in
from viz.pages.start.reading_path import STOPS
from viz.site.parts import PAGES

START = sections_in("en", "pages/start/start")
SOFTMAX = sections_in("en", "pages/start/architecture")["column softmax"]
TRANSLATE = sections_in("en", "pages/translate/translate")
PHONE = {"width": 390, "height": 844}


def test_it_translates_what_is_typed_and_the_link_keeps_it(site_url: str, page: Page) -> None:
    page.goto(site_url)
    written(page, "Hund")
    page.get_by_label("English sentence").fill(SENTENCE)
    written(page, "schläft")
    expect(page).to_have_url(re.compile("sentence=The"))
    page.reload()
    written(page, "schläft")
    page.get_by_label("English sentence").fill("   ")
    expect(page.locator("main").get_by_role("alert")).to_contain_text("There is nothing to translate")
    written(page, "schläft")
    assert page.errors == []


@pytest.mark.parametrize("width", [1440, 390])
def test_lines_are_typed_pasted_and_linked_alike(site_url: str, open_page: Callable[..., Page], width: int) -> None:
    page, linked = (open_page(viewport={"width": width, "height": 844}) for _ in range(2))
    page.goto(f"{site_url}/translate/")
    box = page.get_by_label("English sentence")
    written(page, "Bruder")
    height = box.bounding_box()["height"]
    box.select_text()
    page.keyboard.insert_text("A dog\nsleeps")
    box.press("Shift+Enter")
    page.keyboard.type("here.")
    box.press("Enter")
    expect(page).to_have_url(re.compile("text=A\\+dog%0Asleeps%0Ahere."))
    expect(box).to_have_value("A dog\nsleeps\nhere.")
    expect(page.locator(".token-line")).to_contain_text("Hund")
    linked.goto(page.url)
    expect(linked.locator(".token-line")).to_have_text(page.locator(".token-line").text_content())
    other = linked.get_by_label("English sentence")
    expect(other).to_have_value("A dog\nsleeps\nhere.")
    assert box.bounding_box()["height"] == other.bounding_box()["height"] > height
    # An Enter that an input method has is not the page's.
    assert box.evaluate(
        """box => box.dispatchEvent(new KeyboardEvent("keydown",
            { key: "Enter", keyCode: 229, isComposing: true, bubbles: true, cancelable: true }))"""
    )
    assert page.errors == linked.errors == []


@pytest.mark.parametrize("address", ["?open=decoder.cross.2.1", "translate/?pins=1.1"])
def test_tokens_formulas_and_code_are_left_by_a_translating_browser(site_url: str, page: Page, address: str) -> None:
    page.goto(f"{site_url}/{address}")
    expect(page.locator(".component, .chart").first).to_be_visible()
    expect(page.locator(".waiting:visible")).to_have_count(0)
    expect_marked(page)
    assert page.errors == []


def test_a_part_of_the_picture_opens_in_place_and_a_head_leads_to_the_translation(site_url: str, page: Page) -> None:
    page.goto(f"{site_url}/?open=decoder.cross.2.1")
    expect(page.get_by_role("button", name=SOFTMAX, exact=True)).to_be_visible()
    page.get_by_role("link", name=re.compile("Measure it")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(TRANSLATE["question"])
    expect(page.get_by_text("Cross · Layer 2, head 1")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text(START["question"])
    expect(page.get_by_role("button", name=SOFTMAX, exact=True)).to_be_visible()


def test_a_link_of_the_app_opens_the_same_view(site_url: str, page: Page) -> None:
    page.goto(f"{site_url}/translate?text={BROTHER}&kind=encoder&heads=1.2-1.3&pins=2")
    expect(page.get_by_role("radio", name="Encoder", exact=True)).to_be_checked()
    page.get_by_role("radio", name="Decoder", exact=True).check(force=True)
    expect(page).to_have_url(re.compile(r"kind=decoder&heads=1\.2-1\.3"))
    page.get_by_label("Search").select_option("greedy")
    expect(page).to_have_url(re.compile("search=greedy"))
    expect(page.locator(".token-line")).to_contain_text("Bruder")


def test_a_sentence_goes_along_to_other_pages_and_what_is_off_stays(site_url: str, page: Page) -> None:
    page.goto(f"{site_url}/?sentence={SENTENCE}")
    written(page, "schläft")
    page.get_by_role("banner").get_by_role("link", name="Heads", exact=True).click()
    expect(page.get_by_label("English sentence")).to_have_value(SENTENCE)
    page.get_by_role("button", name="All on").click()
    expect(page).to_have_url(re.compile("off=none"))
    page.get_by_label("English sentence").fill("The dog sleeps.")
    expect(page.locator(".two-lines")).to_contain_text("Hund")
    expect(page).to_have_url(re.compile("off=none"))
    page.goto(f"{site_url}/logit-lens/?text=彼女は毎日勉強する")
    expect(page.locator("main").get_by_role("alert")).to_contain_text("Is it a text in another language?")
    assert page.errors == []


def test_two_sentences_are_compared(site_url: str, page: Page) -> None:
    page.goto(f"{site_url}/translate/")
    page.get_by_label("Compare with").fill("My sister has never read the book that I gave him.")
    expect(page.get_by_text("Second sentence").first).to_be_visible()
    assert page.errors == []


def test_another_direction_is_loaded_when_it_is_chosen(site_url: str, page: Page) -> None:
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(urlsplit(request.url).path.rpartition("/")[2]))
    page.goto(f"{site_url}/translate/")
    expect(page.locator(".token-line")).to_contain_text("Bruder")
    assert not any(name.startswith("translation-fr-en") for name in fetched)
    page.get_by_label("Translator").select_option("French to English")
    expect(page.locator(".token-line")).to_contain_text("brother")
    assert "translation-fr-en.weights.bin" in fetched
    expect(page).to_have_url(re.compile("translator=translation-fr-en"))


def test_heads_are_switched_off(site_url: str, page: Page) -> None:
    page.goto(f"{site_url}/switch-heads-off?text=The dog chases the cat.&off=none")
    name = "Layer 1, all heads of decoder self-attention"
    page.get_by_role("button", name=re.compile(name)).click()
    expect(page.get_by_text("Switched off", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile("off=decoder.1.attention"))
    expect(page.locator(".two-lines mark").first).to_be_visible()
    page.get_by_role("button", name="All on").click()
    expect(page).to_have_url(re.compile("off=none"))
    expect(page.locator(".two-lines mark")).to_have_count(0)
    assert page.errors == []


def test_the_logit_lens_shows_when_a_token_leads(site_url: str, page: Page) -> None:
    page.goto(f"{site_url}/logit-lens/?text={SENTENCE}")
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="schläft"))
    expect(row.get_by_role("cell").last).to_contain_text("schläft")
    expect(page.get_by_text("tokens already lead one layer before the end")).to_be_visible()
    assert page.errors == []


@pytest.mark.parametrize("width", [1440, 390])
def test_a_term_leads_to_its_meaning_from_any_page(site_url: str, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    for name in ("dot-product", "logit-lens"):
        page.goto(f"{site_url}/{name}/")
        term = page.locator('.prose a[href*="glossary"]').first
        anchor = (term.get_attribute("href") or "").partition("#")[2]
        term.click()
        heading, bar = page.locator(f"h2#{anchor}"), page.get_by_role("banner")
        expect(heading).to_be_in_viewport()
        below = bar.evaluate("bar => bar.getBoundingClientRect().bottom")
        assert below <= (heading.bounding_box() or {})["y"] < below + 40
    # The bar is as high as its rows, whatever the width becomes.
    page.set_viewport_size({"width": 320, "height": 700})
    page.wait_for_function(
        "parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop)"
        " > document.querySelector('header').offsetHeight"
    )
    assert page.errors == []


def test_chosen_encodings_are_marked_in_colours_of_the_reader(site_url: str, open_page: Callable[..., Page]) -> None:
    page = open_page(forced_colors="active")
    page.goto(f"{site_url}/cliff/?task=reverse&encodings=path")
    borders = "buttons => buttons.map((button) => getComputedStyle(button).borderTopWidth)"
    legend = page.locator(".plot-legend")
    expect(legend.locator("[aria-pressed=true]").first).to_be_visible()
    assert {*legend.locator("button[aria-pressed=true]").evaluate_all(borders)} == {"2px"}
    assert {*legend.locator("button[aria-pressed=false]").evaluate_all(borders)} == {"1px"}


def test_the_sinusoid_follows_its_sliders_and_the_link(site_url: str, page: Page) -> None:
    page.goto(f"{site_url}/sinusoid/?d_model=64&base=9")
    expect(page.get_by_role("slider", name="d_model")).to_have_attribute("aria-valuetext", re.compile("64"))
    page.get_by_role("slider", name="length").press("ArrowRight")
    expect(page).to_have_url(re.compile("length="))
    assert page.errors == []


def test_lengths_of_a_task_are_seen_and_an_encoding_alone(site_url: str, page: Page) -> None:
    page.goto(f"{site_url}/cliff/?task=reverse&length=50")
    table = page.get_by_role("table")
    expect(table).to_contain_text("PaTH")
    expect(page.locator(".chart .main-svg").first).to_be_visible()
    page.get_by_role("button", name="ALiBi").click()
    expect(page.get_by_role("button", name="ALiBi")).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(re.compile("encodings=alibi"))
    expect(table).not_to_contain_text("PaTH")
    page.goto(f"{site_url}/cliff/?task=reverse&encodings=path&encodings=fire&encodings=elbow")
    expect(table).to_contain_text("FIRE")
    expect(table).not_to_contain_text("ALiBi")
    expect(page.locator(".notes")).to_contain_text("The link asks for elbow as encodings.")
    page.get_by_role("combobox", name="Task").select_option("sort")
    expect(page).not_to_have_url(re.compile("length="))
    assert page.errors == []


def test_the_sum_of_embedding_and_encoding_follows_the_sentence_and_the_link(site_url: str, page: Page) -> None:
    page.goto(f"{site_url}/word-order/?order_text=I love it&sum_scale=0")
    chart = page.locator(".chart").first
    expect(chart.get_by_text("love", exact=True).first).to_be_visible()
    expect(page.get_by_text("Here the encoding outweighs the embedding.")).to_be_visible()
    page.get_by_label("Embeddings × √d_model").check()
    expect(page.get_by_text("Here the embedding outweighs the encoding.")).to_be_visible()
    page.get_by_label("English sentence").fill("I like it")
    expect(chart.get_by_text("like", exact=True).first).to_be_visible()
    page.get_by_label("English sentence").fill("run " * 30)
    expect(page.locator("main").get_by_role("alert")).to_contain_text("at most 24 fit this picture")
    expect(chart.get_by_text("like", exact=True).first).to_be_visible()
    assert page.errors == []


def test_a_stop_is_read_and_its_question_answered(site_url: str, page: Page) -> None:
    page.goto(f"{site_url}/read-along/?stop=7")
    expect(page.locator(".chart .main-svg").first).to_be_visible()
    answer = page.get_by_label("Your answer")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("Give an answer first.")).to_be_visible()
    (right,) = (stop for stop in STOPS if stop.name == "cross-attention")
    assert right.question
    assert right.picture
    value = right.question(right.picture.opening())
    answer.select_option(value.options[0] if value.options[0] != value.right else value.options[1])
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("A hint:")).to_be_visible()
    answer.select_option(str(value.right))
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("Answered right: 1 of")).to_be_visible()
    expect(page).to_have_url(re.compile("done=7"))
    page.get_by_role("button", name="Next").click()
    expect(page).to_have_url(re.compile("stop=8"))
    answer.fill("12,5")
    answer.press("Enter")
    expect(page.get_by_text("you answered 12,5")).to_be_visible()
    page.goto(f"{site_url}/read-along/?stop=99")
    expect(page.locator(".notes")).to_contain_text("The link asks for 99 as stop.")
    assert page.errors == []


def test_what_to_take_for_a_need_is_read_off_charts(site_url: str, page: Page, tmp_path: Path) -> None:
    page.goto(f"{site_url}/choose-encoding/?need=position")
    charts = page.locator(".chart")
    expect(charts).to_have_count(2)
    expect(charts.first.get_by_text("PaTH", exact=True)).to_be_visible()
    expect(charts.first.get_by_role("img", name=re.compile("Copy: Exact match"))).to_be_visible()
    path = tmp_path / "drawn.svg"
    saved(charts.first, "SVG").save_as(path)
    assert path.read_text(encoding="utf-8").startswith("<svg")
    page.get_by_label("What do you need?").select_option("longer")
    expect(page).to_have_url(re.compile("need=longer"))
    expect(page.get_by_role("table")).to_contain_text("over families")
    page.locator(".prose").get_by_role("link", name="PaTH").first.click()
    expect(page.locator("#encoding-path")).to_be_in_viewport()
    assert page.errors == []


def test_the_bar_leads_to_every_page_and_stays_two_rows_high(site_url: str, page: Page) -> None:
    page.goto(site_url)
    bar, main = page.get_by_role("banner"), page.get_by_role("main")
    expect(bar.get_by_role("link", name="Learn", exact=True)).to_be_visible()
    bar.get_by_role("link", name="Skip to main content").press("Enter")
    expect(main).to_be_focused()
    assert not urlsplit(page.url).fragment
    addresses = set()
    for section in bar.get_by_role("navigation", name="Pages").get_by_role("link").all():
        is_open = section.get_attribute("aria-current")
        section.press("Enter")
        expect(section if is_open else main).to_be_focused()
        expect(section).to_have_attribute("aria-current", re.compile("page|true"))
        addresses |= {link.get_attribute("href") for link in bar.locator("nav a").all()}
        assert (bar.bounding_box() or {})["height"] < 100
    assert {urlsplit(str(address)).path.rstrip("/").rsplit("/", 1)[-1] for address in addresses} >= {*PAGES[1:]}


def test_a_recorded_training_is_chosen_and_played_to_a_step(site_url: str, page: Page) -> None:
    page.goto(f"{site_url}/train/?question=grokking&grokking-step=1000")
    expect(page.get_by_text("Step 1,000")).to_be_visible()
    for name in ("Play", "Pause"):
        page.get_by_role("button", name=name, exact=True).click()
    step, slider = page.locator(".training-player output"), page.locator(".training-player input")
    assert int((step.text_content() or "").removeprefix("Step ").replace(",", "")) >= 1000
    slider.press("End")
    slider.press("ArrowLeft")
    chosen = (step.text_content() or "").removeprefix("Step ").replace(",", "")
    expect(page).to_have_url(re.compile(f"grokking-step={chosen}$"))
    page.reload()
    expect(step).to_have_text(f"Step {int(chosen):,}")
    page.get_by_label("Question").select_option("One layer or two?")
    expect(page).to_have_url(re.compile("question=layers"))
    expect(page.get_by_text("Two layers").first).to_be_visible()
    assert page.errors == []


def test_a_picture_is_saved_as_a_page_that_opens_alone(
    site_url: str, open_page: Callable[..., Page], tmp_path: Path
) -> None:
    page = open_page()
    page.goto(f"{site_url}/translate/")
    expect(page.get_by_text("Cross · Layer 2, head 1")).to_be_visible()
    path = tmp_path / "shared.html"
    saved(page.locator(".component"), "HTML").save_as(path)
    alone = open_page()
    alone.goto(path.as_uri())
    expect(alone.get_by_text("Cross · Layer 2, head 1")).to_be_visible()


@pytest.mark.parametrize("language", ["ja", "ko"])
def test_it_is_read_in_other_languages(site_url: str, page: Page, language: str) -> None:
    page.goto(site_url)
    written(page, "Hund")
    page.get_by_label("Language").select_option(language)
    expect(page.get_by_role("heading", level=1)).to_have_text(sections_in(language, "pages/start/start")["question"])
    expect(page.get_by_role("button", name=sections_in(language, "pages/start/architecture")["step"])).to_be_visible()
    page.goto(f"{site_url}/translate/")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        sections_in(language, "pages/translate/translate")["question"]
    )
    page.goto(f"{site_url}/dot-product/?X=1+2;+3+_")
    text = sections_in(language, "pages/dot_product/dot_product")
    expect(page.get_by_label(text["cell"].format(name="X", row=1, column=1), exact=True)).to_be_visible()
    problem = text["problem empty cell"].format(name="X", row=2, column=2)
    expect(page.locator("main").get_by_role("alert")).to_contain_text(problem)
    # What is chosen stays, whatever the link has said.
    page.goto(f"{site_url}/dot-product/?language=en")
    page.get_by_label("Language").select_option(language)
    expect(page).to_have_url(re.compile(f"language={language}"))
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text(text["question"])


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    "name",
    [
        "",
        "translate/",
        "word-order/",
        "sinusoid/",
        "choose-encoding/",
        "switch-heads-off/",
        "logit-lens/",
        "dot-product/",
        "cliff/",
        "train/",
        "read-along/",
        "glossary/",
    ],
)
def test_a_page_fits_a_phone_and_has_no_accessibility_fault(
    site_url: str, open_page: Callable[..., Page], name: str, theme: str
) -> None:
    # What looks for faults is a text that runs in the page.
    page = open_page(color_scheme=theme, bypass_csp=True)
    page.goto(f"{site_url}/{name}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    if name != "glossary/":
        expect(page.locator(".picture-menu, .lens td, .matrix td").first).to_be_visible()
    if name in {"choose-encoding/", "word-order/", "read-along/"}:
        expect(page.locator(".chart .main-svg").first).to_be_visible()
    assert accessibility_faults(page) == []
    page.set_viewport_size(PHONE)
    page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")


def test_the_policy_lets_no_text_run_and_nothing_come_from_elsewhere(site_url: str, page: Page) -> None:
    page.goto(site_url)
    policy = page.locator("meta[http-equiv]").get_attribute("content") or ""
    assert "'unsafe-eval'" not in policy.replace("'wasm-unsafe-eval'", "")
    assert "http" not in policy
