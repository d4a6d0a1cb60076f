"""What every test stands on: checked shapes, fixed seeds, one thread per process."""

import os

# Read when torch loads, and inherited by the app that the browser tests start: workers share the cores.
for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"

from tests.fixtures import checks

# Only modules imported after this line have their shapes checked, so nothing above may import model.
checks.install()

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import settings

torch.set_num_threads(1)

# A fault is found again wherever the tests run, however slowly.
settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")

HERE = Path(__file__).parent

pytest_plugins = [
    "tests.fixtures.translation_run",
    "tests.fixtures.language_model_run",
    "tests.fixtures.shipped",
    "tests.fixtures.zoo",
    "tests.fixtures.language_models",
    "tests.fixtures.treebank",
    "tests.fixtures.training",
    "tests.fixtures.real_bert",
    "tests.fixtures.system",
]


@pytest.fixture(autouse=True)
def fixed_seeds() -> None:
    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)


@pytest.fixture(autouse=True)
def checks_of_shapes(request: pytest.FixtureRequest) -> Iterator[None]:
    """Check types and shapes where they are what a test is about, unless it is marked ``unchecked``."""
    is_checked = request.path.is_relative_to(HERE / "model") or request.path.is_relative_to(HERE / "pretrained")
    if is_checked and not request.node.get_closest_marker("unchecked"):
        checks.switch(on=True)
    yield
    checks.switch(on=False)
