"""Trains a language model from its configuration: text, vocabulary, streams, model, validation."""

from functools import partial
from pathlib import Path

import torch

from model.analysis.losses import bits, segment_losses
from model.architectures.decoder_only import DecoderOnly
from model.data.loading import load_text, split_text
from model.text.characters import CharacterVocabulary
from model.training.language_model.config import LanguageModelTraining
from model.training.language_model.loss import LOSSES
from model.training.language_model.run import keep_vocabulary
from model.training.language_model.streams import Segment, StreamLoss, TextStreams, cut_rows
from model.training.loop import LoopOptions, Trainer
from model.training.schedule import DECAYS, warm_up_and_decay

_N_ROWS_VALIDATED = 8


def language_model_trainer(
    training: LanguageModelTraining, *, folder: Path, device: torch.device, data_dir: Path | None = None
) -> Trainer[Segment]:
    """Return the trainer of ``training``, at its first step or where ``folder`` says it stopped.

    Raises:
        CorpusMissingError: the corpus is not in ``data_dir``.
        ValueError: the text is too short, or what ``folder`` holds was trained otherwise.
    """
    torch.manual_seed(training.seed)
    split = split_text(load_text(training.corpus, data_dir))
    vocabulary = CharacterVocabulary.of(split.train)
    streams = TextStreams(
        vocabulary.encode(split.train).ids,
        n_streams=training.n_streams,
        segment_length=training.segment_length,
        seed=training.seed,
    )
    validated = vocabulary.encode(split.validation[: training.n_validated]).ids
    rows = cut_rows(validated, _N_ROWS_VALIDATED).to(device)
    model = DecoderOnly(training.model_config(vocabulary.size))
    model.train()
    loss = StreamLoss(model, mem_len=training.mem_len, segment_loss=LOSSES[training.loss])

    def validate() -> dict[str, float]:
        found = bits(segment_losses(model, rows, training.segment_length, model.new_memory(training.mem_len)))
        return {"bits_per_character": found, "score": -found}

    keep_vocabulary(vocabulary, folder)
    return Trainer(
        model=model,
        batches=streams,
        loss=loss,
        rate=partial(
            warm_up_and_decay,
            peak=training.peak_rate,
            warmup=training.warmup,
            n_steps=training.n_steps,
            decay=DECAYS[training.decay],
        ),
        validate=validate,
        options=_options(training),
        folder=folder,
        device=device,
        carried=loss,
    )


def _options(training: LanguageModelTraining) -> LoopOptions:
    return LoopOptions(
        n_steps=training.n_steps,
        log_every=training.log_every,
        validate_every=training.validate_every,
        average_last=1,
        gradient_clip=training.gradient_clip,
    )
