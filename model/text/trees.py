"""Constituency trees: reading Penn brackets, and the words and constituents of a tree."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_TOKEN = re.compile(r"\(|\)|[^\s()]+")
_FUNCTION = re.compile(r"(?<=.)[-=|].*")
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}


@dataclass(frozen=True)
class TaggedWord:
    """A word with its part of speech, as Penn's tags name it."""

    tag: str
    text: str


@dataclass(frozen=True)
class Constituent:
    """A constituent: its label, such as NP, and what it consists of, at least one word or constituent."""

    label: str
    children: "tuple[Constituent | TaggedWord, ...]"


Tree = tuple[Constituent | TaggedWord, ...]
"""What stands below the root: usually one constituent, sometimes several or a bare word."""


@dataclass(frozen=True)
class Span:
    """A constituent by its place: words ``start`` up to but without ``end``."""

    label: str
    start: int
    end: int


def read_trees(text: str) -> list[Tree]:
    """Return the trees in ``text``, each ``(ROOT …)`` or ``( …)``, without functions of labels.

    NP-SBJ becomes NP.

    Raises:
        ValueError: brackets that do not match, or a constituent without words.
    """
    tokens = _TOKEN.findall(text)
    trees, at = [], 0
    while at < len(tokens):
        node, at = _read(tokens, at)
        if isinstance(node, TaggedWord):
            raise ValueError(f"a tree consists of the word {node.text!r} alone; it needs a root around it")
        trees.append(node.children)
    return trees


def words(tree: Sequence[Constituent | TaggedWord]) -> list[TaggedWord]:
    """Return the words of ``tree`` in their order."""
    return [word for node in tree for word in ([node] if isinstance(node, TaggedWord) else words(node.children))]


def spans(tree: Sequence[Constituent | TaggedWord], start: int = 0) -> list[Span]:
    """Return the constituents of ``tree``, outer ones first; its first word has the number ``start``."""
    constituents = []
    for node in tree:
        if isinstance(node, TaggedWord):
            start += 1
            continue
        inner = spans(node.children, start)
        end = start + len(words(node.children))
        constituents += [Span(node.label, start, end), *inner]
        start = end
    return constituents


def constituents(tree: Sequence[Constituent | TaggedWord]) -> Iterator[Constituent]:
    """Yield every constituent of ``tree``, the outer ones first."""
    for node in tree:
        if isinstance(node, Constituent):
            yield node
            yield from constituents(node.children)


def to_brackets(tree: Sequence[Constituent | TaggedWord]) -> str:
    """Return ``tree`` in Penn brackets on one line, with a root."""
    return f"(ROOT {' '.join(map(_bracketed, tree))})"


def escaped(text: str) -> str:
    """Return a word as Penn brackets can hold it: a bracket by its name."""
    return {bracket: name for name, bracket in _BRACKETS.items()}.get(text, text)


def _bracketed(node: Constituent | TaggedWord) -> str:
    if isinstance(node, TaggedWord):
        return f"({node.tag} {escaped(node.text)})"
    return f"({node.label} {' '.join(map(_bracketed, node.children))})"


def _read(tokens: Sequence[str], at: int) -> tuple[Constituent | TaggedWord, int]:
    """Return the node that begins at ``tokens[at]``, and where the next one begins."""
    if tokens[at] != "(":
        raise ValueError(f"{tokens[at]!r} stands where a bracket should open")
    at += 1
    label = ""
    if at < len(tokens) and tokens[at] not in "()":
        label, at = tokens[at], at + 1
    if at < len(tokens) and tokens[at] not in "()":
        word, at = tokens[at], at + 1
        if at == len(tokens) or tokens[at] != ")":
            raise ValueError(f"the bracket of the word {word!r} does not close")
        return TaggedWord(label, _BRACKETS.get(word, word)), at + 1
    children: list[Constituent | TaggedWord] = []
    while at < len(tokens) and tokens[at] == "(":
        child, at = _read(tokens, at)
        children.append(child)
    if at == len(tokens):
        raise ValueError("the last bracket does not close")
    if not children:
        raise ValueError(f"the constituent {label!r} has no words")
    return Constituent(_FUNCTION.sub("", label), tuple(children)), at + 1
