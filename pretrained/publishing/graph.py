"""Export of the encoder and of a decoder step as ONNX files without weights.

onnxruntime runs them, on a server and in a browser; each translator brings its own weights.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, numpy_helper
from torch import Tensor, nn

from model.architectures.encoder_decoder import EncoderDecoder
from model.architectures.stack import DecoderCache
from model.attention.multi_head import KeyValueCache, MultiHeadAttention
from model.config import EncoderDecoderConfig, config_to_json
from model.decoding.graph import CONFIG, GraphFiles, transposed_name
from model.hooks import Edit, Recording, intervene, record
from pretrained.graphs import GRAPHS
from pretrained.parsers import load_parser, shipped_parsers
from pretrained.publishing.command import command
from pretrained.publishing.shipping import draft
from pretrained.translators import load_translator, shipped

_ENCODER, _DECODER = ("self_attention", "feed_forward"), ("self_attention", "cross_attention", "feed_forward")
_LONGEST, _MOST_ROWS = 1024, 1024


class _Encoder(nn.Module):
    """The encoder, the keys and values of its output, and everything that is seen on the way."""

    def __init__(self, model: EncoderDecoder) -> None:
        super().__init__()
        self.model = model

    def forward(self, source: Tensor, heads: Tensor, blocks: Tensor, added: Tensor) -> tuple[Tensor, ...]:
        model, n_layers = self.model, len(self.model.encoder.layers)
        edits: dict[str, Edit] = {
            f"encoder.{layer}.self_attention.pattern": _plus(added[layer]) for layer in range(n_layers)
        }
        with (
            record(*_seen("encoder")) as seen,
            intervene({**edits, **_scaled("encoder", n_layers, _ENCODER, heads, blocks)}),
        ):
            memory, _ = model.encode(source)
        crosses: list[MultiHeadAttention] = [layer.cross_attention for layer in model.decoder.layers]  # type: ignore[misc]  # a list of modules
        keys_and_values = [KeyValueCache() for _ in crosses]
        for cross, cache in zip(crosses, keys_and_values, strict=True):
            cross.remember(memory, cache)
        parts = [
            _each(seen, "encoder", n_layers, ("self_attention",), name) for name in ("pattern", "q", "k", "v", "z")
        ]
        return *_stacked(keys_and_values), *parts, _residual(seen, "encoder", n_layers, _ENCODER), memory


class _Step(nn.Module):
    """The decoder on new tokens after those in a cache, and everything that is seen on the way."""

    def __init__(self, model: EncoderDecoder) -> None:
        super().__init__()
        self.model = model

    def forward(  # noqa: PLR0917  # the inputs of the graph
        self,
        tokens: Tensor,
        k: Tensor,
        v: Tensor,
        cross_k: Tensor,
        cross_v: Tensor,
        heads: Tensor,
        blocks: Tensor,
        self_added: Tensor,
        cross_added: Tensor,
    ) -> tuple[Tensor, ...]:
        n_layers = len(self.model.decoder.layers)
        own, cross = (
            tuple(KeyValueCache(keys[layer], values[layer]) for layer in range(n_layers))
            for keys, values in ((k, v), (cross_k, cross_v))
        )
        edits: dict[str, Edit] = {
            f"decoder.{layer}.{block}.pattern": _plus(added[layer])
            for block, added in (("self_attention", self_added), ("cross_attention", cross_added))
            for layer in range(n_layers)
        }
        scaled = _scaled("decoder", n_layers, _DECODER, heads, blocks)
        with record(*_seen("decoder")) as seen, intervene({**edits, **scaled}):
            # A filled cache takes the place of the encoder's output.
            logits = self.model.decode(tokens, None, None, DecoderCache(own, cross))  # type: ignore[arg-type]
        patterns = [_each(seen, "decoder", n_layers, (block,), "pattern") for block in _DECODER[:2]]
        parts = [_each(seen, "decoder", n_layers, _DECODER[:2], name) for name in ("q", "z")]
        return logits, *_stacked(own), *patterns, *parts, _residual(seen, "decoder", n_layers, _DECODER)


def _seen(stack: str) -> tuple[str, ...]:
    """Return the points that are outputs; what else is hooked would only be computed step by step."""
    return (f"{stack}.input", *(f"{stack}.*.{name}" for name in ("pattern", "q", "k", "v", "z", "residual_after")))


def _scaled(
    stack: str, n_layers: int, blocks: Sequence[str], head_scales: Tensor, block_scales: Tensor
) -> dict[str, Edit]:
    """Return edits that multiply each head, and the output of each block, by its scale."""
    names = [(layer, block) for layer in range(n_layers) for block in blocks]
    attention = [(layer, block) for layer, block in names if block.endswith("attention")]
    edits: dict[str, Edit] = {
        f"{stack}.{layer}.{block}.z": _times(head_scales[index][None, :, None, None])
        for index, (layer, block) in enumerate(attention)
    }
    return edits | {
        f"{stack}.{layer}.{block}.output": _times(block_scales[index]) for index, (layer, block) in enumerate(names)
    }


def _times(scale: Tensor) -> Edit:
    return lambda tensor: tensor * scale


def _plus(added: Tensor) -> Edit:
    return lambda tensor: tensor + added


def _each(seen: Recording, stack: str, n_layers: int, blocks: Sequence[str], name: str) -> Tensor:
    return torch.stack([seen[f"{stack}.{layer}.{block}.{name}"] for layer in range(n_layers) for block in blocks])


def _residual(seen: Recording, stack: str, n_layers: int, blocks: Sequence[str]) -> Tensor:
    after = [seen[f"{stack}.{layer}.{block}.residual_after"] for layer in range(n_layers) for block in blocks]
    return torch.stack([seen[f"{stack}.input"], *after])


def _stacked(caches: Sequence[KeyValueCache]) -> tuple[Tensor, Tensor]:
    pairs = [(cache.k, cache.v) for cache in caches if cache.k is not None and cache.v is not None]
    keys, values = zip(*pairs, strict=True)
    return torch.stack(keys), torch.stack(values)


@command("graphs")
def publish_graphs() -> Iterator[str]:
    """Write the graphs of all translators and parsers that ship, one for each architecture."""
    exported: list[EncoderDecoderConfig] = []
    for name, model in _shipped_models():
        if any(replace(model.config, dropout=config.dropout) == config for config in exported):
            continue
        exported.append(model.config)
        with draft(GRAPHS / name) as unfinished:
            export_graphs(model, GraphFiles.of(unfinished))
            (unfinished / CONFIG).write_text(config_to_json(model.config), encoding="utf-8")
        yield name


def _shipped_models() -> Iterator[tuple[str, EncoderDecoder]]:
    for name in shipped():
        yield name, load_translator(name, "cpu").model
    for name in shipped_parsers():
        yield name, load_parser(name).parser.model


def export_graphs(model: EncoderDecoder, files: GraphFiles) -> None:
    """Write the graphs of the architecture of ``model``, whose matrices all differ, without its weights."""
    config = model.config
    n_layers, n_heads, d_key = config.n_decoder_layers, config.n_heads, config.d_key
    dim = torch.export.Dim
    rows, sources = dim("rows", min=1, max=_MOST_ROWS), dim("source", min=2, max=_LONGEST)
    past, new = dim("past", min=0, max=_LONGEST), dim("new", min=1, max=_LONGEST)
    source = torch.full((2, 5), config.vocabulary_size - 1)
    encoder_shapes = {"source": {0: rows, 1: sources}, "heads": None, "blocks": None}
    arguments = (
        source,
        torch.ones(config.n_encoder_layers, n_heads),
        torch.ones(2 * config.n_encoder_layers),
        torch.zeros(config.n_encoder_layers, 2, n_heads, 5, 5),
    )
    _export(
        _Encoder(model),
        arguments,
        {**encoder_shapes, "added": {1: rows, 3: sources, 4: sources}},
        ("cross_k", "cross_v", "pattern", "q", "k", "v", "z", "residual", "memory"),
        files.encoder,
    )
    keys = torch.randn(n_layers, 2, n_heads, 4, d_key)
    read = torch.randn(n_layers, 2, n_heads, 5, d_key)
    step_arguments = (
        torch.full((2, 3), config.bos_id),
        *(keys, keys.clone(), read, read.clone()),
        torch.ones(2 * n_layers, n_heads),
        torch.ones(3 * n_layers),
        torch.zeros(n_layers, 2, n_heads, 3, 7),
        torch.zeros(n_layers, 2, n_heads, 3, 5),
    )
    grown, fixed = {1: rows, 3: past}, {1: rows, 3: sources}
    shapes = {"tokens": {0: rows, 1: new}, "k": grown, "v": grown, "cross_k": fixed, "cross_v": fixed}
    _export(
        _Step(model),
        step_arguments,
        {
            **shapes,
            "heads": None,
            "blocks": None,
            # Its keys are those of the past and the new ones.
            "self_added": {1: rows, 3: new, 4: dim.DYNAMIC},
            "cross_added": {1: rows, 3: new, 4: sources},
        },
        ("logits", "new_k", "new_v", "self_pattern", "cross_pattern", "q", "z", "residual"),
        files.step,
    )


def _export(
    module: _Encoder | _Step,
    arguments: tuple[Tensor, ...],
    shapes: dict[str, Any],
    outputs: Sequence[str],
    path: Path,
) -> None:
    program = torch.onnx.export(
        module.eval(),
        arguments,
        input_names=[*shapes],
        output_names=[*outputs],
        dynamic_shapes=shapes,
        dynamo=True,
        optimize=True,
        verbose=False,
    )
    assert program is not None
    state = {name: tensor.numpy(force=True) for name, tensor in module.model.state_dict().items()}
    onnx.save(without_weights(program.model_proto, state), path)


def without_weights(graph: onnx.ModelProto, state: Mapping[str, np.ndarray]) -> onnx.ModelProto:
    """Return ``graph`` with names in the place of the weights in ``state``.

    A matrix that the graph holds transposed is called as :func:`transposed_name` says.

    Raises:
        ValueError: a matrix that is no weight of ``state``.
    """
    names: dict[str, str] = {}
    for tensor in graph.graph.initializer:
        values = numpy_helper.to_array(tensor)
        weight = tensor.name.removeprefix("model.")
        if weight not in state:
            # The graph's own constants are no matrices: 1/√d_key, ε, the frequencies of a sinusoid.
            if values.ndim < 2:
                continue
            weight = _name_of(tensor.name, values, state)
        names[tensor.name] = weight
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        # There is no such file: each model brings its own weights, in a browser by these names.
        tensor.external_data.add(key="location", value=weight)
        tensor.name = weight
    for node in graph.graph.node:
        node.input[:] = [names.get(name, name) for name in node.input]
    # What the exporter says of its own work names files of the machine.
    for node in graph.graph.node:
        del node.metadata_props[:]
        node.ClearField("doc_string")
    del graph.graph.value_info[:]
    del graph.graph.metadata_props[:]
    del graph.metadata_props[:]
    return graph


def _name_of(name: str, values: np.ndarray, state: Mapping[str, np.ndarray]) -> str:
    for weight, array in state.items():
        if array.shape == values.shape and np.array_equal(array, values):
            return weight
        if array.T.shape == values.shape and np.array_equal(array.T, values):
            return transposed_name(weight)
    raise ValueError(f"{name} of the graph is a matrix of {values.shape}, and no weight of the model")
