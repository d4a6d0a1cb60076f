"""Measure what each encoding of the zoo costs: time to read a text, time to write on, and parameters."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pandas as pd
import torch

from model.architectures.decoder_only import DecoderOnly
from model.architectures.stack import DecoderCache
from model.checkpoint import n_parameters
from model.config import DecoderOnlyConfig
from model.device import use_one_thread
from model.training.history import commit
from model.zoo.plan import ENCODINGS
from pretrained.publishing.command import command
from pretrained.publishing.shipping import write_table
from pretrained.zoo import COSTS, ZOO

N_TOKENS = 512
"""How many are read at once; the last of them is the one that is written."""
N_TURNS = 15
MODEL = DecoderOnlyConfig(64, d_model=256, n_heads=8, d_key=32, d_value=32, d_ff=1024, n_layers=4)


@command("encoding_costs")
def write_encoding_costs() -> str:
    """Measure what each encoding of the zoo costs: time to read a text, time to write on, and parameters.

    The models are untrained: the time does not depend on the weights. All are measured in turns, in one thread, and the
    fastest turn of each counts, so that other programs on the machine weigh on all alike.
    """
    rows = measure(MODEL, list(ENCODINGS), N_TOKENS, N_TURNS)
    write_table(rows, ZOO / COSTS)
    return rows.to_string(index=False)


def measure(config: DecoderOnlyConfig, names: Sequence[str], n_tokens: int, n_turns: int) -> pd.DataFrame:
    """Return a row for each encoding in ``names``: milliseconds of the processor, and parameters beyond no encoding's.

    ``read_milliseconds`` is for ``n_tokens`` at once, ``write_milliseconds`` for the last alone, with a cache of
    the others.
    """
    use_one_thread()
    models = {name: DecoderOnly(replace(config, positional=ENCODINGS[name])).eval() for name in names}
    tokens = torch.arange(n_tokens)[None] % config.vocabulary_size
    plain = n_parameters(DecoderOnly(replace(config, positional=ENCODINGS["none"])).parameters())
    with torch.inference_mode():
        read = _fastest({name: _reading(model, tokens) for name, model in models.items()}, n_turns)
        write = _fastest({name: _writing(model, tokens) for name, model in models.items()}, n_turns)
    shared = {"n_tokens": n_tokens, "commit": commit(), "torch": torch.__version__}
    return pd.DataFrame(
        {
            "encoding": name,
            "read_milliseconds": 1000 * read[name],
            "write_milliseconds": 1000 * write[name],
            "n_parameters": n_parameters(model.parameters()) - plain,
            **shared,
        }
        for name, model in models.items()
    )


def _reading(model: DecoderOnly, tokens: torch.Tensor) -> Callable[[], float]:
    def once() -> float:
        return _seconds(lambda: model(tokens))

    return once


def _writing(model: DecoderOnly, tokens: torch.Tensor) -> Callable[[], float]:
    before = DecoderCache.empty(len(model.layers), cross=False)
    model(tokens[:, :-1], cache=before)

    def once() -> float:
        cache = DecoderCache(tuple(map(replace, before.self_attention)))
        return _seconds(lambda: model(tokens[:, -1:], cache=cache))

    return once


def _fastest(acts: Mapping[str, Callable[[], float]], n_turns: int) -> dict[str, float]:
    turns = [{name: act() for name, act in acts.items()} for _ in range(n_turns)]
    return {name: min(turn[name] for turn in turns) for name in acts}


def _seconds(act: Callable[[], object]) -> float:
    before = time.process_time()
    act()
    return time.process_time() - before
