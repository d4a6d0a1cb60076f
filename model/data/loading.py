"""Corpora read from a data folder, and how training and dev sides are kept apart."""

import hashlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from model.data.corpora import PARALLEL_CORPORA, TEXT_CORPORA, CorpusFile, ParallelCorpus, TextCorpus

DATA_DIR_VARIABLE = "TRANSFORMER_DATA_DIR"
WHERE_FROM = "docs/training.md says which one is needed"
"""What ends the message about a corpus of another version."""


class CorpusMissingError(Exception):
    """A corpus that is missing or not the expected one; the message says what to do."""


@dataclass(frozen=True)
class Pair:
    """A sentence and its translation."""

    source: str
    target: str


@dataclass(frozen=True)
class Split:
    """Pairs to train on, and dev pairs that select the best weights and score them."""

    train: tuple[Pair, ...]
    dev: tuple[Pair, ...]


@dataclass(frozen=True)
class TextSplit:
    """Three parts of a text that follow each other: to train, to validate and to test on."""

    train: str
    validation: str
    test: str


# Project Gutenberg's own text stands outside these two lines, whose wording has changed over the years.
_GUTENBERG_START = re.compile(r"^\*\*\* ?START OF TH(?:E|IS) PROJECT GUTENBERG.*?\*\*\*\n", re.MULTILINE | re.DOTALL)
_GUTENBERG_END = re.compile(r"^(?:\*\*\* ?)?END OF TH(?:E|IS) PROJECT GUTENBERG", re.MULTILINE)


def load_parallel(name: str, data_dir: Path | None = None) -> tuple[Pair, ...]:
    """Return the pairs of the corpus ``name``, from ``data_dir`` or the folder in the environment.

    Raises:
        ValueError: there is no corpus of that name.
        CorpusMissingError: its files are not in the folder, or are not the ones expected.
    """
    if name not in PARALLEL_CORPORA:
        raise ValueError(f"{name!r} is no corpus; there are {', '.join(PARALLEL_CORPORA)}")
    corpus = PARALLEL_CORPORA[name]
    source, target = (_read_lines(corpus, file, data_dir) for file in (corpus.source, corpus.target))
    if len(source) != len(target):
        raise CorpusMissingError(f"{name} has {len(source)} source and {len(target)} target lines; they must match")
    return tuple(Pair(*lines) for lines in zip(source, target, strict=True))


def split_by_sentence(pairs: Sequence[Pair], n_dev: int, *, more: Sequence[Pair] = ()) -> Split:
    """Split off ``n_dev`` source sentences, one pair each, and keep them out of the training pairs.

    A source sentence is drawn by the hash of its text, so the choice depends on nothing else. Training loses every pair
    whose source or target is also a dev source or target, compared without case, punctuation and spacing. Pairs of
    ``more`` are for training only, under the same rule.

    Raises:
        ValueError: fewer than ``n_dev`` + 1 different source sentences.
    """
    by_source: dict[str, Pair] = {}
    for pair in pairs:
        by_source.setdefault(sentence_key(pair.source), pair)
    if len(by_source) <= n_dev:
        raise ValueError(f"a dev set of {n_dev} was asked of {len(by_source)} different sentences; ask for fewer")
    drawn = sorted(by_source, key=lambda key: hashlib.sha256(key.encode()).digest())[:n_dev]
    dev = tuple(by_source[key] for key in drawn)
    dev_sources, dev_targets = set(drawn), {sentence_key(pair.target) for pair in dev}
    train = tuple(
        pair
        for pair in (*pairs, *more)
        if sentence_key(pair.source) not in dev_sources and sentence_key(pair.target) not in dev_targets
    )
    return Split(train, dev)


def load_split(corpora: Sequence[str], n_dev: int, *, dev_corpus: str = "", data_dir: Path | None = None) -> Split:
    """Return the pairs of all ``corpora`` to train on, and ``n_dev`` pairs set apart.

    The dev pairs are the first of ``dev_corpus``; without one they are taken out of the first corpus as
    :func:`split_by_sentence` does.

    Raises:
        ValueError: an unknown corpus, or one with too few sentences for the dev set.
        CorpusMissingError: as :func:`load_parallel`.
    """
    first, *others = (load_parallel(name, data_dir) for name in corpora)
    more = [pair for other in others for pair in other]
    if not dev_corpus:
        return split_by_sentence(first, n_dev, more=more)
    dev = load_parallel(dev_corpus, data_dir)
    if len(dev) < n_dev:
        raise ValueError(f"a dev set of {n_dev} was asked of {dev_corpus}, which has {len(dev)}; ask for fewer")
    return Split((*first, *more), dev[:n_dev])


def load_text(name: str, data_dir: Path | None = None) -> str:
    """Return a text without byte order mark, carriage returns and what Project Gutenberg adds.

    Args:
        name: of a corpus, whose file is below ``data_dir`` or else the folder that the environment names; or the path
            of any text file in UTF-8.
        data_dir: the folder of the corpora.

    Raises:
        ValueError: there is neither a corpus nor a file of that name, or the file is not UTF-8.
        CorpusMissingError: the corpus is not in the folder, or is not the one expected.
    """
    if name in TEXT_CORPORA:
        corpus = TEXT_CORPORA[name]
        content = _read(corpus, corpus.text, data_dir, "as plain text in UTF-8")
    elif Path(name).is_file():
        content = Path(name).read_bytes()
    else:
        raise ValueError(f"{name!r} is neither a text corpus nor a file; the corpora are {', '.join(TEXT_CORPORA)}")
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"{name} is no text in UTF-8; convert it first: {error}") from error
    return strip_gutenberg(text)


def strip_gutenberg(text: str) -> str:
    """Return ``text`` without Project Gutenberg's header and footer, where it has them."""
    start, end = _GUTENBERG_START.search(text), _GUTENBERG_END.search(text)
    if start is None and end is None:
        return text
    return text[start.end() if start else 0 : end.start() if end else None].strip("\n") + "\n"


def split_text(text: str) -> TextSplit:
    """Return the first 90 % of the characters for training, 5 % for validation, and 5 % for test.

    Raises:
        ValueError: the text is too short for a character in each part.
    """
    first, second = len(text) * 90 // 100, len(text) * 95 // 100
    split = TextSplit(text[:first], text[first:second], text[second:])
    if not (split.train and split.validation and split.test):
        raise ValueError(f"the text has {len(text)} characters, too few to cut it into three parts; give a longer one")
    return split


def sentence_key(sentence: str) -> str:
    """Return ``sentence`` without case, punctuation and spaces, to compare sentences by."""
    return "".join(character for character in sentence.casefold() if character.isalnum()) or sentence


def _read_lines(corpus: ParallelCorpus, file: CorpusFile, data_dir: Path | None) -> list[str]:
    content = _read(corpus, file, data_dir, "one sentence a line")
    return content.decode("utf-8").removesuffix("\n").split("\n")


def _read(corpus: ParallelCorpus | TextCorpus, file: CorpusFile, data_dir: Path | None, form: str) -> bytes:
    folder = data_dir or os.environ.get(DATA_DIR_VARIABLE)
    if not folder:
        raise CorpusMissingError(
            f"training needs the corpus {corpus.name}, and no data folder was named; "
            f"name one by --data-dir or {DATA_DIR_VARIABLE}, holding {file.path} (from {corpus.address})"
        )
    path = Path(folder) / file.path
    if not path.is_file():
        raise CorpusMissingError(
            f"the corpus {corpus.name} has no file {path}; get it from {corpus.address}, {form}, and place it there"
        )
    content = path.read_bytes()
    sha256 = hashlib.sha256(content).hexdigest()
    if sha256 != file.sha256:
        raise CorpusMissingError(
            f"{path} has SHA-256 {sha256}, and {corpus.name} was published with {file.sha256}: "
            f"this is another version; {WHERE_FROM}"
        )
    return content
