"""Measurements of Dai et al. 2019 (arXiv:1901.02860) in ``data/dai_2019.json``, and their tables."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parents[1] / "data" / "dai_2019.json"


@dataclass(frozen=True)
class PublishedModel:
    """A model of the paper: its name, that of our counterpart if any, its title, and parameter count.

    ``lengths`` is its relative effective context length for each share of hardest positions.
    """

    name: str
    title: str
    n_parameters: int
    lengths: Mapping[float, int]


@dataclass(frozen=True)
class PublishedAblation:
    """A row of the paper's ablation, under our counterpart's name; two values are None if not reported."""

    name: str
    recurrence: bool
    encoding: str
    loss: str
    perplexity: float | None
    attention_length: int | None


@dataclass(frozen=True)
class Paper:
    """All that is compared with.

    Attributes:
        paper: where it was published.
        models: with their relative effective context lengths, group after group.
        context_source: where these numbers are from.
        hardest: the shares of positions that they are for.
        slowdown: how many times slower a sliding window is, by the length of the context.
        speed_source: where these numbers are from.
        ablation: perplexities with and without recurrence, the encoding and the full loss, the best first.
        ablation_source: where these numbers are from.
    """

    paper: str
    models: tuple[PublishedModel, ...]
    context_source: str
    hardest: tuple[float, ...]
    slowdown: Mapping[int, int]
    speed_source: str
    ablation: tuple[PublishedAblation, ...]
    ablation_source: str


@cache
def paper() -> Paper:
    """Return the published numbers."""
    stored: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    contexts, speed, ablation = stored["effective_context"], stored["evaluation_speed"], stored["ablation"]
    hardest = tuple(contexts["hardest"])
    models = [
        PublishedModel(
            one["name"], one["title"], group["n_parameters"], dict(zip(hardest, one["lengths"], strict=True))
        )
        for group in contexts["groups"]
        for one in group["models"]
    ]
    slowdown = dict(speed["slowdown"])
    return Paper(
        paper=stored["paper"],
        models=tuple(models),
        context_source=contexts["source"],
        hardest=hardest,
        slowdown=slowdown,
        speed_source=speed["source"],
        ablation=tuple(PublishedAblation(**row) for row in ablation["rows"]),
        ablation_source=ablation["source"],
    )
