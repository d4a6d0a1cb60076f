"""A translation with one head edited, and its pattern before and after."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from model.analysis.interventions.pattern_edits import HeadEdit, head_edits
from model.decoding.translator import Translation
from viz.base.attention_maps import BlockName, token_row
from viz.base.exports import rows_as_csv
from viz.pages.interventions.study.ablated import AblatedTranslation, AblationRequest, translate_edited
from viz.pages.interventions.study.parts import Switch


@dataclass(frozen=True)
class HeadMap:
    """The pattern of a head, with the tokens of its sides; a decoder's row is the token that it writes."""

    weights: Float32[np.ndarray, "query key"]
    queries: tuple[str, ...]
    keys: tuple[str, ...]


def heads(switches: Mapping[str, Switch]) -> dict[str, Switch]:
    """Return the heads among ``switches``."""
    return {code: switch for code, switch in switches.items() if switch.sort == "head"}


def block_of(head: Switch) -> str:
    """Return what the hook points of the block of ``head`` begin with."""
    return head.part.point.removesuffix(".z")


def translate_with(asked: AblationRequest, edit: HeadEdit) -> AblatedTranslation:
    """Return the translation with the head edited."""
    return translate_edited(asked, head_edits(edit))


def sides_of(kind: BlockName, translation: Translation) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the tokens along the rows and the columns of a map of that kind."""
    queries = translation.source if kind == "encoder" else translation.target
    keys = translation.read if kind == "decoder" else translation.source
    return token_row(queries).labels, token_row(keys).labels


def map_of(head: Switch, translation: Translation) -> HeadMap:
    """Return the pattern of ``head`` while ``translation`` was written."""
    weights = translation.patterns[f"{block_of(head)}.pattern"][head.head - 1]
    return HeadMap(weights, *sides_of(head.kind, translation))


def maps_as_csv(before: HeadMap, after: HeadMap) -> str:
    """Return both patterns as a table, a row a weight."""
    rows = [
        (name, query + 1, shown.queries[query], key + 1, shown.keys[key], f"{weight:.9g}")
        for name, shown in (("before", before), ("after", after))
        for (query, key), weight in np.ndenumerate(shown.weights)
    ]
    return rows_as_csv(("pattern", "row", "query", "column", "key", "weight"), rows)
