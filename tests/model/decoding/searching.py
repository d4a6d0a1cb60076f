"""Token-level searches with a model of PyTorch, as a translator makes them of texts."""

from collections.abc import Sequence

import torch
from torch import Tensor

from model.architectures.encoder_decoder import EncoderDecoder
from model.decoding.beam_search import beam_search
from model.decoding.constraints import text_constraints
from model.decoding.decoder import Hypothesis, TorchDecoder
from model.decoding.options import DecodingOptions


@torch.inference_mode()
def search_rows(
    model: EncoderDecoder, source: Tensor, options: DecodingOptions, prefix: Sequence[int] = ()
) -> list[list[Hypothesis]]:
    """Return the hypotheses of each row of ``source``, which is padded on the right."""
    decoder = TorchDecoder(model, *model.encode(source))
    lengths = (source != model.config.pad_id).sum(1).tolist()
    constraints = text_constraints(model.config, options)
    return beam_search(decoder, model.config, lengths, options, prefix, constraints=constraints)
