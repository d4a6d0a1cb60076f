"""One cell of an attention map, computed step by step from recorded values and compared with them."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float32
from torch import Tensor

from model.analysis.maps.contribution import contributions
from model.architectures.encoder_decoder import EncoderDecoder
from model.attention import MultiHeadAttention
from model.decoding.translator import Translation, Translator
from model.positional import PositionalEncoding
from viz.base.attention_maps import BlockName, hook_name
from viz.base.exports import rows_as_csv
from viz.pages.translate.study.cell import AttentionCell, CellLabels, RowSteps


@dataclass(frozen=True)
class BlockRecording:
    """Recorded values of one attention block for one sentence, and its W_O.

    ``position_bias`` is None where the block has none.

    ``encoding`` is the title of the positional encoding that acts in the block, None where none does;
    ``is_transformed`` says whether it has changed q and k, ``adds_to_values`` whether it adds to pattern·v.
    """

    q: Float32[np.ndarray, "head query d_key"]
    k: Float32[np.ndarray, "head key d_key"]
    v: Float32[np.ndarray, "head key d_value"]
    position_bias: Float32[np.ndarray, "head query key"] | None
    scores: Float32[np.ndarray, "head query key"]
    pattern: Float32[np.ndarray, "head query key"]
    z: Float32[np.ndarray, "head query d_value"]
    output: Float32[np.ndarray, "query d_model"]
    W_O: Float32[np.ndarray, "d_model head_d_value"]
    encoding: str | None
    is_transformed: bool
    adds_to_values: bool


def block_name(kind: BlockName, layer: int) -> str:
    """Return what the attention block of ``kind`` in ``layer`` is called among the hook points."""
    return hook_name(kind, layer).removesuffix(".pattern")


def record_blocks(translator: Translator, translation: Translation, *names: str) -> dict[str, BlockRecording]:
    """Return the recorded values of the attention blocks ``names`` for ``translation``; all by default.

    It takes one pass over the known translation.

    Raises:
        ValueError: a name that no block has.
    """
    blocks = {block.name: block for block in translator.model.modules() if isinstance(block, MultiHeadAttention)}
    for name in names:
        if name not in blocks:
            raise ValueError(f"there is no attention block {name!r}; there are {', '.join(blocks)}")
    chosen = names or tuple(blocks)
    seen = translator.look_inside(translation, *(f"{name}.*" for name in chosen))
    return {name: _recording(translator.model, blocks[name], seen) for name in chosen}


def cell_of(
    recording: Mapping[str, BlockRecording], kind: BlockName, layer: int, *, head: int, query: int, key: int
) -> AttentionCell:
    """Return every step by which ``head`` weighs ``key`` for ``query``, all counted from 0.

    The steps are computed in float32 from q, k, v and position_bias. From the recording come the mask, which are the
    keys with a score of −∞, the block's output, and what the positional encoding adds to the values.

    Raises:
        ValueError: a block that was not recorded, or a head, query or key that is not there.
    """
    name = block_name(kind, layer)
    if name not in recording:
        raise ValueError(f"{name} was asked for, and recorded were {', '.join(recording) or 'no blocks'}")
    block = recording[name]
    for what, index, size in zip(("head", "query", "key"), (head, query, key), block.pattern.shape, strict=True):
        if not 0 <= index < size:
            raise ValueError(f"{what} {index} of {name} was asked for; give one from 0 to {size - 1}")
    row = _row_steps(block, head, query)
    return AttentionCell(
        kind=kind,
        layer=layer,
        head=head,
        query=query,
        key=key,
        q=block.q[head, query],
        k=block.k[head, key],
        v=block.v[head, key],
        row=row,
        output=block.output[query],
        encoding=block.encoding,
        is_transformed=block.is_transformed,
        difference=_difference(block, row, head=head, query=query),
    )


def cell_as_csv(cell: AttentionCell, labels: CellLabels) -> str:
    """Return a table of the whole calculation, one number a line: step, what it belongs to, and its value.

    Numbers have the nine digits that tell any two float32 apart; positions and dimensions count from 1.
    """
    rows = ((step, index, label, f"{value:.9g}") for step, index, label, value in _lines(cell, labels))
    return rows_as_csv(["step", "index", "label", "value"], rows)


def _row_steps(block: BlockRecording, head: int, query: int) -> RowSteps:
    q, k, v = block.q[head, query], block.k[head], block.v[head]
    position_bias = None if block.position_bias is None else block.position_bias[head, query]
    scaled = k @ q / np.float32(math.sqrt(len(q)))
    allowed = block.scores[head, query] > -np.inf
    scores = np.where(allowed, scaled if position_bias is None else scaled + position_bias, np.float32(-np.inf))
    exponentials = np.exp(scores - scores.max())
    pattern = exponentials / exponentials.sum()
    summed = pattern @ v
    # Every key may add its own vector there, which no hook point shows; together they are what z has besides.
    added = block.z[head, query] - summed if block.adds_to_values else None
    z = summed if added is None else summed + added
    W_O = block.W_O.reshape(len(block.W_O), len(block.q), -1)[:, head]  # [D, E]
    passed_on = _contributions(pattern, v, W_O)
    return RowSteps(scaled, position_bias, allowed, scores, exponentials, pattern, summed, added, z, passed_on, W_O @ z)


def _lines(cell: AttentionCell, labels: CellLabels) -> Iterator[tuple[str, int, str, float]]:
    by_dimension = {"q": cell.q, "k": cell.k, "product": cell.products, "sum so far": cell.running_sum}
    yield from ((step, n, "", value) for step, values in by_dimension.items() for n, value in enumerate(values, 1))
    by_key = {
        "scaled": cell.row.scaled,
        "position_bias": cell.row.position_bias,
        "score": cell.row.scores,
        "exponential": cell.row.exponentials,
        "weight": cell.row.pattern,
        "contribution length": cell.contribution_norms,
    }
    for step, values in by_key.items():
        if values is not None:
            yield from (
                (step, n, label, value) for n, (label, value) in enumerate(zip(labels.keys, values, strict=True), 1)
            )
    vectors = {
        "v": cell.v,
        "weight times v": cell.weighed,
        "sum over keys": cell.row.summed,
        "added by the encoding": cell.row.added,
        "z": cell.row.z,
        "contribution": cell.contribution,
        "head output": cell.row.head_output,
        "output": cell.output,
    }
    for step, values in vectors.items():
        if values is not None:
            yield from ((step, n, "", value) for n, value in enumerate(values, 1))


def _recording(
    model: EncoderDecoder, block: MultiHeadAttention, seen: Mapping[str, Float32[np.ndarray, "..."]]
) -> BlockRecording:
    tensors = {point: seen[f"{block.name}.{point}"] for point in ("q", "k", "v", "scores", "pattern", "z", "output")}
    stack_and_layer = _positional(model, block.name)
    described = None if stack_and_layer is None else stack_and_layer[0].description
    acts_on = () if described is None else described.properties.acts_on
    acts_here = any(where != "embeddings" for where in acts_on)
    return BlockRecording(
        **tensors,
        position_bias=seen.get(f"{block.name}.position_bias"),
        W_O=block.W_O.weight.detach().float().cpu().numpy(),
        encoding=described.title if described is not None and acts_here else None,
        is_transformed="queries and keys" in acts_on,
        adds_to_values=stack_and_layer is not None and stack_and_layer[1].reads_pattern,
    )


def _positional(model: EncoderDecoder, name: str) -> tuple[PositionalEncoding, PositionalEncoding] | None:
    """Return the encoding of the block's stack, and its part in the layer; None in cross-attention."""
    stack, layer, block = name.split(".")
    if block != "self_attention":
        return None
    encoding = model.get_submodule(f"{stack}.positional")
    assert isinstance(encoding, PositionalEncoding)
    return encoding, encoding.at_layer(int(layer))


def _contributions(
    pattern: Float32[np.ndarray, " key"],
    v: Float32[np.ndarray, "key d_value"],
    W_O: Float32[np.ndarray, "d_model d_value"],
) -> Float32[np.ndarray, "key d_model"]:
    one_head: Tensor = contributions(
        torch.tensor(pattern)[None, None],  # [1, 1, K]
        torch.tensor(v)[None],  # [1, K, E]
        torch.tensor(W_O),
    )
    vectors: Float32[np.ndarray, "key d_model"] = one_head[0, 0].numpy()
    return vectors


def _difference(block: BlockRecording, steps: RowSteps, *, head: int, query: int) -> float:
    finite = np.isfinite(steps.scores)
    output = block.W_O @ block.z[:, query].reshape(-1)  # [D]
    pairs = (
        (steps.scores[finite], block.scores[head, query, finite]),
        (steps.pattern, block.pattern[head, query]),
        (steps.z, block.z[head, query]),
        (output, block.output[query]),
    )
    return max(float(np.abs(ours - recorded).max(initial=0)) for ours, recorded in pairs)
