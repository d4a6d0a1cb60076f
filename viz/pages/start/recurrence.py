"""Pictures and questions about Transformer-XL: a segment's context, its reach, and score terms."""

from dataclasses import dataclass

import numpy as np

from viz.base.link_parameters import Choice
from viz.base.words import page_text
from viz.pages.start.drawing import chart
from viz.pages.start.figures.cells import cells, mosaic
from viz.pages.start.stops import Answer, Picture, PictureContent, PictureControl
from viz.pages.start.study.recurrence import TERMS, reach, score_terms, terms_of_distance, visible_with_memory

TEXT = page_text("pages/start/recurrence")
_SEGMENT = Choice("segment", 8, (4, 6, 8, 12, 16))
_LAYERS = Choice("layers", 4, (1, 2, 3, 4, 6, 8, 12))
_N_TOKENS, _WIDTH = 10, 16


@dataclass(frozen=True)
class Memory:
    """The length of a segment, and of the memory, which is as long; and how many layers there are."""

    segment: int = _SEGMENT.default
    layers: int = _LAYERS.default


def _memory(memory: Memory) -> PictureContent:
    segment = memory.segment
    seen = visible_with_memory(segment, segment)
    # What is remembered is a little lighter than the segment itself.
    shown = seen * np.where(np.arange(2 * segment) < segment, 0.5, 1.0)
    columns = [str(place) for place in range(-segment, segment)]
    matrix = chart(
        "memory-mask",
        TEXT["alt memory"].format(segment=segment),
        cells(
            shown,
            hover=TEXT["hover"],
            height=300,
            rows=[str(place) for place in range(segment)],
            columns=[place.replace("-", "\N{MINUS SIGN}") for place in columns],
        ),
    )
    return PictureContent((matrix,), TEXT["memory"])


def memory_reach(memory: Memory) -> Answer:
    """Return how many positions before its own segment the top layer depends on."""
    return Answer(reach(memory.layers, memory.segment, memory.segment), vars(memory))


MEMORY = Picture(
    _memory,
    Memory,
    lambda _: (PictureControl("segment", _SEGMENT, TEXT["segment"]), PictureControl("layers", _LAYERS, TEXT["layers"])),
)


def _terms(_: None) -> PictureContent:
    terms = {TEXT[f"term {name}"]: term for name, term in score_terms(_N_TOKENS, _WIDTH).items()}
    maps = chart("four-terms", TEXT["alt terms"].format(n=_N_TOKENS), mosaic(terms, per_row=2, height=420))
    return PictureContent((maps,), TEXT["terms"].format(n=_N_TOKENS))


def distance_term(_: None) -> Answer:
    """Return the term that depends on the distance alone."""
    (name,) = terms_of_distance(score_terms(_N_TOKENS, _WIDTH))
    return Answer(TEXT[f"term {name}"], {}, tuple(TEXT[f"term {term}"] for term in TERMS))


FOUR_TERMS = Picture(_terms)
