"""What was measured of heads, sentence by sentence, as a row a head."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from model.analysis.maps.head_roles import MAX_OFFSET, MEASURES, Kind, SentenceMeasures

Measured = Mapping[tuple[Kind, int], SentenceMeasures]
"""The measures of one sentence, by kind and layer from 0."""


def by_layer(sentences: Iterable[Measured]) -> dict[tuple[Kind, int], list[SentenceMeasures]]:
    """Return the measures of each layer, sentence after sentence."""
    found: dict[tuple[Kind, int], list[SentenceMeasures]] = {}
    for of_sentence in sentences:
        for at, measures in of_sentence.items():
            found.setdefault(at, []).append(measures)
    return found


def head_rows(sentences: Iterable[Measured]) -> Iterator[dict[str, Any]]:
    """Yield for each head its kind, its layer and number from 1, and the means of its measures.

    ``offset`` is the relative position that its largest weight falls on most often, and ``offset_share`` how often.
    """
    for (kind, layer), measured in by_layer(sentences).items():
        counts = np.sum([one.offsets for one in measured], axis=0)  # [H, offset]
        offsets = counts / sum(one.n_places for one in measured)
        for head in range(len(offsets)):
            best = int(np.argmax(offsets[head]))
            yield {
                "kind": kind,
                "layer": layer + 1,
                "head": head + 1,
                **{name: _mean(np.array([one.values[name][head] for one in measured])) for name in MEASURES},
                "offset": best - MAX_OFFSET,
                "offset_share": float(offsets[head, best]),
            }


def _mean(values: np.ndarray) -> float:
    return float("nan") if np.isnan(values).all() else float(np.nanmean(values))
