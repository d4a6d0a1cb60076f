"""The real app in a real Chromium, with nothing to reach but the app itself."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.browser.server import shared

# The headless shell has no window to draw, and a test takes two thirds of the processor's time in it.
CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Pages live for seconds here: what a compiler takes for their scripts, it does not give back.
    "--js-flags=--no-opt",
    # No address but this machine's own is anybody's.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE [::1]",
)
CONTEXT: dict[str, Any] = {
    "viewport": {"width": 1440, "height": 900},
    "reduced_motion": "reduce",
    "service_workers": "block",
}
# What a page has by itself, whatever its context has.
OF_A_PAGE = {"viewport", "color_scheme", "reduced_motion"}
# No route of Playwright's stops them, for which it would switch every cache off.
LEAVES_MACHINE = re.compile(r"^(?!about:|blob:|data:|file:)(?!\w+://(?:127\.0\.0\.1|localhost|\[::1\])(?:[:/?#]|$))")
# Where an address has a path, Streamlit asks for these below the path first, and then above it.
PROBE = re.compile(r"(?:/[\w-]+)+/_stcore/(health|host-config)")
# Milliseconds. Playwright would give an expectation five seconds, which a busy machine needs for a single rerun.
PATIENCE = 30_000
LOG_TAIL_CHARACTERS = 20_000
SERVER_LOG = pytest.StashKey[Path]()

expect.set_options(timeout=PATIENCE)


# First, because xdist reads the groups in this same hook.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    folder = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(folder):
            item.add_marker(pytest.mark.browser)
            # A topic stays in one process, with a server and a Chromium of its own.
            if item.get_closest_marker("xdist_group") is None:
                item.add_marker(pytest.mark.xdist_group(f"browser {item.path.relative_to(folder).parts[0]}"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.failed and SERVER_LOG in item.config.stash:
        report.sections.append(("App server log", _tail(item.config.stash[SERVER_LOG])))
    return report


@pytest.fixture(scope="session")
def models_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the models that the app may open."""
    folder = _of_the_run(tmp_path_factory) / "models"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def serve(
    tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config, models_folder: Path
) -> Iterator[Callable[..., str]]:
    """Run a script of this working tree, with arguments of its own, until the tests end; return its address."""
    with ExitStack() as running:

        @cache
        def start(script: str, *arguments: str) -> str:
            served = shared(script, arguments, _of_the_run(tmp_path_factory), models_folder)
            address, pytestconfig.stash[SERVER_LOG] = running.enter_context(served)
            return address

        yield start


@pytest.fixture(scope="session")
def app_url(serve: Callable[..., str]) -> str:
    """Address of the app; that of one that runs already, where ``APP_URL`` names it."""
    return os.environ.get("APP_URL") or serve("app.py")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One headless Chromium: the one on PATH, else Playwright's own."""
    on_path = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=on_path, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def kept_context(browser: Browser) -> BrowserContext:
    """The context of all pages that need none of their own: what it has cached makes a page open in three quarters."""
    return browser.new_context(**CONTEXT)


@pytest.fixture
def open_page(browser: Browser, kept_context: BrowserContext) -> Iterator[Callable[..., Page]]:
    """Open a page; keywords are Playwright's context options (``color_scheme="dark"``).

    The page asks for less motion, since each frame of a movement is drawn by the processor; a test of what moves asks
    for it. It begins with an empty storage, and with caches only where its options are ``OF_A_PAGE``. Console and page
    errors gather in ``page.errors``, without Streamlit's own probes. A request that would leave this machine finds
    nobody, and fails the test when it ends.
    """
    own_contexts: list[BrowserContext] = []
    refused: list[str] = []

    def watch(url: str) -> None:
        if LEAVES_MACHINE.match(url):
            refused.append(url)

    def open_one(**options: Any) -> Page:
        context = kept_context
        if not options.keys() <= OF_A_PAGE:
            context = browser.new_context(**(CONTEXT | options))
            own_contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        if context is kept_context:
            page.set_viewport_size(options.get("viewport", CONTEXT["viewport"]))
            page.emulate_media(**{name: options[name] for name in options if name != "viewport"})
        page.errors = []
        page.on("request", lambda request: watch(request.url))
        page.on("websocket", lambda socket: watch(socket.url))
        page.on("console", lambda entry: page.errors.append(entry.text) if _is_fault(entry) else None)
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        return page

    yield open_one
    for page in kept_context.pages:
        _forget(page)
        page.close()
    kept_context.clear_cookies()
    for context in own_contexts:
        context.close()
    assert not refused, f"the app reached for the network: {sorted(set(refused))}"


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    """A fresh page of 1440 × 900; see ``open_page``."""
    return open_page()


def _of_the_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that all processes of the run have."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


def _forget(page: Page) -> None:
    """Have the browser forget what ``page`` stored, also where a script of the page does not end."""
    place = urlsplit(page.url)
    if place.netloc:
        session = page.context.new_cdp_session(page)
        stored = {"origin": f"{place.scheme}://{place.netloc}", "storageTypes": "local_storage,indexeddb,cookies"}
        session.send("Storage.clearDataForOrigin", stored)


def _is_fault(entry: ConsoleMessage) -> bool:
    return entry.type == "error" and not (
        "404" in entry.text and PROBE.fullmatch(urlsplit(str(entry.location["url"])).path)
    )


def _tail(log: Path) -> str:
    return log.read_text(errors="replace")[-LOG_TAIL_CHARACTERS:]
