"""Generation with a memory over segments that each token extends (Dai et al. 2019, §3.2)."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.architectures.decoder_only import DecoderOnly
from model.architectures.transformer_xl import read_segments
from model.attention import SegmentSpec
from model.decoding.constraints import NoTokens
from model.decoding.generate import generate
from model.decoding.options import SamplingOptions
from model.decoding.sampling import sampling_distribution


class MemoryDecoder:
    """A decoder on a :class:`DecoderOnly` in evaluation mode, whose whole state is its memory."""

    def __init__(self, model: DecoderOnly, spec: SegmentSpec) -> None:
        """Start targets of ``model`` with an empty memory; its encoding must allow one."""
        self._model, self._spec, self._memory = model, spec, model.new_memory(spec.mem_len)

    def step(self, tokens: Int[Tensor, "row new"]) -> Float[Tensor, "row new vocabulary"]:
        """Read ``tokens`` in segments, a single one as a segment of its own; return the logits after each."""
        segments = read_segments(self._model, tokens, self._spec.segment_length, self._memory)
        return torch.cat(list(segments), dim=1)

    def select(self, rows: Int[Tensor, " new_row"]) -> None:
        """Keep, repeat or reorder the targets."""
        for layer in self._memory.layers:
            layer.states = None if layer.states is None else layer.states[rows]


class MemoryGenerator:
    """A generator that reads a prompt once; each token then costs one query over the memory.

    The symbol that stands for unknown tokens, which is also EOS, is never generated.

    Attributes:
        written: the ids so far, without the prompt.
        predicted: the model's distribution of the latest of them, [V]; None before the first.
        drawn_from: the distribution that it was drawn from, [V].
        n_read: how many ids of the prompt were read: those that can influence the first token.
    """

    @torch.inference_mode()
    def __init__(self, model: DecoderOnly, prompt: Int[Tensor, " position"], spec: SegmentSpec, *, seed: int) -> None:
        """Read ``prompt``.

        Args:
            model: in evaluation mode, of an encoding that allows a memory.
            prompt: at least one id.
            spec: the segments that the prompt is read in, and the length of the memory.
            seed: of the draws.

        Raises:
            ValueError: an empty prompt.
        """
        if not len(prompt):
            raise ValueError("the prompt is empty; give at least one id to write on after")
        self._rng = torch.Generator().manual_seed(seed)
        self._options = SamplingOptions()
        self.written: list[int] = []
        self.predicted: Float[Tensor, " vocabulary"] | None = None
        self.drawn_from: Float[Tensor, " vocabulary"] | None = None
        earliest = spec.earliest_source(len(prompt) - 1, len(model.layers))
        read = prompt[spec.border(earliest) :]
        self.n_read = len(read)
        decoder, eos_id = MemoryDecoder(model, spec), model.config.eos_id
        logits = decoder.step(read[None])[0, -1]
        self._tokens = generate(decoder, logits, self._pick, eos_id=eos_id, constraints=[NoTokens([eos_id])])

    @torch.inference_mode()
    def write(self, options: SamplingOptions) -> int:
        """Draw the next token, and return it."""
        self._options = options
        self.written.append(next(self._tokens).id)
        return self.written[-1]

    def _pick(self, scores: Float[Tensor, " vocabulary"]) -> int:
        self.predicted, self.drawn_from = scores.softmax(-1), sampling_distribution(scores, self._options)
        return int(torch.multinomial(self.drawn_from, 1, generator=self._rng))
