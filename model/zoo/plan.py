"""The plan of the zoo: encodings, tasks, seeds, their order and the recipe."""

import dataclasses
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from model.config import DecoderOnlyConfig, decoder_only_from_dict
from model.positional import PositionalConfig
from model.tasks import find, length_tasks, vocabulary_of

_MAX_ROW_LENGTH = 512
_RANDOMIZED: dict[str, float] = {"max_position": _MAX_ROW_LENGTH, "longest": _MAX_ROW_LENGTH}

ENCODINGS: dict[str, PositionalConfig] = {
    "none": PositionalConfig("none"),
    "sinusoidal": PositionalConfig("sinusoidal"),
    "alibi": PositionalConfig("alibi"),
    "t5": PositionalConfig("t5"),
    "rotary": PositionalConfig("rotary"),
    "learned": PositionalConfig("learned", {"max_length": _MAX_ROW_LENGTH}),
    "transformer_xl": PositionalConfig("transformer_xl"),
    "fire": PositionalConfig("fire"),
    "kerple": PositionalConfig("kerple"),
    "rotary_25": PositionalConfig("rotary", {"share": 0.25}),
    "t5_near": PositionalConfig("t5", {"n_buckets": 16, "max_distance": 16}),
    "t5_nearer": PositionalConfig("t5", {"n_buckets": 16, "max_distance": 9}),
    "randomized": PositionalConfig("randomized", _RANDOMIZED),
    "randomized_fire": PositionalConfig("randomized", _RANDOMIZED, PositionalConfig("fire")),
    "cope": PositionalConfig("cope"),
    "rnope": PositionalConfig("rnope"),
    "prope": PositionalConfig("prope"),
    "drope": PositionalConfig("drope"),
    "ssmax": PositionalConfig("ssmax"),
    "pope": PositionalConfig("pope"),
    "fox": PositionalConfig("fox"),
    "path": PositionalConfig("path"),
    "rnope_window": PositionalConfig("rnope", {"window": 20}),
    "ssmax_bias": PositionalConfig("ssmax", {"bias": 1}),
    "fox_input": PositionalConfig("fox", {"reads_input": 1}),
    "path_published": PositionalConfig("path", {"as_published": 1}),
    "shifted": PositionalConfig(
        "shifted", {"max_position": _MAX_ROW_LENGTH}, PositionalConfig("learned", {"max_length": _MAX_ROW_LENGTH})
    ),
}
"""The encodings that the zoo compares, by their names in its results.

The first six have lines of six colours on every page; later ones differ from them in their dashes. A new one comes
last, so that all others keep their colours.

In "t5_near" and "t5_nearer" all distances from 16 or 9 on share a number that training meets, so that none is new to
a longer input. The window of "rnope_window" is about half of the
longest row of 20 letters, as in the paper; where no trained row is longer than it, it hides nothing in training.
"""

AS_PUBLISHED = {"rnope_window": "rnope", "ssmax_bias": "ssmax", "fox_input": "fox", "path_published": "path"}
"""The encodings with what their papers have and the app's own leave out, each with the app's own."""
ON_FEW_TASKS = (*AS_PUBLISHED, "shifted")
"""What was trained on a few tasks, to be held against one other encoding; it takes part in no comparison over tasks."""

_SLOWEST = "cope"
_NEWER = ("rnope", "prope", "drope", "ssmax", "pope", "fox", "path")
_APART = ("t5_near", "t5_nearer", "randomized_fire", _SLOWEST, *_NEWER, *ON_FEW_TASKS)
_COMPARED = tuple(name for name in ENCODINGS if name not in _APART)
_FOR_COUPLING = ("t5_near", "t5_nearer", "rotary", "t5", "learned")
_TELLING = ("copy_repeat", "reverse", "copy_letters")
_QUICK = ("sum_mod_10", "parity_scratchpad", "sort", "parity", "lego")
_CONTENT = ("recall", "lego_shuffled")
_FURTHER = ("copy_replace", "addition_reversed", "addition")
_COUPLED = ("reverse_coupled", "addition_coupled_apart", "addition_coupled")
_SEEDS = (1, 2, 3)

Entry = tuple[str, str, int]
"""A task, an encoding and a seed."""


@dataclass(frozen=True)
class Recipe:
    """The training and measurement of a run, without early stopping.

    ``n_steps`` and ``evaluate_every`` count steps. ``n_training`` examples are drawn before the first step and met
    again and again, as in Kazemnejad et al. 2023; ``n_test`` are measured at each length, where there are so many. The
    batch is half of the paper's: on reverse that fell at the same lengths, in half the time.
    """

    n_steps: int = 4000
    batch_size: int = 32
    n_training: int = 100_000
    peak_rate: float = 2e-3
    warmup_share: float = 0.06
    weight_decay: float = 0.05
    gradient_clip: float = 1.0
    evaluate_every: int = 1000
    n_test: int = 200

    def __post_init__(self) -> None:
        """Check every count.

        Raises:
            ValueError: a count below 1.
        """
        for name in ("n_steps", "batch_size", "n_training", "evaluate_every", "n_test"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be at least 1")


_LONG = Recipe(n_steps=8000, batch_size=64, peak_rate=3e-3, evaluate_every=2000)
_RECIPES = {
    "addition_hints": _LONG,
    "addition_coupled": _LONG,
    "addition_coupled_apart": Recipe(n_steps=8000, batch_size=64, evaluate_every=2000),
    "reverse_coupled": Recipe(batch_size=64),
}
"""Recipes of tasks for which the default one is too short."""


@dataclass(frozen=True)
class Run:
    """One model of the zoo: which encoding learns which task, from which seed, by which recipe."""

    task: str
    encoding: str
    seed: int
    model: DecoderOnlyConfig
    recipe: Recipe = field(default_factory=Recipe)

    @property
    def name(self) -> str:
        """The name of its folder."""
        return f"{self.task}-{self.encoding}-seed{self.seed}"

    @property
    def n_steps(self) -> int:
        """The number of its steps."""
        return self.recipe.n_steps

    def to_json(self) -> str:
        """Return the run as JSON text that :meth:`from_json` reads back."""
        return json.dumps(dataclasses.asdict(self), indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Run":
        """Return the run stored in ``text``."""
        values: dict[str, Any] = json.loads(text)
        parts = {"model": decoder_only_from_dict(values["model"]), "recipe": Recipe(**values["recipe"])}
        return cls(**{**values, **parts})


def make_run(task: str, encoding: str, seed: int, recipe: Recipe | None = None, **sizes: Any) -> Run:
    """Return the run of an encoding on a task; ``sizes`` are the model's.

    Without a recipe, it is the task's own.

    Raises:
        ValueError: an unknown task or encoding, or a value that the model does not allow.
    """
    _check_encoding(encoding)
    vocabulary = vocabulary_of(find(task))
    model = DecoderOnlyConfig(len(vocabulary), positional=ENCODINGS[encoding], **sizes)
    return Run(task, encoding, seed, model, recipe or _RECIPES.get(task, Recipe()))


def _check_encoding(name: str) -> None:
    if name not in ENCODINGS:
        raise ValueError(f"{name!r} is no encoding of the zoo; there are {', '.join(ENCODINGS)}")


def planned(
    tasks: Sequence[str] = (), encodings: Sequence[str] = (), seeds: Sequence[int] = (), **changes: int
) -> list[Run]:
    """Return the runs of the zoo, the most telling first; any arguments choose among them.

    A task and an encoding that the plan does not combine are added at its end when both are named.
    ``changes`` are to entries of every recipe.

    Raises:
        ValueError: an unknown task or encoding, or a change that no recipe allows.
    """
    runs = [make_run(*entry) for entry in entries(tasks, encodings, seeds)]
    return [dataclasses.replace(run, recipe=dataclasses.replace(run.recipe, **changes)) for run in runs]


def entries(tasks: Sequence[str] = (), encodings: Sequence[str] = (), seeds: Sequence[int] = ()) -> list[Entry]:
    """Return task, encoding and seed of the runs that :func:`planned` returns.

    Raises:
        ValueError: an unknown task or encoding.
    """
    for task in tasks:
        find(task)
    for encoding in encodings:
        _check_encoding(encoding)
    chosen = [
        entry
        for entry in _in_order()
        if (not tasks or entry[0] in tasks)
        and (not encodings or entry[1] in encodings)
        and (not seeds or entry[2] in seeds)
    ]
    extra = [(task, encoding, seed) for seed in seeds or _SEEDS for task in tasks for encoding in encodings]
    return list(dict.fromkeys((*chosen, *extra)))


@cache
def tasks_in_order() -> tuple[str, ...]:
    """Return the tasks of the plan, the most telling first."""
    return tuple(dict.fromkeys(task for task, _, _ in _in_order()))


def _in_order() -> Iterator[Entry]:
    planned_tasks = (*_TELLING, *_QUICK, *_CONTENT, *_FURTHER)
    others = tuple(task for task in length_tasks() if task not in (*planned_tasks, *_COUPLED, "addition_hints"))
    for task, encoding in (
        ("reverse_coupled", "t5_near"),
        ("addition_coupled_apart", "t5_nearer"),
        ("addition_hints", "randomized_fire"),
    ):
        yield task, encoding, 1
    for tasks in (_TELLING, _QUICK, _CONTENT, _FURTHER):
        yield from ((task, encoding, seed) for seed in _SEEDS for task in tasks for encoding in _COMPARED)
    yield from ((task, encoding, seed) for seed in _SEEDS for task in _COUPLED for encoding in _FOR_COUPLING)
    yield from (("addition_hints", encoding, seed) for seed in _SEEDS for encoding in ("t5", "randomized_fire"))
    yield from ((task, _SLOWEST, seed) for seed in _SEEDS for task in planned_tasks)
    ranked = (*_TELLING, *_QUICK, *_CONTENT)
    yield from ((task, encoding, seed) for encoding in _NEWER for task in ranked for seed in _SEEDS)
    yield from ((task, encoding, _SEEDS[0]) for task in others for encoding in (*_COMPARED, _SLOWEST))
