"""The codes of what can be switched off, and where it stands in the grid."""

import pytest

from model.architectures.encoder_decoder import EncoderDecoder
from model.config import EncoderDecoderConfig
from viz.pages.interventions.names import column_of, long_name, names_of, rows_of
from viz.pages.interventions.study.parts import Switch, parts_of, switches_of

N_HEADS = 2


@pytest.fixture(scope="module")
def known() -> dict[str, Switch]:
    config = EncoderDecoderConfig(
        11, d_model=8, n_heads=N_HEADS, d_key=4, d_value=4, d_ff=8, n_encoder_layers=2, n_decoder_layers=3
    )
    return switches_of(EncoderDecoder(config))


def test_every_code_is_of_one_part_and_counts_from_1(known: dict[str, Switch]) -> None:
    assert len({one.part for one in known.values()}) == len(known) == (2 + 3 + 3) * (N_HEADS + 1) + 5 + 2
    (part,) = parts_of(known, ("cross.3.2",))
    assert (part.point, part.head) == ("decoder.2.cross_attention.z", 1)
    (part,) = parts_of(known, ("encoder.1.feed-forward",))
    assert (part.point, part.head) == ("encoder.0.feed_forward.output", None)
    assert known["decoder.2.1"].holding == "decoder.2.attention"
    assert known["decoder.2.attention"].holding == "decoder.2.attention"
    assert {"encoder.positions", "decoder.positions"} < {*known}


def test_no_two_cells_cover_each_other(known: dict[str, Switch]) -> None:
    rows = list(rows_of(known))
    covered = [
        (rows.index((one.kind, one.layer)), first + place)
        for one in known.values()
        for first, span in [column_of(one, N_HEADS)]
        for place in range(span)
    ]
    assert len(covered) == len({*covered})
    assert max(column for _, column in covered) == N_HEADS + 1


def test_every_part_has_a_name_of_its_own(known: dict[str, Switch]) -> None:
    assert len({long_name(one) for one in known.values()}) == len(known)
    assert names_of(("cross.1.2", "encoder.positions"), known) == "Cross 1.2, Encoder positions"
    assert names_of((), known) == "nothing"
