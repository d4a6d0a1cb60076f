"""What any model of Transformers does with a text: its attention, what it predicts, and what it writes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.folders import first_line
from pretrained.huggingface.heads import switched_off, watched
from pretrained.huggingface.layer_numbers import layers_seen, own_numbers
from pretrained.huggingface.recorded import Head, Prediction, ReadTokens, RecordedBlock, TextRecording
from pretrained.huggingface.token_texts import text_of

MOST_WRITTEN = 64
"""Tokens that a model writes at most, where no target is given."""
N_CANDIDATES = 5
"""Tokens of a prediction that are kept."""
MASK = "[MASK]"
"""In a text, the mask of any model that has one, whatever its vocabulary calls it."""

# Transformers hands out what is before the softmax.
_GIVES_SCORES = {"squeezebert"}


def record(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    text: str,
    target: str | None = None,
    *,
    second: str | None = None,
    most_tokens: int | None = None,
    off: Sequence[Head] = (),
) -> tuple[TextRecording, ...]:
    """Return what ``model`` does with ``text``, by its own eager attention; where heads are ``off``, also without them.

    Args:
        model: loaded with ``attn_implementation="eager"``.
        tokenizer: of the model.
        text: what it reads.
        target: what an encoder–decoder is made to write; else it writes what it finds most likely, word by word, up to
            ``MOST_WRITTEN`` tokens.
        second: the second text of a pair, for a model that reads pairs.
        most_tokens: that the text may have; None for any number.
        off: heads that pass on nothing in the second reading; without any there is one reading.

    Raises:
        ForeignModelError: a model that gives no attention, a text without tokens or with too many, a target for a model
            that has none, a model that fails on the text, or heads that are not there or cannot be switched off.
    """
    if getattr(model.config, "_attn_implementation", "eager") != "eager":
        raise ForeignModelError("not eager")
    if target is not None and not model.config.is_encoder_decoder:
        raise ForeignModelError("no target")
    encoding = encoded(tokenizer, text, second, most_tokens=most_tokens)
    with reading(model, encoding) as inputs:
        if model.config.is_encoder_decoder:
            return _readings(model, partial(_of_both, model, tokenizer, inputs, target), off)
        return _readings(model, partial(_of_one, model, tokenizer, inputs), off)


@contextmanager
def reading(model: PreTrainedModel, encoding: Mapping[str, Tensor]) -> Iterator[dict[str, Tensor]]:
    """Let ``model`` read ``encoding``, which is yielded where the model is, without dropout and gradients.

    Raises:
        ForeignModelError: for whatever goes wrong inside the ``with``.
    """
    with torch.inference_mode(), evaluating(model):
        try:
            yield {name: tensor.to(model.device) for name, tensor in encoding.items()}
        except ForeignModelError:
            raise
        except Exception as error:
            # A model of others may fail in any way.
            raise _failure(model, encoding, error) from error


def _failure(model: PreTrainedModel, inputs: Mapping[str, Tensor], error: Exception) -> ForeignModelError:
    """Return what to say where ``model`` failed on ``inputs``: too long a text, a token that it lacks, or the error."""
    config, ids = model.config.get_text_config(), inputs["input_ids"]
    most, n_tokens = getattr(config, "max_position_embeddings", None), ids.shape[1]
    n_known = getattr(model.get_input_embeddings(), "num_embeddings", None)
    if isinstance(n_known, int) and int(ids.max()) >= n_known:
        return ForeignModelError("other vocabulary", given=int(ids.max()) + 1, most=n_known)
    if isinstance(most, int) and n_tokens > most:
        return ForeignModelError("too many tokens", given=n_tokens, most=most)
    return ForeignModelError("fails", reason=first_line(error))


def record_attention(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, text: str, target: str | None = None, **options: Any
) -> tuple[RecordedBlock, ...]:
    """Return the attention of ``model`` while it reads ``text``: of the last reading that :func:`record` returns."""
    return record(model, tokenizer, text, target, **options)[-1].blocks


def _readings(
    model: PreTrainedModel, read: Callable[[], TextRecording], off: Sequence[Head]
) -> tuple[TextRecording, ...]:
    if not off:
        return (read(),)
    with watched(model) as seen:
        whole = read()
    n_heads = {
        (block.name, number): layer.shape[1]
        for block in whole.blocks
        for number, layer in zip(block.own_numbers, block.layers, strict=True)
    }
    for head in off:
        if not 0 <= head.head < n_heads.get((head.block, head.layer), 0):
            raise ForeignModelError("no head", block=head.block, layer=head.layer + 1, head=head.head + 1)
    with switched_off(model, seen.ways_off(whole.blocks, type(model).__name__), n_heads, off):
        return whole, read()


def encoded(
    tokenizer: PreTrainedTokenizerBase, text: str, second: str | None = None, *, most_tokens: int | None = None
) -> dict[str, Tensor]:
    """Return what a model is given for ``text``, in which ``MASK`` is its own mask.

    Raises:
        ForeignModelError: a broken tokenizer, no tokens, or more than ``most_tokens``.
    """
    try:
        encoding = tokenizer(text.replace(MASK, tokenizer.mask_token or MASK), second, return_tensors="pt")
        read = {name: encoding[name] for name in encoding if encoding[name].ndim == 2}
    except Exception as error:
        raise ForeignModelError("tokenizer", reason=first_line(error)) from error
    n_tokens = read["input_ids"].shape[1]
    # Of an empty text, some models read a beginning or an end.
    if not n_tokens or not text.strip():
        raise ForeignModelError("no tokens")
    if most_tokens is not None and n_tokens > most_tokens:
        raise ForeignModelError("too many tokens", given=n_tokens, most=most_tokens)
    return read


def _of_one(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, inputs: dict[str, Tensor]) -> TextRecording:
    with layers_seen(model) as seen:
        output = model(**inputs, output_attentions=True)
    block = self_block(model, tokenizer, inputs, output, seen)
    predictions = (
        ()
        if model.get_output_embeddings() is None
        else _predictions(tokenizer, inputs, output.logits, looks_ahead(model, inputs, block.layers))
    )
    has_sinks = any(name.endswith(".sinks") for name, _ in model.named_parameters())
    return TextRecording((block,), predictions, has_sinks=has_sinks)


def self_block(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    inputs: dict[str, Tensor],
    output: Any,
    seen: Mapping[int, int],
) -> RecordedBlock:
    """Return the attention in the ``output`` for ``inputs`` of a model of one block, whose layers were ``seen``.

    Raises:
        ForeignModelError: there is none, or it is not between the tokens.
    """
    layers = layers_of(model, getattr(output, "attentions", None))
    tokens = tokens_of(tokenizer, inputs["input_ids"][0])
    block = RecordedBlock("self", layers, tokens, tokens, own_numbers(layers, seen))
    _refuse_maps(model, [block])
    return block


def _predictions(
    tokenizer: PreTrainedTokenizerBase,
    inputs: dict[str, Tensor],
    logits: Float[Tensor, "1 position vocabulary"],
    is_ahead: bool,
) -> tuple[Prediction, ...]:
    """Return what is likely at each mask; where no token looks ahead at a later one, after the text."""
    masks = (
        (inputs["input_ids"][0] == tokenizer.mask_token_id).nonzero().flatten().tolist() if tokenizer.mask_token else []
    )
    places = [(mask, mask) for mask in masks] if is_ahead else [(-1, None)]
    return tuple(Prediction(named, _likeliest(tokenizer, logits[0, place])) for place, named in places)


def looks_ahead(model: PreTrainedModel, inputs: Mapping[str, Tensor], maps: Sequence[Tensor]) -> bool:
    """Whether a token looks at a later one in ``maps``, which ``model`` made of ``inputs``: of the decoder, if any.

    A text of one token has none later: what the model does with that token twice tells.
    """
    if maps and maps[0].shape[-1] == 1:
        twice = {name: torch.cat([tensor, tensor], dim=1) for name, tensor in inputs.items()}
        output = model(**twice, output_attentions=True)
        maps = output.decoder_attentions if model.config.is_encoder_decoder else output.attentions
    return any(bool(layer.triu(1).any()) for layer in maps)


def _likeliest(
    tokenizer: PreTrainedTokenizerBase, logits: Float[Tensor, " vocabulary"]
) -> tuple[tuple[str, float], ...]:
    probabilities, ids = logits.float().softmax(dim=-1).topk(min(N_CANDIDATES, len(logits)))
    return tuple(zip(tokens_of(tokenizer, ids).texts, probabilities.tolist(), strict=True))


def _of_both(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, inputs: dict[str, Tensor], target: str | None
) -> TextRecording:
    written = written_by(model, tokenizer, inputs, target)
    output = model(**inputs, decoder_input_ids=written[:, :-1], output_attentions=True)
    source, read, target_tokens = (
        tokens_of(tokenizer, ids) for ids in (inputs["input_ids"][0], written[0, :-1], written[0, 1:])
    )
    blocks = (
        RecordedBlock("encoder", layers_of(model, output.encoder_attentions), source, source),
        RecordedBlock("decoder", layers_of(model, output.decoder_attentions), target_tokens, read),
        RecordedBlock("cross", layers_of(model, output.cross_attentions), target_tokens, source),
    )
    _refuse_maps(model, blocks)
    text = str(tokenizer.decode(written[0], skip_special_tokens=True))
    return TextRecording(blocks, (), text, _log_probability(output.logits[0], written[0, 1:]))


def written_by(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, inputs: dict[str, Tensor], target: str | None
) -> Int[Tensor, "1 position"]:
    """Return what an encoder–decoder writes by itself, or the ``target``, after the token that it begins with.

    Raises:
        ForeignModelError: it writes nothing, or the target has no tokens.
    """
    if target is None:
        written: Tensor = model.generate(**inputs, **_greedily(model.config))  # type: ignore[operator]
    else:
        labels = tokenizer(text_target=target, return_tensors="pt")["input_ids"].to(model.device)
        start = torch.full_like(labels[:, :1], model.config.decoder_start_token_id)
        written = torch.cat([start, labels], dim=1)
    if written.shape[1] < 2:
        raise ForeignModelError("no tokens")
    return written


def _greedily(config: Any) -> dict[str, Any]:
    """Return the options of a plain search; Transformers has a cache for as many layers as the encoder has."""
    n_decoder = getattr(config, "num_decoder_layers", None)
    options = {"max_new_tokens": MOST_WRITTEN, "do_sample": False, "num_beams": 1}
    return options | {"use_cache": n_decoder is None or n_decoder <= config.num_hidden_layers}


def _log_probability(logits: Float[Tensor, "position vocabulary"], written: Int[Tensor, " position"]) -> float:
    log_probability: float = logits.float().log_softmax(dim=-1).gather(1, written[:, None]).sum().item()
    return log_probability


def layers_of(model: PreTrainedModel, maps: Sequence[Tensor] | None) -> tuple[Tensor, ...]:
    """Return the maps of each layer, as a model gave them; raises ForeignModelError where they are none."""
    if not maps or not all(isinstance(layer, Tensor) and layer.ndim == 4 for layer in maps):
        raise ForeignModelError("no attention", model=type(model).__name__)
    for number, layer in enumerate(maps, start=1):
        if not layer.isfinite().all():
            raise ForeignModelError("attention overflows", layer=number)
    if model.config.model_type in _GIVES_SCORES:
        return tuple(layer.softmax(dim=-1) for layer in maps)
    return tuple(maps)


def _refuse_maps(model: PreTrainedModel, blocks: Sequence[RecordedBlock]) -> None:
    """Raise where a map of ``blocks`` is not between its tokens, or holds no shares.

    Funnel pools tokens, and ProphetNet has rows for several.
    """
    for block in blocks:
        queries, keys = len(block.queries.pieces), len(block.keys.pieces)
        for rows, columns in (layer.shape[-2:] for layer in block.layers):
            if (rows, columns) != (queries, keys):
                numbers = {"rows": rows, "columns": columns, "queries": queries, "keys": keys}
                raise ForeignModelError("other places", kind=model.config.model_type, **numbers)
    if any((layer < 0).any() for block in blocks for layer in block.layers):
        raise ForeignModelError("signed attention", model=type(model).__name__)


def tokens_of(tokenizer: PreTrainedTokenizerBase, ids: Tensor) -> ReadTokens:
    """Return the tokens of these numbers."""
    numbers = ids.tolist()
    pieces = tokenizer.convert_ids_to_tokens(numbers)
    special = {*tokenizer.all_special_ids}
    flags = tuple(number in special for number in numbers)
    texts = tuple(
        text_of(tokenizer, piece, number, is_special=flag)
        for piece, number, flag in zip(pieces, numbers, flags, strict=True)
    )
    return ReadTokens(tuple(piece or text for piece, text in zip(pieces, texts, strict=True)), texts, flags)


@contextmanager
def evaluating(model: PreTrainedModel) -> Iterator[None]:
    """Have ``model`` without dropout, and give it back as it was."""
    was_training = model.training
    model.eval()
    try:
        yield
    finally:
        model.train(was_training)
