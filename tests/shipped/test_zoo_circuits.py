"""What was measured of circuits of small decoders is of the weights that ship, and comes out again."""

import numpy as np
import pytest
import torch

from model.analysis.circuits.frozen_pass import HEAD, UNIT
from model.hooks import intervene, record
from model.tasks import draw_tests, find, row_of, vocabulary_of
from pretrained.zoo import CIRCUIT_MODELS, load_zoo_model, shipped_zoo, zoo_circuits, zoo_results

CIRCUITS = zoo_circuits()
SHIPPED = {(one.run.task, one.run.encoding): one for one in shipped_zoo()}


def test_every_model_is_there_with_the_weights_that_ship_and_of_committed_code() -> None:
    assert tuple(dict.fromkeys(zip(CIRCUITS["task"], CIRCUITS["encoding"], strict=True))) == CIRCUIT_MODELS
    for model, own in CIRCUITS.groupby(["task", "encoding"]):
        assert {*own["sha256"]} == {SHIPPED[model].sha256}
    assert not CIRCUITS["commit"].str.contains("dirty|unknown").any()


def test_the_circuit_alone_keeps_the_accuracy_and_the_rest_alone_does_not() -> None:
    own = CIRCUITS[(CIRCUITS["measure"] == "accuracy") & (CIRCUITS["length"] == CIRCUITS["longest_trained"])]
    by_model = own.pivot_table(index=["task", "encoding"], columns="changed", values="value")
    assert (by_model["others"] > by_model["none"] - 0.05).all()
    assert (by_model["kept"] < by_model["none"] - 0.4).all()


@pytest.mark.parametrize(("task", "encoding"), CIRCUIT_MODELS)
def test_the_whole_model_is_as_right_as_its_published_results(task: str, encoding: str) -> None:
    results = zoo_results()
    run = SHIPPED[task, encoding].run
    is_run = (results["task"] == task) & (results["encoding"] == encoding) & (results["seed"] == run.seed)
    published = results[is_run & (results["checkpoint"] == "best")].set_index("length")["exact_match"]
    own = CIRCUITS[(CIRCUITS["task"] == task) & (CIRCUITS["encoding"] == encoding) & (CIRCUITS["changed"] == "none")]
    trained = int(own["length"].min())
    # An input is right where all of its tokens are.
    n_tokens = 1 if task == "parity" else trained
    accuracy = own.set_index("length")["value"][trained]
    assert 1 - n_tokens * (1 - accuracy) <= published[trained] + 0.1
    assert accuracy >= published[trained] - 0.1


@pytest.mark.parametrize(("task", "encoding"), [("copy_letters", "rotary"), ("parity", "path")])
def test_the_accuracy_of_the_circuit_alone_comes_out_again(task: str, encoding: str) -> None:
    """By hand: everything but what was kept at its mean over new training inputs."""
    own = CIRCUITS[(CIRCUITS["task"] == task) & (CIRCUITS["encoding"] == encoding)]
    kept = own[own["measure"] == "kept"]
    places = {(point, int(head)) for point, head in zip(kept["source_point"], kept["source_head"], strict=True)}
    length = int(own["longest_trained"].iloc[0])
    described, model = find(task), load_zoo_model(SHIPPED[task, encoding])
    rows = [row_of(described, vocabulary_of(described), one) for one in draw_tests(described, length, 60, 7)]
    tokens = torch.tensor([row.ids for row in rows])
    first, last = rows[0].n_prompt - 1, tokens.shape[1] - 2
    with torch.no_grad(), record("*.z", "*.hidden") as seen:
        model(tokens[:, :-1])

    def at_means(x: torch.Tensor, point: str) -> torch.Tensor:
        x = x.clone()
        if point.endswith(UNIT):
            return x if (point, -1) in places else seen[point].mean((0, 1)).expand_as(x)
        for head in range(x.shape[1]):
            if (point, head) not in places:
                x[:, head] = seen[point][:, head].mean((0, 1))
        return x

    edits = {point: (lambda x, point=point: at_means(x, point)) for point in seen}
    with torch.no_grad(), intervene(edits):
        right = model(tokens[:, :-1])[:, first:last].argmax(-1) == tokens[:, first + 1 : last + 1]
    measured = own[(own["changed"] == "others") & (own["length"] == length)]["value"].iloc[0]
    assert any(point.endswith(HEAD) for point, _ in places)
    assert float(right.double().mean()) == pytest.approx(measured, abs=0.1)


def test_shares_are_of_the_trained_length_and_within_their_bounds() -> None:
    edges = CIRCUITS[CIRCUITS["measure"] == "edge"]
    trained = edges[edges["length"] == edges["longest_trained"]]
    np.testing.assert_allclose(trained["share"], 1)
    assert (edges["low"] <= edges["share"] + 0.05).mean() > 0.99
    assert (edges["high"] >= edges["share"] - 0.05).mean() > 0.99


@pytest.mark.parametrize(("task", "encoding"), [("copy_letters", "rotary"), ("copy_letters", "kerple")])
def test_heads_that_read_look_at_the_letter_that_comes_next(task: str, encoding: str) -> None:
    reads = CIRCUITS[(CIRCUITS["task"] == task) & (CIRCUITS["encoding"] == encoding) & (CIRCUITS["measure"] == "reads")]
    described, model = find(task), load_zoo_model(SHIPPED[task, encoding])
    length = 20
    rows = [row_of(described, vocabulary_of(described), one) for one in draw_tests(described, length, 40, 2)]
    tokens = torch.tensor([row.ids for row in rows])
    with torch.no_grad(), record("*.pattern") as seen:
        model(tokens[:, :-1])
    rows_read = reads[(reads["length"] == length) & (reads["offset"] == 0)].to_dict("records")
    assert rows_read
    for row in rows_read:
        pattern = seen[row["source_point"].replace(".z", ".pattern")][:, int(row["source_head"])]
        weights = [pattern[:, length + 1 + step, 1 + step] for step in range(length)]
        assert float(torch.stack(weights).mean()) == pytest.approx(row["value"], abs=0.05)
