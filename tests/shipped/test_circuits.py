"""What was measured of circuits and hidden units is of the weights that ship, and comes out again."""

import pytest
import torch

from model.hooks import record
from pretrained import load_translator, read_card
from pretrained.circuits import CIRCUITS, circuit_checks, circuits_path
from pretrained.unit_examples import UNIT_EXAMPLES, unit_examples, unit_examples_path
from tests.app.running import markdown, open_in_app
from viz.pages.interventions.study.circuit.claims import CLAIMS
from viz.pages.interventions.study.circuit.methods import FEW, MANY, METHODS, method_rows

MEASURED = sorted(path.stem for path in CIRCUITS.glob("*.parquet"))
WITH_EXAMPLES = sorted(path.stem for path in UNIT_EXAMPLES.glob("*.parquet"))


def weights_of(name: str) -> str:
    sha256: str = read_card(name).metrics["sha256"]["weights.safetensors"]
    return sha256


def test_the_translators_of_the_page_have_both() -> None:
    assert {"translation-en-de", "translation-de-en"} == {*MEASURED}
    assert circuits_path("translation-en-de").is_file()
    assert unit_examples_path("translation-en-de").is_file()


@pytest.mark.parametrize("name", MEASURED)
def test_checks_are_of_the_weights_that_ship_and_of_sentences_enough(name: str) -> None:
    rows = circuit_checks(name)
    assert {*rows["weights"]} == {weights_of(name)}
    assert rows["sentences"].min() >= 500
    assert {"whole", "without", "only", "area", "alone"} == {*rows["measure"]}
    within = rows.dropna(subset=["low", "high"])
    assert (within["low"] <= within["value"] + 1e-6).all()
    assert (within["value"] <= within["high"] + 1e-6).all()
    everything = rows[(rows["measure"] == "only") & (rows["share"] == 1)]
    assert everything["value"].tolist() == pytest.approx([1] * len(everything), abs=1e-3)


def test_why_this_word_opens_on_a_circuit_that_is_enough() -> None:
    assert "strongest heads and hidden units, drawn here, are enough to write" in markdown(open_in_app("why_this_word"))


@pytest.mark.parametrize("name", MEASURED)
def test_what_is_said_of_many_sentences_holds_in_both_directions(name: str) -> None:
    checks = circuit_checks(name)
    for claim in CLAIMS.values():
        assert claim(checks).holds
    rows = {(row.method, row.by): row for row in method_rows(checks)}
    assert len(rows) == 2 * len(METHODS)
    for by in ("zero", "mean"):
        random = rows["random", by]
        for method in METHODS[:-1]:
            row = rows[method, by]
            assert row.without[MANY].flipped > row.without[FEW].flipped > 3 * random.without[MANY].flipped
            assert row.areas["CPR"].low > random.areas["CPR"].high


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_excite_the_unit_as_recorded(name: str) -> None:
    examples, translator = unit_examples(name), load_translator(name, "cpu")
    assert {*examples["weights"]} == {weights_of(name)}
    config = translator.model.config
    n_units = config.d_ff * (config.n_encoder_layers + config.n_decoder_layers)
    assert 0.9 * n_units < examples.groupby(["point", "unit"]).ngroups <= n_units
    of_encoder = examples[examples["point"].str.startswith("encoder") & (examples["text"] != "")]
    for row in of_encoder.sample(20, random_state=0).to_dict("records"):
        tokens = [*translator.tokenizer.encode(row["before"] + row["text"] + row["after"]), config.eos_id]
        with torch.inference_mode(), record(row["point"]) as seen:
            translator.model.encode(torch.tensor([tokens]))
        assert float(seen[row["point"]][0, :, row["unit"]].max()) == pytest.approx(row["activation"], abs=1e-3)
