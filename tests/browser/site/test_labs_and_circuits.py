"""The labs and the circuits of examples on the site."""

import re

from playwright.sync_api import Page, expect


def test_a_lab_is_done_and_its_answers_are_kept_apart(site_url: str, page: Page) -> None:
    page.goto(f"{site_url}/labs/")
    expect(page.get_by_role("heading", name="A head at work")).to_be_visible()
    assert page.locator("nav.chapters details").count() == 5
    for _ in range(20):
        if page.locator(".question form").count():
            break
        page.get_by_role("button", name="Next").click()
    box = page.locator(".question form select, .question form input").first
    if box.evaluate("node => node.tagName") == "SELECT":
        box.select_option(index=1)
    else:
        box.fill("-12345")
    page.locator(".question form button").click()
    expect(page.locator(".question [role=status]")).not_to_be_empty()
    page.goto(f"{site_url}/read-along/")
    expect(page.get_by_text("Answered right: 0 of").first).to_be_visible()
    page.goto(f"{site_url}/labs/?lab=induction&lab-step=8")
    expect(page.locator("nav.chapters [aria-current]")).to_contain_text(re.compile(r"^\D*8\. "))
    page.locator(".question form input").fill("1,800")
    page.locator(".question form button").click()
    expect(page.get_by_text("Answered right: 1 of")).to_be_visible()
    page.goto(f"{site_url}/labs/")
    expect(page.get_by_text("Answered right: 1 of")).to_be_visible()
    page.goto(f"{site_url}/labs/?step=51")
    expect(page.get_by_role("alert").first).to_contain_text("51")
    assert page.errors == []


def test_the_circuits_of_examples_are_chosen_and_linked(site_url: str, page: Page) -> None:
    page.goto(f"{site_url}/why-this-word/")
    boxes = page.locator(".circuit [data-code]")
    expect(boxes.nth(5)).to_be_visible()
    before = page.locator(".circuit svg").first.get_attribute("aria-label")
    other = page.locator(".circuit [data-code][aria-pressed=false]").first
    code = other.get_attribute("data-code")
    other.click()
    expect(page.locator(".circuit [aria-pressed=true]")).to_have_attribute("data-code", code or "")
    page.get_by_label("Phenomenon").select_option("negation")
    expect(page).to_have_url(re.compile("phenomenon=negation"))
    expect(page.get_by_text("We have a letter.").first).to_be_visible()
    expect(page.locator(".circuit svg").first).not_to_have_attribute("aria-label", before or "")
    assert page.errors == []
