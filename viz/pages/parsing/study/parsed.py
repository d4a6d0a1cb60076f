"""A parse as the page shows it: constituents with their places, steps, and what each step read."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from model.decoding.parser import Parse
from model.text.trees import Span, Tree, spans


@dataclass(frozen=True)
class WrittenConstituent:
    """A constituent: its label, words, depth, and the steps of its opening and closing brackets."""

    label: str
    start: int
    end: int
    depth: int
    opened: int
    closed: int

    @property
    def span(self) -> Span:
        """Its label and place."""
        return Span(self.label, self.start, self.end)


@dataclass(frozen=True)
class Errors:
    """Nodes that the gold tree lacks, by index, and constituents of the gold tree that are missing."""

    wrong: frozenset[int]
    missing: tuple[Span, ...]


@dataclass(frozen=True)
class FollowingHead:
    """A decoder head, from 0, and its mean weight from a closing bracket's step to the opening bracket."""

    layer: int
    head: int
    weight: float


def nodes_of(parse: Parse) -> tuple[WrittenConstituent, ...]:
    """Return the constituents of a parse that is a tree, in the order of their opening brackets."""
    nodes: list[WrittenConstituent] = []
    open_nodes: list[tuple[int, int, int]] = []
    n_words = 0
    for step, written in enumerate(parse.symbols):
        if written.symbol.kind == "open":
            open_nodes.append((step, n_words, len(open_nodes)))
        elif written.symbol.kind == "word":
            n_words += 1
        elif written.symbol.kind == "close":
            opened, start, depth = open_nodes.pop()
            nodes.append(WrittenConstituent(written.symbol.label, start, n_words, depth, opened, step))
    return tuple(sorted(nodes, key=lambda node: node.opened))


def errors(nodes: Sequence[WrittenConstituent], gold: Tree) -> Errors:
    """Return the ``nodes`` that the gold tree lacks, and its constituents missing among them.

    Constituents count as often as they occur.
    """
    missing = spans(gold)
    wrong = set()
    for place, node in enumerate(nodes):
        if node.span in missing:
            missing.remove(node.span)
        else:
            wrong.add(place)
    return Errors(frozenset(wrong), tuple(missing))


def n_decoder_layers(parse: Parse) -> int:
    """Return how many layers the decoder has."""
    return sum(name.startswith("decoder.") and ".cross_attention." in name for name in parse.patterns)


def weights_on_words(parse: Parse, layer: int) -> Float[np.ndarray, "step word"]:
    """Return what each step's cross-attention in ``layer`` gives to each word, as the mean over heads.

    The pieces of a word are added up; what is missing from 1 lies on the end of the source.
    """
    pattern = parse.patterns[f"decoder.{layer}.cross_attention.pattern"].mean(0)  # [step, piece]
    return np.add.reduceat(pattern[:, : parse.starts[-1]], parse.starts[:-1], axis=1)


def following_heads(parse: Parse, nodes: Sequence[WrittenConstituent]) -> tuple[FollowingHead, ...]:
    """Return every decoder self-attention head by its weight from closing to opening brackets.

    The largest comes first. It is the weight on the opening bracket at the step that writes the closing one,
    as a mean over ``nodes``.
    """
    # Query p predicts symbol p, and key p + 1 is symbol p: BOS is the first.
    closed, opened = [node.closed for node in nodes], [node.opened + 1 for node in nodes]
    heads = []
    for layer in range(n_decoder_layers(parse)):
        pattern = parse.patterns[f"decoder.{layer}.self_attention.pattern"]  # [H, Q, K]
        for head, weight in enumerate(pattern[:, closed, opened].mean(1).tolist()):
            heads.append(FollowingHead(layer, head, weight))
    return tuple(sorted(heads, key=lambda entry: -entry.weight))
