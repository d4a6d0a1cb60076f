"""What every test stands on: checked shapes, fixed seeds, one thread per process."""

import os

# Read when torch loads, and inherited by the app that the browser tests start: workers share the cores.
for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"

from jaxtyping import install_import_hook

# Only modules imported after this line have their shapes checked, so nothing above may import model.
install_import_hook("model", "beartype.beartype")

import random

import numpy as np
import pytest
import torch

torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def fixed_seeds() -> None:
    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)
