"""The exported graph of an encoder–decoder, run by onnxruntime with the model's own weights."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from jaxtyping import Float, Float32, Int
from torch import Tensor

from model.architectures.encoder_decoder import EncoderDecoder
from model.config import EncoderDecoderConfig, load_config
from model.decoding.decoder import NewDecoder
from model.hooks import hook

Array = Float32[np.ndarray, "..."]
Run = Callable[[list[str], Mapping[str, np.ndarray]], list[Array]]
"""Returns the outputs of a graph that are named, given its inputs."""

CONFIG = "config.json"


def transposed_name(weight: str) -> str:
    """Return what a graph calls ``weight`` where it holds it transposed; no name is a part of another."""
    return weight.removesuffix("weight") + "transposed"


@dataclass(frozen=True)
class GraphFiles:
    """The graph of the encoder, and that of a step of the decoder."""

    encoder: Path
    step: Path

    @classmethod
    def of(cls, folder: Path) -> "GraphFiles":
        """Return the files in ``folder``."""
        return cls(folder / "encoder.onnx", folder / "step.onnx")


def find_graphs(folder: Path, config: EncoderDecoderConfig) -> GraphFiles | None:
    """Return the graphs of the architecture of ``config``, with any dropout; None where there are none.

    Each lies in a folder of its own, with the configuration of a model that it was exported from. One whose
    configuration cannot be read counts as missing.
    """
    for path in sorted(folder.glob(f"*/{CONFIG}")):
        try:
            is_same = replace(load_config(path), dropout=config.dropout) == config
        except (OSError, ValueError):
            continue
        if is_same:
            return GraphFiles.of(path.parent)
    return None


class GraphModel:
    """The graphs with the weights of one model; one thread runs a call, and many may call.

    Its attention patterns can be recorded under the names of the hook points; an intervention changes nothing.
    """

    records_steps = True

    def __init__(self, model: EncoderDecoder, files: GraphFiles) -> None:
        """Load the graphs of the architecture of ``model``, and its weights as they are now.

        Raises:
            OSError: there are none.
        """
        self.config: EncoderDecoderConfig = model.config
        weights = {name: tensor.detach().cpu().float().numpy() for name, tensor in model.state_dict().items()}
        self._encoder, self._step = (session(path, weights) for path in (files.encoder, files.step))
        config = model.config
        self._encoder_scales = _ones(config.n_encoder_layers, n_attention=1, n_heads=config.n_heads)
        self._step_scales = _ones(config.n_decoder_layers, n_attention=2, n_heads=config.n_heads)

    def encode(self, source: Int[Tensor, "row source"]) -> NewDecoder:
        """Encode one source; return a function that starts decoders of it.

        Raises:
            ValueError: several sources: the graph has no mask for their padding.
        """
        if len(source) != 1:
            raise ValueError(f"the graph reads one source at a time, and {len(source)} were given")
        config, n = self.config, source.shape[1]
        added = np.zeros((config.n_encoder_layers, 1, config.n_heads, n, n), np.float32)
        inputs = {"source": source.numpy(), "added": added, **self._encoder_scales}
        cross_k, cross_v, patterns = self._encoder.run(["cross_k", "cross_v", "pattern"], inputs)
        for layer, pattern in enumerate(torch.from_numpy(patterns)):
            hook(f"encoder.{layer}.self_attention.pattern", pattern)  # [1, H, S, S]
        return lambda _: GraphDecoder(self._step.run, self._step_scales, (cross_k, cross_v))


class GraphDecoder:
    """A decoder on a :class:`GraphModel`; at first one target."""

    def __init__(
        self,
        run: Callable[[list[str], Mapping[str, Array]], list[Array]],
        scales: Mapping[str, Array],
        cross: tuple[Array, Array],
    ) -> None:
        """Start a target of the source whose keys and values are ``cross``, both [layer, 1, H, S, E]."""
        self._run, self._scales = run, scales
        self._cross_k, self._cross_v = cross
        self._k = self._v = cross[0][:, :, :, :0]

    def step(self, tokens: Int[Tensor, "row new"]) -> Float[Tensor, "row new vocabulary"]:
        """Return the logits after each of ``tokens``."""
        (n_layers, _, n_heads, n_past, _), (n_rows, n_new) = self._k.shape, tokens.shape
        unchanged = {
            f"{block}_added": np.zeros((n_layers, n_rows, n_heads, n_new, n_keys), np.float32)
            for block, n_keys in (("self", n_past + n_new), ("cross", self._cross_k.shape[3]))
        }
        inputs = {"tokens": tokens.numpy(), "k": self._k, "v": self._v, **self._scales, **unchanged}
        logits, self._k, self._v, own, cross = self._run(
            ["logits", "new_k", "new_v", "self_pattern", "cross_pattern"],
            {**inputs, "cross_k": self._cross_k, "cross_v": self._cross_v},
        )
        for layer, (self_pattern, cross_pattern) in enumerate(zip(own, cross, strict=True)):
            hook(f"decoder.{layer}.self_attention.pattern", torch.from_numpy(self_pattern))
            hook(f"decoder.{layer}.cross_attention.pattern", torch.from_numpy(cross_pattern))
        return torch.from_numpy(logits)  # [R, new, V]

    def select(self, rows: Int[Tensor, " new_row"]) -> None:
        """Keep, repeat or reorder the targets."""
        chosen = rows.numpy()
        self._k, self._v = self._k[:, chosen], self._v[:, chosen]
        # All targets are of one source.
        if self._cross_k.shape[1] != len(chosen):
            first = np.zeros(len(chosen), np.int64)
            self._cross_k, self._cross_v = self._cross_k[:, first], self._cross_v[:, first]


def session(path: Path, weights: Mapping[str, Array]) -> onnxruntime.InferenceSession:
    """Return what runs the graph in the file ``path`` with ``weights`` by name, in one thread."""
    graph = path.read_bytes()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    views = {**weights, **{transposed_name(name): weight.T for name, weight in weights.items() if weight.ndim == 2}}
    names = [name for name in views if name.encode() in graph]
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(np.ascontiguousarray(views[name])) for name in names]
    options.add_external_initializers(names, values)
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def _ones(n_layers: int, *, n_attention: int, n_heads: int) -> dict[str, Array]:
    """Return the scales by which nothing is changed."""
    blocks = np.ones(n_layers * (n_attention + 1), np.float32)
    return {"heads": np.ones((n_layers * n_attention, n_heads), np.float32), "blocks": blocks}
