"""From attention maps, or a model and a text, to a view of them."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.recorded import BlockName, Head
from viz.base.attention_maps import AttentionKind, TokenRow
from viz.base.colours import Theme
from viz.base.foreign_names import SIDES
from viz.base.given_maps import TEXT as MAP_PROBLEMS
from viz.base.given_maps import GivenName, block_of, kind_of_maps, kinds_of_blocks, maps_of_layers, why_not_shares
from viz.base.given_tokens import row_of_tokens
from viz.base.words import InputError, page_text
from viz.components.attention_explorer.view import ExplorerView
from viz.notebook.view import AttentionView

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

MODEL_PROBLEMS = page_text("base/given_models")
Arguments = ParamSpec("Arguments")


def sentence_of(error: InputError | ForeignModelError) -> str:
    """Return what is wrong, and what to do."""
    if isinstance(error, InputError):
        return error.sentence(MAP_PROBLEMS)
    return MODEL_PROBLEMS[f"problem {error.key}"].format(**error.values)


def _in_words(function: Callable[Arguments, AttentionView]) -> Callable[Arguments, AttentionView]:
    """Have ``function`` raise its errors as a ValueError of one sentence."""

    @wraps(function)
    def with_sentence(*arguments: Arguments.args, **named: Arguments.kwargs) -> AttentionView:
        try:
            return function(*arguments, **named)
        except (InputError, ForeignModelError) as error:
            sentence = sentence_of(error)
        raise ValueError(sentence)

    return with_sentence


@_in_words
def explore(
    attention: Any = None,
    tokens: Sequence[str] | None = None,
    sentence_b_start: int | None = None,
    *,
    encoder_attention: Any = None,
    decoder_attention: Any = None,
    cross_attention: Any = None,
    encoder_tokens: Sequence[str] | None = None,
    decoder_tokens: Sequence[str] | None = None,
    prettify_tokens: bool = True,
    layer: int | None = None,
    heads: Sequence[int] | None = None,
    theme: Theme = "light",
) -> AttentionView:
    """Return a view of given attention; arguments have their names in BertViz.

    These are the names in ``head_view`` and ``model_view``.

    Attention is a tuple of layers, each [batch, head, query, key] with a batch of 1, or one array [layer, head, query,
    key]; of PyTorch or of NumPy. Rows that do not add up to 1 give a warning and are shown as they are.

    Args:
        attention: self-attention of a model of one block, such as BERT or GPT-2.
        tokens: for it.
        sentence_b_start: where the second sentence of a pair begins, from 0; the view opens with that token pinned.
        encoder_attention: of an encoder–decoder.
        decoder_attention: of an encoder–decoder.
        cross_attention: of an encoder–decoder; rows are the decoder's tokens.
        encoder_tokens: for the encoder, and the columns of cross-attention.
        decoder_tokens: for the decoder, and the rows of cross-attention.
        prettify_tokens: whether the marks of BPE, SentencePiece and WordPiece are left out, and pieces joined to words.
        layer: the layer that is shown first, from 0; the last unless it is given.
        heads: its heads that are shown first, from 0; all unless they are given.
        theme: light or dark.

    Raises:
        ValueError: what was given is nothing that can be shown; its one sentence says what, and what to give.
    """
    layers_of: dict[GivenName, Any] = {
        "self": attention,
        "encoder": encoder_attention,
        "decoder": decoder_attention,
        "cross": cross_attention,
    }
    known = {name: layers for name, layers in layers_of.items() if layers is not None}
    if not known:
        raise InputError("nothing")
    if "self" in known and len(known) > 1:
        raise InputError("both")
    sides = {"tokens": tokens, "encoder_tokens": encoder_tokens, "decoder_tokens": decoder_tokens}

    def row(name: GivenName, side: str) -> TokenRow:
        labels = sides[side]
        if labels is None or not len(labels):
            raise InputError("without tokens", kind=name, argument=side)
        return row_of_tokens([str(label) for label in labels], prettify=prettify_tokens)

    def kind(name: GivenName, layers: Any) -> AttentionKind:
        maps = maps_of_layers(name, layers)
        queries, keys = (row(name, side) for side in SIDES[name])
        return kind_of_maps(block_of(name, maps), maps, queries, keys)

    kinds = tuple(kind(name, layers) for name, layers in known.items())
    for sentence in filter(None, map(why_not_shares, kinds)):
        warnings.warn(sentence, stacklevel=3)
    opened = opening(kinds[-1], layer, heads)
    if sentence_b_start is not None:
        if "self" not in known or not 0 <= sentence_b_start < len(kinds[0].queries):
            raise InputError("second sentence", start=sentence_b_start, n=len(kinds[-1].queries))
        opened = replace(opened, pins=((sentence_b_start, None),))
    return AttentionView(kinds, opened, theme)


@_in_words
def explore_model(
    model: "PreTrainedModel",
    tokenizer: "PreTrainedTokenizerBase",
    text: str,
    target: str | None = None,
    *,
    second: str | None = None,
    off: Sequence[tuple[int, int] | tuple[BlockName, int, int]] = (),
    layer: int | None = None,
    heads: Sequence[int] | None = None,
    theme: Theme = "light",
) -> AttentionView:
    """Return a view of the attention of ``model`` while it reads ``text``.

    Args:
        model: of Transformers, loaded with ``attn_implementation="eager"``.
        tokenizer: of the model.
        text: what it reads.
        target: what an encoder–decoder is made to write; else it writes by itself.
        second: the second text of a pair.
        off: heads that are switched off, as (layer, head) from 0; in an encoder–decoder, as (block, layer, head), where
            the block is encoder, decoder or cross. What such a head passes on is zero.
        layer: the layer that is shown first, from 0; the last unless it is given.
        heads: its heads that are shown first, from 0; all unless they are given.
        theme: light or dark.

    Raises:
        ValueError: a model without attention, a text that it cannot read, or heads that cannot be switched off; its one
            sentence says what to do.
    """
    # Transformers takes seconds to import, and whoever has a model has done so.
    from pretrained.huggingface.recording import record_attention  # noqa: PLC0415

    named = tuple(Head("self", *head) if len(head) == 2 else Head(*head) for head in off)
    kinds = kinds_of_blocks(record_attention(model, tokenizer, text, target, second=second, off=named))
    return AttentionView(kinds, opening(kinds[-1], layer, heads), theme)


def opening(kind: AttentionKind, layer: int | None = None, heads: Sequence[int] | None = None) -> ExplorerView:
    """Return the view that opens on ``heads`` of ``layer`` of ``kind``; the default is the last layer.

    Raises:
        InputError: there is no such layer or head.
    """
    layers, n_heads = kind.own_layers, kind.weights.shape[1]
    shown_layer = layers[-1] if layer is None else layer
    shown = tuple(range(n_heads)) if heads is None else tuple(heads)
    if not (shown_layer in layers and shown and {*shown} <= {*range(n_heads)}):
        values = {"layer": shown_layer, "heads": ", ".join(map(str, shown)) or "–"}
        raise InputError("heads", **values, last_layer=layers[-1], last_head=n_heads - 1)
    return ExplorerView(kind=kind.name, heads=tuple((layers.index(shown_layer), head) for head in shown))
