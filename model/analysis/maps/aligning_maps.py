"""Maps of cross-attention for word alignment: of every head, by weights and by contributions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from jaxtyping import Float64

from model.analysis.maps.contribution import contribution_norms
from model.architectures.encoder_decoder import EncoderDecoder
from model.hooks import record

Weighing = Literal["weights", "norms"]
WEIGHINGS: tuple[Weighing, ...] = ("weights", "norms")


@dataclass(frozen=True)
class Aligner:
    """The source of an alignment: a head by ``layer`` and ``head`` from 1, or a mean of heads.

    Head 0 is the mean of its layer, layer 0 that of all heads. Its weight is α, or ‖αvW_O‖ (Kobayashi et al. 2020,
    arXiv:2004.10102, §3).
    """

    layer: int
    head: int
    weighing: Weighing


def aligning_maps(
    model: EncoderDecoder, source: Sequence[int], target: Sequence[int]
) -> Iterator[tuple[Aligner, Float64[np.ndarray, "row source"]]]:
    """Yield the map of every head, of the mean of every layer and of all.

    Args:
        model: in evaluation mode.
        source: tokens without EOS, which is the last column of a map.
        target: tokens; a map has a row for BOS, which writes the first of them, and for each of them.
    """
    config, device = model.config, model.embedding.weight.device
    rows = torch.tensor([[*source, config.eos_id]], device=device)
    read = torch.tensor([[config.bos_id, *target]], device=device)
    with torch.inference_mode(), record("decoder.*.cross_attention.pattern", "decoder.*.cross_attention.v") as seen:
        model(rows, read)
    layers: dict[Weighing, list[np.ndarray]] = {weighing: [] for weighing in WEIGHINGS}
    for layer in range(config.n_decoder_layers):
        pattern, v = (seen[f"decoder.{layer}.cross_attention.{name}"][0] for name in ("pattern", "v"))
        with torch.inference_mode():
            norms = contribution_norms(
                pattern, v, model.get_parameter(f"decoder.layers.{layer}.cross_attention.W_O.weight")
            )
        for weighing, maps in zip(WEIGHINGS, (pattern, norms), strict=True):
            by_head = maps.double().cpu().numpy()
            layers[weighing].append(by_head)
            yield Aligner(layer + 1, 0, weighing), by_head.mean(0)
            for head, of_head in enumerate(by_head, start=1):
                yield Aligner(layer + 1, head, weighing), of_head
    for weighing, every in layers.items():
        yield Aligner(0, 0, weighing), np.concatenate(every).mean(0)
