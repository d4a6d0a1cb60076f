"""How other people's models encode positions: as Transformers itself computes it."""

import io
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from transformers import GPTJConfig, GPTJModel, RoFormerConfig, RoFormerModel
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.gptj.modeling_gptj import create_sinusoidal_positions
from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor

from model.positional import QueryKey
from pretrained.huggingface.answer_file import read_positions, write_positions
from pretrained.huggingface.answering import MOST_ROWS, answer
from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.foreign_positions import ForeignPositions
from pretrained.huggingface.positions import as_encoding, positions_of
from pretrained.huggingface.requests import PositionsRequest
from pretrained.huggingface.rotary import stretched_frequencies
from tests.fixtures.architectures import ARCHITECTURES
from tests.fixtures.foreign_models import SMALL, random_model

CONTEXT, N = 256, 40
ROPE: dict[str, dict[str, Any]] = {
    "default": {},
    "linear": {"factor": 4.0},
    "dynamic": {"factor": 4.0},
    "yarn": {"factor": 8.0, "original_max_position_embeddings": 32},
    "yarn weighed": {
        **{"factor": 8.0, "original_max_position_embeddings": 32, "mscale": 1.0, "mscale_all_dim": 0.5},
        **{"truncate": False, "beta_fast": 16, "beta_slow": 2},
    },
    "llama3": {
        **{"factor": 8.0, "original_max_position_embeddings": 32},
        **{"low_freq_factor": 1.0, "high_freq_factor": 4.0},
    },
}


def llama(kind: str) -> Any:
    return transformers.LlamaConfig(
        **SMALL,
        **{"hidden_size": 128, "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2},
        **{"intermediate_size": 16, "max_position_embeddings": CONTEXT},
        rope_parameters={"rope_theta": 500.0, "rope_type": kind.partition(" ")[0], **ROPE[kind]},
    )


def only(model: Any) -> ForeignPositions:
    (found,) = positions_of(model)
    return found


def bias(found: ForeignPositions, n: int = N) -> torch.Tensor:
    """Return what the encoding adds to the scores of ``n`` tokens, [head, query, key]."""
    encoding, stack = as_encoding(found)
    zeros, positions = torch.zeros(1, stack.n_heads, n, stack.d_key), torch.arange(n)
    added = encoding.score_bias(QueryKey(zeros, zeros, positions, positions))
    assert added is not None
    return added[0].detach()


@pytest.mark.parametrize("kind", ROPE)
def test_rotary_frequencies_are_those_that_transformers_rotates_by(kind: str) -> None:
    config = llama(kind)
    rotary = transformers.LlamaModel(config).rotary_emb
    length = CONTEXT if kind == "dynamic" else 3 * CONTEXT
    found = stretched_frequencies(config.rope_parameters, 64, CONTEXT, length)
    assert found is not None
    frequencies, amplitude = found
    torch.testing.assert_close(frequencies.float(), rotary.inv_freq, rtol=1e-5, atol=0)
    assert amplitude == pytest.approx(rotary.attention_scaling)


def test_dynamic_frequencies_follow_the_length_of_the_text() -> None:
    config = llama("dynamic")
    for length in (CONTEXT // 2, CONTEXT, 3 * CONTEXT):
        frequencies, _ = stretched_frequencies(config.rope_parameters, 64, CONTEXT, length) or (None, None)
        wanted, _ = ROPE_INIT_FUNCTIONS["dynamic"](config, None, seq_len=length)
        torch.testing.assert_close(frequencies.float(), wanted, rtol=1e-5, atol=0)
    found = only(transformers.LlamaModel(config))
    wanted, _ = ROPE_INIT_FUNCTIONS["dynamic"](config, None, seq_len=4 * CONTEXT)
    np.testing.assert_allclose(found.values, wanted, rtol=1e-5)
    assert (found.settings["trained"], found.settings["context"]) == (CONTEXT, 4 * CONTEXT)


@pytest.mark.parametrize("kind", ["default", "yarn", "llama3"])
def test_our_rotation_gives_the_scores_of_theirs(kind: str) -> None:
    model = transformers.LlamaModel(llama(kind))
    encoding, stack = as_encoding(only(model))
    positions = torch.arange(N)
    q, k = torch.randn(2, 1, 1, N, stack.d_key)
    # Transformers pairs dimension i with i + d/2, we with its neighbour.
    theirs = [x.unflatten(-1, (-1, 2)).transpose(-1, -2).flatten(-2) for x in (q, k)]
    cosines, sines = model.rotary_emb(q, positions[None])
    rotate = transformers.models.llama.modeling_llama.apply_rotary_pos_emb
    wanted_q, wanted_k = rotate(*theirs, cosines, sines)
    found_q, found_k = encoding.transform_query_key(QueryKey(q, k, positions, positions))
    torch.testing.assert_close(found_q @ found_k.mT, wanted_q @ wanted_k.mT, rtol=1e-4, atol=1e-3)


def test_gpt_neox_rotates_a_share_of_the_dimensions() -> None:
    model = random_model("GPT-NeoX")
    model.config.rope_parameters["partial_rotary_factor"] = 0.5
    found = only(transformers.GPTNeoXModel(model.config))
    np.testing.assert_allclose(found.values, transformers.GPTNeoXModel(model.config).rotary_emb.inv_freq, rtol=1e-6)
    assert found.settings["d_key"] == 4


def test_layers_of_two_kinds_rotate_in_two_ways() -> None:
    model = random_model("ModernBERT")
    found = positions_of(model)
    assert {one.place for one in found} == {"sliding_attention", "full_attention"}
    for one in found:
        wanted = getattr(model.rotary_emb, f"{one.place}_inv_freq")
        np.testing.assert_allclose(one.values, wanted, rtol=1e-6)


def test_t5_biases_are_those_that_it_computes() -> None:
    model = random_model("T5")
    found = positions_of(model)
    assert [one.place for one in found] == ["encoder", "decoder"]
    for one, stack in zip(found, (model.encoder, model.decoder), strict=True):
        wanted = stack.block[0].layer[0].SelfAttention.compute_bias(300, 300)[0].detach()
        # After the query a decoder sees nothing.
        seen = torch.ones(300, 300).tril().bool() if one.place == "decoder" else torch.ones(300, 300).bool()
        torch.testing.assert_close(bias(one, 300)[:, seen], wanted[:, seen])


@pytest.mark.parametrize("n_heads", [8, 12])
def test_slopes_are_those_of_bloom_and_mpt(n_heads: int) -> None:
    bloom = transformers.BloomModel(
        transformers.BloomConfig(vocab_size=20, hidden_size=n_heads * 2, n_layer=1, n_head=n_heads)
    )
    mpt = transformers.MptModel(transformers.MptConfig(vocab_size=20, d_model=n_heads * 2, n_layers=1, n_heads=n_heads))
    of_bloom = build_alibi_tensor(torch.ones(1, N), n_heads, torch.float32)[:, 0]  # [H, K], up to a number a row
    of_mpt = build_mpt_alibi_tensor(n_heads, N)[:, 0]
    for model, wanted in ((bloom, of_bloom), (mpt, of_mpt)):
        last = bias(only(model))[:, -1]
        torch.testing.assert_close(last - last[:, -1:], wanted - wanted[:, -1:], rtol=1e-4, atol=1e-4)


def test_slopes_of_falcon_are_what_reaches_the_softmax() -> None:
    config = {"vocab_size": 20, "num_hidden_layers": 1, "num_attention_heads": 4, "hidden_size": 64}
    falcon = transformers.FalconModel(transformers.FalconConfig(**config, alibi=True, multi_query=False))
    wanted = build_alibi_tensor(torch.ones(1, N), 4, torch.float32)[:, 0] / 4  # before the division by √16
    last = bias(only(falcon))[:, -1]
    torch.testing.assert_close(last - last[:, -1:], wanted - wanted[:, -1:], rtol=1e-2, atol=1e-4)


@pytest.mark.parametrize(
    ("family", "read"),
    [
        ("BERT", lambda model: model.embeddings.position_embeddings.weight),
        ("RoBERTa", lambda model: model.embeddings.position_embeddings.weight[1:]),
        ("GPT-2", lambda model: model.wpe.weight),
        ("BART", lambda model: model.model.encoder.embed_positions.weight[2:]),
        ("Marian", lambda model: model.model.encoder.embed_positions.weight),
    ],
)
def test_a_table_has_a_row_for_each_position(family: str, read: Any) -> None:
    model = random_model(family)
    found = positions_of(model)[0]
    encoding, _ = as_encoding(found)
    wanted = read(model).detach()
    torch.testing.assert_close(encoding.additive_encoding(torch.arange(len(wanted))).detach(), wanted)


def test_the_first_row_is_what_the_first_token_gets() -> None:
    for family in ("RoBERTa", "BART"):
        model = random_model(family).eval()
        seen = []
        part = model.embeddings.position_embeddings if family == "RoBERTa" else model.model.encoder.embed_positions
        hook = part.register_forward_hook(lambda *call: seen.append(call[2]))  # noqa: B023
        ids = torch.tensor([[2, 5, 6, 3]])
        model(ids) if family == "RoBERTa" else model.model.encoder(ids)
        hook.remove()
        np.testing.assert_allclose(seen[0].detach().reshape(4, -1), positions_of(model)[0].values[:4])


def test_what_was_found_is_written_and_read() -> None:
    found = positions_of(transformers.LlamaModel(llama("yarn")))
    file = io.BytesIO()
    write_positions(found, file)
    (again,) = read_positions(file)
    assert (again.kind, again.place, again.settings, again.scaling) == ("rotary", "", dict(found[0].settings), "yarn")
    np.testing.assert_array_equal(again.values, found[0].values)
    np.testing.assert_array_equal(again.plain, found[0].plain)


@pytest.mark.parametrize(
    ("change", "said"),
    [({"rope_type": "longrope", "rope_theta": 1e4}, "unknown scaling"), (None, "no positions")],
)
def test_what_is_not_known_is_refused(change: Any, said: str) -> None:
    model = transformers.LlamaModel(llama("default"))
    model.config.rope_parameters = change
    with pytest.raises(ForeignModelError) as error:
        positions_of(model)
    assert error.value.key == said


@pytest.mark.parametrize(
    "change", [{"rope_type": "yarn", "rope_theta": 1e4}, {"rope_type": "default", "rope_theta": 0.0}, {"x": {"y": 1}}]
)
def test_a_broken_configuration_is_refused_by_the_process(change: Any, tmp_path: Path) -> None:
    model = transformers.LlamaModel(llama("default"))
    model.save_pretrained(tmp_path / "llama")
    model.config.rope_parameters = change
    with TemporaryFile() as file:
        file.write(PositionsRequest(str(tmp_path), "llama", 10**8).to_line())
        file.seek(0)
        answer(file, lambda *_: (model, None))
        with pytest.raises(ForeignModelError, match="does not load"):
            read_positions(file)


def test_of_a_long_table_the_process_hands_back_the_first_rows(tmp_path: Path) -> None:
    model = random_model("GPT-2")
    model.save_pretrained(tmp_path / "gpt2")
    model.wpe = torch.nn.Embedding(MOST_ROWS + 5, 16)
    with TemporaryFile() as file:
        file.write(PositionsRequest(str(tmp_path), "gpt2", 10**8).to_line())
        file.seek(0)
        answer(file, lambda *_: (model, None))
        (found,) = read_positions(file)
    assert (len(found.values), found.settings["rows"]) == (MOST_ROWS, MOST_ROWS + 5)


def test_gpt_j_rotates_the_dimensions_that_its_configuration_names() -> None:
    model = GPTJModel(GPTJConfig(**SMALL, n_embd=32, n_layer=1, n_head=2, rotary_dim=8))
    (found,) = positions_of(model)
    assert found.settings["d_key"] == 16
    sine, _ = create_sinusoidal_positions(50, 8).chunk(2, dim=-1)
    angles = torch.arange(50)[:, None] * torch.from_numpy(found.values)
    torch.testing.assert_close(angles.sin().float(), sine, atol=1e-5, rtol=0)


def test_roformer_rotates_by_its_table_of_sinusoids() -> None:
    model = RoFormerModel(RoFormerConfig(**SMALL, hidden_size=32, num_hidden_layers=1, num_attention_heads=2))
    found = only(model)
    sines, cosines = model.encoder.embed_positions.weight[5].detach().chunk(2)
    angles = 5 * torch.from_numpy(found.values).float()
    torch.testing.assert_close(angles.sin(), sines)
    torch.testing.assert_close(angles.cos(), cosines)


def test_the_text_part_of_a_model_with_images_says_how_it_rotates() -> None:
    model = ARCHITECTURES["Gemma 3, with images"].build()
    alone = ARCHITECTURES["Gemma 3"].build()
    assert {one.kind for one in positions_of(model)} == {one.kind for one in positions_of(alone)} == {"rotary"}
