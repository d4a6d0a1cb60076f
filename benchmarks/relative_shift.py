"""What the position terms of a Transformer-XL score cost: in linear form, and with R_{i−j} projected for every pair.

    python -m benchmarks.relative_shift

Terms (b) and (d) of one layer, for as many queries as keys. The quadratic form projects a vector for each pair (Dai et
al. 2019, appendix B, call it naive); the linear ones project one for each distance, then shift rows as the paper does,
or gather each pair's distance as the model here does. Prints medians in milliseconds, after the three were found equal.
"""

import argparse
import math
from functools import partial

import torch
from torch import Tensor

from benchmarks.by_hand import milliseconds
from model.architectures.transformer_xl import relative_shift
from model.attention import causal_mask
from model.positional.base import StackSpec, distances
from model.positional.transformer_xl import TransformerXLEncoding, position_terms

LENGTHS = (64, 128, 256, 512, 1024, 2048)


def per_pair(encoding: TransformerXLEncoding, q: Tensor, distance: Tensor) -> Tensor:
    """Return the terms with R_{i−j} projected for every pair, one query at a time: all at once fill the memory."""
    rows = [torch.einsum("bhe,khe->bhk", q[:, :, i], encoding.relative_keys(distance[i])) for i in range(len(distance))]
    return torch.stack(rows, dim=2) / math.sqrt(q.shape[-1])  # [B, H, Q, K]


def shifted(encoding: TransformerXLEncoding, q: Tensor, distance: Tensor) -> Tensor:
    """Return the terms by the paper's shift: every query meets every distance from K − 1 to 0, and rows move."""
    relative_keys = encoding.relative_keys(torch.arange(distance.shape[1] - 1, -1, -1))
    return relative_shift(torch.einsum("bhqe,rhe->bhqr", q, relative_keys) / math.sqrt(q.shape[-1]))  # [B, H, Q, K]


def gathered(encoding: TransformerXLEncoding, q: Tensor, distance: Tensor) -> Tensor:
    """Return the terms as the model computes them."""
    nearest = int(distance.min())
    relative_keys = encoding.relative_keys(torch.arange(nearest, int(distance.max()) + 1))
    return position_terms(q, relative_keys, distance - nearest)


FORMS = {"per pair": per_pair, "shift": shifted, "gather": gathered}


@torch.inference_mode()
def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--d-model", type=int, default=192)
    parser.add_argument("--n-heads", type=int, default=6)
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    d_key = given.d_model // given.n_heads
    encoding = TransformerXLEncoding(StackSpec(given.d_model, given.n_heads, d_key, d_key, n_layers=1, causal=True))
    print(f"torch {torch.__version__}, 1 thread, batch 1, d_model {given.d_model}, {given.n_heads} heads")
    print("length  per pair ms   shift ms  gather ms  per pair / shift  per pair / gather")
    for length in LENGTHS:
        q, order = torch.randn(1, given.n_heads, length, d_key), torch.arange(length)
        distance, allowed = distances(order, order), causal_mask(order, order)
        found = {name: form(encoding, q, distance).masked_fill(~allowed, 0) for name, form in FORMS.items()}
        for name in ("shift", "gather"):
            torch.testing.assert_close(found[name], found["per pair"], rtol=1e-4, atol=1e-5)
        calls = [partial(form, encoding, q, distance) for form in FORMS.values()]
        pair, shift, gather = (milliseconds(call, given.repetitions) for call in calls)
        print(f"{length:6} {pair:12.2f} {shift:10.2f} {gather:10.2f} {pair / shift:17.1f} {pair / gather:18.1f}")


if __name__ == "__main__":
    main()
