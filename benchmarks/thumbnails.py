"""The pictures of the findings on the entrance, taken of the views that their links open.

    python -m benchmarks.thumbnails [NAME ...]

Needs the test requirements and a Chromium on the PATH. Writes one WebP for each finding and theme, and prints its size.
"""

import io

from PIL import Image, ImageOps
from playwright.sync_api import Browser, ViewportSize, sync_playwright

from benchmarks.browser import FLAGS, chromium, free_port, start_server, wait_for_server
from benchmarks.command import parser_of, run_command
from viz.base.colours import PALETTES, Theme
from viz.pages.start.findings import FINDINGS, THUMBNAILS, Finding

SIZE = (528, 192)
# Of a large picture its left upper corner is shown.
MOST_CUT = (1_100, 400)
# The largest picture on the page; a table only where there is no other.
LARGEST = """() => {
  const size = (node) => {
    const { width, height } = node.getBoundingClientRect();
    return Math.min(width, 1000) * Math.min(height, 700) * (node.localName === "table" ? 0.1 : 1);
  };
  const inside = (root) => [...root.querySelectorAll("*")].flatMap((node) => [
    ...(["canvas", "svg", "table"].includes(node.localName) ? [node] : []),
    ...(node.shadowRoot ? inside(node.shadowRoot) : []),
  ]);
  const nodes = inside(document.querySelector("[data-testid=stMain]")).filter((node) => size(node) > 20_000);
  return nodes.sort((one, other) => size(other) - size(one))[0]?.getBoundingClientRect().toJSON();
}"""
# A picture of a picture has no controls, and no words: too small to be read, they would be of one language for all.
WRITE_NOTHING = "CanvasRenderingContext2D.prototype.fillText = () => {}"
HIDE_WORDS = """() => {
  const within = (node) => (node.shadowRoot ? all(node.shadowRoot) : []);
  const all = (root) => [...root.querySelectorAll("*")].flatMap((node) => [node, ...within(node)]);
  const hide = (selector, name, value) =>
    all(document).filter((node) => node.matches(selector)).forEach((node) => node.style.setProperty(name, value));
  hide(".picture-menu, svg text", "visibility", "hidden");
  hide("table, table *", "color", "transparent");
}"""
VIEWPORT: ViewportSize = {"width": 1440, "height": 2_400}
PATIENCE_MILLISECONDS, SETTLING_MILLISECONDS = 60_000, 6_000


def picture(browser: Browser, url: str, theme: Theme) -> bytes:
    """Return the largest picture at ``url`` as a small WebP."""
    page = browser.new_page(viewport=VIEWPORT, color_scheme=theme, reduced_motion="reduce")
    page.add_init_script(WRITE_NOTHING)
    page.goto(url)
    page.wait_for_function(LARGEST, timeout=PATIENCE_MILLISECONDS)
    page.wait_for_timeout(SETTLING_MILLISECONDS)
    page.evaluate(HIDE_WORDS)
    box = page.evaluate(LARGEST)
    width, height = min(box["width"], MOST_CUT[0]), min(box["height"], MOST_CUT[1])
    shot = Image.open(
        io.BytesIO(page.screenshot(clip={"x": box["x"], "y": box["y"], "width": width, "height": height}))
    )
    page.close()
    packed = io.BytesIO()
    fitted = ImageOps.pad(shot.convert("RGB"), SIZE, Image.Resampling.LANCZOS, color=PALETTES[theme].surface)
    fitted.save(packed, "WEBP", quality=75, method=6)
    return packed.getvalue()


def main() -> None:
    """Take the pictures that are asked for, or all."""
    parser = parser_of(__file__, __doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="findings (default: all)")
    names = parser.parse_args().names
    wanted: list[Finding] = [finding for finding in FINDINGS if not names or finding.name in names]
    port = free_port()
    server = start_server(port)
    try:
        wait_for_server(server, port)
        THUMBNAILS.mkdir(parents=True, exist_ok=True)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
            for finding in wanted:
                for theme in PALETTES:
                    packed = picture(browser, f"http://127.0.0.1:{port}/{finding.address}", theme)
                    (THUMBNAILS / f"{finding.name}-{theme}.webp").write_bytes(packed)
                    print(f"{finding.name} {theme}: {len(packed):,} bytes")
            browser.close()
    finally:
        server.terminate()


if __name__ == "__main__":
    run_command(main)
