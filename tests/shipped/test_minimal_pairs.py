"""The pairs that ship are ones that the translator is right on, and what was measured of them comes out again."""

from functools import partial

import numpy as np
import pytest
import torch

from model.analysis.circuits.frozen_pass import FrozenPass, logit_difference
from model.decoding.options import GREEDY
from model.decoding.translator import Translator
from model.hooks import intervene
from pretrained import load_head_means, read_card
from pretrained.minimal_pairs import MINIMAL_PAIRS, PHENOMENA, TRANSLATOR, mean_circuits, minimal_pairs
from pretrained.translators import CARD
from viz.pages.interventions.study.phenomena.measured import examples

PAIRS, CIRCUITS = minimal_pairs(), mean_circuits()


def test_there_are_pairs_enough_of_every_phenomenon_and_a_card_says_how_many() -> None:
    counts = PAIRS.groupby("template", sort=False).size()
    assert tuple(counts.index) == tuple(CIRCUITS["template"].unique()) == PHENOMENA
    assert counts.min() >= 100
    card = (MINIMAL_PAIRS / CARD).read_text(encoding="utf-8")
    assert all(f"| {name} |" in card and f"| {n} |" in card for name, n in counts.items())
    assert not PAIRS.duplicated(["source_clean", "source_corrupted", "begun_clean", "begun_corrupted"]).any()


def test_both_tables_are_of_the_weights_that_ship_and_of_committed_code() -> None:
    for table in (PAIRS, CIRCUITS):
        assert {*table["weights"]} == {read_card(TRANSLATOR).metrics["sha256"]["weights.safetensors"]}
        assert not table["commit"].str.contains("dirty").any()


@pytest.mark.parametrize("phenomenon", PHENOMENA)
def test_the_right_tokens_are_the_most_probable_ones(phenomenon: str, translator: Translator) -> None:
    rows = PAIRS[PAIRS["template"] == phenomenon].sample(3, random_state=0)
    for row in rows.to_dict("records"):
        for side in ("clean", "corrupted"):
            logits = _logits(translator, row, side)
            assert int(logits.argmax()) == row[f"token_{side}"]
            again = translator.translate(row[f"source_{side}"], GREEDY, prefix=row[f"begun_{side}"], as_typed=True)
            tokens = [*row[f"written_{side}"], row[f"token_{side}"]]
            assert [*again.hypotheses[0].tokens[: len(tokens)]] == tokens


@pytest.mark.parametrize("phenomenon", ["gender", "tense"])
def test_shares_of_heads_come_out_again(phenomenon: str, translator: Translator) -> None:
    """Over all pairs, of the strongest head: its effect as a part of the sum, from its mean."""
    means = load_head_means(TRANSLATOR)
    assert means is not None
    rows = CIRCUITS[(CIRCUITS["template"] == phenomenon) & (CIRCUITS["measure"] == "part") & (CIRCUITS["head"] >= 0)]
    row = rows.loc[rows["share"].idxmax()]
    effects, totals = [], []
    for pair in PAIRS[PAIRS["template"] == phenomenon].to_dict("records"):
        step, tokens = len(pair["written_clean"]), (pair["token_clean"], pair["token_corrupted"])
        source, read = _tokens(translator, pair, "clean")
        frozen = FrozenPass(translator.model, lambda _, source=source, read=read: translator.model(source, read))
        found = frozen.effects(logit_difference(step, *tokens), means.by_point)
        effects.append(float(found.effects[row["point"]][int(row["head"])].sum()))
        totals.append(found.total)
    assert np.mean(effects) / np.mean(totals) == pytest.approx(row["share"], abs=1e-3)
    assert row["low"] <= row["share"] <= row["high"]


@pytest.mark.parametrize("phenomenon", ["gender", "question"])
def test_what_is_right_without_the_strongest_heads_comes_out_again(phenomenon: str, translator: Translator) -> None:
    means = load_head_means(TRANSLATOR)
    assert means is not None
    circuits = CIRCUITS[CIRCUITS["template"] == phenomenon]
    strongest = circuits[circuits["measure"] == "strongest"]

    edits = {
        point: partial(_at_means, mean=means.by_point[point], heads=group["head"].astype(int).tolist())
        for point, group in strongest.groupby("point")
    }
    right = []
    for row in PAIRS[(PAIRS["template"] == phenomenon) & (PAIRS["half"] == "held out")].to_dict("records"):
        for side, other in (("clean", "corrupted"), ("corrupted", "clean")):
            with intervene(edits):
                logits = _logits(translator, row, side)
            right.append(bool(logits[row[f"token_{side}"]] > logits[row[f"token_{other}"]]))
    (measured,) = circuits[circuits["off"] == "strongest"]["right"]
    assert np.mean(right) == pytest.approx(measured, abs=0.01)


@pytest.mark.parametrize("phenomenon", PHENOMENA)
def test_examples_are_translated_by_themselves_as_in_the_pair(phenomenon: str, translator: Translator) -> None:
    for example in examples(PAIRS, phenomenon):
        target = translator.translate(example.clean).target
        at = next(word for word in target.words if word.start <= example.step - 1 < word.end)
        assert at.text == example.word


def _at_means(z: torch.Tensor, *, mean: torch.Tensor, heads: list[int]) -> torch.Tensor:
    z = z.clone()
    z[:, heads] = mean[heads][None, :, None]  # [1, head, 1, E]
    return z


def _tokens(translator: Translator, row: dict[str, object], side: str) -> tuple[torch.Tensor, torch.Tensor]:
    config = translator.model.config
    source = [*translator.tokenizer.encode(str(row[f"source_{side}"])), config.eos_id]
    return torch.tensor([source]), torch.tensor([[config.bos_id, *row[f"written_{side}"]]])  # type: ignore[misc]


@torch.inference_mode()
def _logits(translator: Translator, row: dict[str, object], side: str) -> torch.Tensor:
    return translator.model(*_tokens(translator, row, side))[0, -1]  # type: ignore[no-any-return]
