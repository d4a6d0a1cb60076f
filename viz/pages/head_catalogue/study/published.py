"""Published measurements (``data``) on heads and on attention sinks.

Voita et al. 2019, Michel et al. 2019 and Kobayashi et al. 2020, among others.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from viz.base.attention_maps import BLOCKS, BlockName

NLLB_SINKS = (0.83, 0.91)
"""What NLLB-200 puts of its cross-attention on the end, tags of languages and punctuation (arXiv:2605.01229)."""
_FOLDER = Path(__file__).parents[1] / "data"


def published_pruning() -> tuple[np.ndarray, np.ndarray]:
    """Return the shares of heads that Voita et al. pruned during training, and the change of BLEU."""
    numbers = _numbers("pruning")["pruned"]
    left = np.array([*map(int, numbers["left"])])
    return 1 - left / numbers["n_heads"], np.array([*numbers["left"].values()]) - numbers["bleu"]


def published_with_one_head() -> dict[BlockName, tuple[float, ...]]:
    """Return the change of BLEU with one head left in a block of each layer, by its kind, by Michel et al."""
    numbers = _numbers("pruning")["with_one_head"]
    return {kind: tuple(numbers[kind]) for kind in BLOCKS}


def published_alignment() -> dict[tuple[str, str], float]:
    """Return the alignment error rates of Kobayashi et al., by step and weighing."""
    errors = _numbers("alignment")["errors"]
    return {(step, weighing): rate for step, of_step in errors.items() for weighing, rate in of_step.items()}


@cache
def _numbers(name: str) -> dict[str, Any]:
    numbers: dict[str, Any] = json.loads((_FOLDER / f"published_{name}.json").read_text(encoding="utf-8"))
    return numbers
