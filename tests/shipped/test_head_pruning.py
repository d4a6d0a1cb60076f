"""What translators lose without heads is of the weights that ship, and comes out again."""

import pytest

from model.analysis.interventions.ablation import Part
from model.analysis.interventions.head_pruning import batches_of, losses_without
from model.text.tokenizer import EOS_ID
from pretrained import load_translator, read_card, shipped
from pretrained.head_pruning import PRUNING, head_pruning, pruning_path, pruning_sentences

MEASURED = [name for name in shipped() if pruning_path(name).is_file()]
POINTS = {"encoder": "encoder.{}.self_attention.z", "decoder": "decoder.{}.self_attention.z"}
POINTS["cross"] = "decoder.{}.cross_attention.z"


def test_there_is_one_of_a_translator_that_ships_and_none_of_another() -> None:
    assert "translation-en-de" in MEASURED
    assert {path.stem.removesuffix("-sentences") for path in PRUNING.glob("*.parquet")} == {*MEASURED}


@pytest.mark.parametrize("name", MEASURED)
def test_it_is_of_the_weights_that_ship_and_goes_down_to_no_head(name: str) -> None:
    rows, card = head_pruning(name), read_card(name)
    config = card.config
    n_heads = config.n_heads * (config.n_encoder_layers + 2 * config.n_decoder_layers)
    assert {*rows["weights"]} == {card.metrics["sha256"]["weights.safetensors"]}
    assert rows["sentences"].min() >= 100
    for order in ("importance", "loss"):
        of_order = rows[rows["choice"] == order]
        assert sorted(of_order["n_left"]) == [*range(n_heads)]
        assert len(of_order[["kind", "layer", "head"]].drop_duplicates()) == n_heads
    # With no head nothing of the source is read: both orders end in the same model.
    last = rows[rows["choice"].isin(["importance", "loss"]) & (rows["n_left"] == 0)]
    assert last["loss"].max() - last["loss"].min() < 1e-4


@pytest.mark.slow
def test_two_heads_measured_again_cost_the_same() -> None:
    name = "translation-en-de"
    translator, rows = load_translator(name, "cpu"), pruning_sentences(name)
    assert len(rows[["kind", "layer", "head"]].drop_duplicates()) == 2
    for row in rows.to_dict("records"):
        encode, part = translator.tokenizer.encode, Part(POINTS[row["kind"]].format(row["layer"] - 1), row["head"] - 1)
        pair = [*encode(row["source"]), EOS_ID], [*encode(row["target"]), EOS_ID]
        (loss,) = losses_without(translator.model, batches_of([pair], translator.model), [[part]]).tolist()
        assert loss == pytest.approx(row["loss"], abs=1e-4)


def test_the_loss_shrinks_for_about_as_many_heads_as_it_grows_for_with_the_mean_in_place_of_zero() -> None:
    rows = head_pruning("translation-en-de")
    zero, mean = (
        rows[rows["choice"] == choice].set_index(["kind", "layer", "head"])["bleu"] for choice in ("zero", "mean")
    )
    saved = mean - zero
    assert abs(int((saved > 0.3).sum()) - int((saved < -0.3).sum())) <= len(saved) / 12
    assert abs(float(saved.mean())) < 0.1
