"""Trainer of encoder–decoders (translators, parsers), each with its own batches, loss and validation."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, Literal, Protocol, TypeVar, runtime_checkable

import torch

from model.architectures.encoder_decoder import EncoderDecoder
from model.checkpoint import load_state
from model.config import EncoderDecoderConfig, config_from_dict
from model.files import replace_file
from model.text.tokenizer import BOS_ID, PAD_ID, Tokenizer
from model.training.config import TrainingRun, require, require_at_least, require_selection
from model.training.history import read_history
from model.training.loop import BatchSource, LoopOptions, Movable, Same, Trainer
from model.training.loss import TokenLoss
from model.training.processes import Processes
from model.training.schedule import WARMUPS, cool_down

TOKENIZER = "tokenizer.model"


@dataclass(frozen=True)
class EncoderDecoderSchedule:
    """Steps and learning rate: the paper's (§5.3) times ``lr_scale``, then to 0 over ``cooldown_steps``.

    With ``warmup_shape`` "none" the rate does not rise over the ``warmup`` steps, but begins where they would end.
    """

    n_steps: int
    warmup: int
    warmup_shape: Literal["linear", "none"] = "linear"
    cooldown_steps: int = 0
    lr_scale: float = 1.0
    gradient_clip: float = 1.0

    def __post_init__(self) -> None:
        """Raise ValueError for a count or factor that is too low, or a cooldown longer than the run."""
        require_at_least(self, 1, ("n_steps", "warmup"))
        require(self, lambda value: value > 0, ("gradient_clip", "lr_scale"), "must be above 0")
        rule = f"lies between 0 and n_steps, {self.n_steps}"
        require(self, lambda value: 0 <= value <= self.n_steps, ["cooldown_steps"], rule)

    def rate(self, step: int, *, d_model: int) -> float:
        """Return the learning rate of ``step``, counted from 1."""
        rate = WARMUPS[self.warmup_shape](step, d_model=d_model, warmup=self.warmup)
        return self.lr_scale * cool_down(rate, step, n_steps=self.n_steps, cooldown_steps=self.cooldown_steps)


@dataclass(frozen=True, kw_only=True)
class EncoderDecoderTraining(TrainingRun):
    """Configuration that all runs of encoder–decoders share."""

    schedule: EncoderDecoderSchedule
    model: EncoderDecoderConfig

    def __post_init__(self) -> None:
        """Raise ValueError for a negative seed, or if no weights would be selected."""
        super().__post_init__()
        require_selection(self.validation, self.schedule.n_steps)


@runtime_checkable
class Shareable(Movable, Protocol):
    """A batch that can be divided among processes, into parts that are batches themselves."""

    def share(self: Same, index: int, n: int) -> Same:
        """Return the part number ``index`` of ``n``."""
        ...


Shared = TypeVar("Shared", bound=Shareable)


class SharedBatches(Generic[Shared]):
    """The part number ``index`` of ``n`` of each batch that ``source`` yields."""

    def __init__(self, source: BatchSource[Shared], *, index: int, n: int) -> None:
        """Keep the source and the part to take."""
        self._source, self._index, self._n = source, index, n

    def epoch(self, number: int, *, start: int = 0) -> Iterator[Shared]:
        """Yield the parts of the batches of epoch ``number``, from the one with index ``start`` on."""
        for batch in self._source.epoch(number, start=start):
            yield batch.share(self._index, self._n)


Training = TypeVar("Training", bound=EncoderDecoderTraining)
Loss = Callable[[Any], TokenLoss]
Validation = Callable[[], dict[str, float]]


def encoder_decoder_trainer(
    training: EncoderDecoderTraining,
    batches: BatchSource[Any],
    *,
    loss: Callable[[EncoderDecoder], Loss],
    validation: Callable[[EncoderDecoder], Validation],
    folder: Path,
    device: torch.device,
    processes: Processes,
) -> Trainer[Any]:
    """Return the trainer of ``training``, at step 0 or where the run in ``folder`` stopped.

    Each of the ``processes`` takes its part of every batch. ``loss`` and ``validation`` return, for the model, the loss
    of a batch and what is measured at each validation.

    Raises:
        ValueError: the run in ``folder`` was trained with other sizes.
    """
    torch.manual_seed(training.seed)
    model = EncoderDecoder(training.model).train()
    trainer = Trainer(
        model=model,
        batches=SharedBatches(batches, index=processes.index, n=processes.n),
        loss=loss(model),
        rate=partial(training.schedule.rate, d_model=training.model.d_model),
        validate=validation(model),
        options=LoopOptions(
            n_steps=training.schedule.n_steps,
            gradient_clip=training.schedule.gradient_clip,
            precision=training.precision,
            validation=training.validation,
        ),
        folder=folder,
        device=device,
        processes=processes,
    )
    trainer.resume()
    return trainer


def kept_tokenizer(folder: Path, texts: Iterable[str], n_pieces: int) -> Tokenizer:
    """Return the tokenizer of the run in ``folder``; train it on ``texts`` where there is none.

    Raises:
        ValueError: the tokenizer there has not ``n_pieces``.
    """
    path = folder / TOKENIZER
    if path.is_file():
        tokenizer = Tokenizer.load(path)
        if tokenizer.vocabulary_size != n_pieces:
            raise ValueError(
                f"{path} has {tokenizer.vocabulary_size} pieces and the configuration asks for {n_pieces}; "
                "train into another folder, or as before"
            )
        return tokenizer
    tokenizer = Tokenizer.train(texts, n_pieces)
    replace_file(path, lambda unfinished: unfinished.write_bytes(tokenizer.serialized))
    return tokenizer


def model_entries(model: dict[str, Any], *, eos_id: int) -> EncoderDecoderConfig:
    """Return the configuration of a model with these entries of a file; special tokens are not among them."""
    return config_from_dict({**model, "pad_id": PAD_ID, "bos_id": BOS_ID, "eos_id": eos_id})


def load_best(
    folder: Path, read: Callable[[dict[str, Any]], Training], device: torch.device
) -> tuple[Training, EncoderDecoder, Tokenizer]:
    """Return the configuration, best weights on ``device`` and tokenizer of the run in ``folder``.

    Raises:
        ValueError: it has not validated yet.
    """
    history = read_history(folder)
    if not history or not (folder / "best.pt").is_file():
        raise ValueError(f"{folder} holds no run that has been validated; name the folder of a finished run")
    training = read(history[-1]["training"])
    model = EncoderDecoder(training.model)
    model.load_state_dict(load_state(folder / "best.pt")["weights"])
    return training, model.to(device), Tokenizer.load(folder / TOKENIZER)
