"""Scores of the heads of a recording, and what is read inside a model, as tables."""

from collections.abc import Sequence

import numpy as np
import torch

from model.analysis.maps.head_scores import induction_score, previous_token_score
from pretrained.huggingface.inside import ForeignAttribution, ForeignLens, ForeignScores
from viz.base.attention_maps import AttentionKind
from viz.base.exports import rows_as_csv


def scores_of(kinds: Sequence[AttentionKind]) -> ForeignScores:
    """Return the scores of every head of a recording on its own texts; there is none on random tokens.

    Every kind has as many heads. Those of cross-attention look from one text at another, and have no such scores.
    """
    parts = [kind for kind in kinds if kind.name != "cross"]
    rows = [(kind, torch.from_numpy(np.array(layer))[None]) for kind in parts for layer in kind.weights]
    previous = torch.stack([previous_token_score(pattern) for _, pattern in rows]).numpy()
    induction = torch.stack([induction_score(pattern, _tokens_of(kind)) for kind, pattern in rows]).numpy()
    missing = np.full_like(previous, np.nan)
    return ForeignScores(
        tuple(layer for kind in parts for layer in kind.own_layers),
        0,
        np.stack([previous, missing]),
        np.stack([induction, missing]),
        tuple(kind.name for kind, _ in rows) if len(parts) > 1 else (),
    )


def _tokens_of(kind: AttentionKind) -> torch.Tensor:
    labels = kind.keys.labels
    return torch.tensor([[labels.index(label) for label in labels]])


def scores_as_csv(scores: ForeignScores) -> str:
    """Return a table with a row for each head: its part, its layer and number, from 1, and its scores."""
    headings = ["part", "layer", "head", "read", "previous token", "induction"]
    parts = scores.blocks or ("self",) * len(scores.layers)
    rows = [
        [
            parts[layer],
            1 + number,
            1 + head,
            ("text", "random")[at],
            f"{previous:.6g}",
            f"{scores.induction[at, layer, head]:.6g}",
        ]
        for at in range(2 if scores.n_random else 1)
        for layer, number in enumerate(scores.layers)
        for head, previous in enumerate(scores.previous[at, layer].tolist())
        if np.isfinite(previous)
    ]
    return rows_as_csv(headings, rows)


def lens_as_csv(lens: ForeignLens) -> str:
    """Return a table of every depth, from 0, and place: the top token, and the final token's probability."""
    headings = ["token", "text", "depth", "probability of final", "rank", "likeliest", "probability"]
    rows = [
        [place + 1, token, depth, f"{lens.of_final[depth, place]:.6g}", rank + 1, label, f"{share:.6g}"]
        for place, token in enumerate(lens.tokens)
        for depth in range(len(lens.labels))
        for rank, (label, share) in enumerate(
            zip(lens.labels[depth][place], lens.probabilities[depth, place].tolist(), strict=True)
        )
    ]
    return rows_as_csv(headings, rows)


def attribution_as_csv(attribution: ForeignAttribution) -> str:
    """Return a table with a row for each part of the model, and its effect on each candidate's logit."""
    numbers = [("input", "", "", attribution.start)]
    parts = attribution.blocks or ("self",) * len(attribution.layers)
    for layer, number in enumerate(attribution.layers):
        heads = attribution.heads[layer]
        numbers += [(f"head, {parts[layer]}", f"{1 + number}", f"{1 + head}", row) for head, row in enumerate(heads)]
        numbers.append(("rest", f"{1 + number}", "", attribution.rest[layer]))
    numbers += [("bias", "", "", attribution.bias), ("logit", "", "", attribution.logits)]
    rows = [
        [part, layer, head, *(f"{value:.6g}" for value in row.tolist())]
        for part, layer, head, row in numbers
        if np.isfinite(row).all()
    ]
    return rows_as_csv(["part", "layer", "head", *attribution.candidates], rows)
