"""The runs that test what C-RASP predicts, after Huang et al. 2025 (arXiv:2410.02140)."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from model.config import DecoderOnlyConfig
from model.positional import PositionalConfig
from model.tasks import find, vocabulary_of
from model.zoo.data import longest_row
from model.zoo.plan import Recipe, Run

BINS = ((1, 50), (51, 100), (101, 150))
"""Lengths that are measured together, those of training first."""
N_TEST = 2000
"""Inputs to measure in each bin."""

_RECIPE = Recipe(
    n_steps=30_000, batch_size=64, peak_rate=1e-3, warmup_share=0.0, weight_decay=0.01, evaluate_every=3000
)


@dataclass(frozen=True)
class Size:
    """Layers, heads and width of a model."""

    n_layers: int
    n_heads: int
    d_model: int


_SMALL, _DEEP, _WIDE = Size(2, 1, 64), Size(4, 4, 64), Size(1, 1, 256)
_SIZES = {
    "unique_copy": {"shifted": _SMALL, "none": _DEEP, "learned": _SMALL},
    "unique_reverse": {"shifted": _SMALL, "none": _DEEP, "learned": _SMALL},
    "unique_sort": {"none": _WIDE, "shifted": _WIDE, "learned": _WIDE},
    "majority": {"shifted": Size(1, 2, 256), "none": Size(1, 1, 64), "learned": Size(1, 2, 256)},
}
"""As published where a processor trains it in an hour; the published models without positions that copy are wider."""

TASKS = tuple(_SIZES)
ENCODINGS = ("shifted", "none", "learned")
"""Learned positions trained at random offsets, none, and learned positions that always count from 0."""


def crasp_runs(
    tasks: Sequence[str] = (), encodings: Sequence[str] = (), seeds: Sequence[int] = (1,), **changes: int
) -> list[Run]:
    """Return the runs, the most telling first; the arguments choose among them and change the recipe.

    Raises:
        ValueError: an unknown task or encoding.
    """
    for chosen, known in ((tasks, TASKS), (encodings, ENCODINGS)):
        if unknown := [name for name in chosen if name not in known]:
            raise ValueError(f"{unknown[0]!r} is none of {', '.join(known)}")
    recipe = dataclasses.replace(_RECIPE, **changes)
    return [_run(task, encoding, seed, recipe) for seed in seeds for task, encoding in _in_order(tasks, encodings)]


def _in_order(tasks: Sequence[str], encodings: Sequence[str]) -> list[tuple[str, str]]:
    first = [("unique_copy", "shifted"), ("unique_reverse", "shifted"), ("unique_sort", "none")]
    first += [("majority", "shifted"), ("majority", "none")]
    pairs = dict.fromkeys([*first, *((task, encoding) for encoding in ENCODINGS for task in TASKS)])
    return [
        (task, encoding)
        for task, encoding in pairs
        if task in (tasks or TASKS) and encoding in (encodings or ENCODINGS)
    ]


def _run(name: str, encoding: str, seed: int, recipe: Recipe) -> Run:
    task, size = find(name), _SIZES[name][encoding]
    d_head = size.d_model // size.n_heads
    model = DecoderOnlyConfig(
        len(vocabulary_of(task)),
        **dataclasses.asdict(size),
        d_key=d_head,
        d_value=d_head,
        d_ff=4 * size.d_model,
        positional=_positional(encoding, longest_row(task, BINS[-1][1])),
    )
    return Run(name, encoding, seed, model, recipe)


def _positional(encoding: str, n_positions: int) -> PositionalConfig:
    # In GPT-2, as in the published models, fresh positions weigh as much as fresh embeddings.
    learned = PositionalConfig("learned", {"max_length": n_positions, "std": 1.0})
    configs = {
        "none": PositionalConfig("none"),
        "learned": learned,
        "shifted": PositionalConfig("shifted", {"max_position": n_positions}, learned),
    }
    return configs[encoding]
