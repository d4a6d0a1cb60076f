"""What each encoding costs, on a tiny model."""

from dataclasses import replace

from model.zoo.plan import ENCODINGS
from pretrained.publishing.encoding_costs import MODEL, measure


def test_every_encoding_is_measured_and_learned_positions_cost_their_table() -> None:
    tiny = replace(MODEL, d_model=16, n_heads=2, d_key=8, d_value=8, d_ff=16, n_layers=1)
    rows = measure(tiny, list(ENCODINGS), 8, 1).set_index("encoding")
    assert set(rows.index) == set(ENCODINGS)
    assert (rows[["read_milliseconds", "write_milliseconds"]] > 0).all(axis=None)
    assert rows.n_parameters["none"] == rows.n_parameters["rotary"] == 0
    assert rows.n_parameters["learned"] == 512 * 16
