"""Links to heads of hybrids: the numbers of the screen; and those from before, which counted places."""

import numpy as np

from viz.base.attention_maps import AttentionKind, TokenRow
from viz.components.attention_explorer.view import ExplorerView
from viz.pages.your_model.layer_links import OWN_HEADS, link_to, view_of


def kinds(*numbers: int) -> list[AttentionKind]:
    row = TokenRow(("a", "b"))
    return [AttentionKind("decoder", np.full((2, 3, 2, 2), 0.5, np.float32), row, row, layer_numbers=numbers)]


def test_a_link_carries_the_model_s_own_layers_and_opens_the_same() -> None:
    view = ExplorerView(kind="decoder", heads=((1, 2), (0, 0)))
    link = link_to(view, kinds(4, 12))
    assert link["own-heads"] == "13.3-5.1"
    assert link["heads"] is None
    assert view_of({key: text for key, text in link.items() if text}, kinds(4, 12)).fitted(kinds(4, 12)) == view


def test_an_older_link_counts_the_layers_that_have_attention() -> None:
    assert view_of({"kind": "decoder", "heads": "2.3"}, kinds(4, 12)).heads == ((1, 2),)


def test_layers_that_count_through_are_carried_as_everywhere() -> None:
    link = link_to(ExplorerView(kind="decoder", heads=((1, 2),)), kinds())
    assert link["heads"] == "2.3"
    assert OWN_HEADS.key not in link


def test_what_is_not_there_is_left_out() -> None:
    view = view_of({"kind": "decoder", "own-heads": "7.1-13.2"}, kinds(4, 12))
    assert view.heads == ((1, 1),)
    assert view_of({"kind": "decoder", "own-heads": "x"}, kinds(4, 12)).fitted(kinds(4, 12)).heads
