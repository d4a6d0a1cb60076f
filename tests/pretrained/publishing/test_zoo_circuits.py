"""Circuits of small decoders by length of input: places are right, and what is measured is what the words promise."""

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

from model.analysis.circuits.frozen_pass import HEAD
from model.architectures.decoder_only import DecoderOnly
from model.hooks import intervene
from model.tasks import find
from model.zoo.data import held_out_rows
from model.zoo.plan import make_run
from pretrained.publishing.zoo_circuits import PLACES, Asked, parts_of, write_zoo_circuits
from pretrained.zoo import load_zoo_model, shipped_zoo, zoo_circuits
from tests.fixtures.zoo import SIZES, publish_zoo

pytestmark = pytest.mark.unchecked


@pytest.mark.parametrize("name", PLACES)
def test_places_are_where_the_right_tokens_stand(name: str) -> None:
    asked = Asked.of(find(name), held_out_rows(find(name), 12, 20))
    inputs = asked.batch.tokens[:, 1:13]
    assert inputs.gather(1, PLACES[name](inputs)).tolist() == asked.right.tolist()


def test_the_accuracy_is_that_of_answer_tokens_but_for_the_end() -> None:
    model, task, length = DecoderOnly(make_run("reverse", "rotary", 1, **SIZES).model).eval(), find("reverse"), 24
    rows = held_out_rows(task, length, 20)
    accuracy = Asked.of(task, rows).accuracy(model)
    tokens, n_prompt = torch.tensor([row.ids for row in rows]), rows[0].n_prompt
    with torch.inference_mode():
        written = model(tokens[:, :-1]).argmax(-1)[:, n_prompt - 1 :]
    right = written[:, :length] == tokens[:, n_prompt : n_prompt + length]
    assert accuracy == pytest.approx(float(right.double().mean()))
    assert 0 < accuracy < 1


def test_a_model_that_does_not_ship_gets_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no model of reverse rotary ships; its circuit cannot be measured"):
        [*write_zoo_circuits(folder=tmp_path)]


def test_the_difference_is_that_to_the_strongest_other_token() -> None:
    task = find("parity")
    asked = Asked.of(task, held_out_rows(task, 8, 10))
    logits = torch.randn(10, asked.batch.tokens.shape[1] - 1, 6, generator=torch.Generator().manual_seed(0))
    of_rows = asked.difference(logits)
    for row, right in enumerate(asked.right[:, 0].tolist()):
        answer = logits[row, int(asked.columns[0])].tolist()
        others = [value for token, value in enumerate(answer) if token != right]
        assert float(of_rows[row]) == pytest.approx(answer[right] - max(others))


def test_a_table_of_every_model_comes_out_the_same_again(tmp_path: Path) -> None:
    folder = publish_zoo(tmp_path)
    assert zoo_circuits(folder).empty
    models = [(one.run.task, one.run.encoding) for one in shipped_zoo(folder)]
    write = partial(write_zoo_circuits, models=models, folder=folder, n=6, n_choosing=6)
    assert len([*write()]) == len(models)
    table = zoo_circuits(folder)
    [*write()]
    pd.testing.assert_frame_equal(zoo_circuits(folder), table)
    assert {*zip(table["task"], table["encoding"], strict=True)} == {*models}
    edges = table[table["measure"] == "edge"]
    trained = edges[edges["length"] == edges["longest_trained"]]
    np.testing.assert_allclose(trained["share"], 1)
    assert (table["length"].dropna() >= table.loc[table["length"].notna(), "longest_trained"]).all()


def test_the_parts_are_all_heads_and_the_hidden_units_of_all_layers() -> None:
    model = load_zoo_model(shipped_zoo()[0])
    parts = parts_of(model)
    assert len(parts) == model.config.n_layers * (model.config.n_heads + 1)
    with torch.no_grad(), intervene({part.point: torch.zeros_like for part in parts}):
        without = model(torch.tensor([[1, 5, 6]]))
    assert sum(part.point.endswith(HEAD) for part in parts) == model.config.n_layers * model.config.n_heads
    assert without.shape[1] == 3
