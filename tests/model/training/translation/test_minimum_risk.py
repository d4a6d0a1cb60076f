"""Minimum risk training: the loss against the paper on whole logits, the candidates, and a run that goes by them."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import sacrebleu
import torch

from model.checkpoint import load_state
from model.data.loading import Pair, load_split
from model.text.tokenizer import Tokenizer
from model.training.__main__ import main
from model.training.loss import sequence_loss
from model.training.translation.batches import EncodedPair
from model.training.translation.finished import load_finished
from model.training.translation.minimum_risk import (
    SEARCH,
    CandidateBatch,
    CandidateBatches,
    CandidatePair,
    candidate_pairs,
    minimum_risk_loss,
)

# A model is called often.
pytestmark = pytest.mark.unchecked

CPU = torch.device("cpu")
LONGEST = 999
"""More pieces than any candidate has: how long a run of forty steps rambles on depends on the processor."""
SAID = (
    CandidatePair(EncodedPair([5, 6], [7, 8]), ([7, 9, 9], [4], [8]), (0.2, 0.9, 0.5)),
    CandidatePair(EncodedPair([9], [4]), ([6, 5],), (0.7,)),
)


def only_batch(pairs: tuple[CandidatePair, ...] = SAID) -> CandidateBatch:
    (batch,) = CandidateBatches(pairs, tokens_per_batch=1000, seed=1).epoch(0)
    return batch


@pytest.mark.parametrize("weight", [0.5, 4.0])
def test_it_equals_the_paper_on_whole_logits(make_model, weight: float) -> None:
    model = make_model(dropout=0.0).train()
    found = minimum_risk_loss(model, only_batch(), label_smoothing=0.1, weight=weight)
    found.smoothed.backward()
    gradients = {name: parameter.grad.clone() for name, parameter in model.named_parameters()}
    model.zero_grad()

    def log_p(source: list[int], target: list[int]) -> torch.Tensor:
        ended = torch.tensor([*target, model.config.eos_id])
        read = torch.tensor([[model.config.bos_id, *target]])
        logits = model(torch.tensor([[*source, model.config.eos_id]]), read)[0]
        return torch.distributions.Categorical(logits=logits).log_prob(ended).sum()

    expected = torch.zeros(())
    for each in SAID:
        probable = torch.stack([log_p(each.pair.source, ids) for ids in each.candidates]).exp()
        risk = (probable / probable.sum()) @ torch.tensor(each.risks)
        source = torch.tensor([[*each.pair.source, model.config.eos_id]])
        target = torch.tensor([[model.config.bos_id, *each.pair.target, model.config.eos_id]])
        reference = sequence_loss(model, source, target, label_smoothing=0.1)
        expected = expected + reference.smoothed + weight * reference.n_tokens * risk
    expected.backward()
    torch.testing.assert_close(found.smoothed, expected, rtol=1e-5, atol=1e-4)
    assert found.n_tokens == 5
    for name, parameter in model.named_parameters():
        torch.testing.assert_close(gradients[name], parameter.grad, rtol=1e-3, atol=1e-5, msg=name)


def test_a_step_against_it_makes_what_risks_less_more_probable(make_model) -> None:
    model = make_model(dropout=0.0).train()
    rivals = (CandidatePair(EncodedPair([5, 6], [7]), ([8, 9], [9, 8]), (0.0, 1.0)),)

    def expected_risk() -> torch.Tensor:
        both = [minimum_risk_loss(model, only_batch(rivals), label_smoothing=0.0, weight=w) for w in (1.0, 0.0)]
        return both[0].smoothed - both[1].smoothed

    before = expected_risk()
    before.backward()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.sub_(0.01 * parameter.grad)
    assert expected_risk() < before


def test_batches_hold_every_pair_once_an_epoch_and_stay_bounded() -> None:
    pairs = [
        CandidatePair(EncodedPair([4 + n], [9] * (1 + n % 7)), ([8] * (1 + n % 5), [7]), (0.1, 0.2)) for n in range(40)
    ]
    source = CandidateBatches(pairs, tokens_per_batch=90, seed=1)
    batches = list(source.epoch(0))
    assert sorted(row[0].item() for batch in batches for row in batch.source) == [4 + n for n in range(40)]
    assert all(batch.targets.numel() <= 90 + batch.targets[0].numel() for batch in batches)
    again, other = source.epoch(0, start=2), source.epoch(1)
    torch.testing.assert_close(next(again).targets, batches[2].targets)
    assert any(not torch.equal(one.source, batch.source) for one, batch in zip(other, batches, strict=False))


def test_two_shares_are_the_whole_and_a_share_too_many_has_nothing(make_model) -> None:
    model, batch = make_model(dropout=0.0), only_batch()
    whole, *parts = (
        minimum_risk_loss(model, part, label_smoothing=0.1, weight=2.0)
        for part in (batch, *(batch.share(index, 3) for index in range(3)))
    )
    torch.testing.assert_close(sum(part.smoothed for part in parts), whole.smoothed)
    assert sorted(part.n_tokens for part in parts) == [0, 2, 3]
    assert parts[2].smoothed == 0


def test_without_any_pair_there_is_nothing_to_train_on() -> None:
    with pytest.raises(ValueError, match="no sentence pair to train on"):
        CandidateBatches([], tokens_per_batch=9, seed=1)


@pytest.fixture
def finished(tiny_corpus, write_toml, tmp_path: Path) -> Path:
    """The folder of a run from English to German."""
    places = ["--folder", str(tmp_path / "finished"), "--data-dir", str(tiny_corpus.data_dir), "--device", "cpu"]
    assert main([str(write_toml(n_steps=40, validate_every=40)), *places]) == 0
    return tmp_path / "finished"


def weighed(run: Path, pairs: tuple[Pair, ...], path: Path) -> list[CandidatePair]:
    tokenizer = Tokenizer.load(run / "tokenizer.model")
    languages = "English", "German"
    return candidate_pairs(run, pairs, tokenizer, languages=languages, max_length=LONGEST, path=path, device=CPU)


def test_a_run_of_other_languages_is_refused(finished: Path, tmp_path: Path) -> None:
    tokenizer, path = Tokenizer.load(finished / "tokenizer.model"), tmp_path / "candidates.jsonl"
    with pytest.raises(ValueError, match="finished translates English to German; candidates are English to French"):
        candidate_pairs(finished, (), tokenizer, languages=("English", "French"), max_length=9, path=path, device=CPU)


def test_candidates_are_the_runs_best_and_risk_what_they_lack_in_bleu(finished: Path, tmp_path: Path) -> None:
    pair = Pair("Tom loves bread.", "Tom liebt Brot.")
    (found,) = weighed(finished, (pair,), tmp_path / "candidates.jsonl")
    translator = load_finished(finished, CPU).translator
    said = list(dict.fromkeys(translator.n_best_of_all([pair.source], SEARCH)[0]))
    assert len(said) > 1
    assert list(found.candidates) == [translator.tokenizer.encode(text) for text in said]
    assert found.risks == pytest.approx([1 - sacrebleu.sentence_bleu(text, [pair.target]).score / 100 for text in said])


def test_candidates_are_read_again_and_those_of_other_pairs_refused(finished: Path, tmp_path: Path) -> None:
    pairs, path = (Pair("Tom loves bread.", "Tom liebt Brot."),), tmp_path / "candidates.jsonl"
    path.write_text(json.dumps(["Tom liebt Brot.", "Tom liebt Brot.", "Brot."]), encoding="utf-8")
    (found,) = weighed(finished, pairs, path)
    assert len(found.candidates) == 2
    assert found.risks[0] == pytest.approx(0)
    with pytest.raises(ValueError, match="candidates of 1 sentences for 2; delete it and start again"):
        weighed(finished, pairs * 2, path)


def test_a_run_goes_by_its_candidates_and_goes_on_after_a_stop(finished, tiny_corpus, write_toml, tmp_path) -> None:
    def weights(name: str, *n_steps: int, **options: Any) -> dict[str, torch.Tensor]:
        places = ["--folder", str(tmp_path / name), "--data-dir", str(tiny_corpus.data_dir), "--device", "cpu"]
        options |= {"cooldown_steps": 0, "bpe_dropout": 0.0, "max_length": LONGEST}
        for n in n_steps:
            assert main([str(write_toml(n_steps=n, **options)), *places]) == 0
        found: dict[str, torch.Tensor] = load_state(tmp_path / name / "checkpoint.pt")["weights"]
        return found

    by_risk = {"mrt_candidates": str(finished), "mrt_weight": 3.0}
    once, plain = weights("once", 6, **by_risk), weights("plain", 6)
    stopped = weights("stopped", 3, 6, **by_risk)
    shutil.copytree(tmp_path / "once" / "candidates", tmp_path / "kept" / "candidates")
    kept = weights("kept", 6, **by_risk)
    n_pairs = len(load_split([tiny_corpus.name], 5, data_dir=tiny_corpus.data_dir).train)
    assert len((tmp_path / "once" / "candidates" / "finished.jsonl").read_text().splitlines()) == n_pairs
    assert any(not torch.equal(once[name], plain[name]) for name in once)
    for name in once:
        torch.testing.assert_close(stopped[name], once[name], msg=name)
        torch.testing.assert_close(kept[name], once[name], msg=name)
