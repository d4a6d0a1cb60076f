"""What a student does in a lab, in a real Chromium: to a page and back, an answer, and what is saved."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.waiting import at_rest
from viz.base.words import page_text
from viz.pages.start.course.lab import LabStep, labs
from viz.shell.navigation import place_at

BACK = page_text("shell/back")
ASKED = [step for lab in labs() for step in lab.asked]
# Why what would be accepted may stand on the page that a step opens.
NO_ANSWER_THERE = {
    "positions.without": "a head has this number",
    "positions.past": "as many encodings learned the task",
    "positions.recall": "the names of other encodings begin with the word",
    "heads.off": "a head has this number, and a token",
    "heads.needed": "a head has this number",
}
NUMBER = re.compile(r"(?<![\w.])[-\u2212]?\d[\d,]*(?:\.\d+)?(?![\w.]*\w)")
VISIBLE = """() => {
  const texts = [];
  const visit = (node) => {
    if (node.nodeType === Node.TEXT_NODE && node.parentElement?.checkVisibility()) texts.push(node.data.trim());
    if (["STYLE", "SCRIPT"].includes(node.nodeName)) return;
    if (node.shadowRoot) visit(node.shadowRoot);
    for (const child of node.childNodes) visit(child);
  };
  visit(document.querySelector("[data-testid=stMain]"));
  return texts.filter(Boolean).join(" \u00a6 ");
}"""
SIDEWAYS = "document.querySelector('[data-testid=stMain]').scrollWidth > innerWidth"


def open_step(app_url: str, page: Page, lab: int, step: int) -> None:
    page.goto(f"{app_url}/read-along?part=labs&lab={labs()[lab].id}&lab-step={step}")
    expect(page.get_by_role("heading", level=2).first).to_have_text(labs()[lab].steps[step - 1].words["title"])


def test_the_way_back_from_a_page_survives_a_reload_and_keeps_the_answer(app_url: str, page: Page) -> None:
    open_step(app_url, page, 0, 2)
    page.get_by_label("Your answer").fill("11")
    page.get_by_label("Your answer").press("Enter")
    expect(page.get_by_text("Right. The products of the numbers")).to_be_visible()
    page.get_by_role("link", name="Open: small matrices").click()
    page.wait_for_url(re.compile("/dot-product"))
    expect(page.get_by_text("Not scaled.")).to_be_visible()
    page.reload()
    page.get_by_role("link", name=BACK["back"].format(step=2)).click()
    expect(page.get_by_role("heading", level=2).first).to_have_text("Queries, keys and scores")
    expect(page.get_by_text("Answered right: 1 of 20")).to_be_visible()
    assert "labs-done=2" in page.url


def test_the_sheet_of_the_open_lab_is_saved_without_answers(app_url: str, page: Page) -> None:
    open_step(app_url, page, 3, 3)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Exercise sheet (HTML)").click()
    assert saved.value.suggested_filename == "circuit.html"
    sheet = saved.value.path().read_text(encoding="utf-8")
    assert "Which head alone brings back most" in sheet
    assert "of the whole." not in sheet


@pytest.mark.parametrize("step", ASKED, ids=lambda step: step.name)
def test_no_answer_stands_in_what_a_link_opens(app_url: str, page: Page, step: LabStep) -> None:
    assert step.question
    answer = step.question(step.picture.opening() if step.picture else None)
    page.goto(f"{app_url}/{place_at(step.page).address_with(step.query)}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    at_rest(page)
    shown = page.evaluate(VISIBLE)
    if isinstance(answer.right, str):
        times = {option: len(re.findall(rf"\b{re.escape(option)}\b", shown)) for option in answer.options}
        # A name among others tells nothing: one that the page tells stands there more often.
        is_told = times.pop(answer.right) > max(times.values())
    else:
        is_told = any(answer.accepts(number) for number in numbers_in(shown))
    assert is_told == (step.name in NO_ANSWER_THERE)


def numbers_in(text: str) -> Iterator[float]:
    for written in NUMBER.findall(text):
        yield float(written.replace(",", "").replace("\u2212", "-"))


@pytest.mark.parametrize("width", [360, 1440])
def test_no_step_is_wider_than_its_screen(app_url: str, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    open_step(app_url, page, 0, 9)
    at_rest(page)
    assert not page.evaluate(SIDEWAYS)
