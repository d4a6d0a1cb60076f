"""What Voita et al. 2019 and Michel et al. 2019 measured: the numbers of ``data/published_pruning.json``."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

_FILE = Path(__file__).parents[1] / "data" / "published_pruning.json"


def published_pruning() -> tuple[np.ndarray, np.ndarray]:
    """Return the shares of heads that Voita et al. took out while the model trained on, and the change of BLEU."""
    found = _numbers()["pruned"]
    left = np.array([*map(int, found["left"])])
    return 1 - left / found["n_heads"], np.array([*found["left"].values()]) - found["bleu"]


def published_cross_attention() -> tuple[float, ...]:
    """Return the change of BLEU with one head left in the cross-attention of each layer, by Michel et al."""
    return tuple(_numbers()["cross_attention_with_one_head"]["by_layer"])


@cache
def _numbers() -> dict[str, Any]:
    numbers: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    return numbers
