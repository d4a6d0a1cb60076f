"""How much can flow between tokens through a whole stack: attention flow (Abnar and Zuidema 2020, arXiv:2005.00928)."""

import numpy as np
from jaxtyping import Float
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from model.analysis.rollout import Mixings

# maximum_flow counts in whole 32-bit numbers; no flow exceeds one.
_UNIT = 2**30


def flow(mixings: Mixings, token: int) -> Float[np.ndarray, " token"]:
    """Return the maximum flow from ``token`` after the last mixing to every input token.

    Attention flow, §3: mixings are pipes of that capacity, one layer of pipes each. What reaches an input token is
    bounded by the narrowest way there, so flows to several tokens need not add up to one.
    """
    network, n_tokens = _network(mixings), mixings.shape[-1]
    start = len(mixings) * n_tokens + token
    return np.array([maximum_flow(network, start, end).flow_value / _UNIT for end in range(n_tokens)])


def _network(mixings: Mixings) -> csr_array:
    """Return capacities between nodes: node (mixing + 1) · n + i is token i after that mixing, node i the input."""
    n_tokens = mixings.shape[-1]
    n_nodes = (len(mixings) + 1) * n_tokens
    mixing, row, column = np.nonzero(mixings)
    capacities = np.floor(mixings[mixing, row, column] * _UNIT).astype(np.int32)
    return csr_array(
        (capacities, ((mixing + 1) * n_tokens + row, mixing * n_tokens + column)), shape=(n_nodes, n_nodes)
    )
