"""What visitors see who press Train one after another: when the first picture comes, and how many pictures a second.

    python -m benchmarks.training_pictures http://127.0.0.1:8501

Needs the test requirements and a Chromium. Each visitor has a separate browser window, in which Train it yourself is
open; they press Train ``--apart`` seconds after one another. A picture counts where the step that is shown is another
one than in the browser's frame before. Prints, for each visitor, the seconds from the press to the first picture of a
step, the pictures a second in the first ``--seconds`` after it, and the longest wait between two.
"""

import argparse
import sys
import time
from itertools import pairwise

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.first_screen import FLAGS, MILLISECONDS, chromium
from viz.base.words import page_text

PAGE, PARTS = "train-yourself", (".training-player output", ".training-player input")
TEXT = page_text("pages/training/train_yourself")
# In every frame of the browser: whether another step is shown, of a run that is trained now.
WATCH = """([button, output, slider]) => {
    window.pictures = [];
    let shown = null;
    const look = () => {
        if (slider.disabled && output.textContent !== shown) window.pictures.push(performance.now() - window.pressed);
        shown = output.textContent;
        requestAnimationFrame(look);
    };
    window.pressed = performance.now();
    button.click();
    look();
}"""


def opened(browser: Browser, url: str, query: str) -> Page:
    """Return a window of its own in which the page is open and the recorded run is seen."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(f"{url.rstrip('/')}/{PAGE}?{query}")
    page.locator(PARTS[0]).wait_for(timeout=MILLISECONDS)
    return page


def told(times: list[float], seconds: float) -> str:
    """Return what the ``times`` of pictures, in milliseconds from the press, say of the first ``seconds``."""
    if not times:
        return "no picture"
    first, *_ = early = [at for at in times if at <= times[0] + seconds * 1000]
    longest = max((later - at for at, later in pairwise(early)), default=0)
    return (
        f"first picture {first / 1000:.2f} s, then {len(early) / seconds:.1f} a second, at most {longest:.0f} ms apart"
    )


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.training_pictures", description="Pictures of training.")
    parser.add_argument("url", help="where the app is, for example http://127.0.0.1:8501")
    parser.add_argument("--visitors", type=int, default=2)
    parser.add_argument("--apart", type=float, default=5, help="seconds from one press to the next")
    parser.add_argument("--seconds", type=float, default=3, help="seconds of pictures that are counted")
    parser.add_argument("--ready", type=float, default=30, help="seconds for which the pages are open before")
    parser.add_argument("--query", default="", help="of the link, for example train-steps=800")
    given = parser.parse_args(arguments)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        pages = [opened(browser, given.url, given.query) for _ in range(given.visitors)]
        time.sleep(given.ready)
        for page in pages:
            parts = (page.get_by_role("button", name=TEXT["train"], exact=True), *map(page.locator, PARTS))
            page.evaluate(WATCH, [part.last.element_handle() for part in parts])
            time.sleep(given.apart)
        time.sleep(given.seconds)
        for number, page in enumerate(pages, start=1):
            print(f"visitor {number}: {told(page.evaluate('window.pictures'), given.seconds)}")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
