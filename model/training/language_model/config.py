"""What a training run of a language model is, read from a TOML file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.config import DecoderOnlyConfig, decoder_only_from_dict
from model.positional import registered
from model.text.characters import UNKNOWN_ID
from model.training.language_model.loss import LOSSES
from model.training.schedule import DECAYS
from model.training.translation.config import check_entries, read_toml


@dataclass(frozen=True)
class LanguageModelTraining:
    """One run that trains a character-level model on ``corpus``: the name of a text corpus, or the path of a text file.

    The text is read as ``n_streams`` rows side by side, in segments of ``segment_length`` characters; ``mem_len``
    positions are remembered from one segment to the next, and with 0 the segments are cut apart. ``loss`` names which
    characters of a segment count, ``decay`` how the rate falls from ``peak_rate``, which it reaches after ``warmup``
    steps. ``n_validated`` characters of the validation part choose the best weights. ``model`` has the entries of
    :class:`~model.config.DecoderOnlyConfig` but for those that the vocabulary decides.
    """

    corpus: str
    model: dict[str, Any]
    mem_len: int
    segment_length: int
    n_streams: int
    loss: str
    n_steps: int
    warmup: int
    peak_rate: float
    decay: str
    gradient_clip: float
    n_validated: int
    validate_every: int
    log_every: int
    seed: int

    def __post_init__(self) -> None:
        """Check every value.

        Raises:
            ValueError: a count that is too low, a rate or a gradient clip that is not above 0, an unknown loss or
                decay, sizes that no model can have, or a memory under an encoding that none can be read with.
        """
        counts = ("n_streams", "n_steps", "warmup", "n_validated", "validate_every", "log_every")
        least = dict.fromkeys(counts, 1) | {"segment_length": 2, "mem_len": 0, "seed": 0}
        for name, lowest in least.items():
            if getattr(self, name) < lowest:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be at least {lowest}")
        if self.warmup > self.n_steps:
            raise ValueError(f"warmup is {self.warmup}; it must be at most n_steps, {self.n_steps}")
        for name in ("peak_rate", "gradient_clip"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be above 0")
        for name, known in (("loss", LOSSES), ("decay", DECAYS)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} is {getattr(self, name)!r}; it is one of {', '.join(known)}")
        encoding = self.model_config(vocabulary_size=1).positional.name
        kind = registered().get(encoding)
        if self.mem_len and kind is not None and not kind.description.properties.memory:
            raise ValueError(
                f"{encoding} positions are part of what would be remembered, and would be wrong in the next segment; "
                f"set mem_len, {self.mem_len}, to 0 or take a relative encoding"
            )

    def model_config(self, vocabulary_size: int) -> DecoderOnlyConfig:
        """Return the configuration of a model of ``vocabulary_size`` ids; raises ValueError if there can be none.

        A running text has neither padding nor a first or last symbol: all three are the unknown one, never written.
        """
        special = dict.fromkeys(("pad_id", "bos_id", "eos_id"), UNKNOWN_ID)
        given = sorted(self.model.keys() & {"vocabulary_size", *special})
        if given:
            raise ValueError(f"the model was given {', '.join(given)}, which the text decides; leave it out")
        return decoder_only_from_dict({**self.model, "vocabulary_size": vocabulary_size, **special})


def load_language_model_training(path: Path) -> LanguageModelTraining:
    """Return the run described by the TOML file ``path``.

    Raises:
        ValueError: the file is no TOML, or an entry is missing, unknown or out of range.
    """
    return language_model_training_from_dict(read_toml(path))


def language_model_training_from_dict(values: dict[str, Any]) -> LanguageModelTraining:
    """Return the run with these entries; raises ValueError as :func:`load_language_model_training`."""
    check_entries(values, LanguageModelTraining)
    return LanguageModelTraining(**values)
