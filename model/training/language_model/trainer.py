"""Trains a language model from its configuration: text, vocabulary, streams, model, validation."""

from functools import partial
from pathlib import Path

import torch

from model.analysis.losses.character_losses import bits, segment_losses
from model.architectures.decoder_only import DecoderOnly
from model.data.loading import load_text, split_text
from model.text.characters import CharacterVocabulary
from model.training.language_model.config import LanguageModelTraining
from model.training.language_model.loss import LOSSES
from model.training.language_model.run import keep_vocabulary
from model.training.language_model.streams import Segment, StreamLoss, TextStreams, cut_rows
from model.training.loop import LoopOptions, Trainer
from model.training.processes import ALONE, Processes
from model.training.schedule import DECAYS, warm_up_and_decay

N_ROWS = 8
"""Rows that the validation and test parts are cut into, to be read side by side."""


def language_model_trainer(
    training: LanguageModelTraining,
    *,
    folder: Path,
    device: torch.device,
    data_dir: Path | None = None,
    processes: Processes = ALONE,
) -> Trainer[Segment]:
    """Return the trainer of ``training``, at its first step or where the run in ``folder`` stopped.

    Raises:
        CorpusMissingError: the corpus is not in ``data_dir``.
        ValueError: the text is too short, the run in ``folder`` was trained otherwise, or there are several processes.
    """
    if processes.n > 1:
        raise ValueError(f"a language model is trained by one process, and there are {processes.n}; start one alone")
    data, schedule = training.data, training.schedule
    split = split_text(load_text(data.corpus, data_dir))
    vocabulary = CharacterVocabulary.of(split.train)
    ids = vocabulary.encode(split.train).ids
    streams = TextStreams(ids, n_streams=data.n_streams, segment_length=data.segment_length, seed=training.seed)
    validated = cut_rows(vocabulary.encode(split.validation[: data.n_validated]).ids, N_ROWS).to(device)
    torch.manual_seed(training.seed)
    model = DecoderOnly(training.model_config(vocabulary.size)).train()
    loss = StreamLoss(model, mem_len=data.mem_len, segment_loss=LOSSES[training.loss.counted])

    def validate() -> dict[str, float]:
        memory = model.new_memory(data.mem_len)
        bits_per_character = bits(segment_losses(model, validated, data.segment_length, memory))
        return {"bits_per_character": bits_per_character, "score": -bits_per_character}

    trainer = Trainer(
        model=model,
        batches=streams,
        loss=loss,
        rate=partial(
            warm_up_and_decay,
            peak=schedule.peak_rate,
            warmup=schedule.warmup,
            n_steps=schedule.n_steps,
            decay=DECAYS[schedule.decay],
        ),
        validate=validate,
        options=LoopOptions(
            n_steps=schedule.n_steps,
            gradient_clip=schedule.gradient_clip,
            precision=training.precision,
            validation=training.validation,
        ),
        folder=folder,
        device=device,
        carried=loss,
    )
    keep_vocabulary(vocabulary, folder)
    trainer.resume()
    return trainer
