"""The same weights in other engines: CTranslate2 and transformers.

Both have classes for a pre-norm encoder–decoder with sinusoidal positions: CTranslate2's ``TransformerSpec``, and
transformers' Pegasus, which is Marian with its norms before the blocks (Marian's own classes have them after).
"""

import tempfile
from collections.abc import Sequence

import ctranslate2
import numpy as np
import torch
from ctranslate2.specs import common_spec, transformer_spec
from torch import Tensor, nn
from transformers import GenerationConfig, PegasusForConditionalGeneration

from model.architectures.encoder_decoder import EncoderDecoder
from model.config import EncoderDecoderConfig
from model.positional.sinusoidal import sinusoidal_encoding
from model.text.tokenizer import BOS_ID, PAD_ID, UNKNOWN_ID
from pretrained.huggingface.shipped import as_pegasus

_LONGEST = 512


def as_ctranslate2(model: EncoderDecoder, compute_type: str) -> ctranslate2.Translator:
    """Return ``model`` in CTranslate2 on one thread, its tokens named by their ids; computing in "float32" or "int8".

    Raises:
        ValueError: the model is not a pre-norm one with sinusoidal positions.
    """
    config = _checked(model.config)
    layers = (config.n_encoder_layers, config.n_decoder_layers)
    spec = transformer_spec.TransformerSpec.from_config(layers, config.n_heads, pre_norm=True)
    names = [str(token) for token in range(config.vocabulary_size)]
    spec.register_source_vocabulary(names)
    spec.register_target_vocabulary(names)
    spec.config.unk_token, spec.config.bos_token = str(UNKNOWN_ID), str(config.bos_id)
    spec.config.eos_token, spec.config.decoder_start_token = str(config.eos_id), str(config.bos_id)
    embedding = _numpy(model.embedding.weight)
    spec.encoder.embeddings[0].weight = spec.decoder.embeddings.weight = spec.decoder.projection.weight = embedding
    for ours, theirs in ((model.encoder, spec.encoder), (model.decoder, spec.decoder)):
        theirs.position_encodings.encodings = _numpy(sinusoidal_encoding(torch.arange(_LONGEST), config.d_model))
        _put_norm(theirs.layer_norm, ours.final_norm)
        for layer, there in zip(ours.layers, theirs.layer, strict=True):
            attention = layer.self_attention
            _put_norm(there.self_attention.layer_norm, layer.self_attention_residual.norm)
            there.self_attention.linear[0].weight = _joined(attention.W_Q, attention.W_K, attention.W_V)
            there.self_attention.linear[1].weight = _joined(attention.W_O)
            _put_norm(there.ffn.layer_norm, layer.feed_forward_residual.norm)
            for there_linear, linear in (
                (there.ffn.linear_0, layer.feed_forward.W_1),
                (there.ffn.linear_1, layer.feed_forward.W_2),
            ):
                there_linear.weight, there_linear.bias = _numpy(linear.weight), _numpy(linear.bias)
    for layer, there in zip(model.decoder.layers, spec.decoder.layer, strict=True):
        attention = layer.cross_attention
        _put_norm(there.attention.layer_norm, layer.cross_attention_residual.norm)
        there.attention.linear[0].weight = _joined(attention.W_Q)
        there.attention.linear[1].weight = _joined(attention.W_K, attention.W_V)
        there.attention.linear[2].weight = _joined(attention.W_O)
    spec.validate()
    spec.optimize()
    with tempfile.TemporaryDirectory() as folder:
        spec.save(folder)
        return ctranslate2.Translator(folder, device="cpu", compute_type=compute_type, inter_threads=1, intra_threads=1)


def as_transformers(model: EncoderDecoder) -> PegasusForConditionalGeneration:
    """Return ``model`` in transformers, in evaluation mode.

    Raises:
        ValueError: the model is not a pre-norm one with sinusoidal positions.
    """
    config = _checked(model.config)
    there = as_pegasus(model)
    there.generation_config = GenerationConfig(
        pad_token_id=config.pad_id,
        bos_token_id=config.bos_id,
        eos_token_id=config.eos_id,
        decoder_start_token_id=config.bos_id,
        suppress_tokens=[config.pad_id, config.bos_id, UNKNOWN_ID],
    )
    return there


def translate_with_ctranslate2(
    engine: ctranslate2.Translator, sources: Sequence[Sequence[int]], beam_size: int, longest: int
) -> list[list[int]]:
    """Return the tokens that ``engine`` writes for each of ``sources``, without EOS."""
    found = engine.translate_batch(
        [[str(token) for token in source] for source in sources],
        beam_size=beam_size,
        length_penalty=0.6,
        disable_unk=True,
        suppress_sequences=[[str(PAD_ID)], [str(BOS_ID)]],
        max_decoding_length=longest,
    )
    return [[int(token) for token in one.hypotheses[0]] for one in found]


def translate_with_transformers(
    engine: PegasusForConditionalGeneration, sources: Tensor, beam_size: int, longest: int
) -> list[list[int]]:
    """Return the tokens that ``engine`` writes for each row of ``sources``, padded on the right, without EOS."""
    config = engine.generation_config
    with torch.inference_mode():
        found = engine.generate(
            sources,
            attention_mask=(sources != config.pad_token_id).long(),
            num_beams=beam_size,
            length_penalty=0.6,
            max_new_tokens=longest,
            do_sample=False,
        )
    special = {config.pad_token_id, config.bos_token_id, config.eos_token_id}
    return [[token for token in row if token not in special] for row in found.tolist()]


def _checked(config: EncoderDecoderConfig) -> EncoderDecoderConfig:
    if config.norm != "pre" or config.positional.name != "sinusoidal":
        raise ValueError(
            f"its norms are {config.norm!r} and its positions {config.positional.name!r}; "
            "both engines take norms before the blocks and sinusoidal positions"
        )
    return config


def _put_norm(there: common_spec.LayerNormSpec, norm: nn.LayerNorm) -> None:
    there.gamma, there.beta = _numpy(norm.weight), _numpy(norm.bias)


def _joined(*linears: nn.Linear) -> np.ndarray:
    return _numpy(torch.cat([linear.weight for linear in linears]))


def _numpy(tensor: Tensor) -> np.ndarray:
    return tensor.detach().float().numpy()
