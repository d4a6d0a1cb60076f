"""A shipped translator as a model of Transformers, with the same pieces, the same logits and the same attention.

The architectures meet in PEGASUS, which places its LayerNorm before each block and one at the end, and adds sinusoids,
as our translators do. PEGASUS has the sines before the cosines where ours alternate: every vector of the model is put
into that order.
"""

from collections.abc import Iterator
from pathlib import Path

import torch
from sentencepiece import SentencePieceProcessor
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, processors
from torch import Tensor
from transformers import GenerationConfig, PegasusConfig, PegasusForConditionalGeneration, PreTrainedTokenizerFast
from transformers.convert_slow_tokenizer import generate_merges

from model.architectures.encoder_decoder import EncoderDecoder
from model.checkpoint import DamagedWeightsError
from model.decoding.translator import MAX_SOURCE_TOKENS
from model.text.normalization import WORD_START
from model.text.tokenizer import BOS_ID, EOS_ID, PAD_ID, UNKNOWN_ID
from pretrained.huggingface.errors import ForeignModelError
from pretrained.translators import load_translator

_ATTENTION = {"W_Q": "q_proj", "W_K": "k_proj", "W_V": "v_proj", "W_O": "out_proj"}
# Weights of PEGASUS that are zero here, or that it computes.
_ITS_OWN = ("_proj.bias", "embed_positions.weight", "final_logits_bias")
_BLOCKS = {"self_attention": "self_attn", "cross_attention": "encoder_attn"}


def load_shipped(folder: Path) -> tuple[PegasusForConditionalGeneration, PreTrainedTokenizerFast]:
    """Return the translator that ships in ``folder``, with eager attention, and its tokenizer.

    Raises:
        ForeignModelError: its files are damaged, or PEGASUS cannot be what they hold.
    """
    try:
        translator = load_translator(folder.name)
        model = as_pegasus(translator.model)
    except (DamagedWeightsError, OSError, ValueError) as error:
        raise ForeignModelError("shipped damaged", name=folder.name) from error
    model.set_attn_implementation("eager")
    return model, as_fast_tokenizer(translator.tokenizer.serialized)


def as_pegasus(model: EncoderDecoder) -> PegasusForConditionalGeneration:
    """Return ``model`` as PEGASUS, with the same logits and the same attention.

    Raises:
        ValueError: a model that PEGASUS cannot be: with its LayerNorm elsewhere, another positional encoding, or heads
            whose sizes do not add up to the model's.
    """
    config = model.config
    is_narrow = config.n_heads * config.d_key != config.d_model or config.d_value != config.d_key
    if config.norm != "pre" or config.positional.name != "sinusoidal" or config.positional.parameters or is_narrow:
        raise ValueError(
            "PEGASUS normalises before each block, adds sinusoids of base 10000, and has d_model / n_heads."
        )
    made = PegasusForConditionalGeneration(
        PegasusConfig(
            vocab_size=config.vocabulary_size,
            d_model=config.d_model,
            encoder_layers=config.n_encoder_layers,
            decoder_layers=config.n_decoder_layers,
            encoder_attention_heads=config.n_heads,
            decoder_attention_heads=config.n_heads,
            encoder_ffn_dim=config.d_ff,
            decoder_ffn_dim=config.d_ff,
            max_position_embeddings=2 * MAX_SOURCE_TOKENS,
            activation_function="relu",
            scale_embedding=True,
            dropout=config.dropout,
            pad_token_id=PAD_ID,
            eos_token_id=EOS_ID,
            decoder_start_token_id=BOS_ID,
            forced_eos_token_id=None,
        )
    )
    # Ours have no bias in their projections.
    for name, parameter in made.named_parameters():
        if name.endswith("_proj.bias"):
            torch.nn.init.zeros_(parameter)
    missing, unexpected = made.load_state_dict(dict(_weights(model)), strict=False)
    if unexpected or not all(name.endswith(_ITS_OWN) for name in missing):
        raise ValueError(f"PEGASUS has other weights: {unexpected}, {missing}")
    # Greedy search, as everywhere without options; of beam search, the length penalties differ.
    made.generation_config = GenerationConfig(
        max_new_tokens=MAX_SOURCE_TOKENS, pad_token_id=PAD_ID, eos_token_id=EOS_ID, decoder_start_token_id=BOS_ID
    )
    return made.eval()


def as_fast_tokenizer(serialized: bytes) -> PreTrainedTokenizerFast:
    """Return the tokenizer that ``serialized``, a SentencePiece model of BPE, describes: source tokens end with EOS."""
    processor = SentencePieceProcessor(model_proto=serialized)
    pieces = [processor.id_to_piece(number) for number in range(processor.get_piece_size())]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    scores = {piece: processor.get_score(number) for piece, number in vocabulary.items()}
    named = {pieces[number] for number in (PAD_ID, UNKNOWN_ID, BOS_ID, EOS_ID)}
    merges = generate_merges(vocabulary, scores, skip_tokens=named)
    unknown, end = pieces[UNKNOWN_ID], pieces[EOS_ID]
    tokenizer = Tokenizer(models.BPE(vocabulary, merges, unk_token=unknown, fuse_unk=True, byte_fallback=True))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(Regex(rf"[\s\p{{Cc}}{WORD_START}]+"), " "),
            normalizers.NFC(),
            normalizers.Strip(),
            normalizers.Prepend(WORD_START),
            normalizers.Replace(" ", WORD_START),
        ]
    )
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace(WORD_START, " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"$A {end}", pair=f"$A {end} $B {end}", special_tokens=[(end, EOS_ID)]
    )
    tokenizer.add_special_tokens([AddedToken(name, normalized=False) for name in sorted(named)])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=pieces[PAD_ID],
        unk_token=unknown,
        bos_token=pieces[BOS_ID],
        eos_token=end,
        model_max_length=MAX_SOURCE_TOKENS,
        model_input_names=["input_ids", "attention_mask"],
        # In a text the name of a special token is a word like any other.
        split_special_tokens=True,
    )


def _weights(model: EncoderDecoder) -> Iterator[tuple[str, Tensor]]:
    """Give each weight of ``model`` under its name in PEGASUS."""
    d_model = model.config.d_model
    order = torch.cat([torch.arange(0, d_model, 2), torch.arange(1, d_model, 2)])
    for name, weight in model.state_dict().items():
        stack, *place, kind = name.split(".")
        if stack == "embedding":
            for shared in ("model.shared", "model.encoder.embed_tokens", "model.decoder.embed_tokens", "lm_head"):
                yield f"{shared}.weight", weight[:, order]
        elif place[0] == "final_norm":
            yield f"model.{stack}.layer_norm.{kind}", weight[order]
        elif place[0] == "layers":
            _, layer, block, inner = place
            yield f"model.{stack}.layers.{layer}.{_name(block, inner)}.{kind}", _ordered(inner, kind, weight, order)


def _name(block: str, inner: str) -> str:
    if inner == "norm":
        of = block.removesuffix("_residual")
        return "final_layer_norm" if of == "feed_forward" else f"{_BLOCKS[of]}_layer_norm"
    return {"W_1": "fc1", "W_2": "fc2"}[inner] if block == "feed_forward" else f"{_BLOCKS[block]}.{_ATTENTION[inner]}"


def _ordered(inner: str, kind: str, weight: Tensor, order: Tensor) -> Tensor:
    """Return ``weight`` with each of its sides that is a vector of the model in ``order``."""
    if inner in ("W_O", "W_2", "norm"):
        return weight[order]
    return weight[:, order] if kind == "weight" else weight
