"""Records for the components of this topic: the tokens of a line, and the tree of a search."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class LineToken:
    """A displayed token; ``alternatives`` are labels and probabilities, ``chosen`` its index there.

    ``is_slip`` marks it as part of what is probably wrong.
    """

    label: str
    starts_word: bool
    probability: float
    alternatives: tuple[tuple[str, float], ...]
    chosen: int | None
    is_slip: bool = False


@dataclass(frozen=True)
class SourceToken:
    """A token of the source as it is shown; ``is_slip`` marks it as part of what the translation has not."""

    label: str
    starts_word: bool
    is_slip: bool = False


@dataclass(frozen=True)
class TreeNode:
    """A candidate of the search.

    Attributes:
        step: its column, from 0.
        rank: its row, from 0.
        parent: the number of the node it goes on from; None for the tree's own beginning.
        label: its token, as it is shown.
        text: all that is written up to it.
        probability: of its token.
        total: log-probability of all its tokens.
        score: what it would be ranked by if it ended here.
        fate: "kept", "finished" or "pruned".
        can_go_on: whether a visitor may have the search go on from it.
    """

    step: int
    rank: int
    parent: int | None
    label: str
    text: str
    probability: float
    total: float
    score: float
    fate: str
    can_go_on: bool


@dataclass(frozen=True)
class Tree:
    """All nodes, parents before children; the text before the first one; and a unique key."""

    nodes: Sequence[TreeNode]
    beginning: str
    key: str
