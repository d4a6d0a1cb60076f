"""Results of the zoo for an encoding: trained biases beside untrained ones, and its measured runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from model.architectures.decoder_only import DecoderOnly
from model.zoo.plan import ENCODINGS
from viz.base.claims import Claim, Claims
from viz.pages.compare_encodings.study.comparison import TrainedEncoding, has_weights, trained_effects
from viz.pages.compare_encodings.study.own_numbers import OwnNumbers

_SEED = 0
_FEW_MORE = 0.02


@dataclass(frozen=True)
class TwiceAsLong:
    """Exact match at twice the longest trained length: the mean over ``n_seeds``."""

    exact_match: float
    length: int
    longest_trained: int
    n_seeds: int


def twice_as_long(results: pd.DataFrame, task: str, encoding: str) -> TwiceAsLong | None:
    """Return the accuracies of the best checkpoints of ``encoding`` on ``task``; None if not measured."""
    if results.empty:
        return None
    runs = results[(results.checkpoint == "best") & (results.task == task) & (results.encoding == encoding)]
    rows = runs[runs.length == 2 * runs.longest_trained]
    if rows.empty:
        return None
    length, longest_trained = int(rows.length.iloc[0]), int(rows.longest_trained.iloc[0])
    return TwiceAsLong(float(rows.exact_match.mean()), length, longest_trained, int(rows.seed.nunique()))


def more_weights(zoo_results: pd.DataFrame, encoding: str) -> Claim:
    """Return whether models with ``encoding`` have clearly more weights than the zoo's smallest."""
    if zoo_results.empty:
        return Claim(False, {"more": 0.0})
    # Vocabularies differ by task, and with them the weights of all models alike.
    by_task = zoo_results.groupby(["task", "encoding"]).n_parameters.max().unstack("task")
    if encoding not in by_task.index:
        return Claim(False, {"more": 0.0})
    more = float(np.nanmax(by_task.loc[[encoding]].to_numpy() / by_task.min().to_numpy())) - 1
    return Claim(more > _FEW_MORE, {"more": more})


@dataclass(frozen=True)
class ShippedEncoding:
    """An encoding of a shipped model in its first layer, as it is trained and as a new one begins."""

    encoding: str
    trained: TrainedEncoding
    untrained: TrainedEncoding


def learned_effects(networks: Mapping[str, DecoderOnly], length: int) -> list[ShippedEncoding]:
    """Return the effects of the encodings in ``networks``, by name, that have weights of their own."""
    effects = []
    for name, network in networks.items():
        if not has_weights(network.config.positional):
            continue
        with OwnNumbers(_SEED):
            untrained = DecoderOnly(network.config).eval()
        pairs = zip(*(trained_effects({name: model}, length) for model in (network, untrained)), strict=True)
        effects += [ShippedEncoding(name, trained, fresh) for trained, fresh in list(pairs)[:1]]
    return effects


COMPUTED_CLAIMS: Claims = {
    ("pages/compare_encodings/facts", "claim weights"): tuple(
        partial(more_weights, encoding=name) for name in ENCODINGS
    )
}
