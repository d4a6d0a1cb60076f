"""Links to heads of a model with attention in only some layers, counted as on the screen.

The explorer's own parameter counts the layers that have attention. A link that has that, and not this, is read so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from viz.base.attention_maps import AttentionKind
from viz.base.link_parameters import link_of, read_link
from viz.components.attention_explorer.view import ExplorerView, Heads

OWN_HEADS = Heads("own-heads", ())
_BY_PLACE = "heads"


def link_to(view: ExplorerView, kinds: Sequence[AttentionKind]) -> dict[str, str | None]:
    """Return what a link to ``view`` of ``kinds`` carries."""
    link: dict[str, str | None] = {**link_of(view), "kind": view.kind}
    numbers = _numbers(view, kinds)
    if not numbers:
        return link
    heads = tuple((numbers[layer], head) for layer, head in view.heads if layer < len(numbers))
    return {**link, _BY_PLACE: None, OWN_HEADS.key: OWN_HEADS.write(heads)}


def view_of(link: Mapping[str, str], kinds: Sequence[AttentionKind]) -> ExplorerView:
    """Return the view of ``kinds`` that ``link`` describes, without what cannot be read or is not there."""
    view = read_link(ExplorerView, link)[0]
    numbers = _numbers(view.fitted(kinds), kinds) or range(max(len(kind.weights) for kind in kinds))
    try:
        named = OWN_HEADS.read(link[OWN_HEADS.key])
    except (KeyError, ValueError):
        return view
    heads = tuple((numbers.index(layer), head) for layer, head in named if layer in numbers)
    return replace(view, heads=heads) if heads else view


def _numbers(view: ExplorerView, kinds: Sequence[AttentionKind]) -> tuple[int, ...]:
    """Return the model's numbers of the shown layers, from 0; empty where the numbers have no gaps."""
    return next((kind.layer_numbers for kind in kinds if kind.name == view.kind), ())
