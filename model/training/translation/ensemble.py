"""An ensemble: models that translate together, token by token, by the mean of their probabilities."""

import math
from collections.abc import Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.decoding.decoder import Decoder, TorchDecoder
from model.decoding.options import DecodingOptions
from model.decoding.translator import Translator


class AveragingDecoder:
    """Decodes by the mean probability of its decoders (Sutskever et al. 2014, §3.6)."""

    def __init__(self, decoders: Sequence[Decoder]) -> None:
        """Decode with all ``decoders``, whose vocabularies and rows are the same."""
        self._decoders = tuple(decoders)

    def step(self, tokens: Int[Tensor, "row new"]) -> Float[Tensor, "row new vocabulary"]:
        """Return the logarithm of the mean probability after each of ``tokens``."""
        log_p = torch.stack([decoder.step(tokens).log_softmax(-1) for decoder in self._decoders])  # [D, R, N, V]
        return log_p.logsumexp(0) - math.log(len(self._decoders))

    def select(self, rows: Int[Tensor, " new_row"]) -> None:
        """Keep, repeat or reorder the rows of every decoder."""
        for decoder in self._decoders:
            decoder.select(rows)


def translate_together(
    translators: Sequence[Translator], texts: Sequence[str], options: DecodingOptions | None = None
) -> list[str]:
    """Return the translations of ``texts`` by ``translators`` as one ensemble.

    That of an empty text is empty. Without ``options`` they search as the first of them does.

    Raises:
        ValueError: their vocabularies differ.
    """
    first = translators[0]
    if any(other.tokenizer.serialized != first.tokenizer.serialized for other in translators):
        raise ValueError("the translators have different vocabularies; only those with the same one can write together")

    def start(source: Int[Tensor, "row source"]) -> Decoder:
        models = [translator.model for translator in translators]
        return AveragingDecoder([TorchDecoder(model, *model.encode(source)) for model in models])

    return first.translate_all(texts, options, start=start, as_typed=True)
