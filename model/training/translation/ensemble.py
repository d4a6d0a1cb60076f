"""An ensemble: models that translate together, token by token, by the mean of their probabilities."""

import math
from collections.abc import Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.decoding.beam_search import DecodingOptions, ModelWriter, Writer
from model.decoding.translator import Translator


class AveragingWriter:
    """Writes by the mean probability of its writers (Sutskever et al. 2014, §3.6)."""

    def __init__(self, writers: Sequence[Writer]) -> None:
        """Write with all ``writers``, whose vocabularies and rows are the same."""
        self._writers = tuple(writers)

    def add(self, tokens: Int[Tensor, "row new"]) -> Float[Tensor, "row new vocabulary"]:
        """Return the logarithm of the mean probability after each of ``tokens``."""
        log_p = torch.stack([writer.add(tokens).log_softmax(-1) for writer in self._writers])  # [W, R, N, V]
        return log_p.logsumexp(0) - math.log(len(self._writers))

    def select(self, rows: Int[Tensor, " new_row"]) -> None:
        """Keep, repeat or reorder the rows of every writer."""
        for writer in self._writers:
            writer.select(rows)


def translate_together(
    translators: Sequence[Translator], texts: Sequence[str], options: DecodingOptions | None = None
) -> list[str]:
    """Return the translations of ``texts`` by ``translators`` as one ensemble; that of an empty text is empty.

    Without ``options`` they search as the first of them does.

    Raises:
        ValueError: their vocabularies differ.
    """
    first = translators[0]
    if any(other.tokenizer.serialized != first.tokenizer.serialized for other in translators):
        raise ValueError("the translators have different vocabularies; only those with the same one can write together")

    def writer(source: Int[Tensor, "row source"]) -> Writer:
        return AveragingWriter([ModelWriter(translator.model, source) for translator in translators])

    return first.translate_all(texts, options, writer=writer)
