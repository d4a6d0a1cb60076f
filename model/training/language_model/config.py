"""The configuration of a run that trains a language model of characters."""

from dataclasses import dataclass, field
from typing import Any, Literal

from model.config import DecoderOnlyConfig, decoder_only_from_dict
from model.positional import registered
from model.text.characters import UNKNOWN_ID
from model.training.config import TrainingRun, Validation, from_entries, require, require_at_least, require_selection
from model.training.language_model.loss import LOSSES
from model.training.schedule import DECAYS

_DEFAULT_MODEL = {
    "d_model": 192,
    "n_heads": 6,
    "d_key": 32,
    "d_value": 32,
    "d_ff": 768,
    "n_layers": 5,
    "dropout": 0.0,
    "norm": "pre",
}


@dataclass(frozen=True)
class LanguageModelData:
    """The text: the name of a corpus or the path of a file, read as ``n_streams`` rows side by side.

    Rows are read in segments of ``segment_length`` characters; ``mem_len`` positions are remembered from one segment to
    the next, and with 0 each segment is read alone. The first ``n_validated`` characters of the validation part select
    the best weights.
    """

    corpus: str
    segment_length: int = 64
    mem_len: int = 0
    n_streams: int = 16
    n_validated: int = 40_000

    def __post_init__(self) -> None:
        """Raise ValueError for a count that is too low."""
        require_at_least(self, 1, ("n_streams", "n_validated"))
        require_at_least(self, 2, ["segment_length"])
        require_at_least(self, 0, ["mem_len"])


@dataclass(frozen=True)
class LanguageModelLoss:
    """The characters of a segment that the loss counts.

    ``counted`` is a name in :data:`~model.training.language_model.loss.LOSSES`.
    """

    counted: str = "full"

    def __post_init__(self) -> None:
        """Raise ValueError for an unknown name."""
        _require_known(self, "counted", LOSSES)


@dataclass(frozen=True)
class LanguageModelSchedule:
    """Steps and learning rate: up to ``peak_rate`` in ``warmup`` steps, then down to 0 by ``decay``."""

    n_steps: int = 4800
    warmup: int = 400
    peak_rate: float = 2e-3
    decay: str = "cosine"
    gradient_clip: float = 1.0

    def __post_init__(self) -> None:
        """Raise ValueError for too low a count or rate, too long a warm-up, or an unknown decay."""
        require_at_least(self, 1, ("n_steps", "warmup"))
        require(self, lambda value: value <= self.n_steps, ["warmup"], f"must be at most n_steps, {self.n_steps}")
        require(self, lambda value: value > 0, ("peak_rate", "gradient_clip"), "must be above 0")
        _require_known(self, "decay", DECAYS)


@dataclass(frozen=True, kw_only=True)
class LanguageModelTraining(TrainingRun):
    """One run that trains a language model of characters.

    ``model`` has the entries of :class:`~model.config.DecoderOnlyConfig` but for those that the vocabulary decides.

    Raises:
        ValueError: sizes that no model can have, a memory with an encoding that cannot use one, or a negative seed.
    """

    data: LanguageModelData
    model: dict[str, Any]
    loss: LanguageModelLoss = field(default_factory=LanguageModelLoss)
    schedule: LanguageModelSchedule = field(default_factory=LanguageModelSchedule)
    validation: Validation = field(default_factory=lambda: Validation(validate_every=600))
    kind: Literal["language_model"] = "language_model"

    def __post_init__(self) -> None:
        """Check what no section alone can tell."""
        super().__post_init__()
        require_selection(self.validation, self.schedule.n_steps)
        encoding = self.model_config(vocabulary_size=1).positional.name
        kind = registered().get(encoding)
        if self.data.mem_len and kind is not None and not kind.description.properties.memory:
            raise ValueError(
                f"{encoding} positions are part of what would be remembered, and would be wrong in the next segment; "
                f"set mem_len, {self.data.mem_len}, to 0 or take a relative encoding"
            )

    def model_config(self, vocabulary_size: int) -> DecoderOnlyConfig:
        """Return the configuration for ``vocabulary_size`` ids; raises ValueError if there can be none.

        A running text has neither padding nor a first or last symbol: all three are the unknown one, never written.
        """
        special = dict.fromkeys(("pad_id", "bos_id", "eos_id"), UNKNOWN_ID)
        if decided := sorted(self.model.keys() & {"vocabulary_size", *special}):
            raise ValueError(f"the model was given {', '.join(decided)}, which the text decides; leave it out")
        return decoder_only_from_dict({**self.model, "vocabulary_size": vocabulary_size, **special})


def language_model_training(entries: dict[str, Any]) -> LanguageModelTraining:
    """Return the run with these ``entries`` of a file; raises ValueError as :func:`from_entries`."""
    if isinstance(entries.get("model"), dict):
        entries = {**entries, "model": _DEFAULT_MODEL | entries["model"]}
    return from_entries(LanguageModelTraining, entries)


def _require_known(section: Any, name: str, known: dict[str, Any]) -> None:
    if getattr(section, name) not in known:
        raise ValueError(f"{name} is {getattr(section, name)!r}; it is one of {', '.join(known)}")
