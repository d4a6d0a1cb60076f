"""Claims of the pages on roles and on pruned heads, from our measurements or published ones."""

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from pretrained import shipped
from pretrained.head_catalogue import head_roles
from pretrained.head_pruning import head_pruning
from viz.base.claims import Claim, Claims
from viz.base.numbers import signed
from viz.pages.head_catalogue.study.pruning import DROP, Pruning, pruning_of
from viz.pages.head_catalogue.study.published import NLLB_SINKS, published_pruning, published_with_one_head
from viz.pages.head_catalogue.study.roles import Catalogue, catalogue_of

_SHIPPED = "translation-en-de"


def published_one_left() -> Claim:
    """Return whether one head suffices in most blocks, except in the last two of cross-attention.

    The figures are those of Michel et al.
    """
    published = published_with_one_head()
    changes = sorted(change for of_kind in published.values() for change in of_kind)
    *_, before, last = published["cross"]
    fine = sum(change >= -DROP for change in changes)
    values = {
        "last": signed(-last, 1),
        "before": signed(-before, 1),
        "blocks": len(changes),
        "fine": fine,
        "drop": DROP,
    }
    return Claim(fine > len(changes) / 2 and changes[:2] == [last, before] and before < -DROP, values)


def one_left(pruning: Pruning) -> Claim:
    """Return how many blocks lose more than ``DROP`` BLEU with one head left, where some do."""
    needy = sum(head.lost["bleu"] > DROP for head in pruning.only.values())
    return Claim(needy > 0, {"n": needy, "blocks": len(pruning.only), "drop": DROP})


def pruned(pruning: Pruning) -> Claim:
    """Return how few heads are enough here and in Voita et al., where more of ours are needed."""
    removed, change = published_pruning()
    most = max(share for share, of_share in zip(removed, change, strict=True) if of_share >= -DROP - 0.1)
    here = pruning.heads_left("loss") / pruning.n_heads
    return Claim(here > 1 - most, {"drop": DROP, "theirs": 1 - float(most), "here": here})


def cross_sinks(of: Catalogue, shipped: Iterable[Catalogue]) -> Claim:
    """Return whether cross-attention of all ``shipped`` translators rests on sinks less than NLLB-200's.

    That is, on the end and on punctuation; the paper counts tags of languages too, which these models do not have
    (arXiv:2605.01229). Every head counts alike.
    """
    shares = [_of_cross(one, "sink") + _of_cross(one, "marks") for one in shipped]
    own = {name: _of_cross(of, name) for name in ("sink", "marks", "last")}
    least, most = NLLB_SINKS
    values = {"least": min(shares), "most": max(shares), "published_least": least, "published_most": most, **own}
    return Claim(max(shares) < least, values)


def _of_cross(catalogue: Catalogue, measure: str) -> float:
    return float(np.mean([head.values[measure] for head in catalogue.heads if head.kind == "cross"]))


def _cross_sinks_of_shipped() -> Claim:
    catalogues = {name: catalogue_of(head_roles(name)) for name in shipped()}
    return cross_sinks(catalogues[_SHIPPED], catalogues.values())


def _of_shipped(claim: Callable[[Pruning], Claim]) -> Claim:
    return claim(pruning_of(head_pruning(_SHIPPED)))


_WORDS = "pages/head_catalogue/heads_needed"
COMPUTED_CLAIMS: Claims = {
    (_WORDS, "claim published one left"): published_one_left,
    (_WORDS, "claim one left"): partial(_of_shipped, one_left),
    (_WORDS, "claim pruned"): partial(_of_shipped, pruned),
    ("pages/head_catalogue/heads", "claim cross sinks"): _cross_sinks_of_shipped,
}
