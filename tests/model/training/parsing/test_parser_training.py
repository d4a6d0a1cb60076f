"""Training of parsers: what they learn from, and that they learn it."""

from pathlib import Path

import pytest
import torch

from model.data.loading import CorpusMissingError
from model.data.treebanks import load_treebank
from model.decoding.parser import MAX_WORDS, EncodedWords, TooManyWordsError, looking_ahead
from model.text.linear_trees import TreeSymbols
from model.text.trees import constituents, read_trees, to_brackets, words
from model.training.kinds import KINDS
from model.training.parsing.measure import load_finished_parser, measure_parser
from model.training.parsing.swap_subtrees import SubtreeSwap
from model.training.parsing.trainer import parser_trainer, split_trees
from tests.fixtures.treebank import N_PIECES, TREES, finish_parser, small_parser

ALL = [tree for text in TREES for tree in read_trees(text)]


@pytest.mark.parametrize("reads_ahead", [False, True])
def test_a_small_parser_learns_its_trees(small_treebank: Path, tmp_path: Path, reads_ahead: bool) -> None:
    run = tmp_path / "run"
    data = {"treebank": "small", "n_validated": 2, "tokens_per_batch": 200, "reads_ahead": reads_ahead}
    finish_parser(small_parser(data=data), run, small_treebank)
    scores = measure_parser(run, device=torch.device("cpu"), data_dir=small_treebank)
    assert scores["f1"] == scores["free_f1"] == scores["unlabelled_f1"] == 100
    assert (scores["malformed"], scores["sentences"]) == (0, 3)
    parser, _ = load_finished_parser(run, torch.device("cpu"))
    parse = parser.parse(["The", "dog", "sleeps", "."])
    assert parse.tree is not None
    assert [str(written.symbol) for written in parse.symbols[:3]] == ["(S", "(NP", "XX"]
    assert all(0 <= written.probability <= 1 for written in parse.symbols)
    cross = parse.patterns["decoder.1.cross_attention.pattern"]
    assert cross.shape == (2, len(parse.symbols), parse.starts[-1] + 1)
    assert len(parse.starts) == 5


def test_a_parser_selects_weights_that_it_comes_to() -> None:
    with pytest.raises(ValueError, match="select_from_step is 61; it lies between 0 and n_steps, 60"):
        small_parser(validation={"validate_every": 60, "select_from_step": 61})


@pytest.mark.parametrize(
    "sentence", ["😀 😀", "one", "( ) [ ]", " ".join(["word"] * MAX_WORDS), "Größe ﬁ naïve 東京", "\0", "a \0 b"]
)
def test_every_sentence_gets_a_tree(small_treebank: Path, tmp_path: Path, sentence: str) -> None:
    training = small_parser(schedule={"n_steps": 1, "warmup": 10}, validation={"validate_every": 1})
    finish_parser(training, tmp_path / "run", small_treebank)
    parser, _ = load_finished_parser(tmp_path / "run", torch.device("cpu"))
    tree = parser.parse(sentence.split(), beam_size=1).tree
    assert tree is not None
    assert [word.text for word in words(tree)] == sentence.split()


def test_too_much_and_nothing_are_refused(small_treebank: Path, tmp_path: Path) -> None:
    training = small_parser(schedule={"n_steps": 1, "warmup": 10}, validation={"validate_every": 1})
    finish_parser(training, tmp_path / "run", small_treebank)
    parser, _ = load_finished_parser(tmp_path / "run", torch.device("cpu"))
    with pytest.raises(TooManyWordsError):
        parser.parse(["word"] * (MAX_WORDS + 1))
    for nothing in ([], ["a", " "]):
        with pytest.raises(ValueError, match="at least one word"):
            parser.parse(nothing)


def test_the_vocabulary_ends_with_the_symbols_of_trees() -> None:
    training = small_parser()
    assert training.symbols.first == N_PIECES
    assert training.model.eos_id == training.symbols.end_id
    assert isinstance(KINDS["parsing"].read({"kind": "parsing", **_entries()}).symbols, TreeSymbols)
    with pytest.raises(ValueError, match="pieces need room"):
        small_parser(model={"vocabulary_size": 50})


def _entries() -> dict[str, object]:
    return {
        "data": {"treebank": "gum", "tags": True},
        "schedule": {"n_steps": 1, "warmup": 1},
        "validation": {"validate_every": 1},
        "model": {"vocabulary_size": 400},
    }


def test_a_tokenizer_of_another_size_is_refused(small_treebank: Path, tmp_path: Path) -> None:
    parser_trainer(small_parser(), folder=tmp_path, device=torch.device("cpu"), data_dir=small_treebank)
    larger = small_parser(model={"vocabulary_size": 400, "d_model": 16, "n_heads": 2, "d_key": 8, "d_value": 8})
    with pytest.raises(ValueError, match=f"has {N_PIECES} pieces and the configuration asks for 344"):
        parser_trainer(larger, folder=tmp_path, device=torch.device("cpu"), data_dir=small_treebank)


def test_swapped_constituents_keep_their_labels() -> None:
    varied = SubtreeSwap(ALL, 1.0).varied(1)
    assert [len(words(tree)) for tree in varied] == [4] * len(ALL)
    assert any(one != other for one, other in zip(varied, ALL, strict=True))
    for tree in varied:
        assert [node.label for node in constituents(tree)] == ["S", "NP", "VP"]
        assert to_brackets(tree)
    assert SubtreeSwap(ALL, 1.0).varied(1) == varied
    assert SubtreeSwap(ALL, 0.0).varied(1) == ALL


def test_validation_trees_are_not_trained_on() -> None:
    train, validation = split_trees(ALL, 3)
    assert len(validation) == 3
    assert sorted(map(to_brackets, (*train, *validation))) == sorted(map(to_brackets, ALL))
    with pytest.raises(ValueError, match="leave some"):
        split_trees(ALL, len(ALL))


def test_a_treebank_that_is_another_is_refused(small_treebank: Path) -> None:
    (small_treebank / "small" / "dev" / "more.ptb").write_text("(ROOT (X (UH no)))", encoding="utf-8")
    with pytest.raises(CorpusMissingError, match=r"SHA-256 .*docs/training\.md says which"):
        load_treebank("small", "dev", small_treebank)
    with pytest.raises(ValueError, match="no treebank"):
        load_treebank("large", "dev", small_treebank)


def test_the_next_word_is_read_in_the_place_of_a_symbol() -> None:
    symbols, encoded = TreeSymbols(50), EncodedWords([7, 8, 9], (0, 0, 1))
    assert looking_ahead([60, symbols.word_id, symbols.word_id, 61], encoded, symbols) == [60, 9, symbols.word_id, 61]
    with pytest.raises(ValueError, match="one or the other"):
        small_parser(data={"treebank": "small", "tags": True, "reads_ahead": True})
