"""Trains a translator from its configuration: data, tokenizer, batches, model, validation."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch

from model.architectures.encoder_decoder import EncoderDecoder
from model.data.loading import Pair, Split, load_split
from model.decoding.options import GREEDY
from model.decoding.translator import Translator
from model.text.tokenizer import Tokenizer
from model.training.encoder_decoder import encoder_decoder_trainer, kept_tokenizer
from model.training.loop import BatchSource, Trainer
from model.training.loss import TokenLoss, sequence_loss
from model.training.processes import ALONE, Processes
from model.training.translation.batches import (
    Batch,
    BucketedBatches,
    EncodedPair,
    ResampledBatches,
    encode_pairs,
)
from model.training.translation.capitals import write_capitals
from model.training.translation.config import TranslationAugmentation, TranslationLoss, TranslationTraining
from model.training.translation.copy_augmentation import CopyAugmentation
from model.training.translation.drop_end_marks import drop_end_marks
from model.training.translation.join_sentences import JoinedSentences
from model.training.translation.minimum_risk import CandidateBatch, CandidateBatches, candidate_pairs, minimum_risk_loss
from model.training.translation.phrases import Phrases
from model.training.translation.score import bleu_for, mean_cross_entropy
from model.training.translation.swap_nouns import NounSwap
from model.training.translation.teachers import teacher_pairs


def translation_trainer(
    training: TranslationTraining,
    *,
    folder: Path,
    device: torch.device,
    data_dir: Path | None = None,
    processes: Processes = ALONE,
) -> Trainer[Any]:
    """Return the trainer of ``training``, at its first step or where the run in ``folder`` stopped.

    Each of the ``processes`` has a trainer of its own, which takes its part of every batch. The tokenizer, and what
    teachers or the candidates' run translate, are written to ``folder``.

    Raises:
        CorpusMissingError: a corpus is not in ``data_dir``.
        ValueError: the run in ``folder`` was trained with other sizes; or as :func:`teacher_pairs` and
            :func:`~model.training.translation.minimum_risk.candidate_pairs`.
    """
    data = training.data
    split = load_split(data.corpora, data.n_dev, dev_corpus=data.dev_corpus, data_dir=data_dir)
    split = Split(up_to_words(split.train, data.max_source_words), split.dev)
    with processes.in_turn():
        sentences = (sentence for pair in split.train for sentence in (pair.source, pair.target))
        tokenizer = kept_tokenizer(folder, sentences, training.model.vocabulary_size)
        batches = _batches(training, split, tokenizer, folder=folder, device=device)
    return encoder_decoder_trainer(
        training,
        batches,
        loss=partial(_loss, training.loss),
        validation=partial(_validation, training, tokenizer, split.dev[: data.n_validated], device),
        folder=folder,
        device=device,
        processes=processes,
    )


def up_to_words(pairs: tuple[Pair, ...], most: int) -> tuple[Pair, ...]:
    """Return those of ``pairs`` whose source has at most ``most`` words; all of them if that is 0."""
    return tuple(pair for pair in pairs if len(pair.source.split()) <= most) if most else pairs


def greedy_bleu(model: EncoderDecoder, tokenizer: Tokenizer, pairs: Sequence[Pair], language: str) -> float:
    """Return the BLEU of greedy translations of ``pairs`` into ``language``."""
    was_training = model.training
    translations = Translator(model, tokenizer).translate_all([pair.source for pair in pairs], GREEDY, as_typed=True)
    model.train(was_training)
    return float(bleu_for(language).corpus_score(translations, [[pair.target for pair in pairs]]).score)


def _loss(loss: TranslationLoss, model: EncoderDecoder) -> Callable[[Any], TokenLoss]:
    def cross_entropy(batch: Batch) -> TokenLoss:
        return sequence_loss(model, batch.source, batch.target, label_smoothing=loss.label_smoothing)

    def with_risk(batch: CandidateBatch) -> TokenLoss:
        return minimum_risk_loss(model, batch, label_smoothing=loss.label_smoothing, weight=loss.mrt_weight)

    return with_risk if loss.mrt_candidates else cross_entropy


def _validation(
    training: TranslationTraining,
    tokenizer: Tokenizer,
    pairs: Sequence[Pair],
    device: torch.device,
    model: EncoderDecoder,
) -> Callable[[], dict[str, float]]:
    data = training.data
    encoded = encode_pairs(pairs, tokenizer, max_length=data.max_length)
    batches = BucketedBatches(encoded, tokens_per_batch=data.tokens_per_batch, seed=training.seed)
    cross_entropy = _loss(TranslationLoss(label_smoothing=training.loss.label_smoothing), model)

    def validate() -> dict[str, float]:
        dev_loss = mean_cross_entropy(cross_entropy, batches.epoch(0), device)
        return {"dev_loss": dev_loss, "score": greedy_bleu(model, tokenizer, pairs, data.target_language)}

    return validate


def _batches(
    training: TranslationTraining, split: Split, tokenizer: Tokenizer, *, folder: Path, device: torch.device
) -> BatchSource[Any]:
    data, candidates = training.data, Path(training.loss.mrt_candidates)
    if not training.loss.mrt_candidates:
        teachers = [
            [Path(run) for run in ([teacher] if isinstance(teacher, str) else teacher)]
            for teacher in training.augment.teachers
        ]
        taught = teacher_pairs(teachers, split.train, data.languages, folder=folder / "taught", device=device)
        return _augmented_batches(training, (*split.train, *taught), tokenizer)
    pairs = candidate_pairs(
        candidates,
        split.train,
        tokenizer,
        languages=data.languages,
        max_length=data.max_length,
        path=folder / "candidates" / f"{candidates.name}.jsonl",
        device=device,
    )
    return CandidateBatches(pairs, tokens_per_batch=data.tokens_per_batch, seed=training.seed)


def _augmented_batches(
    training: TranslationTraining, pairs: Sequence[Pair], tokenizer: Tokenizer
) -> BucketedBatches | ResampledBatches:
    augment, data = training.augment, training.data
    if augment == TranslationAugmentation(teachers=augment.teachers):  # no epoch differs from another: encoded once
        encoded = encode_pairs(pairs, tokenizer, max_length=data.max_length)
        return BucketedBatches(encoded, tokens_per_batch=data.tokens_per_batch, seed=training.seed)
    vary = _augmentation(augment, pairs, data.languages)

    def pairs_of(seed: int) -> list[EncodedPair]:
        return encode_pairs(vary(seed), tokenizer, max_length=data.max_length, dropout=augment.bpe_dropout, seed=seed)

    return ResampledBatches(pairs_of, tokens_per_batch=data.tokens_per_batch, seed=training.seed)


def _augmentation(
    augment: TranslationAugmentation, pairs: Sequence[Pair], languages: tuple[str, str]
) -> Callable[[int], Sequence[Pair]]:
    """Return the function from a seed to the ``pairs`` as the sections' augmentations vary them."""
    copies = CopyAugmentation(pairs, augment.copy_augmentation) if augment.copy_augmentation else None
    nouns = NounSwap(pairs, augment.swap_nouns) if augment.swap_nouns else None
    added: list[JoinedSentences | Phrases] = []
    if augment.join_sentences:
        added.append(JoinedSentences(pairs, augment.join_sentences, languages))
    if augment.phrases:
        added.append(Phrases(pairs, augment.phrases))

    def vary(seed: int) -> Sequence[Pair]:
        varied = copies.varied(seed) if copies else pairs
        varied = nouns.varied(varied, seed) if nouns else varied
        varied = [*varied, *(pair for source in added for pair in source.made(seed))]
        varied = write_capitals(varied, augment.capitals, seed) if augment.capitals else varied
        return drop_end_marks(varied, augment.drop_end_marks, seed)

    return vary
