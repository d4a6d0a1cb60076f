"""The attention of any model of Transformers that gives it: of one text, and for an encoder–decoder of its output."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.folders import first_line
from pretrained.huggingface.recorded import ReadTokens, RecordedBlock

MOST_WRITTEN = 64
"""Tokens that a model writes at most, where no target is given."""


def record_attention(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    text: str,
    target: str | None = None,
    *,
    second: str | None = None,
    most_tokens: int | None = None,
) -> tuple[RecordedBlock, ...]:
    """Return the attention of ``model`` while it reads ``text``, by its own eager attention.

    Args:
        model: loaded with ``attn_implementation="eager"``.
        tokenizer: of the model.
        text: what it reads.
        target: what an encoder–decoder is made to write; else it writes what it finds most likely, word by word, up to
            ``MOST_WRITTEN`` tokens.
        second: the second text of a pair, for a model that reads pairs.
        most_tokens: that the text may have; None for any number.

    Raises:
        ForeignModelError: a model that gives no attention, a text without tokens or with too many, a target for a model
            that has none, or a model that fails on the text.
    """
    if getattr(model.config, "_attn_implementation", "eager") != "eager":
        raise ForeignModelError("not eager")
    if target is not None and not model.config.is_encoder_decoder:
        raise ForeignModelError("no target")
    encoded = _encoded(tokenizer, text, second)
    n_tokens = encoded["input_ids"].shape[1]
    if not n_tokens:
        raise ForeignModelError("no tokens")
    if most_tokens is not None and n_tokens > most_tokens:
        raise ForeignModelError("too many tokens", given=n_tokens, most=most_tokens)
    with torch.inference_mode(), _evaluating(model):
        try:
            inputs = {name: tensor.to(model.device) for name, tensor in encoded.items()}
            if model.config.is_encoder_decoder:
                return _of_both(model, tokenizer, inputs, target)
            return _of_one(model, tokenizer, inputs)
        except ForeignModelError:
            raise
        except Exception as error:
            # A model of others may fail in any way: too long a text for its positions, a token beyond its vocabulary.
            raise ForeignModelError("fails", reason=first_line(error)) from error


def _encoded(tokenizer: PreTrainedTokenizerBase, text: str, second: str | None) -> dict[str, torch.Tensor]:
    try:
        found = tokenizer(text, second, return_tensors="pt")
        return {name: found[name] for name in found if found[name].ndim == 2}
    except Exception as error:
        raise ForeignModelError("tokenizer", reason=first_line(error)) from error


def _of_one(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, inputs: dict[str, torch.Tensor]
) -> tuple[RecordedBlock, ...]:
    output = model(**inputs, output_attentions=True)
    layers = _layers(model, getattr(output, "attentions", None))
    tokens = _read(tokenizer, inputs["input_ids"][0])
    return (RecordedBlock("self", layers, tokens, tokens),)


def _of_both(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, inputs: dict[str, torch.Tensor], target: str | None
) -> tuple[RecordedBlock, ...]:
    if target is None:
        written: torch.Tensor = model.generate(**inputs, max_new_tokens=MOST_WRITTEN, do_sample=False, num_beams=1)  # type: ignore[operator]
    else:
        labels = tokenizer(text_target=target, return_tensors="pt")["input_ids"].to(model.device)
        start = torch.full_like(labels[:, :1], model.config.decoder_start_token_id)
        written = torch.cat([start, labels], dim=1)
    if written.shape[1] < 2:
        raise ForeignModelError("no tokens")
    output = model(**inputs, decoder_input_ids=written[:, :-1], output_attentions=True)
    source, read, target_tokens = (
        _read(tokenizer, ids) for ids in (inputs["input_ids"][0], written[0, :-1], written[0, 1:])
    )
    return (
        RecordedBlock("encoder", _layers(model, output.encoder_attentions), source, source),
        RecordedBlock("decoder", _layers(model, output.decoder_attentions), target_tokens, read),
        RecordedBlock("cross", _layers(model, output.cross_attentions), target_tokens, source),
    )


def _layers(model: PreTrainedModel, found: Sequence[torch.Tensor] | None) -> tuple[torch.Tensor, ...]:
    if not found or not all(isinstance(layer, torch.Tensor) and layer.ndim == 4 for layer in found):
        raise ForeignModelError("no attention", model=type(model).__name__)
    return tuple(found)


def _read(tokenizer: PreTrainedTokenizerBase, ids: torch.Tensor) -> ReadTokens:
    numbers = ids.tolist()
    pieces = tuple(str(piece) for piece in tokenizer.convert_ids_to_tokens(numbers))
    special = {*tokenizer.all_special_ids}
    flags = tuple(number in special for number in numbers)
    return ReadTokens(pieces, tuple(map(_text_of, [tokenizer] * len(pieces), pieces, flags)), flags)


def _text_of(tokenizer: PreTrainedTokenizerBase, piece: str, is_special: bool) -> str:
    """Return what ``piece`` stands for: byte-level vocabularies write letters beyond ASCII in signs of their own."""
    text = piece if is_special else tokenizer.convert_tokens_to_string([piece]).strip(" ")
    return text.removeprefix("##") or piece


@contextmanager
def _evaluating(model: PreTrainedModel) -> Iterator[None]:
    """Have ``model`` without dropout, and give it back as it was."""
    was_training = model.training
    model.eval()
    try:
        yield
    finally:
        model.train(was_training)
