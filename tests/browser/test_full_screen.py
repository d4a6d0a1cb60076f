"""A picture that fills the window, alone in a page with more in it, and in a shadow root as Streamlit has it."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from viz.components.browser import MENU_STYLE, bundle

MENU = Path(__file__).parents[2] / "viz" / "components" / "browser" / "menu.js"
SHOW = """async ({ js, css, isInShadow }) => {
  const { FullScreen, createMenu } = await import(URL.createObjectURL(new Blob([js], { type: "text/javascript" })));
  const host = document.querySelector("main");
  const parent = isInShadow ? host.attachShadow({ mode: "open" }) : host;
  parent.append(Object.assign(document.createElement("style"), { textContent: css }));
  const root = document.createElement("div");
  root.innerHTML = "<button>one</button><button>two</button>";
  const labels = { save: "Save", "save of": "Save", "full screen": "Full", "full screen of": "Full", leave: "Close" };
  const fullScreen = new FullScreen(root);
  root.prepend(createMenu({ labels, name: "picture", files: [], fullScreen }).node);
  parent.append(root);
  root.querySelector("button.full").focus();
  fullScreen.toggle();
}"""
FOCUSED = """() => {
  let node = document.activeElement;
  while (node?.shadowRoot) node = node.shadowRoot.activeElement;
  return node?.closest(".full-screen") ? "inside" : node === document.body ? "nowhere" : "outside";
}"""


@pytest.mark.parametrize("is_in_shadow", [False, True])
@pytest.mark.parametrize("key", ["Tab", "Shift+Tab"])
def test_the_tab_key_does_not_leave_it(page: Page, key: str, is_in_shadow: bool) -> None:
    page.set_content("<!doctype html><button>before</button><main></main><button>after</button><a href='#'>last</a>")
    page.evaluate(SHOW, {"js": bundle(MENU), "css": MENU_STYLE, "isInShadow": is_in_shadow})
    places = []
    for _ in range(12):
        page.keyboard.press(key)
        places.append(page.evaluate(FOCUSED))
    assert "outside" not in places
    assert places.count("inside") > len(places) / 2
    page.keyboard.press("Escape")
    page.get_by_role("button", name="after").focus()
    assert page.evaluate(FOCUSED) == "outside"
