"""The attention explorer alone on a page, with made-up weights: what ``?case=`` asks for."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from viz.base.attention_maps import AttentionKind, Step, TokenRow, exact_rows
from viz.base.colours import Theme
from viz.base.link_parameters import query_of, read_link
from viz.base.words import page_text
from viz.components.attention_explorer import ExplorerView, attention_explorer, committed_view

KEY = "explorer"
HOSTILE = (
    "</script><script>window.ran = 1</script>",
    "<img src=x onerror='window.ran = 1'>",
    "<!--",
    "שלום",
    "e\u0301\u0302\u0303",
    "long" * 50,
    "",
    "{key}",
    "=1+1",
)
SENTENCE = (
    "⟨start⟩",
    "The",
    "animal",
    "did",
    "n't",
    "cross",
    "the",
    "street",
    "because",
    "it",
    "was",
    "ti",
    "·red",
    ".",
)
WRITTEN = (
    "Das",
    "Tier",
    "hat",
    "die",
    "Stra",
    "·ße",
    "nicht",
    "über",
    "·quert",
    ",",
    "weil",
    "es",
    "mü",
    "·de",
    "war",
    ".",
)


def random_weights(layers: int, heads: int, queries: int, keys: int, *, causal: bool = False) -> np.ndarray:
    """Return rows that add up to 1: some heads near the diagonal, some far from it, some of no shape."""
    draw = np.random.default_rng(queries * keys)
    scores = 2 * draw.standard_normal((layers, heads, queries, keys)).astype(np.float32)
    distance = np.abs(np.arange(queries)[:, None] * (keys / queries) - np.arange(keys)) / keys
    bent = draw.uniform(-2, 30, (layers, heads, 1, 1)).astype(np.float32)
    scores -= bent * distance.astype(np.float32)
    if causal:
        scores[..., np.triu(np.ones((queries, keys), dtype=bool), 1)] = -np.inf
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return (weights / weights.sum(axis=-1, keepdims=True)).astype(np.float32)


def row_of(labels: tuple[str, ...]) -> TokenRow:
    """Return a row whose words begin wherever no raised dot stands."""
    starts = [index for index, label in enumerate(labels) if not label.startswith("·")]
    spans = tuple(zip(starts, [*starts[1:], len(labels)], strict=True))
    names = tuple("".join(labels[start:end]).replace("·", "") for start, end in spans)
    return TokenRow(labels, spans, tuple(label.startswith("⟨") for label in labels), names)


def translation(layers: int = 3, heads: int = 8) -> tuple[AttentionKind, ...]:
    """Return all kinds for one sentence."""
    source, target = row_of((*SENTENCE, "⟨end⟩")), row_of((*WRITTEN, "⟨end⟩"))
    read = row_of(("⟨start⟩", *WRITTEN))
    sizes = (len(source), len(target))
    return (
        AttentionKind("encoder", random_weights(layers, heads, sizes[0], sizes[0]), source, source),
        AttentionKind("decoder", random_weights(layers, heads, sizes[1], sizes[1], causal=True), target, read),
        AttentionKind("cross", random_weights(layers, heads, sizes[1], sizes[0]), target, source, rates(layers, heads)),
    )


def rates(layers: int, heads: int) -> np.ndarray:
    """Return made-up rates of alignment."""
    return np.random.default_rng(heads).random((layers, heads))


def square(tokens: int, layers: int = 6, heads: int = 8) -> tuple[AttentionKind, ...]:
    """Return an encoder of ``tokens`` tokens."""
    row = TokenRow(tuple(f"token{index}" for index in range(tokens)))
    return (AttentionKind("encoder", random_weights(layers, heads, tokens, tokens), row, row),)


def uneven() -> tuple[AttentionKind, ...]:
    """Return a translation whose encoder has twice as many layers as its decoder."""
    return (translation(layers=6)[0], *translation()[1:])


def hostile() -> tuple[AttentionKind, ...]:
    """Return tokens that would run, break or bend a page that took them for markup."""
    row = TokenRow(HOSTILE)
    return (AttentionKind("encoder", random_weights(2, 2, len(HOSTILE), len(HOSTILE)), row, row),)


def short() -> tuple[AttentionKind, ...]:
    """Return cross-attention of a shorter sentence."""
    source, target = row_of(("⟨start⟩", "Hi", "⟨end⟩")), row_of(("Hal", "·lo", "!", "⟨end⟩"))
    return (AttentionKind("cross", random_weights(3, 8, 4, 3), target, source),)


BESIDE = """<style>p { color: rgb(1, 2, 3) }</style><h2 onclick="window.ran = 1">Beside</h2>
<img src="x" onerror="window.ran = 1"><script>window.ran = 1</script><p>The calculation.</p>"""
"""What stands beside the matrix, with markup in it that must not run."""


def steps() -> tuple[Step, ...]:
    """Return the written tokens, each with two alternatives, the first like the written one within its word."""
    names = [(word.removeprefix("·"), word) for word in (*WRITTEN, "⟨end⟩")]
    return tuple(Step(label, ((label, 0.5), (alone, 0.4), ("<b>", 0.1)), chosen=1) for label, alone in names)


def recorded(query: Mapping[str, str]) -> dict[str, Any]:
    """Return what the explorer takes of the case that ``query`` asks for, and the view."""
    case = query.get("case", "translation")
    named = {"hostile": hostile, "uneven": uneven}
    kinds = square(int(case)) if case.isdecimal() else named.get(case, translation)()
    written = steps() if case == "translation" else ()
    view = read_link(ExplorerView, query)[0].fitted(kinds, len(written))
    others = {"other": short, "uneven": translation}
    other, aside = others[case]() if case in others else (), BESIDE if case == "beside" else ""
    most_whole = 0 if case == "large" else None
    return {"kinds": kinds, "steps": written, "other": other, "aside": aside, "view": view, "most_whole": most_whole}


def draw(shown: Mapping[str, Any], theme: Theme) -> None:
    """Draw the explorer."""
    attention_explorer(
        **shown,
        exact=exact_rows(shown["kinds"], shown["view"].wanted_rows(shown["kinds"])),
        names=("This one", "Other one"),
        text=page_text("components/attention_explorer"),
        theme=theme,
        key=KEY,
    )


def show() -> None:
    """Draw the page."""
    query = st.query_params.to_dict()
    shown = recorded(query)
    if is_other := st.toggle("Another sentence"):
        shown |= {"kinds": short(), "steps": ()}
    view = (committed_view(KEY) or shown["view"]).fitted(shown["kinds"], len(shown["steps"]))
    if is_other:
        view = replace(view, pins=())
    if st.button("The third head of the third layer"):
        view = replace(view, heads=((2, 2),))
    draw(shown | {"view": view}, "dark" if st.context.theme.type == "dark" else "light")
    st.query_params.from_dict({"case": query.get("case", "translation"), **query_of(view)})
    st.caption("The end of the page.")


if __name__ == "__main__":
    st.set_page_config(layout="wide")
    show()
