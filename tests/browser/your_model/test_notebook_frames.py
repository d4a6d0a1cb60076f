"""A view as the last line of a cell, in the frames that Colab and VS Code put outputs into: nothing is asked for."""

from collections.abc import Callable
from html import escape

import pytest
from playwright.sync_api import Page, expect

from tests.browser.your_model.test_your_model import HOSTILE, maps
from viz.notebook import explore

# As `backLayerWebView.ts` of VS Code 1.9x writes it with `notebook.experimental.enableCsp`; without, there is none.
_VS_CODE = (
    "default-src 'none'; script-src https://*.vscode-cdn.net 'unsafe-inline' 'unsafe-eval'; "
    "style-src https://*.vscode-cdn.net 'unsafe-inline'; img-src https: http: data:; font-src https:; "
    "connect-src https:; child-src https: data:;"
)
_SAME_ORIGIN = "allow-scripts allow-same-origin allow-forms allow-pointer-lock allow-downloads"
# What each frame is allowed, and the policy of the page in it.
FRAMES = {
    "VS Code": (_SAME_ORIGIN, _VS_CODE),
    "Colab": (f"{_SAME_ORIGIN} allow-popups allow-modals", ""),
    "a frame with scripts alone": ("allow-scripts", ""),
}


@pytest.mark.parametrize("name", FRAMES)
def test_a_view_works_in_the_frame_of_an_output(name: str, open_page: Callable[..., Page]) -> None:
    allowed, policy = FRAMES[name]
    output = explore(maps(), HOSTILE)._repr_html_()
    for address in ("localhost", "127.0.0.1", "http:", "https:"):
        # The names of SVG and of XHTML are addresses that nothing is loaded from.
        assert address not in output.replace("http://www.w3.org/", "")
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">' if policy else ""
    frame = f"<!doctype html><meta charset=utf-8>{meta}<body>{output}"
    page = open_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    notebook = f'<!doctype html><meta charset=utf-8><iframe sandbox="{allowed}" srcdoc="{escape(frame)}"></iframe>'
    style = "<style>iframe { width: 1000px; height: 950px }</style>"
    page.route("**/notebook.html", lambda route: route.fulfill(body=notebook + style, content_type="text/html"))
    page.goto("http://127.0.0.1:9/notebook.html")
    inside = page.frame_locator("iframe").frame_locator("iframe")
    expect(inside.locator(".tile")).to_have_count(6)
    inside.get_by_role("button", name="Layer 2, head 3", exact=True).click()
    expect(inside.locator(".views > .matrix figcaption")).to_have_text("Self-attention · Layer 2, head 3")
    expect(inside.locator(".views > .matrix .labels").first).to_contain_text("cat")
    assert page.evaluate("window.ran") is None
    assert {url for url in asked if not url.startswith(("about:", "data:", "blob:"))} == {
        "http://127.0.0.1:9/notebook.html"
    }
    assert page.errors == []
