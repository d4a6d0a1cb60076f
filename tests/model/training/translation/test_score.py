"""Scores by hand, and the published form of Multi30k's references."""

import math
from collections.abc import Sequence

import pytest
import torch

from model.training.loss import sequence_loss
from model.training.translation.batches import Batch, BucketedBatches, EncodedPair
from model.training.translation.score import mean_cross_entropy, tokenized_bleu

PAIRS = [EncodedPair([4, 5], [6, 7, 8]), EncodedPair([4], [9]), EncodedPair([5, 6, 7], [4, 4])]


def test_cross_entropy_counts_every_piece_and_the_end_once_and_no_padding(make_model) -> None:
    model = make_model()

    def mean(tokens_per_batch: int) -> float:
        batches = BucketedBatches(PAIRS, tokens_per_batch=tokens_per_batch, seed=1).epoch(0)

        def loss(batch: Batch):
            return sequence_loss(model, batch.source, batch.target, label_smoothing=0.0)

        with torch.inference_mode():
            return mean_cross_entropy(loss, batches, torch.device("cpu"))

    def by_hand() -> float:
        losses = []
        for pair in PAIRS:
            logits = model(torch.tensor([[*pair.source, 3]]), torch.tensor([[2, *pair.target]]))
            losses += (-logits.log_softmax(-1))[0].gather(1, torch.tensor([[*pair.target, 3]]).T).flatten().tolist()
        return sum(losses) / len(losses)

    assert mean(1) == pytest.approx(mean(1000)) == pytest.approx(by_hand(), rel=1e-5)
    assert math.exp(mean(1000)) > 1


@pytest.mark.parametrize(
    ("translations", "references"),
    [
        (["ein hund läuft , schnell ."], ["Ein Hund läuft, schnell."]),
        (["Ein Hund „rennt“ davon."], ['ein hund "rennt" davon.']),
    ],
)
def test_tokenised_bleu_knows_no_case_and_no_kinds_of_quotation_marks(
    translations: Sequence[str], references: Sequence[str]
) -> None:
    assert tokenized_bleu(translations, references, "German") == pytest.approx(100)


def test_tokenised_bleu_is_that_of_the_tokens_by_hand() -> None:
    # 1-grams 5 of 6, 2-grams 3 of 5, 3-grams 1 of 4, 4-grams none: smoothed to half of one, as sacreBLEU does.
    expected = 100 * (5 / 6 * 3 / 5 * 1 / 4 * 1 / (2 * 3)) ** 0.25
    assert tokenized_bleu(["A b, c D e"], ["a b, x d e"], "English") == pytest.approx(expected)
