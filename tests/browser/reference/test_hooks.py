"""The page Hooks in a real Chromium."""

from playwright.sync_api import Page, expect

from tests.browser.saving import saved
from tests.browser.waiting import at_rest

SCORES = "decoder.{layer}.self_attention.scores"


def test_a_mark_leads_to_its_row_by_a_click_and_by_the_keyboard(app_url: str, page: Page) -> None:
    page.goto(f"{app_url}/hooks")
    mark = page.locator(f"[data-code='{SCORES}']:visible")
    # The first page of a server loads PyTorch.
    expect(mark).to_be_visible(timeout=90_000)
    at_rest(page)
    mark.hover()
    expect(page.locator(".diagram .tooltip")).to_contain_text("[B, H, Q, K]")
    mark.click()
    rows = page.get_by_role("region", name="Hook points").get_by_role("row")
    expect(rows).to_have_count(2)
    expect(rows.last).to_contain_text(SCORES)
    expect(rows.last).to_be_in_viewport()
    expect(page.locator(".mark:not(.faint):visible")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(rows.last).to_contain_text("decoder.{layer}.self_attention.pattern")
    expect(rows).to_have_count(2)
    assert saved(page.locator(".diagram"), "Picture (SVG)").suggested_filename == "hooks.svg"
    assert page.errors == []
