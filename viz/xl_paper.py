"""What Dai et al. 2019 (arXiv:1901.02860) measured: the numbers of ``viz/data/dai_2019.json``, and their tables."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parent / "data" / "dai_2019.json"


@dataclass(frozen=True)
class PublishedModel:
    """A model of the paper: its name, of one of ours where it is its counterpart, its title, its size in parameters.

    ``lengths`` is its relative effective context length for each share of hardest positions.
    """

    name: str
    title: str
    n_parameters: int
    lengths: Mapping[float, int]


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
    """

    paper: str
    models: tuple[PublishedModel, ...]
    context_source: str
    hardest: tuple[float, ...]
    slowdown: Mapping[int, int]
    speed_source: str


@cache
def paper() -> Paper:
    """Return the published numbers."""
    stored: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    contexts, speed = stored["effective_context"], stored["evaluation_speed"]
    hardest = tuple(contexts["hardest"])
    models = [
        PublishedModel(
            one["name"], one["title"], group["n_parameters"], dict(zip(hardest, one["lengths"], strict=True))
        )
        for group in contexts["groups"]
        for one in group["models"]
    ]
    slowdown = dict(speed["slowdown"])
    return Paper(stored["paper"], tuple(models), contexts["source"], hardest, slowdown, speed["source"])
