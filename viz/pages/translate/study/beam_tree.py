"""The search behind a translation, prepared for showing: its tree, and the tree as a table."""

import math

from model.decoding.beam_tree import tokens_to
from model.decoding.translator import Translation
from model.text.tokenizer import BOS_ID, EOS_ID, PAD_ID, UNKNOWN_ID, Tokenizer
from viz.base.exports import rows_as_csv
from viz.base.tokens import label_alone, visible
from viz.pages.translate.study.records import Tree, TreeNode

_NO_TEXT = {PAD_ID, UNKNOWN_ID, BOS_ID, EOS_ID}


def tree_of(translation: Translation, tokenizer: Tokenizer, *, start: str, key: str) -> Tree:
    """Return the tree of the search for ``translation``; ``start`` labels an empty beginning."""
    forced = given_tokens(translation)
    pieces = tokenizer.pieces([one.token for one in translation.tree])
    nodes = [
        TreeNode(
            step=one.step,
            rank=one.rank,
            parent=one.parent,
            label=label_alone(piece),
            text=visible(tokenizer.decode([*forced, *tokens_to(translation.tree, number)])),
            probability=math.exp(one.log_probability),
            total=one.total,
            score=one.score,
            fate=one.fate,
            can_go_on=one.token not in _NO_TEXT,
        )
        for number, (one, piece) in enumerate(zip(translation.tree, pieces, strict=True))
    ]
    return Tree(nodes, visible(tokenizer.decode(forced)) or start, key)


def beginning_at(translation: Translation, number: int) -> tuple[int, ...]:
    """Return the tokens up to node ``number`` of the tree, those that were given among them.

    Raises:
        ValueError: there is no such node, or nothing goes on after it.
    """
    if not 0 <= number < len(translation.tree):
        raise ValueError(f"the tree has {len(translation.tree)} nodes, and none of number {number}")
    if translation.tree[number].token in _NO_TEXT:
        raise ValueError(f"node {number} of the tree ends its text")
    return (*given_tokens(translation), *tokens_to(translation.tree, number))


def given_tokens(translation: Translation) -> tuple[int, ...]:
    """Return the tokens that the translation was made to begin with."""
    return tuple(token.id for token in translation.tokens[: translation.n_given])


def tree_as_csv(tree: Tree) -> str:
    """Return a table of all nodes, each with the number of its parent."""
    rows = (
        [number, node.step + 1, node.rank + 1, "" if node.parent is None else node.parent, node.label, node.text]
        + [f"{value:.6g}" for value in (node.probability, node.total, node.score)]
        + [node.fate]
        for number, node in enumerate(tree.nodes)
    )
    columns = ["node", "step", "rank", "parent", "token", "text", "probability", "log-probability", "score", "fate"]
    return rows_as_csv(columns, rows)
