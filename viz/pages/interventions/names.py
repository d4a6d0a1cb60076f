"""Labels of a translator's parts, and their places in the grid."""

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from viz.base.attention_maps import BLOCKS, BlockName
from viz.base.words import listed, page_text
from viz.pages.interventions.study.parts import Switch

TEXT = page_text("pages/interventions/names")


def long_name(switch: Switch) -> str:
    """Return what ``switch`` is called in a sentence."""
    names = {"kind": TEXT[f"kind {switch.kind}"], "stack": TEXT[f"stack {_stack(switch)}"]}
    return TEXT[f"name {switch.sort}"].format(layer=switch.layer, head=switch.head, **names)


def long_name_of_head(kind: str, layer: int, head: int) -> str:
    """Return what a head is called in a sentence; ``layer`` and ``head`` count from 1."""
    return TEXT["name head"].format(layer=layer, head=head, kind=TEXT[f"kind {kind}"])


def short_name(switch: Switch) -> str:
    """Return what ``switch`` is called in a list."""
    names = {"kind": TEXT[f"short kind {switch.kind}"], "stack": TEXT[f"short kind {_stack(switch)}"]}
    return TEXT[f"short {switch.sort}"].format(layer=switch.layer, head=switch.head, **names)


def short_name_of_code(code: str) -> str:
    """Return what the head with the ``code`` of a link, such as cross.3.5, is called in a list."""
    kind, layer, head = code.split(".")
    return TEXT["short head"].format(layer=layer, head=head, kind=TEXT[f"short kind {kind}"])


def names_of(codes: Sequence[str], switches: Mapping[str, Switch]) -> str:
    """Return the short names of ``codes``, as a list."""
    return listed(short_name(switches[code]) for code in codes) or TEXT["nothing off"]


def grid_words(words: Mapping[str, str]) -> dict[str, str]:
    """Return the ``words`` of a page under the names of a grid's script, with those that grids share."""
    return {**words, "narrow": TEXT["numbers hidden"]}


def say_numbers_hidden() -> None:
    """Draw, on a phone alone, how the numbers are seen that a picture has no room for there."""
    st.html(f'<p class="narrow-only plain">{escape(TEXT["numbers hidden"])}</p>')


def rows_of(switches: Mapping[str, Switch]) -> dict[tuple[BlockName, int], str]:
    """Return a name for each row of the grid, by kind and layer; layer 0 is that of the positions."""
    places = {(switch.kind, switch.layer) for switch in switches.values()}
    return {place: _row(*place) for place in sorted(places, key=lambda place: (BLOCKS.index(place[0]), place[1]))}


def column_of(switch: Switch, n_heads: int) -> tuple[int, int]:
    """Return the first column of ``switch``, from 0, and how many it takes."""
    if switch.sort == "positions":
        return 0, n_heads
    return {"head": switch.head - 1, "attention": n_heads, "feed-forward": n_heads + 1}[switch.sort], 1


def _row(kind: BlockName, layer: int) -> str:
    if layer == 0:
        return TEXT[f"row positions {kind}"]
    return TEXT["row"].format(kind=TEXT[f"short kind {kind}"], layer=layer)


def _stack(switch: Switch) -> BlockName:
    return "encoder" if switch.kind == "encoder" else "decoder"
