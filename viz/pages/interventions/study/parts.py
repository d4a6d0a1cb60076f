"""Parts of a translator to switch off, by the codes in links: encoder.1.3, cross.2.attention."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from model.analysis.interventions.ablation import Part, blocks_of, heads_of, positions_of
from model.architectures.encoder_decoder import EncoderDecoder
from viz.base.attention_maps import BlockName

Sort = Literal["head", "attention", "feed-forward", "positions"]


@dataclass(frozen=True)
class Switch:
    """A part that can be switched off; ``layer`` and ``head`` count from 1, and are 0 where it has none.

    ``kind`` is where it stands: of a feed-forward block and of positions, encoder or decoder.
    """

    part: Part
    sort: Sort
    kind: BlockName
    layer: int = 0
    head: int = 0

    @property
    def code(self) -> str:
        """Its id in a link."""
        if self.sort == "positions":
            return f"{self.kind}.positions"
        return f"{self.kind}.{self.layer}.{self.head or self.sort}"

    @property
    def holding(self) -> str:
        """The code of the attention block that it is a head of; its own where it is none."""
        return f"{self.kind}.{self.layer}.attention" if self.sort == "head" else self.code


def switches_of(model: EncoderDecoder) -> dict[str, Switch]:
    """Return everything that can be switched off in ``model``, by its code: heads first."""
    parts = (*heads_of(model.config), *blocks_of(model.config), *positions_of(model))
    return {switch.code: switch for switch in map(switch_of, parts)}


def parts_of(switches: Mapping[str, Switch], codes: tuple[str, ...]) -> tuple[Part, ...]:
    """Return the parts that ``codes`` stand for."""
    return tuple(switches[code].part for code in codes)


def switch_of(part: Part) -> Switch:
    """Return ``part`` as what can be switched off."""
    stack, *rest = part.point.split(".")
    kind: BlockName = "encoder" if stack == "encoder" else "decoder"
    if part.is_positional:
        return Switch(part, "positions", kind)
    layer, block = int(rest[0]) + 1, rest[1]
    if block == "feed_forward":
        return Switch(part, "feed-forward", kind, layer)
    kind = "cross" if block == "cross_attention" else kind
    return (
        Switch(part, "attention", kind, layer)
        if part.head is None
        else Switch(part, "head", kind, layer, part.head + 1)
    )
