"""Attention flow: the maximum flow between tokens (Abnar and Zuidema 2020, arXiv:2005.00928)."""

import numpy as np
from jaxtyping import Float
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from model.analysis.maps.rollout import Mixings

# maximum_flow takes 32-bit integers; no flow exceeds 1.
_UNIT = 2**30


def flow(mixings: Mixings, token: int) -> Float[np.ndarray, " token"]:
    """Return the maximum flow from ``token`` after the last mixing to every input token.

    Attention flow, §3: the weights of each mixing are the capacities of one layer of a network. The flow to each input
    token is computed by itself, so the flows need not sum to one.
    """
    network, n_tokens = _network(mixings), mixings.shape[-1]
    start = len(mixings) * n_tokens + token
    return np.array([maximum_flow(network, start, end).flow_value / _UNIT for end in range(n_tokens)])


def _network(mixings: Mixings) -> csr_array:
    """Return capacities between nodes.

    Node i is input token i, node (mixing + 1) · n + i token i after that mixing.
    """
    n_tokens = mixings.shape[-1]
    n_nodes = (len(mixings) + 1) * n_tokens
    mixing, row, column = np.nonzero(mixings)
    capacities = np.floor(mixings[mixing, row, column] * _UNIT).astype(np.int32)
    return csr_array(
        (capacities, ((mixing + 1) * n_tokens + row, mixing * n_tokens + column)), shape=(n_nodes, n_nodes)
    )
