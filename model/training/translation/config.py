"""The configuration of a run that trains a translator."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from model.text.tokenizer import EOS_ID
from model.training.config import from_entries, read_toml, require, require_at_least
from model.training.encoder_decoder import EncoderDecoderTraining, model_entries
from model.training.translation.join_sentences import CONJUNCTIONS

NOUN_LANGUAGES = {"English", "Japanese"}
"""The languages between which :mod:`model.training.translation.swap_nouns` swaps nouns."""

Teacher = str | tuple[str, ...]


@dataclass(frozen=True)
class TranslationData:
    """Which sentence pairs a translator learns from, and how they are batched.

    ``n_dev`` pairs are set apart: the first of ``dev_corpus`` or, without one, some of ``corpus``; never any of
    ``more_corpora``. The first ``n_validated`` of them select the best weights, the others score these. Sentences of
    more than ``max_length`` pieces are left out, and to train on those of more than ``max_source_words`` source words,
    unless that is 0; a batch has at most ``tokens_per_batch`` target positions.
    """

    corpus: str
    source_language: str
    target_language: str
    more_corpora: tuple[str, ...] = ()
    dev_corpus: str = ""
    n_dev: int = 2000
    n_validated: int = 500
    max_length: int = 80
    max_source_words: int = 0
    tokens_per_batch: int = 3072

    def __post_init__(self) -> None:
        """Raise ValueError for a count that is too low, or where no dev pair is left to score."""
        require_at_least(self, 1, ("n_validated", "max_length", "tokens_per_batch"))
        require_at_least(self, 0, ["max_source_words"])
        require(
            self, lambda value: value > self.n_validated, ["n_dev"], f"must be above n_validated, {self.n_validated}"
        )

    @property
    def corpora(self) -> tuple[str, ...]:
        """The corpora to train on."""
        return (self.corpus, *self.more_corpora)

    @property
    def languages(self) -> tuple[str, str]:
        """The languages of source and target."""
        return self.source_language, self.target_language


@dataclass(frozen=True)
class TranslationAugmentation:
    """Shares of the pairs that are varied, differently in every epoch; from 0, for none, to 1.

    Attributes:
        bpe_dropout: share of the merges that are left out, below 1 (Provilkov et al. 2020).
        copy_augmentation: share of the pairs with a common name or number that get another one.
        swap_nouns: share of the pairs with a known noun that get another one; Japanese and English only.
        join_sentences: how many sentences joined of several pairs are added, as a share of the pairs; between some
            languages only.
        phrases: how many words and short phrases of the pairs are added, as a share of them; in languages with spaces.
        capitals: share of the pairs that are written in capitals.
        drop_end_marks: share of the pairs that lose their full stops and other marks at the end.
        teachers: folders of finished runs, whose translations of the pairs are added; several folders in one list
            translate as an ensemble.
    """

    bpe_dropout: float = 0.0
    copy_augmentation: float = 0.0
    swap_nouns: float = 0.0
    join_sentences: float = 0.0
    phrases: float = 0.0
    capitals: float = 0.0
    drop_end_marks: float = 0.0
    teachers: tuple[Teacher, ...] = ()

    def __post_init__(self) -> None:
        """Raise ValueError for a share outside its range."""
        require(self, lambda value: 0 <= value < 1, ["bpe_dropout"], "lies from 0 up to but not including 1")
        shares = ("copy_augmentation", "swap_nouns", "join_sentences", "phrases", "capitals", "drop_end_marks")
        require(self, lambda value: 0 <= value <= 1, shares, "lies from 0 to 1")

    @property
    def chosen(self) -> list[str]:
        """The names of what is not off."""
        return [name for name, value in vars(self).items() if value]


@dataclass(frozen=True)
class TranslationLoss:
    """The loss: cross-entropy with ``label_smoothing``, and ``mrt_weight`` times the expected risk.

    ``mrt_candidates`` is the folder of the finished run whose translations minimum risk training compares.
    """

    label_smoothing: float = 0.1
    mrt_candidates: str = ""
    mrt_weight: float = 0.0

    def __post_init__(self) -> None:
        """Raise ValueError for a value outside its range, and for candidates without a weight or the reverse."""
        require(self, lambda value: 0 <= value < 1, ["label_smoothing"], "lies from 0 up to but not including 1")
        require_at_least(self, 0, ["mrt_weight"])
        if bool(self.mrt_candidates) != bool(self.mrt_weight):
            raise ValueError(
                f"mrt_candidates is {self.mrt_candidates!r} and mrt_weight is {self.mrt_weight}; "
                "give both, or neither ('' and 0)"
            )


@dataclass(frozen=True, kw_only=True)
class TranslationTraining(EncoderDecoderTraining):
    """One run that trains a translator.

    Raises:
        ValueError: sections that contradict each other, or a negative seed.
    """

    data: TranslationData
    augment: TranslationAugmentation = field(default_factory=TranslationAugmentation)
    loss: TranslationLoss = field(default_factory=TranslationLoss)
    kind: Literal["translation"] = "translation"

    def __post_init__(self) -> None:
        """Check what no section alone can tell."""
        super().__post_init__()
        if self.augment.swap_nouns and set(self.data.languages) != NOUN_LANGUAGES:
            raise ValueError(
                f"swap_nouns is {self.augment.swap_nouns}, for {' to '.join(self.data.languages)}; nouns are swapped "
                f"between {' and '.join(sorted(NOUN_LANGUAGES))} only, else it must be 0"
            )
        if self.augment.join_sentences and not set(self.data.languages) <= CONJUNCTIONS.keys():
            raise ValueError(
                f"join_sentences is {self.augment.join_sentences}, for {' to '.join(self.data.languages)}; sentences "
                f"are joined between {', '.join(CONJUNCTIONS)} only, else it must be 0"
            )
        if self.loss.mrt_candidates and self.augment.chosen:
            raise ValueError(
                f"the candidates of minimum risk training are of the pairs as they are, and "
                f"{' and '.join(self.augment.chosen)} would change these; leave one or the other out"
            )


def load_translation_training(path: Path) -> TranslationTraining:
    """Return the run of the TOML file ``path``; raises ValueError as :func:`translation_training`."""
    return translation_training(read_toml(path))


def translation_training(entries: dict[str, Any]) -> TranslationTraining:
    """Return the run with these ``entries`` of a file; raises ValueError as :func:`from_entries`."""
    if isinstance(entries.get("model"), dict):
        entries = {**entries, "model": model_entries(entries["model"], eos_id=EOS_ID)}
    return from_entries(TranslationTraining, entries)
