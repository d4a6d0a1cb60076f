"""Edits of one attention head: its pattern, how sharp that is, and how much its output counts.

Unlike an ablation, an edit of the pattern keeps what the head passes on of a token, and changes which tokens these are.
"""

import math
from dataclasses import dataclass
from functools import partial
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from model.hooks import Edit

Shape = Literal["as is", "uniform", "previous", "same", "token"]


@dataclass(frozen=True)
class HeadEdit:
    """An edit of one head.

    Attributes:
        block: the hook points' prefix, such as ``decoder.1.cross_attention``.
        head: from 0.
        shape: where its rows look: over all keys alike, at the position before the query's, at the same position, or at
            the one key ``token``. A target beyond the keys becomes the nearest key that the query may see.
        token: the key of the shape ``token``, from 0.
        row: the query whose row has that shape; None for all of them.
        temperature: the scores are divided by it.
        scale: the head's output is multiplied by it.

    Raises:
        ValueError: a temperature that is not a finite number above 0, or a scale that is not finite.
    """

    block: str
    head: int
    shape: Shape = "as is"
    token: int = 0
    row: int | None = None
    temperature: float = 1.0
    scale: float = 1.0

    def __post_init__(self) -> None:
        """Check the numbers."""
        if not (math.isfinite(self.temperature) and self.temperature > 0):
            raise ValueError(f"temperature is {self.temperature:g}; it must be a finite number above 0")
        if not math.isfinite(self.scale):
            raise ValueError(f"scale is {self.scale:g}; it must be finite")


@dataclass
class _Position:
    """The first query of a pass, which while a text is written has only the latest one."""

    n_queries: int = 0
    n_keys: int = 0

    def see_queries(self, q: Float[Tensor, "batch head query d_head"]) -> Tensor:
        """Count them, and return them as they are."""
        self.n_queries = q.shape[2]
        return q

    def see_keys(self, k: Float[Tensor, "batch head key d_head"]) -> Tensor:
        """Count them, those of earlier passes too, and return them as they are."""
        self.n_keys = k.shape[2]
        return k

    @property
    def first(self) -> int:
        """The position of the first query, from 0."""
        return self.n_keys - self.n_queries


def head_edits(edit: HeadEdit) -> dict[str, Edit]:
    """Return the edits, for :func:`~model.hooks.intervene`, that do ``edit`` in every pass of one context.

    The sources of a batch have one length. While a text is written token by token, cross-attention alone cannot tell
    which token it is; the keys of the self-attention before it, which grow with the text, do.
    """
    head, edits = edit.head, dict[str, Edit]()
    if edit.temperature != 1:
        edits[f"{edit.block}.scores"] = partial(_scaled, head=head, factor=1 / edit.temperature)
    if edit.shape != "as is":
        position = _Position()
        stack, layer, _ = edit.block.split(".")
        if stack == "decoder":
            edits[f"decoder.{layer}.self_attention.q"] = position.see_queries
            edits[f"decoder.{layer}.self_attention.k"] = position.see_keys
        edits[f"{edit.block}.pattern"] = partial(_shaped, edit=edit, position=position)
    if edit.scale != 1:
        edits[f"{edit.block}.z"] = partial(_scaled, head=head, factor=edit.scale)
    return edits


def _scaled(x: Tensor, *, head: int, factor: float) -> Tensor:
    x = x.clone()
    x[:, head] *= factor
    return x


def _shaped(pattern: Float[Tensor, "batch head query key"], *, edit: HeadEdit, position: _Position) -> Tensor:
    n_queries, n_keys = pattern.shape[2:]
    queries = torch.arange(position.first, position.first + n_queries, device=pattern.device)
    keys = torch.arange(n_keys, device=pattern.device)
    last = queries if _is_causal(edit) else torch.full_like(queries, n_keys - 1)
    if edit.shape == "uniform":
        is_read = keys <= last[:, None]  # [Q, K]
    else:
        targets = {"previous": queries - 1, "same": queries, "token": torch.full_like(queries, edit.token)}[edit.shape]
        is_read = keys == targets.clamp(min=0).minimum(last)[:, None]  # [Q, K]
    rows = is_read / is_read.sum(1, keepdim=True)  # [Q, K]
    is_edited = torch.ones_like(queries, dtype=torch.bool) if edit.row is None else queries == edit.row
    pattern = pattern.clone()
    pattern[:, edit.head, is_edited] = rows[is_edited].to(pattern)
    return pattern


def _is_causal(edit: HeadEdit) -> bool:
    return edit.block.startswith("decoder.") and edit.block.endswith(".self_attention")
