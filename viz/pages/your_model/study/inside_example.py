"""Scores of the heads of a recording, and what is read inside a model, as tables."""

import numpy as np
import torch

from model.analysis.maps.head_scores import induction_score, previous_token_score
from pretrained.huggingface.inside import ForeignAttribution, ForeignLens, ForeignScores
from viz.base.attention_maps import AttentionKind
from viz.base.exports import rows_as_csv


def scores_of(kind: AttentionKind) -> ForeignScores:
    """Return the scores of every head of a recording on its own text; there is none on random tokens."""
    labels = kind.keys.labels
    tokens = torch.tensor([[labels.index(label) for label in labels]])
    patterns = [torch.from_numpy(np.array(layer))[None] for layer in kind.weights]
    previous = torch.stack([previous_token_score(pattern) for pattern in patterns]).numpy()
    induction = torch.stack([induction_score(pattern, tokens) for pattern in patterns]).numpy()
    missing = np.full_like(previous, np.nan)
    return ForeignScores(kind.own_layers, 0, np.stack([previous, missing]), np.stack([induction, missing]))


def scores_as_csv(scores: ForeignScores) -> str:
    """Return a table with a row for each head: its layer and number, from 1, and its scores."""
    headings = ["layer", "head", "read", "previous token", "induction"]
    rows = [
        [1 + number, 1 + head, ("text", "random")[at], f"{previous:.6g}", f"{scores.induction[at, layer, head]:.6g}"]
        for at in range(2 if scores.n_random else 1)
        for layer, number in enumerate(scores.layers)
        for head, previous in enumerate(scores.previous[at, layer].tolist())
    ]
    return rows_as_csv(headings, rows)


def lens_as_csv(lens: ForeignLens) -> str:
    """Return a table of every depth, from 0 for the input, and place: what is likeliest, and the final one's share."""
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


def attribution_as_csv(found: ForeignAttribution) -> str:
    """Return a table with a row for each part of the model, and what it adds to the logit of each candidate."""
    numbers = [("input", "", "", found.start)]
    for layer, number in enumerate(found.layers):
        heads = found.heads[layer]
        numbers += [("head", f"{1 + number}", f"{1 + head}", row) for head, row in enumerate(heads)]
        numbers.append(("rest", f"{1 + number}", "", found.rest[layer]))
    numbers += [("bias", "", "", found.bias), ("logit", "", "", found.logits)]
    rows = [
        [part, layer, head, *(f"{value:.6g}" for value in row.tolist())]
        for part, layer, head, row in numbers
        if np.isfinite(row).all()
    ]
    return rows_as_csv(["part", "layer", "head", *found.candidates], rows)
