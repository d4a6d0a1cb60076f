"""Trains a translator from its configuration: data, tokenizer, batches, model, validation."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from model.architectures.encoder_decoder import EncoderDecoder
from model.data.loading import Pair, Split, load_split
from model.decoding.beam_search import GREEDY
from model.decoding.translator import Translator
from model.text.tokenizer import Tokenizer
from model.training.loop import BatchSource, LoopOptions, Trainer
from model.training.loss import TokenLoss, sequence_loss
from model.training.processes import ALONE, Processes
from model.training.schedule import cool_down, paper_rate
from model.training.translation.batches import (
    Batch,
    BucketedBatches,
    EncodedPair,
    ResampledBatches,
    SharedBatches,
    encode_pairs,
)
from model.training.translation.config import TOGETHER, TranslationTraining
from model.training.translation.copy_augmentation import CopyingPairs
from model.training.translation.drop_end_marks import some_unmarked
from model.training.translation.minimum_risk import (
    WeighedBatch,
    WeighedBatches,
    WeighedPair,
    minimum_risk_loss,
    weighed_pairs,
)
from model.training.translation.r_drop import r_drop_loss
from model.training.translation.score import bleu_for
from model.training.translation.swap_nouns import NounExchange
from model.training.translation.teachers import taught_pairs


def translation_trainer(
    training: TranslationTraining,
    *,
    folder: Path,
    device: torch.device,
    data_dir: Path | None = None,
    processes: Processes = ALONE,
) -> Trainer[Any]:
    """Return the trainer of ``training``, at its first step or where ``folder`` says it stopped.

    Each of the ``processes`` has its own, and takes its part of every batch.

    Raises:
        CorpusMissingError: a corpus is not in ``data_dir``.
        ValueError: what ``folder`` holds was trained with other sizes, or as :func:`taught_pairs` and
            :func:`~model.training.translation.minimum_risk.weighed_pairs`.
    """
    torch.manual_seed(training.seed)
    corpora = (training.corpus, *training.more_corpora)
    split = load_split(corpora, training.n_dev, dev_corpus=training.dev_corpus, data_dir=data_dir)
    with processes.in_turn():
        tokenizer = _tokenizer(folder / "tokenizer.model", split, training.model.vocabulary_size)
        taught = _taught(training, split, folder=folder, device=device)
        weighed = _weighed(training, split, tokenizer, folder=folder, device=device)
    validated = split.dev[: training.n_validated]
    model = EncoderDecoder(training.model)
    model.train()
    dev_batches = BucketedBatches(
        encode_pairs(validated, tokenizer, max_length=training.max_length),
        tokens_per_batch=training.tokens_per_batch,
        seed=training.seed,
    )

    def plain_loss(batch: Batch) -> TokenLoss:
        return sequence_loss(model, batch.source, batch.target, label_smoothing=training.label_smoothing)

    def twofold_loss(batch: Batch) -> TokenLoss:
        smoothing, weight = training.label_smoothing, training.r_drop
        return r_drop_loss(model, batch.source, batch.target, label_smoothing=smoothing, weight=weight)

    def risk_loss(batch: WeighedBatch) -> TokenLoss:
        smoothing, weight = training.label_smoothing, training.risk
        return minimum_risk_loss(model, batch, label_smoothing=smoothing, weight=weight)

    def rate(step: int) -> float:
        paper = paper_rate(step, d_model=training.model.d_model, warmup=training.warmup)
        return training.rate_factor * cool_down(paper, step, n_steps=training.n_steps, n_cooling=training.n_cooling)

    def validate() -> dict[str, float]:
        losses = [plain_loss(batch.to(device)) for batch in dev_batches.epoch(0)]
        dev_loss = sum(float(part.cross_entropy) for part in losses) / sum(part.n_tokens for part in losses)
        score = greedy_bleu(model, tokenizer, validated, training.target_language)
        return {"dev_loss": dev_loss, "score": score}

    batches: BatchSource[Any] = (
        WeighedBatches(weighed, tokens_per_batch=training.tokens_per_batch, seed=training.seed)
        if training.candidates
        else _resampled_batches(training, (*split.train, *taught), tokenizer)
    )
    return Trainer(
        model=model,
        batches=SharedBatches(batches, index=processes.index, n=processes.n),
        loss=risk_loss if training.candidates else twofold_loss if training.r_drop else plain_loss,
        rate=rate,
        validate=validate,
        options=LoopOptions(
            n_steps=training.n_steps,
            log_every=training.log_every,
            validate_every=training.validate_every,
            chosen_from=training.chosen_from,
            average_last=training.average_last,
            gradient_clip=training.gradient_clip,
        ),
        folder=folder,
        device=device,
        processes=processes,
    )


def greedy_bleu(model: EncoderDecoder, tokenizer: Tokenizer, pairs: Sequence[Pair], language: str) -> float:
    """Return the BLEU of greedy translations of ``pairs`` into ``language``."""
    was_training = model.training
    translations = Translator(model, tokenizer).translate_all([pair.source for pair in pairs], GREEDY)
    model.train(was_training)
    return float(bleu_for(language).corpus_score(translations, [[pair.target for pair in pairs]]).score)


def _resampled_batches(training: TranslationTraining, pairs: Sequence[Pair], tokenizer: Tokenizer) -> ResampledBatches:
    copying = CopyingPairs(pairs, training.copying) if training.copying else None
    nouns = NounExchange(pairs, training.nouns) if training.nouns else None

    def train_pairs(epoch: int) -> list[EncodedPair]:
        seed = training.seed + epoch
        copied = copying.varied(seed) if copying else pairs
        exchanged = nouns.varied(copied, seed) if nouns else copied
        return encode_pairs(
            some_unmarked(exchanged, training.unmarked, seed),
            tokenizer,
            max_length=training.max_length,
            dropout=training.piece_dropout,
            seed=seed,
        )

    return ResampledBatches(train_pairs, tokens_per_batch=training.tokens_per_batch, seed=training.seed)


def _weighed(
    training: TranslationTraining, split: Split, tokenizer: Tokenizer, *, folder: Path, device: torch.device
) -> list[WeighedPair]:
    if not training.candidates:
        return []
    run = Path(training.candidates)
    return weighed_pairs(
        run,
        split.train,
        tokenizer,
        languages=(training.source_language, training.target_language),
        max_length=training.max_length,
        path=folder / "candidates" / f"{run.name}.jsonl",
        device=device,
    )


def _taught(training: TranslationTraining, split: Split, *, folder: Path, device: torch.device) -> tuple[Pair, ...]:
    languages = (training.source_language, training.target_language)
    teachers = [[Path(part) for part in teacher.split(TOGETHER)] for teacher in training.teachers]
    return taught_pairs(teachers, split.train, languages, folder=folder / "taught", device=device)


def _tokenizer(path: Path, split: Split, vocabulary_size: int) -> Tokenizer:
    if path.is_file():
        tokenizer = Tokenizer.load(path)
        if tokenizer.vocabulary_size != vocabulary_size:
            raise ValueError(
                f"{path} has {tokenizer.vocabulary_size} pieces and the configuration asks for {vocabulary_size}; "
                "train into another folder, or as before"
            )
        return tokenizer
    tokenizer = Tokenizer.train(
        (sentence for pair in split.train for sentence in (pair.source, pair.target)), vocabulary_size
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(tokenizer.serialized)
    return tokenizer
