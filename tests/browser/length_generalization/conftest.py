"""The page Length generalization on a small zoo."""

from collections.abc import Callable

import pytest


@pytest.fixture(scope="session")
def zoo_url(serve: Callable[..., str]) -> str:
    """Address of the page."""
    return serve("tests/browser/tiny_app.py", "length_generalization")
