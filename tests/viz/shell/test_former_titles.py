"""Links of the past name encodings by titles that they had then."""

import pytest

from model.positional import registered
from model.zoo.plan import ENCODINGS
from viz.shell.encodings import encoding_title
from viz.shell.former_titles import FORMER, with_present_titles

# As they stood in the words and in the encodings' files before 4d5bd4a.
TITLES = {
    *("None (NoPE)", "No encoding (NoPE)", "T5 relative bias", "T5 bias, near", "T5 bias, near (16)"),
    *("T5 bias, nearer", "T5 bias, near (9)", "Rotary, a quarter", "Rotary, 25 %", "Rotary (RoPE)", "KERPLE"),
    *("Randomized", "Rotary, randomized", "FIRE, randomized"),
}
NAMING = ("encodings", "probe", "reach", "reach-swap", "wear", "pin", "beside", "v1", "v3.inner")


def test_every_former_title_is_known_and_none_is_one_of_today() -> None:
    today = {encoding_title(config) for config in ENCODINGS.values()}
    today |= {encoding.description.title for encoding in registered().values()}
    assert set(FORMER) == TITLES
    assert set(FORMER.values()) <= set(ENCODINGS)
    assert not set(FORMER) & today


@pytest.mark.parametrize("title", sorted(TITLES))
@pytest.mark.parametrize(
    "key", ["encodings", "probe", "reach", "reach-swap", "wear", "pin", "beside", "v1", "v3.inner"]
)
def test_a_former_title_is_read_as_the_present_one(title: str, key: str) -> None:
    present = encoding_title(ENCODINGS[FORMER[title]])
    assert with_present_titles({key: [title, "ALiBi"], "task": ["Copy"]}) == {key: [present, "ALiBi"], "task": ["Copy"]}


def test_what_a_visitor_wrote_stays_as_it_is() -> None:
    link = {"text": ["KERPLE"], "input": ["KERPLE"], "encodings": ["<b>"], "v": ["KERPLE"], "probe-at": ["KERPLE"]}
    assert with_present_titles(link) == link
