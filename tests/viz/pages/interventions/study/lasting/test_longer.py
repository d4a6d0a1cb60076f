"""What is told of longer inputs is what was measured: strengths, the first edge to fall, and where heads look."""

import numpy as np
import pandas as pd
import pytest

from viz.base.claims import Names
from viz.pages.interventions.study.lasting.claims import EDGE, PART, all_reading, alone, first_edge, reading
from viz.pages.interventions.study.lasting.longer import (
    N_SHOWN,
    accuracies_as_csv,
    edges_as_csv,
    longer_inputs,
    models_of,
    shown,
)

MODEL = ("reverse", "rotary")
LENGTHS = (10, 12, 20)
HEAD, OTHER, UNITS = "decoder.1.self_attention.z", "decoder.0.self_attention.z", "decoder.2.feed_forward.hidden"


def accuracy(changed: str, *values: float, **place: object) -> list[dict[str, object]]:
    return [
        {"measure": "accuracy", "changed": changed, "length": length, "value": value, **place}
        for length, value in zip(LENGTHS, values, strict=True)
    ]


def edge(source: tuple[str, int], target: tuple[str, int], effect: float, *shares: float) -> list[dict[str, object]]:
    ends = {"source_point": source[0], "source_head": source[1], "target_point": target[0], "target_head": target[1]}
    return [
        {
            "measure": "edge",
            "length": length,
            **ends,
            "value": effect * share,
            "share": share,
            "low": share - 0.1,
            "high": share + 0.1,
        }
        for length, share in zip(LENGTHS, shares, strict=True)
    ]


PLACE = {"source_point": HEAD, "source_head": 2}
ROWS = [
    {"measure": "kept", **PLACE},
    {"measure": "kept", "source_point": UNITS, "source_head": -1},
    *({"measure": "difference", "length": length, "value": 8.0} for length in LENGTHS),
    *accuracy("none", 1, 0.95, 0.5),
    *accuracy("others", 0.99, 0.9, 0.45),
    *accuracy("kept", 0.1, 0.1, 0.1),
    *accuracy("reading", 1, 1, 0.99),
    *accuracy("drawn", 0.7, 0.6, 0.4),
    *accuracy("one", 1, 1, 0.8, **PLACE),
    *(
        {"measure": "reads", "length": length, "value": value, "offset": 1, **PLACE}
        for length, value in zip(LENGTHS, (0.9, 0.7, 0.3), strict=True)
    ),
    *edge(("decoder.embedding", -1), (HEAD, 2), 2.0, 1, 0.4, 0.1),
    *edge((HEAD, 2), (UNITS, -1), 4.0, 1, 0.45, 0.2),
    *edge((UNITS, -1), ("", -1), 6.0, 1, 0.9, 0.6),
    *edge((OTHER, 0), ("", -1), -5.0, 1, 0.1, 0.1),
    *edge((OTHER, 1), ("", -1), 0.5, 1, 0.1, 0.1),
]
CIRCUITS = pd.DataFrame(ROWS).assign(task=MODEL[0], encoding=MODEL[1], n_parts=20, longest_trained=10)
MEASURED = longer_inputs(CIRCUITS, MODEL)


def test_what_was_measured_stands_by_length_and_edges_by_their_strength() -> None:
    assert models_of(CIRCUITS) == (MODEL,)
    assert MEASURED.lengths == LENGTHS
    assert MEASURED.kept == ("2.3", "ffn.3")
    assert MEASURED.accuracies["others"].tolist() == [0.99, 0.9, 0.45]
    assert "one" not in MEASURED.accuracies
    assert [*MEASURED.edges.codes] == [
        ("ffn.3", "output"),
        ("1.1", "output"),
        ("2.3", "ffn.3"),
        ("input", "2.3"),
        ("1.2", "output"),
    ]
    np.testing.assert_allclose(MEASURED.edges.effects, [0.75, -0.625, 0.5, 0.25, 0.0625])
    np.testing.assert_allclose(MEASURED.edges.shares[2], [1, 0.45, 0.2])
    assert MEASURED.reading.keys() == {"2.3"}
    assert len(shown(MEASURED.edges).codes) == min(N_SHOWN, 5)


def test_the_cliff_is_the_first_length_with_less_than_nine_tenths_right() -> None:
    assert MEASURED.lengths[MEASURED.cliff] == 20
    nowhere = longer_inputs(CIRCUITS[(CIRCUITS["value"] != 0.5) | (CIRCUITS["changed"] != "none")], MODEL)
    assert nowhere.lengths[nowhere.cliff] == 20


def test_the_first_edge_to_fall_adds_the_least_of_those_that_fall_there() -> None:
    claim = first_edge(MEASURED)
    assert claim.holds
    assert claim.values["edge"] == Names(EDGE, ("input 2.3",))
    # Neither one that speaks against the token nor one that adds little.
    assert (claim.values["length"], claim.values["edges"], claim.values["fallen"]) == (12, 3, 2)
    strong = CIRCUITS[(CIRCUITS["measure"] != "edge") | (CIRCUITS["value"] > 3)]
    assert not first_edge(longer_inputs(strong[strong["target_point"] != UNITS], MODEL)).holds


def test_a_circuit_that_fails_as_the_whole_does_is_told_from_one_that_fails_before() -> None:
    claim = alone(MEASURED)
    assert claim.holds
    assert (claim.values["kept"], claim.values["parts"], claim.values["only"], claim.values["length"]) == (
        2,
        20,
        0.45,
        20,
    )
    worse = CIRCUITS.assign(value=CIRCUITS["value"].where(CIRCUITS["value"] != 0.45, 0.2))
    assert not alone(longer_inputs(worse, MODEL)).holds


def test_heads_that_look_where_they_should_are_told_of_at_twice_the_length() -> None:
    claim = reading(MEASURED)
    assert claim.holds
    assert claim.values["heads"] == Names(PART, ("2.3",))
    assert [claim.values[key] for key in ("weight_trained", "weight", "none", "reading", "drawn")] == [
        *(0.9, 0.3, 0.5, 0.99, 0.4)
    ]
    of_all = all_reading(CIRCUITS)
    assert of_all.holds
    assert (of_all.values["models"], of_all.values["broken"], of_all.values["repaired"]) == (1, 1, 0.99)
    not_mended = CIRCUITS.assign(value=CIRCUITS["value"].where(CIRCUITS["changed"] != "reading", 0.6))
    assert not all_reading(not_mended).holds
    assert not reading(longer_inputs(not_mended, MODEL)).holds


def test_tables_have_every_length_and_edge() -> None:
    head, *rows = accuracies_as_csv(MEASURED).splitlines()
    assert head == "length,none,others,reading,drawn,weight of 2.3"
    assert rows[-1] == "20,0.5000,0.4500,0.9900,0.4000,0.3000"
    lines = edges_as_csv(MEASURED.edges, MEASURED.lengths).splitlines()
    assert len(lines) == 1 + 5 * len(LENGTHS)
    assert lines[1] == "ffn.3,output,0.7500,10,1.0000,0.9000,1.1000"


@pytest.mark.parametrize("task", ["parity"])
def test_a_task_without_places_has_no_reading_heads(task: str) -> None:
    own = CIRCUITS[(CIRCUITS["measure"] != "reads") & ~CIRCUITS["changed"].isin(["reading", "drawn", "one"])]
    assert not longer_inputs(own.assign(task=task), (task, "rotary")).reading
