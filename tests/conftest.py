"""What every test stands on: checked shapes, fixed seeds, one thread per process."""

import os

# Read when torch loads, and inherited by the app that the browser tests start: workers share the cores.
for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"

import jaxtyping

import tests.fixtures.checks  # noqa: F401  # the hook calls it by its name

# Only modules imported after this line have their shapes checked, so nothing above may import model.
jaxtyping.install_import_hook("model", "tests.fixtures.checks.checked")

import random
from collections.abc import Iterator

import numpy as np
import pytest
import torch

torch.set_num_threads(1)

pytest_plugins = [
    "tests.fixtures.translation_run",
    "tests.fixtures.language_model_run",
    "tests.fixtures.shipped",
    "tests.fixtures.zoo",
    "tests.fixtures.language_models",
    "tests.fixtures.treebank",
    "tests.fixtures.training",
    "tests.fixtures.real_bert",
]


@pytest.fixture(autouse=True)
def fixed_seeds() -> None:
    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)


@pytest.fixture
def unchecked() -> Iterator[None]:
    """Switch the checks of types and shapes off, where a test gives wrong ones on purpose or calls a model often."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)
