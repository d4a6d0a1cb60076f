"""Heads that are switched off, as a link carries them."""

import pytest

from pretrained.huggingface.recorded import Head
from viz.pages.your_model.state import MAX_HEADS, OffHeads

OFF = OffHeads("own-off", ())


@pytest.mark.parametrize(
    ("text", "heads"),
    [
        ("", ()),
        ("1.1", (Head("self", 0, 0),)),
        ("2.8,1.1,2.8", (Head("self", 1, 7), Head("self", 0, 0))),
        ("cross.12.3,encoder.1.1", (Head("cross", 11, 2), Head("encoder", 0, 0))),
    ],
)
def test_heads_are_read_and_written(text: str, heads: tuple[Head, ...]) -> None:
    assert OFF.read(text) == heads
    assert OFF.read(OFF.write(heads)) == heads


@pytest.mark.parametrize(
    "text",
    [
        "1",
        "0.1",
        "1.0",
        "1.99999",
        "both.1.1",
        "1.1.1",
        "1.1;2.2",
        "\u0663.\u0661",
        ",".join(f"{n}.1" for n in range(1, MAX_HEADS + 2)),
    ],
)
def test_what_names_no_heads_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        OFF.read(text)
