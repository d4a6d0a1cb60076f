"""A translation with one head edited, and its pattern before and after."""

from collections.abc import Mapping

from model.analysis.interventions.pattern_edits import HeadEdit, head_edits
from model.decoding.translator import Translation
from viz.base.attention_maps import BlockName, token_row
from viz.pages.interventions.study.ablated import AblatedTranslation, AblationRequest, translate_edited
from viz.pages.interventions.study.maps import LabelledMap
from viz.pages.interventions.study.parts import Switch


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


def map_of(head: Switch, translation: Translation) -> LabelledMap:
    """Return the pattern of ``head`` while ``translation`` was written."""
    weights = translation.patterns[f"{block_of(head)}.pattern"][head.head - 1]
    return LabelledMap(weights, *sides_of(head.kind, translation))
