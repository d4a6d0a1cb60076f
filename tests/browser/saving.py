"""Saving from the menu at the top right of a picture."""

from playwright.sync_api import Download, Locator

CATCH_PRINT = """
const { get } = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, "contentWindow");
Object.defineProperty(HTMLIFrameElement.prototype, "contentWindow", { get() {
  const found = get.call(this);
  found.print = () => {
    const { margin } = found.getComputedStyle(found.document.body);
    Object.assign(window, { printed: found.document.documentElement.outerHTML, printedMargin: margin });
  };
  return found;
} });
"""
"""A script for :meth:`Page.add_init_script`: instead of printing, the window keeps what would be, and its margin."""


def saved(picture: Locator, label: str) -> Download:
    """Return what the menu in ``picture``, which has one, saves under ``label``."""
    with picture.page.expect_download() as download:
        choose(picture, label)
    # The next click must not come before this file is whole.
    download.value.path()
    return download.value


def choose(picture: Locator, label: str) -> None:
    """Open the menu in ``picture``, and press what is called ``label`` there."""
    menu = picture.locator(".picture-menu")
    menu.locator("summary").click()
    menu.get_by_role("button", name=label).click()
