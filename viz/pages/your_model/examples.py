"""The recording and the learned positions that ship, for the page to open on."""

import numpy as np

from pretrained.huggingface.foreign_positions import ForeignPositions
from viz.base.attention_files import kinds_of_file
from viz.pages.your_model.state import EXAMPLE, EXAMPLE_TABLE, Kinds
from viz.shared.shipped import cached_while_unchanged


@cached_while_unchanged(lambda: [EXAMPLE], max_entries=1)
def example() -> Kinds:
    """Return the recording that is shipped."""
    return kinds_of_file(EXAMPLE.name, EXAMPLE.read_bytes())


@cached_while_unchanged(lambda: [EXAMPLE_TABLE], max_entries=1)
def example_positions() -> ForeignPositions:
    """Return the learned positions of the model that the example is of, to half a byte step.

    Raises:
        OSError: the file is not there, or is none.
    """
    with np.load(EXAMPLE_TABLE, allow_pickle=False) as table:
        values = table["steps"] * table["scales"]
    return ForeignPositions("table", "embeddings.position_embeddings", values.astype(np.float32))
