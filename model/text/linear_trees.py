"""Trees as sequences of symbols (Vinyals et al. 2015, arXiv:1412.7449, §2.2).

``(S (NP XX XX )NP (VP XX )VP )S``: a bracket opens with its label and closes with it, and a word is XX, or its part of
speech.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from model.text.trees import Constituent, TaggedWord, Tree

_LABELS = """
S NP VP PP SBAR ADVP ADJP PRN WHADVP WHNP NX PRT QP SQ INTJ FRAG SBARQ WHPP CONJP SINV NAC UCP X WHADJP LST RRC WHAVP
"""
LABELS = tuple(_LABELS.split())
"""The constituents of the English Penn Treebank's scheme, the frequent ones first."""

_TAGS = """
NN IN NNP DT JJ , NNS . RB PRP CC VBD VB CD VBN VBZ VBP VBG TO PRP$ -LRB- -RRB- MD : HYPH WDT POS '' `` NNPS WRB WP RP
FW UH EX JJR JJS SYM RBR RBS PDT LS $ WP$ ADD AFX GW NFP XX
"""
TAGS = tuple(_TAGS.split())
"""Its parts of speech."""

END, WORD = "</s>", "XX"
Kind = Literal["open", "close", "word", "end"]


@dataclass(frozen=True)
class Symbol:
    """A symbol of a linear tree: a bracket with its ``label``, a word with its tag (or XX), or the end."""

    kind: Kind
    label: str = ""

    def __str__(self) -> str:
        """Return it as it is written."""
        marks = {"open": "(", "close": ")", "word": "", "end": END}
        return marks[self.kind] + self.label


@dataclass(frozen=True)
class TreeSymbols:
    """The symbols of linear trees, numbered from ``first``: an end, words, and brackets.

    ``tags`` says whether a word is written as its part of speech, else as XX.
    """

    first: int
    tags: bool = False

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """The symbols in the order of their ids."""
        names = TAGS if self.tags else (WORD,)
        return (
            Symbol("end"),
            *(Symbol("word", name) for name in names),
            *(Symbol("open", label) for label in LABELS),
            *(Symbol("close", label) for label in LABELS),
        )

    @cached_property
    def _ids(self) -> dict[Symbol, int]:
        return {symbol: self.first + place for place, symbol in enumerate(self.symbols)}

    @property
    def end_id(self) -> int:
        """The id of the end."""
        return self.first

    @property
    def word_id(self) -> int:
        """The id of XX, or of the first part of speech."""
        return self.first + 1

    @property
    def vocabulary_size(self) -> int:
        """The size of a vocabulary that ends with these symbols."""
        return self.first + len(self.symbols)

    def symbol(self, token: int) -> Symbol:
        """Return the symbol of id ``token``."""
        return self.symbols[token - self.first]

    def encode(self, tree: Tree) -> list[int]:
        """Return the ids of ``tree``, without the end.

        Raises:
            ValueError: the tree has a label or tag that is no symbol.
        """
        try:
            return [self._ids[symbol] for symbol in self._symbols_of(tree)]
        except KeyError as error:
            raise ValueError(f"{error.args[0]} is no symbol of a linear tree") from error

    def _symbols_of(self, tree: Iterable[Constituent | TaggedWord]) -> Iterator[Symbol]:
        for node in tree:
            if isinstance(node, TaggedWord):
                yield Symbol("word", node.tag if self.tags else WORD)
            else:
                yield Symbol("open", node.label)
                yield from self._symbols_of(node.children)
                yield Symbol("close", node.label)


def tree_of(symbols: Sequence[Symbol], texts: Sequence[str]) -> Tree:
    """Return the tree that ``symbols`` write over the words ``texts``; an end, if any, is the last one.

    Raises:
        MalformedTreeError: the brackets do not match, one holds no word, or the words are not as many as ``texts``.
    """
    open_nodes: list[tuple[str, list[Constituent | TaggedWord]]] = [("", [])]
    at = 0
    for symbol in symbols:
        if symbol.kind == "open":
            open_nodes.append((symbol.label, []))
        elif symbol.kind == "word":
            if at == len(texts):
                raise MalformedTreeError("too many words")
            open_nodes[-1][1].append(TaggedWord(symbol.label, texts[at]))
            at += 1
        elif symbol.kind == "close":
            label, children = open_nodes.pop()
            if label != symbol.label or not open_nodes:
                raise MalformedTreeError("a bracket closes that is not open")
            if not children:
                raise MalformedTreeError("a bracket without words")
            open_nodes[-1][1].append(Constituent(label, tuple(children)))
    if len(open_nodes) > 1:
        raise MalformedTreeError("a bracket stays open")
    if at < len(texts):
        raise MalformedTreeError("too few words")
    return tuple(open_nodes[0][1])


class MalformedTreeError(ValueError):
    """Symbols that are no tree over the words; ``key`` says why."""

    def __init__(self, key: str) -> None:
        """Keep the key."""
        super().__init__(key)
        self.key = key
