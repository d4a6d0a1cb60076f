"""The corpora for training and measurement: their sources, checksums and licences."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["everyday", "captions"]
"""What a corpus is made of: everyday sentences, or captions of photos."""


@dataclass(frozen=True)
class CorpusFile:
    """One file of a corpus: its path below the data folder, and the SHA-256 of its content."""

    path: str
    sha256: str


@dataclass(frozen=True)
class ParallelCorpus:
    """A corpus of sentence pairs, line N of ``source`` translating line N of ``target``."""

    name: str
    kind: Kind
    title: str
    address: str
    licence: str
    source: CorpusFile
    target: CorpusFile


@dataclass(frozen=True)
class TextCorpus:
    """A corpus that is one running text."""

    name: str
    title: str
    address: str
    licence: str
    text: CorpusFile


# By language, as ISO 639-3 names it.
_TATOEBA = {
    "deu": (
        "Tatoeba English–German (2018-04)",
        "e20a761357b0715c8c12afe60ee2bf012820915ff9ff0077aad68f011ed25518",
        "074ddb7f0e00efdd1232405f44343f6daf73103eeb8461184296eefbc0bc10b5",
    ),
    "fra": (
        "Tatoeba English–French (2019-04)",
        "06de9b15051884d1c074a45dc157779ab0f43e87c6c6bcf6aef0215948af540b",
        "0cd0f2a70d63a4fab938f93bf05c83221a4c7249206d0949b0bceb708d1063be",
    ),
    "jpn": (
        "Tatoeba English–Japanese (2020-11)",
        "72ca63044e9b359ea943f88e18035feb46f60a7289b99d337460047ee5cdfe3a",
        "2658fcb81020df6971ae00e5184c31324ef863b4176a364e3959862f0fbefd29",
    ),
}

# By what stands in a corpus's name, then by the language's ending of the file.
_MULTI30K = {
    "": (
        "train",
        "training captions",
        {
            "en": "460a15fbd157e34a7a9957ee388c1ca247fe47af3ef25fb50442af6c274e0fc6",
            "de": "2c2b73fd2b548fbcde3a875e0a78d6ee94d498bfdee6bd3eae3945779e9ddf72",
            "fr": "5925a3c18f1587b6b54b87743106e6e8ab93618edb6f65d19eac0621f853a10d",
        },
    ),
    "val-": (
        "val",
        "validation captions",
        {
            "en": "1f2a23d992769b5b3d209b0a10dd0b77c08cceb1f20dfb97ed0aafa49d107227",
            "de": "660e09eb7e1da2f856ea13ee5ad3cf6d36b3d5b0b733c857e94c5747a3dfc660",
            "fr": "5304e444d842e962b2dda4d816b70b22a1765b15401642b7ca37a67477e708dc",
        },
    ),
    "test-2016-": (
        "test_2016_flickr",
        "test captions of 2016",
        {
            "en": "399a4382932c1aadd3ceb9bef1008d388a64c76d4ae4e9d4728c6f4301cac182",
            "de": "4be6b5b3236b79c25475c6bb829800a7ce559e9ba7a1f6c2394fe4d40be46d16",
            "fr": "cb3160d69b002bb638e66cc7612fcd56cb0af82eadc9c142dedc438afb885ef6",
        },
    ),
}


def _tatoeba() -> Iterator[ParallelCorpus]:
    for language, (title, english, other) in _TATOEBA.items():
        folder = f"tatoeba/{language}-eng"
        corpus = ParallelCorpus(
            name=f"tatoeba-eng-{language}",
            kind="everyday",
            title=title,
            address=f"https://www.manythings.org/anki/{language}-eng.zip",
            licence="CC BY 2.0 France, Tatoeba Project contributors (tatoeba.org)",
            source=CorpusFile(f"{folder}/train.eng", english),
            target=CorpusFile(f"{folder}/train.{language}", other),
        )
        yield from (corpus, _reversed(corpus, f"tatoeba-{language}-eng"))


def _reversed(corpus: ParallelCorpus, name: str) -> ParallelCorpus:
    return replace(corpus, name=name, source=corpus.target, target=corpus.source)


def _multi30k() -> Iterator[ParallelCorpus]:
    for part, (file, title, sums) in _MULTI30K.items():
        for language, ending in (("deu", "de"), ("fra", "fr")):
            corpus = ParallelCorpus(
                name=f"multi30k-{part}eng-{language}",
                kind="captions",
                title=f"Multi30k, {title} (Elliott et al. 2016)",
                address="https://github.com/multi30k/dataset (data/task1)",
                licence="Captions of Flickr30K images, whose terms allow research and education only",
                source=CorpusFile(f"multi30k/{file}.en", sums["en"]),
                target=CorpusFile(f"multi30k/{file}.{ending}", sums[ending]),
            )
            yield from (corpus, _reversed(corpus, f"multi30k-{part}{language}-eng"))


PARALLEL_CORPORA = {corpus.name: corpus for corpus in (*_multi30k(), *_tatoeba())}


def kinds_of(names: Iterable[str]) -> tuple[Kind, ...]:
    """Return what the parallel corpora ``names`` are made of, each kind once, in their order."""
    return tuple(dict.fromkeys(PARALLEL_CORPORA[name].kind for name in names))


TEXT_CORPORA = {
    corpus.name: corpus
    for corpus in (
        TextCorpus(
            name="war-and-peace",
            title="War and Peace (Tolstoy, translated by Louise and Aylmer Maude)",
            address="https://www.gutenberg.org/ebooks/2600",
            licence="Public domain, by way of Project Gutenberg",
            text=CorpusFile("lm/war_and_peace.txt", "387abb24183c7a856e1b22227cf76a935149a00fe876d40f407677e7eab25eae"),
        ),
    )
}
