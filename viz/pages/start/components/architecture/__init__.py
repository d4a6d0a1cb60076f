"""The architecture of the paper's figure 1 with one translation on its way through it, in the browser."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st
from jaxtyping import Float32, UInt8

from viz.base.colours import PALETTES, Theme, diverging, sequential
from viz.components.attention_explorer.sending import quantised
from viz.components.browser import bundle, menu_header, pack, style
from viz.pages.start.study.records import Passage

_FOLDER = Path(__file__).parent
SCRIPT = bundle(_FOLDER / "main.js")
"""All of the browser's side, as one module."""
_mount = st.components.v2.component("architecture", css=style(_FOLDER / "architecture.css"), js=SCRIPT)


def architecture_view(
    passage: Passage,
    *,
    text: str,
    addresses: Mapping[str, str],
    theme: Theme,
    words: Mapping[str, str],
    key: str,
) -> str | None:
    """Show ``passage``; return the address of the part that a visitor has just opened, if any.

    Args:
        passage: of one translation.
        text: the sentence that is translated.
        addresses: for every part, the address of the page that takes it apart; ``{layer}`` and ``{head}`` are filled in
            where a head is opened.
        theme: light or dark.
        words: everything that is said, by the names the script uses.
        key: of the widget.
    """
    header: dict[str, Any] = {
        "text": text,
        "addresses": dict(addresses),
        "source": passage.source.labels,
        "read": passage.read.labels,
        "written": [asdict(token) for token in passage.written],
        "sizes": asdict(passage.sizes),
        "words": dict(words),
        "menu": menu_header(),
        "palette": {**asdict(PALETTES[theme]), "sequential": sequential(theme), "diverging": diverging(theme)},
    }
    vectors = {
        "source embedding": passage.source.embedding,
        "source positions": passage.source.positions,
        "read embedding": passage.read.embedding,
        "read positions": passage.read.positions,
        "memory": passage.memory,
        **{f"{stack} feed forward": outputs for stack, outputs in passage.feed_forward.items()},
    }
    blocks: dict[str, np.ndarray] = {name: as_shares(values) for name, values in vectors.items()}
    for kind in passage.kinds:
        blocks[kind.name] = quantised(kind.weights, kind.scales)
    opened: str | None = _mount(key=key, data=pack(header, blocks), on_opened_change=lambda: None).opened
    return opened


def as_shares(values: Float32[np.ndarray, "..."]) -> UInt8[np.ndarray, "..."]:
    """Return ``values`` as shares of the largest of them, in bytes: 128 for 0, 255 for the largest, 1 for its negative.

    An outlier would leave nothing of the others to see: the limit is what 99 % of them stay below, beyond it all are 1.
    """
    limit = np.float32(np.quantile(np.abs(values), 0.99)) or np.float32(1)
    return np.rint(np.clip(values / limit, -1, 1) * 127 + 128).astype(np.uint8)
