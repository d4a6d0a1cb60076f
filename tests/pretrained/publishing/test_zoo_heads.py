"""What the heads of shipped small decoders do: every head once, and the same again."""

from pathlib import Path

import pandas as pd
import pytest

from pretrained.publishing.head_catalogue import write_zoo_heads
from pretrained.zoo import HEADS, zoo_heads
from tests.fixtures.zoo import publish_zoo

pytestmark = pytest.mark.unchecked


def test_every_head_of_every_model_is_measured_and_the_same_again(tmp_path: Path) -> None:
    folder = publish_zoo(tmp_path)
    assert zoo_heads(folder).empty
    write_zoo_heads(folder=folder, n=20)
    read = zoo_heads(folder)
    models = read[["task", "encoding"]].drop_duplicates()
    assert len(read) == 4 * len(models)
    assert not read.duplicated(["task", "encoding", "layer", "head"]).any()
    assert {*read["kind"]} == {"decoder"}
    assert read["sentences"].min() > 0
    assert read[["previous", "first", "sink", "confidence"]].to_numpy().max() <= 1 + 1e-6
    # A causal mask hides what comes next.
    assert (read["next"] == 0).all()
    write_zoo_heads(folder=folder, n=20)
    pd.testing.assert_frame_equal(zoo_heads(folder), read)


def test_where_nothing_ships_nothing_is_written(tmp_path: Path) -> None:
    assert write_zoo_heads(folder=tmp_path) == "zoo: 0 heads"
    assert not (tmp_path / HEADS).exists()
