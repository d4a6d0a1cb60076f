"""Reading inside any model of Transformers, by hooks: the logit lens, direct attribution of heads, scores of all heads.

The same as TransformerLens computes, on the model as Transformers runs it: no weight is folded or moved.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from model.analysis.maps.head_scores import induction_score, previous_token_score
from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.final_norm import Calls, decoder_end, frozen, is_near
from pretrained.huggingface.heads import watched
from pretrained.huggingface.inside import ForeignAttribution, ForeignLens, ForeignScores, Inside, Measure
from pretrained.huggingface.layer_numbers import layers_seen
from pretrained.huggingface.recorded import BlockName, RecordedBlock
from pretrained.huggingface.recording import encoded, layers_of, reading, self_block, tokens_of, written_by
from pretrained.huggingface.weights import layer_of

N_SHOWN = 3
"""Tokens that are named at each depth and place."""
N_CANDIDATES = 5
"""Tokens whose logits are attributed, besides those asked for."""
N_RANDOM = 50
"""Tokens of the random sequence, where the model has room for twice as many."""
_SEED = 0


def read_inside(
    model: Any,
    tokenizer: Any,
    text: str,
    measure: Measure,
    *,
    answers: Sequence[str] = (),
    second: str | None = None,
    target: str | None = None,
    most_tokens: int | None = None,
) -> Inside:
    """Return ``measure`` of ``model`` while it reads ``text``.

    Of an encoder–decoder, ``lens`` and ``attribution`` are of its decoder, which writes; attribution is of the first
    token that it writes, or of the one after the ``target``.

    Args:
        model: loaded with ``attn_implementation="eager"``; for ``lens`` and ``attribution``, one with a decoder.
        tokenizer: of the model.
        text: what it reads.
        measure: ``lens``, ``attribution`` or ``scores``.
        answers: words whose logits are attributed as well; of several tokens, the first.
        second: the second text of a pair, for a model that reads pairs.
        target: what an encoder–decoder has written; None for what it writes by itself.
        most_tokens: that the text may have; None for any number.

    Raises:
        ForeignModelError: a model that is none for this, or one that fails on the text.
    """
    if target is not None and not model.config.is_encoder_decoder:
        raise ForeignModelError("no target")
    with reading(model, encoded(tokenizer, text, second, most_tokens=most_tokens)) as inputs:
        if model.config.is_encoder_decoder:
            written = written_by(model, tokenizer, inputs, target)
            inputs["decoder_input_ids"] = _read_by_decoder(model, written, measure, target)
        if measure == "scores":
            return _scores(model, tokenizer, inputs)
        if measure == "lens":
            return _lens(model, tokenizer, inputs)
        return _attribution(model, tokenizer, inputs, answers)


def _read_by_decoder(
    model: Any, written: Int[Tensor, "1 position"], measure: Measure, target: str | None
) -> Int[Tensor, "1 read"]:
    """Return what of ``written`` the decoder reads: all but the end; or nothing yet, before the first token."""
    if target is None:
        return written[:, :1] if measure == "attribution" else written[:, :-1]
    return written[:, :-1] if written[0, -1] == model.config.eos_token_id else written


def _lens(model: Any, tokenizer: Any, inputs: dict[str, Tensor]) -> ForeignLens:
    end, _, _ = decoder_end(model, inputs)
    final = end.logits.argmax(dim=-1)[:, None]  # [P, 1]
    labels, probabilities, of_final, is_final = [], [], [], []
    for depth in range(len(end.residuals)):
        spoken = end.logits_at(depth).float().softmax(dim=-1)  # [P, V]
        best = spoken.topk(min(N_SHOWN, spoken.shape[1]))
        labels.append(tuple(tokens_of(tokenizer, ids).texts for ids in best.indices))
        probabilities.append(best.values)
        of_final.append(spoken.gather(1, final)[:, 0])
        is_final.append(best.indices[:, :1] == final)
    return ForeignLens(
        tokens_of(tokenizer, inputs.get("decoder_input_ids", inputs["input_ids"])[0]).texts,
        tuple(labels),
        _numbers(torch.stack(probabilities)),
        _numbers(torch.stack(of_final)),
        torch.stack(is_final)[..., 0].cpu().numpy(),
    )


def _attribution(model: Any, tokenizer: Any, inputs: dict[str, Tensor], answers: Sequence[str]) -> ForeignAttribution:
    with watched(model) as seen, layers_seen(model) as numbers:
        end, calls, output = decoder_end(model, inputs)
    blocks = _written_blocks(model, tokenizer, inputs, output, numbers)
    projections = seen.projections(blocks, type(model).__name__)
    final = frozen(end.norm, end.residuals[-1, -1])
    if final is None:
        raise ForeignModelError("no final norm", model=type(model).__name__)
    through, of_norm = final
    candidates = [*end.logits[-1].topk(min(N_CANDIDATES, end.logits.shape[1])).indices.tolist()]
    asked = [*dict.fromkeys(_ids_of(tokenizer, answers))]
    candidates += [number for number in asked if number not in candidates]
    table: Any = end.unembed.weight
    unembedding = end.factor * end.scale * table[candidates].double()  # [candidate, D]
    offset = getattr(end.unembed, "bias", None)
    bias = of_norm @ unembedding.T + (0 if offset is None else end.factor * offset[candidates].double())

    def effect_of(parts: Float[Tensor, "... d_model"]) -> Float[np.ndarray, "... candidate"]:
        return _numbers(through(parts.double()) @ unembedding.T)

    n_layers, names = len(end.residuals) - 1, [block.name for block in blocks]
    rows = [(layer, name) for layer in range(n_layers) for name in names]
    heads = np.full((len(rows), blocks[0].layers[0].shape[1], len(candidates)), np.nan, np.float32)
    rest = np.zeros((len(rows), len(candidates)), np.float32)
    for layer in range(n_layers):
        around = end.residuals[layer : layer + 2]
        added = (around[1, -1] - around[0, -1]).double()
        for at, name in enumerate(names, start=layer * len(names)):
            if (name, layer) in projections:
                by_head = _written_by_heads(
                    model, calls, projections[name, layer], *around, n_heads=blocks[0].layers[0].shape[1]
                )
                heads[at] = effect_of(by_head)
                added = added - by_head.sum(dim=0)
        rest[(layer + 1) * len(names) - 1] = effect_of(added)
    raw = end.factor * calls.of(end.unembed).result[-1, candidates]
    return ForeignAttribution(
        tokens_of(tokenizer, torch.tensor(candidates)).texts,
        tuple(map(candidates.index, asked)),
        tuple(layer for layer, _ in rows),
        heads,
        rest,
        effect_of(end.residuals[0, -1]),
        _numbers(bias),
        _numbers(raw),
        tuple(name for _, name in rows) if len(names) > 1 else (),
    )


def _written_blocks(
    model: Any, tokenizer: Any, inputs: dict[str, Tensor], output: Any, numbers: Mapping[int, int]
) -> list[RecordedBlock]:
    """Return the attention of what writes: of a decoder, or of the decoder of both parts."""
    if not model.config.is_encoder_decoder:
        return [self_block(model, tokenizer, inputs, output, numbers)]
    source, read = (tokens_of(tokenizer, inputs[name][0]) for name in ("input_ids", "decoder_input_ids"))
    return [
        RecordedBlock("decoder", layers_of(model, output.decoder_attentions), read, read),
        RecordedBlock("cross", layers_of(model, output.cross_attentions), read, source),
    ]


def _written_by_heads(
    model: Any, calls: Calls, projection: nn.Module, before: Tensor, after: Tensor, *, n_heads: int
) -> Float[Tensor, "head d_model"]:
    """Return what each head of a layer adds at the last place; ``before`` and ``after`` it is the residual stream.

    Raises:
        ForeignModelError: a layer that does not add up what its blocks write.
    """
    call = calls.of(projection)
    weight: Any = projection.weight
    # OpenAI's layer, Conv1D, keeps the matrix the other way round.
    matrix = weight.double().T if type(projection).__name__ == "Conv1D" else weight.double()  # [D, H E]
    z = call.taken[-1].double().unflatten(0, (n_heads, -1))  # [H, E]
    by_head = torch.einsum("he,dhe->hd", z, matrix.unflatten(1, (n_heads, -1)))
    within = [one for one in calls.made if layer_of(f"{one.name}.") == layer_of(f"{call.name}.")]
    written = call.result
    # Gemma 2 and OLMo 2 normalise what attention has written before they add it.
    norm = next((one for one in within if _normalises(one, written)), None)
    if norm is not None:
        linear = frozen(norm.module, written[-1])
        if linear is None:
            raise ForeignModelError("no sum", model=type(model).__name__)
        by_head, written = linear[0](by_head), norm.result
    multiplier = getattr(model.config.get_text_config(), "residual_multiplier", 1.0)
    others, largest = (after - before) / multiplier - written, float(after.abs().max())
    results = [one.result for one in within if one.result.shape == others.shape]
    # Beside the feed-forward block there may be experts, whose sum has no module.
    sums = (torch.stack(some).sum(dim=0) for n in (1, 2) for some in combinations(results, n))
    if not any(is_near(one, others, of=largest) for one in sums):
        raise ForeignModelError("no sum", model=type(model).__name__)
    return by_head * multiplier


def _normalises(call: Any, written: Tensor) -> bool:
    is_leaf = not [*call.module.children()]
    return is_leaf and torch.equal(call.taken, written) and not torch.equal(call.result, written)


def _scores(model: Any, tokenizer: Any, inputs: dict[str, Tensor]) -> ForeignScores:
    """Return the scores of every head that looks from tokens at tokens of the same text: not of cross-attention."""
    drawn = {
        name: _repeated(model, tokenizer, ids)
        for name, ids in inputs.items()
        if name in ("input_ids", "decoder_input_ids")
    }
    random = {name: ids for name, (ids, _) in drawn.items()}
    on_text, on_random = (_scored(model, tokenizer, one) for one in (inputs, random))
    n_heads = max(layer.shape[1] for block, _ in on_text for layer in block.layers)

    def measured(score: Callable[[Tensor, Tensor], Tensor]) -> Float[np.ndarray, "2 layer head"]:
        scores = [
            [score(layer, ids).float() for block, ids in scored for layer in block.layers]
            for scored in (on_text, on_random)
        ]
        return _numbers(torch.stack([torch.stack([_with_missing(row, n_heads) for row in rows]) for rows in scores]))

    blocks = [block for block, _ in on_text]
    return ForeignScores(
        tuple(number for block in blocks for number in block.own_numbers),
        min(n_random for _, n_random in drawn.values()),
        measured(lambda pattern, _: previous_token_score(pattern)),
        measured(induction_score),
        tuple(block.name for block in blocks for _ in block.layers) if len(blocks) > 1 else (),
    )


def _scored(model: Any, tokenizer: Any, inputs: dict[str, Tensor]) -> list[tuple[RecordedBlock, Tensor]]:
    """Return the self-attention of each part of ``model`` for ``inputs``, and the tokens that it is between."""
    with layers_seen(model) as numbers:
        output = model(**inputs, output_attentions=True)
    if not model.config.is_encoder_decoder:
        return [(self_block(model, tokenizer, inputs, output, numbers), inputs["input_ids"])]
    parts: list[tuple[BlockName, str, Any]] = [
        ("encoder", "input_ids", output.encoder_attentions),
        ("decoder", "decoder_input_ids", output.decoder_attentions),
    ]
    sides = {key: tokens_of(tokenizer, inputs[key][0]) for _, key, _ in parts}
    return [
        (RecordedBlock(name, layers_of(model, maps), sides[key], sides[key]), inputs[key]) for name, key, maps in parts
    ]


def _with_missing(row: Float[Tensor, " head"], n_heads: int) -> Float[Tensor, " n_heads"]:
    return torch.cat([row, row.new_full([n_heads - len(row)], torch.nan)])


def _repeated(model: Any, tokenizer: Any, text: Int[Tensor, "1 place"]) -> tuple[Int[Tensor, "1 place"], int]:
    """Return random tokens, each once, twice in a row, after what begins every text; and how many they are."""
    special = {*tokenizer.all_special_ids}
    start = [number for number in text[0, :1].tolist() if number in special]
    # A tokenizer may have more tokens than the model.
    known = min(len(tokenizer), getattr(model.get_input_embeddings(), "num_embeddings", len(tokenizer)))
    ordinary = [number for number in range(known) if number not in special]
    room = getattr(model.config.get_text_config(), "max_position_embeddings", None) or 2 * N_RANDOM + 2
    # RoBERTa counts from the position after that of padding.
    n_random = min(N_RANDOM, len(ordinary), (room - 2 - len(start)) // 2)
    order = torch.randperm(len(ordinary), generator=torch.Generator().manual_seed(_SEED))[:n_random]
    drawn = [ordinary[place] for place in order.tolist()]
    return torch.tensor([[*start, *drawn, *drawn]], device=text.device), n_random


def _ids_of(tokenizer: Any, answers: Sequence[str]) -> list[int]:
    """Return the first token of each of ``answers``, as it is within a text: after a blank, where there is one so."""
    first_ids = []
    for answer in filter(None, answers):
        tried = [tokenizer(text, add_special_tokens=False)["input_ids"] for text in (f" {answer.strip()}", answer)]
        # A tokenizer may leave nothing of a sign that nobody sees.
        read = [ids for ids in tried if ids]
        first_ids += [next((ids[0] for ids in read if len(ids) == 1), read[0][0])] if read else []
    return first_ids


def _numbers(tensor: Tensor) -> np.ndarray:
    return tensor.detach().float().cpu().numpy()
