"""The real app in a real Chromium, with nothing to reach but the app itself."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Route, WebSocketRoute, expect, sync_playwright

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
)
# A pattern and no function: Playwright tests it where the request begins, and asks Python of none that stays.
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


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open a page in a fresh context; keywords are Playwright's context options (``color_scheme="dark"``).

    The page asks for less motion, since each frame of a movement is drawn by the processor; a test of what moves asks
    for it. Console and page errors gather in ``page.errors``, without Streamlit's own probes. A request that would
    leave this machine is refused, and fails the test when it ends.
    """
    contexts = []
    refused: list[str] = []

    def refuse_request(route: Route) -> None:
        refused.append(route.request.url)
        route.abort()

    def refuse_socket(socket: WebSocketRoute) -> None:
        refused.append(socket.url)
        socket.close()

    def open_one(**options: object) -> Page:
        window = {"viewport": {"width": 1440, "height": 900}, "reduced_motion": "reduce"}
        defaults = window | {"service_workers": "block"}
        context = browser.new_context(**(defaults | options))
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        context.route(LEAVES_MACHINE, refuse_request)
        context.route_web_socket(LEAVES_MACHINE, refuse_socket)
        page = context.new_page()
        page.errors = []
        page.on("console", lambda entry: page.errors.append(entry.text) if _is_fault(entry) else None)
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        return page

    yield open_one
    for context in contexts:
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


def _is_fault(entry: ConsoleMessage) -> bool:
    return entry.type == "error" and not (
        "404" in entry.text and PROBE.fullmatch(urlsplit(str(entry.location["url"])).path)
    )


def _tail(log: Path) -> str:
    return log.read_text(errors="replace")[-LOG_TAIL_CHARACTERS:]
