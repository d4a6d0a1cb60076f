"""Corpora: found and checked by name, and split so that no sentence is on both sides."""

import random
import re
from pathlib import Path

import pytest

from model.data.corpora import PARALLEL_CORPORA
from model.data.loading import (
    DATA_DIR_VARIABLE,
    CorpusMissingError,
    Pair,
    load_parallel,
    load_split,
    split_by_sentence,
)


def spelled_alike(sentence: str) -> str:
    return "".join(character for character in sentence.casefold() if character.isalnum()) or sentence


def relatives() -> list[Pair]:
    """Sentences that share sources, targets, case and punctuation in every way."""
    pairs = []
    for number in range(60):
        pairs += [
            Pair(f"Sentence {number}.", f"Satz {number}."),
            Pair(f"Sentence {number}!", f"Der Satz {number}!"),
            Pair(f"sentence, {number}", f"Satz {number + 1}"),
            Pair(f"The sentence {number}.", f"SATZ  {number}?"),
        ]
    return [*pairs, Pair("!!!", "???"), Pair("?", "!"), Pair("...", "?")]


@pytest.mark.parametrize("n_dev", [1, 20, 100])
def test_no_sentence_is_on_both_sides_in_either_language(n_dev: int) -> None:
    split = split_by_sentence(relatives(), n_dev)
    assert len(split.dev) == n_dev
    assert split.train
    for side in ("source", "target"):
        dev, train = ({spelled_alike(getattr(pair, side)) for pair in pairs} for pairs in (split.dev, split.train))
        assert not dev & train
    assert len({spelled_alike(pair.source) for pair in split.dev}) == n_dev


def test_training_loses_relatives_of_the_dev_set_and_nothing_else() -> None:
    pairs = relatives()
    split = split_by_sentence(pairs, 20)
    dev_sources, dev_targets = (
        {spelled_alike(getattr(pair, side)) for pair in split.dev} for side in ("source", "target")
    )
    kept = [
        pair
        for pair in pairs
        if spelled_alike(pair.source) not in dev_sources and spelled_alike(pair.target) not in dev_targets
    ]
    assert list(split.train) == kept


def test_more_pairs_are_for_training_only_and_under_the_same_rule() -> None:
    pairs, more = relatives(), [Pair("A caption.", "Eine Bildunterschrift."), *relatives()[:80]]
    alone, mixed = split_by_sentence(pairs, 20), split_by_sentence(pairs, 20, more=more)
    assert mixed.dev == alone.dev
    added = mixed.train[len(alone.train) :]
    assert mixed.train[: len(alone.train)] == alone.train
    assert list(added) == [pair for pair in more if pair in {*alone.train, more[0]}]


def test_a_split_is_the_same_every_time() -> None:
    assert split_by_sentence(relatives(), 20) == split_by_sentence(relatives(), 20)


def test_the_dev_sources_depend_on_neither_order_nor_repetition() -> None:
    pairs = relatives()
    expected = {spelled_alike(pair.source) for pair in split_by_sentence(pairs, 20).dev}
    shuffled = pairs * 2
    random.shuffle(shuffled)
    assert {spelled_alike(pair.source) for pair in split_by_sentence(shuffled, 20).dev} == expected


def test_a_larger_dev_set_holds_the_smaller() -> None:
    small, large = (set(split_by_sentence(relatives(), n).dev) for n in (10, 30))
    assert small < large


def test_more_dev_sentences_than_there_are_is_refused_with_both_numbers() -> None:
    pairs = [Pair("One.", "Eins."), Pair("one", "Eine."), Pair("Two.", "Zwei.")]
    with pytest.raises(ValueError, match="dev set of 2 was asked of 2 different sentences"):
        split_by_sentence(pairs, 2)


def test_a_corpus_is_read_from_the_folder_given(tiny_corpus) -> None:
    pairs = load_parallel("tiny", tiny_corpus.data_dir)
    assert len(pairs) == 80
    assert pairs[0] == Pair("Tom sees the ball.", "Tom sieht den Ball.")


def test_a_corpus_is_read_from_the_folder_the_environment_names(tiny_corpus, monkeypatch) -> None:
    monkeypatch.setenv(DATA_DIR_VARIABLE, str(tiny_corpus.data_dir))
    assert len(load_parallel("tiny")) == 80


def test_the_folder_given_goes_before_the_environment(tiny_corpus, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv(DATA_DIR_VARIABLE, str(tmp_path / "nowhere"))
    assert len(load_parallel("tiny", tiny_corpus.data_dir)) == 80


def test_without_a_folder_the_message_names_the_file_and_how_to_name_one(tiny_corpus, monkeypatch) -> None:
    monkeypatch.delenv(DATA_DIR_VARIABLE, raising=False)
    message = rf"tiny.*--data-dir or {DATA_DIR_VARIABLE}.*{re.escape(tiny_corpus.source.name)}.*example\.org"
    with pytest.raises(CorpusMissingError, match=message):
        load_parallel("tiny")


def test_a_missing_file_is_named_with_where_to_get_it(tiny_corpus) -> None:
    tiny_corpus.target.unlink()
    message = rf"{re.escape(str(tiny_corpus.target))}; get it from https://example\.org/tiny\.zip"
    with pytest.raises(CorpusMissingError, match=message):
        load_parallel("tiny", tiny_corpus.data_dir)


def test_another_content_is_named_with_both_checksums(tiny_corpus) -> None:
    tiny_corpus.source.write_text("Something else.\n")
    sums = "has SHA-256 [0-9a-f]{64}.*with [0-9a-f]{64}"
    message = rf"{re.escape(str(tiny_corpus.source))} {sums}: this is another version; docs/training\.md says which"
    with pytest.raises(CorpusMissingError, match=message):
        load_parallel("tiny", tiny_corpus.data_dir)


def test_an_unknown_corpus_is_refused_with_those_there_are(tiny_corpus) -> None:
    with pytest.raises(ValueError, match=r"'klingon' is no corpus; there are .*tatoeba-eng-deu.*tiny"):
        load_parallel("klingon", tiny_corpus.data_dir)


def test_a_dev_set_is_cut_out_of_the_first_corpus_or_is_another_one(tiny_corpus) -> None:
    pairs = load_parallel("tiny", tiny_corpus.data_dir)
    assert load_split(["tiny"], 5, data_dir=tiny_corpus.data_dir) == split_by_sentence(pairs, 5)
    apart = load_split(["tiny", "tiny"], 5, dev_corpus="tiny", data_dir=tiny_corpus.data_dir)
    assert (apart.train, apart.dev) == ((*pairs, *pairs), pairs[:5])


def test_a_dev_set_larger_than_its_corpus_is_refused(tiny_corpus) -> None:
    with pytest.raises(ValueError, match="a dev set of 81 was asked of tiny, which has 80; ask for fewer"):
        load_split(["tiny"], 81, dev_corpus="tiny", data_dir=tiny_corpus.data_dir)


@pytest.mark.parametrize(
    ("corpus", "language", "english"),
    [("tatoeba", "deu", "eng"), ("tatoeba", "fra", "eng"), ("tatoeba", "jpn", "eng")]
    + [(part, language, "en") for part in ("multi30k", "multi30k-val") for language in ("deu", "fra")],
)
def test_a_corpus_can_be_read_in_both_directions(corpus: str, language: str, english: str) -> None:
    there, back = PARALLEL_CORPORA[f"{corpus}-eng-{language}"], PARALLEL_CORPORA[f"{corpus}-{language}-eng"]
    assert (there.source, there.target) == (back.target, back.source)
    assert there.source.path.endswith(f".{english}")


def test_no_two_corpora_are_the_same_files() -> None:
    files = [(corpus.source.sha256, corpus.target.sha256) for corpus in PARALLEL_CORPORA.values()]
    assert len(set(files)) == len(files)
