"""Many architectures of Transformers, from folder to heads, or to their refusal: equal to what Transformers gives."""

from pathlib import Path

import pytest

from benchmarks.own_models import examine
from tests.fixtures.architectures import ARCHITECTURES

CLOSE = 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("name", ARCHITECTURES)
def test_each_architecture_is_read_right_or_refused(name: str, tmp_path: Path) -> None:
    architecture = ARCHITECTURES[name]
    found = examine(architecture, tmp_path)
    assert (found.refusal, found.off_refusal) == (architecture.refusal, architecture.off_refusal), found.sentence
    if found.refusal:
        return
    # Maps as Transformers' own, and after the hook by hand that Transformers' own model has.
    assert found.difference <= CLOSE
    if not found.off_refusal:
        assert found.off_difference is not None
        assert found.off_difference <= CLOSE < found.change
    # Layers are the model's own, also where others have no attention.
    assert found.numbers[0] == architecture.layer
    # Nobody who chose a folder is told what to pass to a function.
    assert "attn_implementation" not in found.sentence
    assert "pass `" not in found.sentence


def test_forty_architectures_are_tried_and_most_are_read() -> None:
    assert sum(not one.refusal for one in ARCHITECTURES.values()) >= 80
    assert sum(bool(one.refusal) for one in ARCHITECTURES.values()) >= 10
