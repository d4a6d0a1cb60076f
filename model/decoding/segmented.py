"""Writing on after a text, token by token, on a memory that goes from one token to the next (Dai et al. 2019, §3.2)."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.analysis.memory_influence import Recurrence
from model.architectures.decoder_only import DecoderOnly
from model.architectures.transformer_xl import read_segments
from model.decoding.sampling import SamplingOptions, nucleus


class MemoryWriter:
    """Reads a prompt once, then writes on.

    Each token is a segment of its own: it costs what one query over the memory costs, however long the text has become.
    The symbol that stands for unknown tokens, at which a text would end, is never written.

    Attributes:
        written: the ids so far, without the prompt.
        predicted: the probabilities that the model gave to what could follow, when the last of them was drawn, [V];
            None before the first.
        drawn_from: those that it was drawn by, [V].
        n_read: how many ids of the prompt were read: those that can reach what is written first.
    """

    def __init__(
        self, model: DecoderOnly, prompt: Int[Tensor, " position"], recurrence: Recurrence, *, seed: int
    ) -> None:
        """Read ``prompt``.

        Args:
            model: in evaluation mode, of an encoding that allows a memory.
            prompt: at least one id.
            recurrence: the segments that the prompt is read in, and how much is remembered.
            seed: of what is drawn.

        Raises:
            ValueError: an empty prompt.
        """
        if not len(prompt):
            raise ValueError("the prompt is empty; give at least one id to write on after")
        self._model = model
        self._memory = model.new_memory(recurrence.mem_len)
        self._generator = torch.Generator().manual_seed(seed)
        self.written: list[int] = []
        self.predicted: Float[Tensor, " vocabulary"] | None = None
        self.drawn_from: Float[Tensor, " vocabulary"] | None = None
        earliest = recurrence.earliest_source(len(prompt) - 1, len(model.layers))
        read = prompt[recurrence.border(earliest) :]
        self.n_read = len(read)
        with torch.inference_mode():
            *_, last = read_segments(model, read[None], recurrence.segment_length, self._memory)
        self._scores = self._writable(last)

    @torch.inference_mode()
    def write(self, options: SamplingOptions) -> int:
        """Draw the next token, read it, and return it."""
        self.predicted, self.drawn_from = self._scores.softmax(-1), nucleus(self._scores, options)
        drawn = int(torch.multinomial(self.drawn_from, 1, generator=self._generator))
        self.written.append(drawn)
        self._scores = self._writable(self._model(torch.tensor([[drawn]]), memory=self._memory))
        return drawn

    def _writable(self, logits: Tensor) -> Tensor:
        scores = logits[0, -1].clone()
        scores[self._model.config.eos_id] = -math.inf
        return scores
