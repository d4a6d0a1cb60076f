"""Parts of the page Translate alone."""

from collections.abc import Callable

import pytest


@pytest.fixture(scope="session")
def explorer_url(serve: Callable[..., str]) -> str:
    """Address of a page with the attention explorer alone."""
    return serve("tests/browser/translate/explorer_app.py")
