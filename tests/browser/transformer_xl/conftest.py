"""The page Transformer-XL on tiny models."""

from collections.abc import Callable

import pytest


@pytest.fixture(scope="session")
def xl_url(serve: Callable[..., str]) -> str:
    """Address of the pages."""
    return serve("tests/browser/tiny_app.py", "transformer_xl")
