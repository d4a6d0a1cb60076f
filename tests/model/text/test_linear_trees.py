"""Trees as symbols, there and back."""

import pytest

from model.text.linear_trees import LABELS, TAGS, MalformedTreeError, Symbol, TreeSymbols, tree_of
from model.text.trees import read_trees, words

TREE, OTHER = read_trees("(ROOT (S (NP (DT The) (NN dog)) (VP (VBZ barks)) (. .))) (ROOT (NP (NN Dogs)) (UH well))")


def test_symbols_are_written_as_vinyals_and_others_write_them() -> None:
    symbols = TreeSymbols(100)
    written = [str(symbols.symbol(token)) for token in symbols.encode(TREE)]
    assert " ".join(written) == "(S (NP XX XX )NP (VP XX )VP XX )S"
    tagged = TreeSymbols(100, tags=True)
    assert " ".join(str(tagged.symbol(token)) for token in tagged.encode(TREE)) == "(S (NP DT NN )NP (VP VBZ )VP . )S"


@pytest.mark.parametrize("tree", [TREE, OTHER])
def test_a_tree_comes_back_from_its_symbols(tree) -> None:
    symbols = TreeSymbols(7, tags=True)
    texts = [word.text for word in words(tree)]
    assert tree_of([symbols.symbol(token) for token in symbols.encode(tree)], texts) == tree


def test_the_vocabulary_ends_with_the_symbols() -> None:
    for tags, n_words in ((False, 1), (True, len(TAGS))):
        symbols = TreeSymbols(10, tags)
        assert symbols.vocabulary_size == 10 + 1 + n_words + 2 * len(LABELS)
        assert symbols.symbol(symbols.end_id) == Symbol("end")


@pytest.mark.parametrize(
    ("symbols", "key"),
    [
        ("(S XX", "a bracket stays open"),
        ("(S XX )NP", "a bracket closes that is not open"),
        ("XX )S", "a bracket closes that is not open"),
        ("(S )S XX", "a bracket without words"),
        ("(S XX XX )S", "too many words"),
        ("", "too few words"),
    ],
)
def test_what_is_no_tree_is_told(symbols: str, key: str) -> None:
    with pytest.raises(MalformedTreeError) as raised:
        tree_of([_symbol(text) for text in symbols.split()], ["one"])
    assert raised.value.key == key


def test_an_unknown_label_is_named() -> None:
    with pytest.raises(ValueError, match="CLAUSE"):
        TreeSymbols(0).encode(read_trees("(ROOT (CLAUSE (NN x)))")[0])


def _symbol(text: str) -> Symbol:
    kind = {"(": "open", ")": "close"}.get(text[0], "word")
    return Symbol(kind, text.lstrip("()"))  # type: ignore[arg-type]  # one of the kinds
