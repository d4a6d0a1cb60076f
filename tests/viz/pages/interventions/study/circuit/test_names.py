"""A reader's own names of parts go through a link as they were typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viz.base.link_parameters import bad_links
from viz.pages.interventions.study.circuit.names import MOST_CHARACTERS, PartNames, renamed

NAMES = PartNames("names", ())
CODES = ("cross.3.5.2", "encoder.0.input.4", "decoder.1.units.12")


@given(st.lists(st.tuples(st.sampled_from(CODES), st.text(max_size=60))))
def test_what_is_typed_is_read_again(typed: list[tuple[str, str]]) -> None:
    named: dict[str, str] = {}
    for code, name in typed:
        named = dict(renamed(named, code, name))
        assert (code in named) == bool(name.split())
        assert all(len(own) <= MOST_CHARACTERS for own in named.values())
    if named:
        assert dict(NAMES.read(NAMES.write(tuple(named.items())))) == named


@pytest.mark.parametrize(
    "text", ["", "cross.3.5.2", "cross.3.5.2 ", "head five", "cross.3.5.2 a|", "../.. a", f"cross.3.5.2 {'a' * 41}"]
)
def test_another_form_gets_one_sentence(text: str) -> None:
    assert len(bad_links([NAMES], {"names": text})) == 1
