"""What a training run is, read from a TOML file."""

import dataclasses
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.config import EncoderDecoderConfig, config_from_dict
from model.text.tokenizer import BOS_ID, EOS_ID, PAD_ID

NOUN_LANGUAGES = {"English", "Japanese"}
"""Between which nouns can be exchanged."""

TOGETHER = " + "
"""Stands between the folders of runs that are one teacher."""


@dataclass(frozen=True)
class TranslationTraining:
    """One run that trains a translator on ``corpus``, and on ``more_corpora``, from which no dev sentence is taken.

    ``n_dev`` pairs are set apart, those of ``dev_corpus`` or, without one, some of ``corpus``: the first
    ``n_validated`` choose the best checkpoint, from step ``chosen_from`` on, and the others score it. Sentences of more
    than ``max_length`` pieces are left out; a batch holds at most ``tokens_per_batch`` target positions.
    ``piece_dropout`` is the share of merges left out (BPE-dropout); ``copying`` the share of the pairs with a shared
    name or number that get another one; ``nouns`` the share of the Japanese ones with a known noun that get another one
    (``swap_nouns.py``); ``unmarked`` the share that lose their full stops and other marks at the end;
    ``teachers`` are folders of finished runs, whose translations of the pairs are learned from as well, with ``" + "``
    between those that translate together (``teachers.py``); ``r_drop`` the weight of R-Drop, 0 for none.
    ``candidates`` is the folder of a finished run, by whose translations minimum risk training goes with the weight
    ``risk`` (``minimum_risk.py``); "" and 0 for none. The rate of learning is the paper's times
    ``rate_factor``. ``warmup``, ``n_cooling``, ``validate_every`` and ``log_every`` count steps.
    """

    corpus: str
    more_corpora: tuple[str, ...]
    dev_corpus: str
    source_language: str
    target_language: str
    model: EncoderDecoderConfig
    n_dev: int
    n_validated: int
    max_length: int
    tokens_per_batch: int
    n_steps: int
    warmup: int
    n_cooling: int
    rate_factor: float
    piece_dropout: float
    copying: float
    nouns: float
    unmarked: float
    teachers: tuple[str, ...]
    r_drop: float
    candidates: str
    risk: float
    label_smoothing: float
    gradient_clip: float
    validate_every: int
    average_last: int
    chosen_from: int
    log_every: int
    seed: int

    def __post_init__(self) -> None:
        """Check what no other part would notice.

        Raises:
            ValueError: a count below 1, no dev sentence left to score, a cooling longer than the run or a choice that
                begins after it, a piece dropout or label smoothing outside [0, 1), a copying, nouns or unmarked outside
                [0, 1], nouns of languages that ``swap_nouns.py`` does not know, a gradient clip or rate
                factor that is not above 0, a negative weight of R-Drop or of the risk, or seed, candidates without a
                risk or a risk without them, or beside them what changes the pairs.
        """
        counts = ("n_validated", "max_length", "tokens_per_batch", "n_steps", "warmup")
        intervals = ("validate_every", "average_last", "log_every")
        self._require(lambda value: value >= 1, (*counts, *intervals), "must be at least 1")
        self._require(
            lambda value: value > self.n_validated, ["n_dev"], f"must be above n_validated, {self.n_validated}"
        )
        self._require(lambda value: value > 0, ("gradient_clip", "rate_factor"), "must be above 0")
        self._require(lambda value: value >= 0, ("r_drop", "risk", "seed"), "must be at least 0")
        self._require(lambda value: 0 <= value <= 1, ("copying", "nouns", "unmarked"), "lies from 0 to 1")
        lies = f"lies between 0 and n_steps, {self.n_steps}"
        self._require(lambda value: 0 <= value <= self.n_steps, ("n_cooling", "chosen_from"), lies)
        lies = "lies from 0 up to but not including 1"
        self._require(lambda value: 0 <= value < 1, ("piece_dropout", "label_smoothing"), lies)
        languages = {self.source_language, self.target_language}
        if self.nouns and languages != NOUN_LANGUAGES:
            raise ValueError(
                f"nouns is {self.nouns}, for {self.source_language} to {self.target_language}; nouns are exchanged "
                f"between {' and '.join(sorted(NOUN_LANGUAGES))} only, else it must be 0"
            )

        self._check_candidates()

    def _check_candidates(self) -> None:
        if bool(self.candidates) != bool(self.risk):
            raise ValueError(
                f"candidates is {self.candidates!r} and risk is {self.risk}; give both, or neither ('' and 0)"
            )
        others = ("piece_dropout", "copying", "nouns", "unmarked", "teachers", "r_drop")
        if self.candidates and (given := [name for name in others if getattr(self, name)]):
            raise ValueError(
                f"candidates are of the pairs as they are, and {' and '.join(given)} would change what is learned from "
                "them; leave one or the other out"
            )

    def _require(self, holds: Callable[[float], bool], names: Iterable[str], must: str) -> None:
        for name in names:
            if not holds(getattr(self, name)):
                raise ValueError(f"{name} is {getattr(self, name)}; it {must}")


def load_training(path: Path) -> TranslationTraining:
    """Return the run described by the TOML file ``path``.

    Raises:
        ValueError: the file is no TOML, or an entry is missing, unknown or out of range.
    """
    return training_from_dict(read_toml(path))


def training_from_dict(values: dict[str, Any]) -> TranslationTraining:
    """Return the run with these entries; raises ValueError as :func:`load_training`."""
    check_entries(values, TranslationTraining)
    special = {"pad_id": PAD_ID, "bos_id": BOS_ID, "eos_id": EOS_ID}
    lists = {name: tuple(values[name]) for name in ("more_corpora", "teachers")}
    return TranslationTraining(**{**values, **lists, "model": config_from_dict({**values["model"], **special})})


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of the TOML file ``path``; raises ValueError if it is none."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is no TOML: {error}") from error


def check_entries(values: dict[str, Any], kind: type) -> None:
    """Raise ValueError unless ``values`` has exactly the entries of the dataclass ``kind``."""
    known = {entry.name for entry in dataclasses.fields(kind)}
    if values.keys() != known:
        missing, unknown = sorted(known - values.keys()), sorted(values.keys() - known)
        raise ValueError(
            f"the training configuration lacks {missing or 'nothing'} and has unknown {unknown or 'nothing'}"
        )
