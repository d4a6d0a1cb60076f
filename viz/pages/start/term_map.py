"""The terms of the glossary where they belong: along the way through a model, and around it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import ceil

from viz.base.glossary import Term
from viz.base.tokens import n_columns
from viz.components.diagram import Arrow, Drawing, Group, Mark, Shape, TitledFrame

WIDTHS = (1352, 706, 358)
"""Pixels that the map is arranged for."""

_GAP, _TITLE, _ROW = 20, 38, 22
# Left of a name, of a column of its letters, and right of it.
_BEFORE, _COLUMN, _AFTER = 27, 6.5, 8


@dataclass(frozen=True)
class _Place:
    """A box of terms: the name of its title, and whether the model goes on to the next one."""

    name: str
    terms: tuple[str, ...]
    leads_on: bool = False

    @property
    def height(self) -> int:
        return _TITLE + _ROW * len(self.terms)


PLACES = (
    _Place(
        "input",
        ("token", "embedding", "positional encoding", "absolute position", "relative position", "RoPE"),
        leads_on=True,
    ),
    _Place(
        "attention",
        (
            "self-attention",
            "cross-attention",
            "head",
            "query, key and value",
            "score",
            "causal mask",
            "softmax",
            "attention weight",
        ),
        leads_on=True,
    ),
    _Place(
        "layers",
        (
            "layer",
            "induction head",
            "residual stream",
            "layer normalization",
            "pre-norm and post-norm",
            "feed-forward block",
            "segment",
            "memory",
        ),
        leads_on=True,
    ),
    _Place("output", ("logit", "log-probability", "greedy decoding", "sampling", "beam search", "length penalty")),
    _Place("training", ("seed", "checkpoint", "label smoothing")),
    _Place(
        "measures",
        (
            "BLEU",
            "exact match",
            "perplexity",
            "bits per character",
            "length generalization",
            "alignment error rate",
            "rank correlation",
        ),
    ),
    _Place(
        "inside",
        (
            "hook",
            "intervene",
            "ablate",
            "prune",
            "attention rollout",
            "attention sink",
            "constituency tree",
            "PCFG",
        ),
    ),
)
"""Every term of the glossary, once."""


def term_maps(terms: Mapping[str, Term], words: Mapping[str, str]) -> tuple[Drawing, ...]:
    """Return the map for each of :data:`WIDTHS`.

    Args:
        terms: by their English names.
        words: the titles of the boxes, by the names of :data:`PLACES`.
    """
    return tuple(_arranged(width, terms, words) for width in WIDTHS)


def _arranged(width: int, terms: Mapping[str, Term], words: Mapping[str, str]) -> Drawing:
    shapes: list[Shape] = []
    x = top = bottom = 1
    has_arrow = False
    for place in PLACES:
        own_width = _width([terms[name].title for name in place.terms])
        if x + own_width > width:
            x, top, has_arrow = 1, bottom + _GAP, False
        if has_arrow:
            shapes.append(Arrow(((x - _GAP, top + _TITLE / 2), (x, top + _TITLE / 2))))
        shapes.append(Group(x, top, _box(place, own_width, terms, words[place.name])))
        bottom = max(bottom, top + place.height)
        x += own_width + _GAP
        has_arrow = place.leads_on
    return Drawing(width, bottom + 1, tuple(shapes))


def _width(names: Iterable[str]) -> int:
    return _BEFORE + ceil(_COLUMN * max(map(n_columns, names))) + _AFTER


def _box(place: _Place, width: int, terms: Mapping[str, Term], title: str) -> tuple[Shape, ...]:
    entries = [terms[name] for name in place.terms]
    marks = (
        Mark(
            term.name,
            term.title,
            "\n".join(dict.fromkeys((term.title, term.name))),
            17,
            _TITLE + _ROW * row,
            "right",
            f"#{term.anchor}",
        )
        for row, term in enumerate(entries)
    )
    return (TitledFrame(0, 0, width, place.height, title), *marks)
