"""The site, written by its command's own function and served below a path; and the same as one file."""

from collections.abc import Iterator, Mapping
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from viz.shared.shipped import translator_info
from viz.site.folder import write_site
from viz.site.one_file import one_file
from viz.site.parts import common_assets

TRANSLATORS = ("translation-en-de", "translation-fr-en")
SENTENCE = "The cat sleeps."
BROTHER = "My brother has never read the book that I gave him."


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Write nothing."""


@pytest.fixture(scope="session")
def common() -> Mapping[str, bytes]:
    """What the site with any translator has."""
    return common_assets()


@pytest.fixture(scope="session")
def site_folder(common: Mapping[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site."""
    folder: Path = tmp_path_factory.mktemp("served") / "below" / "a-path"
    write_site(folder, [translator_info(name) for name in TRANSLATORS], common)
    return folder


@pytest.fixture(scope="session")
def site_url(site_folder: Path) -> Iterator[str]:
    """The address of the site, below a path of a server that knows nothing but files."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site_folder.parents[1])))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/below/a-path"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def file_url(common: Mapping[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the one file, which opens on ``SENTENCE``."""
    path: Path = tmp_path_factory.mktemp("one file") / "view.html"
    path.write_text(one_file(translator_info(TRANSLATORS[0]), common, SENTENCE), encoding="utf-8")
    return path.as_uri()
