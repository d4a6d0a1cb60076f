"""Minimum risk training: minimise the expected 1 − BLEU over candidates.

Shen et al. 2016, arXiv:1512.02433. The candidates of a source are several translations of it by a finished run. The
model learns to give more probability to those of a higher sentence BLEU. The cross-entropy of the reference is added,
as Edunov et al. (2018, arXiv:1711.04956) do.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from model.architectures.encoder_decoder import EncoderDecoder
from model.data.loading import Pair
from model.decoding.options import DecodingOptions
from model.files import write_text
from model.text.padding import pad
from model.text.tokenizer import BOS_ID, EOS_ID, PAD_ID, Tokenizer
from model.training.loss import TokenLoss, projected_cross_entropy
from model.training.translation.batches import EncodedPair, encode_pairs, plan_batches
from model.training.translation.finished import load_finished
from model.training.translation.score import bleu_for

SEARCH = DecodingOptions(beam_size=8, n_best=8, length_penalty=1.4)
"""The search for candidates; the penalty is that of teachers (:mod:`model.training.translation.teachers`)."""


@dataclass(frozen=True)
class CandidatePair:
    """A pair as piece ids, without special tokens, its candidates, and each one's risk, 1 − sentence BLEU."""

    pair: EncodedPair
    candidates: tuple[list[int], ...]
    risks: tuple[float, ...]


@dataclass(frozen=True)
class CandidateBatch:
    """Sources, with targets and the risks of all targets but the first.

    Sources [B, S] end in EOS, targets [B, 1 + K, T] reach from BOS to EOS, and risks are [B, K]. The first target of a
    source is its reference. Where it has fewer than K candidates, the others are padding.
    """

    source: Int[Tensor, "batch source"]
    targets: Int[Tensor, "batch target_of_source target"]
    risks: Float[Tensor, "batch candidate"]

    def to(self, device: torch.device) -> "CandidateBatch":
        """Return the batch on ``device``."""
        return CandidateBatch(self.source.to(device), self.targets.to(device), self.risks.to(device))

    def share(self, index: int, n: int) -> "CandidateBatch":
        """Return the part number ``index`` of ``n``.

        Where there are fewer rows than parts, it is a row without a target.
        """
        if index < len(self.source):
            return CandidateBatch(self.source[index::n], self.targets[index::n], self.risks[index::n])
        return CandidateBatch(self.source[:1], torch.full_like(self.targets[:1], PAD_ID), self.risks[:1])


class CandidateBatches:
    """Batches of ``pairs`` with at most ``tokens_per_batch`` positions of targets each, padding included.

    ``seed`` and the epoch's number decide their order, as with ``batches.BucketedBatches``.
    """

    def __init__(self, pairs: Sequence[CandidatePair], *, tokens_per_batch: int, seed: int) -> None:
        """Keep the pairs; raises ValueError if there is none."""
        if not pairs:
            raise ValueError("there is no sentence pair to train on; check the corpus and max_length")
        self._pairs, self._seed = pairs, seed
        self._n_targets = 1 + max(len(each.candidates) for each in pairs)
        self._tokens_per_target = tokens_per_batch // self._n_targets
        self._source_lengths = [len(each.pair.source) for each in pairs]
        self._target_lengths = [max(map(len, (each.pair.target, *each.candidates))) for each in pairs]

    def epoch(self, number: int, *, start: int = 0) -> Iterator[CandidateBatch]:
        """Yield the batches of epoch ``number``, from the one with index ``start`` on."""
        batches = plan_batches(
            self._source_lengths,
            self._target_lengths,
            tokens_per_batch=self._tokens_per_target,
            seed=self._seed,
            epoch=number,
        )
        for rows in batches[start:]:
            yield self._batch([self._pairs[row] for row in rows])

    def _batch(self, rows: Sequence[CandidatePair]) -> CandidateBatch:
        ids = [[BOS_ID, *target, EOS_ID] for each in rows for target in (each.pair.target, *each.candidates)]
        n_targets = torch.tensor([1 + len(each.candidates) for each in rows])
        is_target = torch.arange(self._n_targets) < n_targets[:, None]  # [B, 1 + K]
        targets = torch.full((*is_target.shape, max(map(len, ids))), PAD_ID)
        targets[is_target] = pad(ids)
        risks = torch.zeros(is_target[:, 1:].shape)
        risks[is_target[:, 1:]] = torch.tensor([risk for each in rows for risk in each.risks])
        return CandidateBatch(pad([[*each.pair.source, EOS_ID] for each in rows]), targets, risks)


def minimum_risk_loss(
    model: EncoderDecoder, batch: CandidateBatch, *, label_smoothing: float, weight: float
) -> TokenLoss:
    """Return the loss of the references, plus ``weight`` times the expected risk for each of their tokens.

    The expectation is over the candidates, by the model's probabilities normalised among them (equation 9 of Shen et
    al. with α = 1). The plain cross-entropy is that of the references alone.
    """
    n, n_targets, _ = batch.targets.shape
    memory, memory_mask = model.encode(batch.source)
    memory = memory.repeat_interleave(n_targets, 0)  # [B·(1 + K), S, D]
    if memory_mask is not None:
        memory_mask = memory_mask.repeat_interleave(n_targets, 0)  # [B·(1 + K), 1, 1, S]
    targets = batch.targets.flatten(0, 1)  # [B·(1 + K), T]
    hidden = model.decode_hidden(targets[:, :-1], memory, memory_mask)  # [B·(1 + K), T - 1, D]
    hidden = hidden.reshape(n, n_targets, -1, model.config.d_model)  # [B, 1 + K, T - 1, D]
    labels = batch.targets[:, :, 1:]
    real = labels != model.config.pad_id
    vocabulary = model.embedding.weight
    reference = projected_cross_entropy(
        hidden[:, 0][real[:, 0]], vocabulary, labels[:, 0][real[:, 0]], label_smoothing=label_smoothing
    )
    log_p = _log_probabilities(hidden[:, 1:], vocabulary, labels[:, 1:], real[:, 1:])  # [B, K]
    # Not -inf, so that a row without any candidate, which has no token either, adds 0 and not NaN.
    shares = log_p.masked_fill(~real[:, 1:, 0], torch.finfo(log_p.dtype).min).softmax(-1)  # [B, K]
    expected = (shares * batch.risks).sum(-1)  # [B]
    risk = (expected * real[:, 0].sum(-1)).sum()
    return TokenLoss(reference.smoothed + weight * risk, reference.cross_entropy, reference.n_tokens)


def _log_probabilities(
    hidden: Tensor, vocabulary: Tensor, labels: Tensor, real: Tensor
) -> Float[Tensor, "batch candidate"]:
    logits = hidden[real] @ vocabulary.T.to(hidden.dtype)  # [token, V]
    log_p = -F.cross_entropy(logits.float(), labels[real], reduction="none")  # [token]
    return torch.zeros(real.shape, device=log_p.device).masked_scatter(real, log_p).sum(-1)  # [B, K]


def candidate_pairs(
    run: Path,
    pairs: Sequence[Pair],
    tokenizer: Tokenizer,
    *,
    languages: tuple[str, str],
    max_length: int,
    path: Path,
    device: torch.device,
) -> list[CandidatePair]:
    """Return ``pairs`` with the candidates of the finished ``run``.

    These are kept in ``path`` and read from there the next time. Pairs with a side, or a candidate, that is empty or
    longer than ``max_length`` pieces are left out.

    Raises:
        ValueError: ``run`` is no finished run or translates between other ``languages``, or ``path`` holds candidates
            of other pairs.
    """
    scorer = bleu_for(languages[1], of_sentences=True)
    with_risks = []
    for pair, candidates in zip(pairs, _candidates(run, pairs, languages, path, device), strict=True):
        targets = [pair.target, *candidates]
        encoded = encode_pairs([Pair(pair.source, text) for text in targets], tokenizer, max_length=max_length)
        if len(encoded) == len(targets):
            risks = tuple(1 - scorer.sentence_score(text, [pair.target]).score / 100 for text in candidates)
            with_risks.append(CandidatePair(encoded[0], tuple(each.target for each in encoded[1:]), risks))
    return with_risks


def _candidates(
    run: Path, pairs: Sequence[Pair], languages: tuple[str, str], path: Path, device: torch.device
) -> list[list[str]]:
    if not path.is_file():
        finished = load_finished(run, device)
        if finished.training.data.languages != languages:
            raise ValueError(
                f"{run.name} translates {' to '.join(finished.training.data.languages)}; candidates are "
                f"{' to '.join(languages)}, so name a run of that direction"
            )
        translations = finished.translator.n_best_of_all([pair.source for pair in pairs], SEARCH, as_typed=True)
        write_text("".join(f"{json.dumps(texts, ensure_ascii=False)}\n" for texts in translations), path)
    candidates = [list(dict.fromkeys(json.loads(line))) for line in path.read_text(encoding="utf-8").splitlines()]
    if len(candidates) != len(pairs):
        raise ValueError(
            f"{path} has candidates of {len(candidates)} sentences for {len(pairs)}; delete it and start again"
        )
    return candidates
