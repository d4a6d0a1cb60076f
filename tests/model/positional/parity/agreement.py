"""What the tests of parity share: small random inputs, our encoding, and how close it must come."""

from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.llama.configuration_llama import LlamaConfig

from model.positional import PositionalConfig, PositionalEncoding, StackSpec, build

B, H, E, D = 2, 4, 16, 32
STACK = StackSpec(d_model=D, n_heads=H, d_key=E, d_value=E, n_layers=1, causal=True)


def agree(ours: Tensor, theirs: Tensor) -> None:
    assert ours.shape == theirs.shape
    assert float((ours.detach() - theirs.detach()).abs().max()) < 1e-5


def encoding(name: str, *, causal: bool = True, n_heads: int = H, **parameters: float) -> PositionalEncoding:
    return build(PositionalConfig(name, parameters), replace(STACK, n_heads=n_heads, causal=causal)).at_layer(0)


def queries_and_keys(n_queries: int = 9, n_keys: int = 9) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Random q and k, and their positions: queries are the last of the keys."""
    keys = torch.arange(n_keys)
    return torch.randn(B, H, n_queries, E), torch.randn(B, H, n_keys, E), keys[n_keys - n_queries :], keys


def bias_by_loop(n_heads: int, queries: Tensor, keys: Tensor, formula: Callable[[int, int, int], float]) -> Tensor:
    """Evaluate ``formula(head, i, j)`` at every place of a bias [1, H, Q, K]."""
    rows = [[[formula(h, i, j) for j in keys.tolist()] for i in queries.tolist()] for h in range(n_heads)]
    return torch.tensor(rows, dtype=torch.float64)[None]


def llama_config(rope: dict[str, object], base: float, share: float = 1.0, length: int = 64) -> LlamaConfig:
    return LlamaConfig(
        hidden_size=H * E,
        num_attention_heads=H,
        head_dim=E,
        max_position_embeddings=length,
        rope_parameters={"rope_theta": base, "partial_rotary_factor": share, **rope},
    )


def rope_parameters(kind: str, config: LlamaConfig, **arguments: int) -> tuple[Tensor, float]:
    frequencies, amplitude = ROPE_INIT_FUNCTIONS[kind](config, torch.device("cpu"), **arguments)
    return frequencies.double(), amplitude
