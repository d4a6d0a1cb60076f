"""Start's picture opens in place: by mouse, keys and touch, there and back, with the model's own numbers."""

import re
import sys
from collections.abc import Callable

import numpy as np
import pytest
import torch
from playwright.sync_api import Locator, Page, expect

from model.decoding.translator import Translator
from model.hooks import record
from tests.browser.accessibility import accessibility_faults
from tests.browser.saving import saved
from tests.browser.start.conftest import VIEW, part
from tests.browser.waiting import at_rest
from viz.base.words import page_text
from viz.pages.start.components.architecture import LINKS
from viz.pages.start.study.architecture import passage

WORDS = page_text("pages/start/architecture")
EXAMPLE = page_text("pages/start/start")["opening sentence"]
CROSS = f"{VIEW} svg .part[data-part=cross]"
# In milliseconds, on a machine that does nothing else; the shortest of some answers is measured.
MOST_WAIT = 100
TIMES = 5
BUSY = 4
# From an event until a frame with what it changed is painted.
TIMER = """() => {
  window.answers = [];
  for (const kind of ["click", "keydown"])
    addEventListener(kind, () => {
      const start = performance.now();
      requestAnimationFrame(() => setTimeout(() => window.answers.push(performance.now() - start)));
    }, true);
}"""


def opened(page: Page) -> str | None:
    return page.locator(VIEW).get_attribute("data-open")


WAYS: dict[str, Callable[[Locator], None]] = {
    "mouse": Locator.click,
    "touch": Locator.tap,
    "keys": lambda target: target.press("Enter"),
}


@pytest.mark.parametrize("way", WAYS)
def test_three_steps_lead_to_the_softmax_of_one_row(
    start: Callable[..., Page], way: str, record_property: Callable[[str, object], None]
) -> None:
    page = start(has_touch=way == "touch")
    page.evaluate("window.isTheSame = true")
    page.evaluate(TIMER)
    go, shortest = WAYS[way], {}
    for _ in range(TIMES):
        for name, target in (
            ("cross-attention", page.locator(f"{CROSS} .title" if way != "keys" else CROSS)),
            ("a head", page.locator(f"{VIEW} .head-tile").first),
            ("softmax", page.locator(f"{VIEW} .calculation button", has_text=WORDS["column softmax"])),
        ):
            page.evaluate("window.answers = []")
            go(target)
            page.wait_for_function("window.answers.length > 0")
            wait = page.evaluate("Math.max(...window.answers)")
            shortest[name] = min(wait, shortest.get(name, wait))
        expect(page.locator(f"{VIEW} .opened .sentence")).to_have_text(WORDS["step softmax"])
        numbers = page.locator(f"{VIEW} .calc-cell[data-step=softmax]:not(.total) .number").all_text_contents()
        assert sum(map(float, numbers)) == pytest.approx(1, abs=0.05)
        page.locator(f"{VIEW} .whole-map").click()
        expect(page.locator(f"{VIEW} .opened")).to_be_hidden()
    sys.stdout.write(f"{way}: " + ", ".join(f"{name} after {wait:.0f} ms" for name, wait in shortest.items()) + "\n")
    record_property("answers", shortest)
    assert max(shortest.values()) < MOST_WAIT * BUSY
    assert page.evaluate("window.isTheSame")
    assert page.errors == []


def test_the_sixty_seconds(start: Callable[..., Page], translator: Translator) -> None:
    """A new user's first minute: another word, the word's source, the heads, one of them, and the temperature."""
    page, text = start(), "The dog chases the bird."
    shown = passage(translator, translator.translate(text))
    sources = shown.kinds[-1].weights[-1].mean(0).argmax(1).tolist()
    # It rests on a word with another source.
    step = next(step for step, source in enumerate(sources) if source != sources[shown.resting_step])
    box = page.get_by_role("textbox").first
    box.fill(text)
    expect(page.locator(f"{VIEW} .line span.token", has_text="bird")).to_be_visible()
    at_rest(page)
    page.locator(f"{VIEW} button.token").nth(step).hover()
    shades = page.locator(f"{VIEW} .line span.token").evaluate_all(
        "nodes => nodes.map((node) => Number(node.style.getPropertyValue('--p')))"
    )
    assert int(np.argmax(shades)) == sources[step]
    page.locator(f"{CROSS} .title").click()
    expect(page.locator(f"{VIEW} .head-tile")).to_have_count(8)
    page.locator(f"{VIEW} .head-tile").first.click()
    for _ in range(3):
        page.locator(f"{VIEW} .next-step").click()
    expect(page.locator(f"{VIEW} .opened .sentence")).to_have_text(WORDS["step softmax"])
    page.locator(f"{VIEW} .whole-map").click()
    part(page, "output").locator(".title").click()
    before = page.locator(f"{VIEW} .candidate .number").first.text_content()
    page.locator(f"{VIEW} .temperature").fill("20")
    after = page.locator(f"{VIEW} .candidate .number").first
    expect(after).not_to_have_text(before or "")
    assert float((after.text_content() or "").rstrip("%")) < float((before or "").rstrip("%"))


def test_another_candidate_is_written_instead_and_taken_back(start: Callable[..., Page]) -> None:
    page = start("?open=decoder.softmax&open-row=3")
    tokens = page.locator(f"{VIEW} button.token")
    own = tokens.all_text_contents()
    other = page.locator(f"{VIEW} .candidate", has=page.locator(".instead")).first
    label = other.locator(".name").text_content() or ""
    other.locator(".instead").click()
    expect(tokens.nth(2)).to_have_text(label)
    assert tokens.all_text_contents()[:2] == own[:2]
    page.get_by_role("button", name=WORDS["its own"]).click()
    expect(tokens.nth(2)).to_have_text(own[2])
    assert tokens.all_text_contents() == own
    # Where a theme of high contrast has the colours, bars are still there.
    page.emulate_media(forced_colors="active")
    bar = page.locator(f"{VIEW} .candidate .length").first
    letters, marks = bar.evaluate(
        "node => [getComputedStyle(document.body).color, getComputedStyle(node).backgroundColor]"
    )
    assert marks == letters


def test_to_scale_the_areas_are_the_numbers_of_weights(start: Callable[..., Page], translator: Translator) -> None:
    page = start(reduced_motion="reduce")
    whole = saved(page.locator(VIEW), "Picture (SVG)").path().read_bytes()
    page.get_by_role("button", name=WORDS["to scale"]).click()
    # The whole is saved, not the map that it has become.
    assert saved(page.locator(VIEW), "Picture (SVG)").path().read_bytes() == whole
    areas = page.locator(f"{VIEW} .opened .content svg rect").evaluate_all(
        "nodes => nodes.map((node) => node.getAttribute('width') * node.getAttribute('height'))"
    )
    embedding, *_, other = areas
    n = sum(parameter.numel() for parameter in translator.model.embedding.parameters())
    assert other / embedding == pytest.approx(124e6 / n, rel=1e-3)
    n_in_all = sum(parameter.numel() for parameter in translator.model.parameters())
    assert f"{n_in_all:,}" in (page.locator(f"{VIEW} .opened .content").text_content() or "")
    page.get_by_role("button", name=WORDS["to scale"]).click()
    expect(page.locator(f"{VIEW} .opened")).to_be_hidden()


def test_the_way_back_leads_up_level_by_level(start: Callable[..., Page]) -> None:
    page = start("?sentence=He+reads+a+book.")
    part(page, "cross").locator(".title").click()
    page.locator(f"{VIEW} .head-tile").first.click()
    head = opened(page) or ""
    assert head.count(".") == 3
    page.wait_for_url(f"**/?sentence=He+reads+a+book.&open={head}")
    page.get_by_role("button", name=WORDS["to scale"]).click()
    page.get_by_role("button", name=WORDS["back to whole"]).click()
    expect(page.locator(f"{VIEW} .opened")).to_be_hidden()
    for place in (head.rpartition(".")[0], head):
        page.go_forward()
        expect(page.locator(VIEW)).to_have_attribute("data-open", place)
    page.go_back()
    expect(page.locator(VIEW)).to_have_attribute("data-open", head.rpartition(".")[0])
    page.go_back()
    expect(page.locator(f"{VIEW} .opened")).to_be_hidden()
    expect(page.get_by_role("textbox").first).to_have_value("He reads a book.")
    page.go_forward()
    expect(page.locator(f"{VIEW} .head-tile")).to_have_count(8)
    page.locator(f"{VIEW} .head-tile").first.click()
    page.keyboard.press("Escape")
    expect(page.locator(VIEW)).to_have_attribute("data-open", head.rpartition(".")[0])
    page.keyboard.press("Escape")
    expect(page.locator(f"{VIEW} .opened")).to_be_hidden()
    page.wait_for_url("**/?sentence=He+reads+a+book.")
    assert page.errors == []


@pytest.mark.parametrize(
    ("link", "block"),
    [
        ("decoder.cross.2.3", "decoder.1.cross_attention"),
        ("decoder.attention.1.2", "decoder.0.self_attention"),
        ("encoder.attention.2.3", "encoder.1.self_attention"),
    ],
)
def test_the_numbers_of_a_head_are_those_that_the_hooks_record(
    start: Callable[..., Page], translator: Translator, link: str, block: str
) -> None:
    page = start(f"?open={link}&open-row=4")
    head = int(link[-1]) - 1
    source = [*translator.tokenizer.encode(EXAMPLE), translator.model.config.eos_id]
    translation = translator.translate(EXAMPLE)
    read = [translator.model.config.bos_id, *translation.hypotheses[0].tokens[:-1]]
    with torch.inference_mode(), record(f"{block}.*") as seen:
        translator.model(torch.tensor([source]), torch.tensor([read]))
    scores, pattern, z = (seen[f"{block}.{name}"][0, head, 3].numpy() for name in ("scores", "pattern", "z"))
    is_seen = np.isfinite(scores)
    shown = {name: numbers(page, name) for name in ("products", "scaled", "softmax")}
    np.testing.assert_allclose(shown["softmax"], pattern, atol=0.0051)
    np.testing.assert_allclose(np.array(shown["scaled"])[is_seen], scores[is_seen], atol=0.0051)
    np.testing.assert_allclose(
        np.array(shown["products"])[is_seen], scores[is_seen] * np.sqrt(z.size), atol=0.0051, rtol=1e-3
    )
    stripes = page.locator(f"{VIEW} canvas[data-z]")
    box = stripes.bounding_box()
    assert box is not None
    for dimension in (0, 13, 31):
        page.mouse.move(box["x"] + (dimension + 0.5) * box["width"] / z.size, box["y"] + box["height"] / 2)
        told = page.locator(f"{VIEW} .tooltip").text_content() or ""
        value = float(told.rpartition(": ")[2].replace("−", "-"))
        assert value == pytest.approx(z[dimension], rel=2e-3, abs=1e-4)


@pytest.mark.parametrize("way", WAYS)
def test_a_score_opens_into_its_products(
    start: Callable[..., Page],
    translator: Translator,
    way: str,
    record_property: Callable[[str, object], None],
) -> None:
    page = start("?open=decoder.cross.2.1&open-row=2", has_touch=way == "touch")
    page.evaluate(TIMER)
    scores = page.locator(f"{VIEW} .calc-cell[data-step=products] .into")
    product, weight = numbers(page, "products")[1], numbers(page, "softmax")[1]
    waits = []
    for _ in range(TIMES):
        page.evaluate("window.answers = []")
        WAYS[way](scores.nth(1))
        page.wait_for_function("window.answers.length > 0")
        waits.append(page.evaluate("Math.max(...window.answers)"))
        expect(page.locator(f"{VIEW} .column-bars").first.locator(".column")).to_have_count(
            translator.model.config.d_key
        )
        page.keyboard.press("Escape")
        expect(scores.nth(1)).to_be_focused()
    record_property("answers", waits)
    sys.stdout.write(f"{way}: a score after {min(waits):.0f} ms\n")
    assert min(waits) < MOST_WAIT * BUSY
    WAYS[way](scores.nth(1))
    told = [products_at(page, column) for column in range(translator.model.config.d_key)]
    running = 0.0
    for q, k, one, sum_so_far in told:
        running += one
        assert one == pytest.approx(q * k, rel=2e-3, abs=1e-3)
        assert sum_so_far == pytest.approx(running, rel=2e-3, abs=2e-2)
    assert running == pytest.approx(product, abs=2e-2)
    assert piece(page, "products") == product
    assert piece(page, "scaled") == pytest.approx(product / np.sqrt(len(told)), abs=0.0051)
    assert piece(page, "softmax") == pytest.approx(weight, abs=0.0051)
    assert page.errors == []


def products_at(page: Page, column: int) -> list[float]:
    page.locator(f"{VIEW} .column-bars").first.locator(".column").nth(column).hover(force=True)
    told = page.locator(f"{VIEW} .tooltip").text_content() or ""
    assert told.startswith(WORDS["product"].partition("{n}")[0] + str(column + 1))
    return [float(number.replace("−", "-")) for number in re.findall(r"[-−]?[\d.]+(?:e[-−]\d+)?", told)[1:]]


def piece(page: Page, step: str) -> float:
    text = page.locator(f"{VIEW} [data-piece={step}] .result").text_content() or ""
    return float(text.replace("−", "-"))


def test_the_way_leads_up_from_a_cell_and_its_link_opens_it(start: Callable[..., Page]) -> None:
    page = start("?sentence=He+reads+a+book.")
    part(page, "cross").locator(".title").click()
    page.locator(f"{VIEW} .head-tile").first.click()
    lines, scores = page.locator(f"{VIEW} .product-lines"), page.locator(f"{VIEW} .into")
    scores.first.click()
    page.wait_for_url("**open-key=1**")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**open-key=2**")
    second = page.locator(f"{VIEW} .token-choice .row-token").nth(1)
    expect(second).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(second).to_have_attribute("aria-pressed", "true")
    page.go_back()
    expect(lines).to_be_hidden()
    expect(scores.first).to_be_visible()
    scores.first.click()
    page.get_by_role("navigation", name=WORDS["you are here"]).get_by_role("button").last.click()
    expect(lines).to_be_hidden()
    expect(scores.first).to_be_visible()
    scores.first.click()
    page.locator(f"{VIEW} .whole-map").click()
    expect(page.locator(f"{VIEW} .opened")).to_be_hidden()
    page.wait_for_url("**/?sentence=He+reads+a+book.")
    assert page.errors == []


def test_a_hidden_word_has_a_score_and_no_weight(start: Callable[..., Page]) -> None:
    page = start("?open=decoder.attention.1.2&open-row=2&open-key=5")
    expect(page.locator(f"{VIEW} [data-piece=mask] .result")).to_have_text("−∞")
    assert piece(page, "softmax") == 0
    assert piece(page, "products") != 0


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_a_cell_fits_and_has_no_fault_of_access(start: Callable[..., Page], theme: str, width: int) -> None:
    page = start("?open=decoder.attention.1.2&open-key=2", color_scheme=theme, viewport={"width": width, "height": 844})
    expect(page.locator(f"{VIEW} .product-lines")).to_be_visible()
    assert page.locator(f"{VIEW} .opened .content").evaluate("node => node.scrollWidth - node.clientWidth") <= 1
    assert accessibility_faults(page) == []


def test_each_row_of_an_opened_head_names_its_token_and_each_column_its_step(start: Callable[..., Page]) -> None:
    page = start("?open=decoder.attention.1.2")
    rows = page.locator(f"{VIEW} .calc-row")
    titles = rows.first.locator("button")
    names = ("keys", "products", "scaled", "mask", "softmax", "values")
    assert titles.all_text_contents() == [WORDS[f"column {name}"].replace("{root}", "5.66") for name in names]
    row = rows.nth(3)
    assert (row.locator(".row-name").text_content() or "").strip()
    before = row.locator(".calc-cell").last.evaluate("node => getComputedStyle(node).backgroundColor")
    row.locator(".calc-cell").last.hover()
    after = row.locator(".calc-cell").first.evaluate("node => getComputedStyle(node).backgroundColor")
    assert after != before


def numbers(page: Page, step: str) -> list[float]:
    texts = page.locator(f"{VIEW} .calc-cell[data-step={step}]:not(.total) .number").all_text_contents()
    return [float(text.replace("−", "-").replace(",", "")) for text in texts]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_part_opens_with_its_numbers_and_without_a_fault_of_access(
    start: Callable[..., Page], theme: str
) -> None:
    page = start(color_scheme=theme)
    for name, link in LINKS.items():
        (page.get_by_role("button", name=WORDS["to scale"]) if name == "scale" else part(page, name)).press("Enter")
        expect(page.locator(f"{VIEW} .opened")).to_be_visible()
        assert (opened(page) or "").startswith(link)
        expect(page.locator(f"{VIEW} .waiting")).to_have_count(0)
        assert page.locator(f"{VIEW} .measure").count() >= 1
        assert accessibility_faults(page) == [], name
        page.keyboard.press("Escape")
        expect(page.locator(f"{VIEW} .opened")).to_be_hidden()
    assert page.errors == []


def test_a_part_leads_on_to_the_page_that_measures_it(start: Callable[..., Page]) -> None:
    page = start("?sentence=He+reads+a+book.&open=decoder.cross.2.1")
    page.evaluate("window.isTheSame = true")
    page.locator(f"{VIEW} .measure").first.click()
    page.wait_for_url("**/translate?*heads=2.1*")
    expect(page.locator(".explorer .matrix").first).to_be_visible()
    expect(page.get_by_role("textbox").first).to_have_value("He reads a book.")
    assert page.evaluate("window.isTheSame")
    # Streamlit may still keep what the page before has drawn.
    page.go_back()
    expect(page.locator(VIEW)).to_have_attribute("data-open", "decoder.cross.2.1")


@pytest.mark.parametrize("width", [390, 1024, 1440])
@pytest.mark.parametrize("link", ["decoder.cross", "decoder.attention.1.2", "decoder.feed-forward", "decoder.residual"])
def test_an_opened_part_has_the_whole_width_and_no_more(start: Callable[..., Page], width: int, link: str) -> None:
    page = start(f"?open={link}", viewport={"width": width, "height": 844})
    assert page.get_by_test_id("stMain").evaluate("node => node.scrollWidth <= node.clientWidth")
    stage, content = (page.locator(f"{VIEW} {name}").bounding_box() for name in (".stage", ".opened .content"))
    assert stage is not None
    assert content is not None
    assert content["width"] >= stage["width"] - 1
    inner = page.locator(f"{VIEW} .opened .content").evaluate("node => node.scrollWidth - node.clientWidth")
    assert inner <= 1


def test_the_head_that_was_clicked_in_the_whole_picture_is_marked_among_the_others(start: Callable[..., Page]) -> None:
    page = start()
    page.locator(f"{CROSS} g.head[data-layer='1'][data-head='3']").click()
    marked = page.locator(f"{VIEW} .head-tile.pointed")
    expect(marked).to_contain_text("2.4")
    expect(page.locator(f"{VIEW} .opened .sentence")).to_contain_text(WORDS["what a head is"])
