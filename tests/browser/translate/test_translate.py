"""What a visitor does on the Translate page, in a real Chromium without a network."""

import re
from collections.abc import Callable
from urllib.parse import quote

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from model.decoding.options import DecodingOptions
from pretrained import load_translator
from tests.browser.translate.explorer_page import caption, cells, click_cell
from tests.browser.translate.translate_page import (
    FOOTBALL,
    choose,
    open_head,
    row_labels,
    sentence,
    settled,
    taken_apart,
    tokens,
    translate_anew,
    type_sentence,
    visit,
    wait_for_url,
)

ATTACK = "</script><script>alert(1)</script>"


def test_a_sentence_is_typed_explored_and_shared(page: Page, open_page: Callable[..., Page], app_url: str) -> None:
    visit(page, f"{app_url}/translate")
    translate_anew(page, FOOTBALL)
    choose(page, "Encoder")
    open_head(page, 1, 2)
    expect(caption(page)).to_have_text("Encoder · Layer 1, head 2")
    choose(page, "Words")
    expect(row_labels(page).filter(has_text="football")).to_be_visible()
    wait_for_url(page, text=FOOTBALL, kind="encoder", heads="1.2", by="words")
    settled(page)

    again = visit(open_page(), page.url)
    expect(caption(again)).to_have_text("Encoder · Layer 1, head 2")
    expect(sentence(again)).to_have_value(FOOTBALL)
    expect(tokens(again)).to_have_text(tokens(page).all_text_contents())
    expect(row_labels(again)).to_have_text(row_labels(page).all_text_contents())
    assert page.errors == again.errors == []


def test_the_translation_follows_the_typing(page: Page, app_url: str) -> None:
    visit(page, f"{app_url}/translate")
    visited = page.evaluate("history.length")
    box = sentence(page)
    box.fill("")
    box.press_sequentially("The cat sees", delay=30)
    expect(tokens(page).nth(0)).to_have_text(re.compile("^Die"))
    expect(tokens(page).nth(1)).to_have_text(re.compile("^Katze"))
    box.press_sequentially(" the dog.", delay=30)
    expect(tokens(page).filter(has_text=re.compile("^Hund"))).to_have_count(1)
    expect(box).to_be_focused()
    expect(box).to_have_value("The cat sees the dog.")
    wait_for_url(page, text="The cat sees the dog.")
    # The way back leads to the page before, not through every pause in the typing.
    assert page.evaluate("history.length") == visited
    # What an input method has under way is no text yet.
    keyboard = page.context.new_cdp_session(page)
    for under_way in (" Y", " Ye"):
        keyboard.send("Input.imeSetComposition", {"text": under_way, "selectionStart": 2, "selectionEnd": 2})
    expect(box).to_have_value("The cat sees the dog. Ye")
    keyboard.send("Input.insertText", {"text": " Yes."})
    expect(box).to_have_value("The cat sees the dog. Yes.")
    wait_for_url(page, text="The cat sees the dog. Yes.")
    expect(box).to_have_value("The cat sees the dog. Yes.")
    assert page.errors == []


def test_a_pinned_cell_shows_the_recorded_numbers_and_how_they_came_about(page: Page, app_url: str) -> None:
    translation = load_translator("translation-en-de", "cpu").translate(FOOTBALL, DecodingOptions(beam_size=4))
    pattern = translation.patterns["decoder.2.cross_attention.pattern"][4]
    visit(page, f"{app_url}/?text={quote(FOOTBALL)}&kind=cross&heads=3.5")
    expect(taken_apart(page)).to_have_count(0)
    click_cell(page, 1, 2, pattern.shape)
    expect(page.locator(".bars th.pinned")).to_have_attribute("data-exact", "true")
    read = "lines => lines.map(line => Number(line.querySelector('td').dataset.weight))"
    shown = np.array(page.locator(".bars tbody tr").evaluate_all(read))
    np.testing.assert_allclose(shown, pattern[1], rtol=1e-4)
    expect(taken_apart(page)).to_contain_text("Layer 3, head 5 of cross-attention")
    expect(taken_apart(page)).to_contain_text(f"with weight {pattern[1, 2]:.3f}")
    # The calculation takes the place of the lines, which are drawn for the one that they have now.
    lines = page.locator(".lines .stage")
    page.wait_for_function(
        "stage => Math.abs(stage.clientWidth - stage.querySelector('.all').clientWidth) < 1",
        arg=lines.element_handle(),
    )
    matrix, calculation = cells(page).bounding_box(), page.locator(".cell-view").bounding_box()
    assert calculation["x"] > matrix["x"] + matrix["width"]
    assert calculation["y"] < matrix["y"]
    page.get_by_role("link", name="Compute layer 3, head 5 by hand").click()
    expect(page.get_by_role("heading", level=1)).not_to_contain_text("Where does each word look")
    expect(page.get_by_text(re.compile("Layer 3, head 5"))).to_be_visible()
    assert page.errors == []


def test_all_of_it_is_reached_by_keyboard(page: Page, app_url: str) -> None:
    visit(page, f"{app_url}/translate")
    tab_to(page, sentence(page))
    page.keyboard.type(FOOTBALL)
    page.keyboard.press("Enter")
    expect(row_labels(page).filter(has_text="Fußball").first).to_be_visible()
    settled(page)
    tab_to(page, page.locator(".explorer .controls").get_by_label("Cross", exact=True))
    page.keyboard.press("ArrowLeft")
    expect(caption(page)).to_contain_text("Decoder")
    tab_to(page, page.get_by_role("button", name="Layer 2, head 1", exact=True))
    for key in ("ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect(caption(page)).to_have_text("Decoder · Layer 1, head 1")
    tab_to(page, cells(page))
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(taken_apart(page)).to_contain_text("Layer 1, head 1 of decoder self-attention")
    expect(cells(page)).to_be_focused()
    page.keyboard.press("Escape")
    expect(taken_apart(page)).to_have_count(0)
    tab_to(page, page.get_by_role("link", name="Compute layer 1, head 1 by hand"))
    tab_to(page, page.locator(".explorer .picture-menu summary"))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("button", name="All maps, in full precision (NPZ)"))
    page.keyboard.press("Escape")
    expect(page.locator(".explorer .picture-menu summary")).to_be_focused()
    assert page.errors == []


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until ``wanted`` has the focus, as somebody without a pointer would."""
    for _ in range(150):
        if wanted.evaluate("node => node.getRootNode().activeElement === node"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} is not reached by the Tab key")


def test_a_second_sentence_stands_beside_the_first(page: Page, app_url: str) -> None:
    visit(page, f"{app_url}/?text={quote('The dog chased the cat.')}&kind=encoder&heads=1.1")
    box = page.get_by_label("Compare with", exact=True)
    box.fill("The cat chased the dog.")
    box.press("Enter")
    expect(page.locator(".comparison figcaption")).to_have_text(
        [re.compile("This sentence"), re.compile("Second sentence"), re.compile("First minus second")]
    )
    assert page.errors == []


def test_bertviz_draws_the_same_sentence(page: Page, app_url: str) -> None:
    visit(page, f"{app_url}/?text={quote(FOOTBALL)}")
    for view in ("BertViz head view", "BertViz model view"):
        page.get_by_text(view, exact=True).click()
        frame = page.locator(f"iframe[title*='{view.removeprefix('BertViz ')}']").content_frame
        expect(frame.locator("svg line").last).to_be_attached()
    expect(page.locator(".explorer")).to_have_count(0)
    page.get_by_text("Explorer", exact=True).click()
    expect(caption(page)).to_have_text("Cross · Layer 2, head 1")
    assert page.errors == []


def test_a_hasty_choice_after_typing_loses_no_text(page: Page, app_url: str) -> None:
    visit(page, f"{app_url}/translate")
    for kind in ("Encoder", "Decoder", "Cross"):
        text = f"I love {kind.lower()} and football."
        translate_anew(page, text)
        choose(page, kind)
        expect(caption(page)).to_contain_text(kind)
        expect(sentence(settled(page))).to_have_value(text)


def test_the_text_s_language_decides_until_a_translator_is_chosen(page: Page, app_url: str) -> None:
    german = "Der Hund schl\u00e4ft."
    visit(page, f"{app_url}/translate")
    translate_anew(page, german)
    box = page.get_by_label("German sentence", exact=True)
    expect(box).to_have_value(german)
    expect(tokens(page).nth(1)).to_contain_text("dog")
    wait_for_url(page, text=german)
    page.get_by_label("Translator: German to English").click()
    page.get_by_role("option", name="English to German", exact=True).click()
    expect(page.get_by_text("looks like German")).to_be_visible()
    expect(sentence(settled(page))).to_have_value(german)
    wait_for_url(page, text=german, translator="translation-en-de")
    page.reload()
    expect(sentence(page)).to_have_value(german)


def test_markup_stays_text(page: Page, app_url: str) -> None:
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    visit(page, f"{app_url}/translate")
    translate_anew(page, f"{ATTACK} <b>bold</b> &amp; <img src=x onerror=alert(2)>")
    choose(page, "Encoder")
    expect(row_labels(page).filter(has_text="·pt").first).to_be_visible()
    click_cell(page, 0, 0, (1, 1))
    expect(taken_apart(page)).to_be_visible()
    settled(page)
    page.get_by_text("As a table", exact=True).click()
    expect(page.locator(".table tbody th").first).to_be_visible()
    labels = page.locator(".table tbody th").all_text_contents()
    written = "".join(label.lstrip("·") for label in labels)
    assert "</script><script>alert(1)</script>" in written
    assert "&amp;" in written
    assert dialogs == []
    assert page.errors == []


@pytest.mark.parametrize("width", [1440, 390])
def test_alternatives_open_by_focus_and_stay_on_the_screen(
    open_page: Callable[..., Page], app_url: str, width: int
) -> None:
    page = visit(open_page(viewport={"width": width, "height": 844}), f"{app_url}/translate")
    for token in (page.locator(".line-token").first, page.locator(".line-token").last):
        token.focus()
        alternatives = token.locator(".alternatives")
        expect(alternatives).to_be_visible()
        expect(token).to_have_accessible_description(re.compile(r"^\S+ [\d.]+% \S+ [\d.]+% "))
        box = alternatives.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


def test_a_mistake_keeps_the_last_good_result(page: Page, app_url: str) -> None:
    visit(page, f"{app_url}/translate")
    type_sentence(page, FOOTBALL)
    expect(page).to_have_url(re.compile("football"))
    expect(row_labels(page).filter(has_text="Fußball").first).to_be_visible()
    good = settled(page).locator(".line-token").all_text_contents()
    type_sentence(page, "")
    expect(page.get_by_role("alert")).to_contain_text("nothing to translate")
    expect(tokens(settled(page))).to_have_text(good)
    assert page.errors == []
