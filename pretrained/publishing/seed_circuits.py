"""Measure which heads come back in trainings of one translator from several seeds, and with what effect."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float

from model.analysis.interventions.ablation import Means, Part, attention_points, corpus_means, heads_of, unit_points
from model.analysis.maps.head_matching import best_matching, pattern_overlaps
from model.data.loading import Pair, load_split
from model.decoding.translator import Translator
from model.device import use_one_thread
from model.hooks import record
from model.training.history import commit
from model.training.translation.finished import load_finished
from pretrained.ablated_models import MODELS, load_ablated
from pretrained.ablations import SEED_CIRCUITS
from pretrained.publishing.command import DataDir, command, command_line
from pretrained.publishing.dev_sentences import EncodedPair, encoded_pairs
from pretrained.publishing.minimal_pairs import PairReading, effects_of, place_of
from pretrained.publishing.shipping import committed_history, read_metrics, write_table
from pretrained.translators import METRICS

N_WORDS = 200
_SHIPPED = "base"

Shown = dict[str, Any]


@command("seed_circuits")
def write_seed_circuits(
    runs: Annotated[Sequence[Path], "folders of finished runs of the base of table 3, from other seeds"],
    *,
    data_dir: DataDir = None,
    path: Path = SEED_CIRCUITS,
) -> str:
    """Measure which heads come back in trainings of the base of the paper's table 3 from several seeds.

    The training that ships is the first of them. All read the captions that had no part in any of these trainings.
    """
    use_one_thread()
    finished = [load_finished(run, torch.device("cpu")) for run in runs]
    for run in runs:
        committed_history(run)
    base = load_ablated(_SHIPPED)
    for run, one in zip(runs, finished, strict=True):
        if one.training.model != base.model.config:
            raise ValueError(f"{run} is of a model of another shape than the base that ships; give runs of the base")
    data = finished[0].training.data
    split = load_split(data.corpora, data.n_dev, dev_corpus=data.dev_corpus, data_dir=data_dir)
    translators = {
        read_metrics(MODELS / _SHIPPED / METRICS)["seed"]: base,
        **{one.training.seed: one.translator for one in finished},
    }
    if len(translators) != 1 + len(runs):
        raise ValueError(f"{len(runs)} runs of seeds {[*translators]} were given; each must have a seed of its own")
    table = circuit_table(translators, split.dev[data.n_validated :])
    line = command_line("seed_circuits", *(run.as_posix() for run in runs))
    write_table(table.assign(commit=commit(), command=line), path)
    return f"{path}: {table['words'].iloc[0]} words, seeds {', '.join(map(str, translators))}"


def circuit_table(translators: Mapping[int, Translator], pairs: Sequence[Pair]) -> pd.DataFrame:
    """Return what :func:`pretrained.ablations.seed_circuits` reads, of ``translators`` by their seeds.

    Raises:
        ValueError: they do not share one tokenizer.
    """
    first = next(iter(translators.values()))
    if len({one.tokenizer.serialized for one in translators.values()}) > 1:
        raise ValueError("the runs have different tokenizers; they must share one")
    encoded = encoded_pairs(first, pairs)
    words = [*_words([*translators.values()], pairs, encoded, N_WORDS)]
    read = [encoded[place] for place, _ in words]
    rows = [
        row
        for number, (seed, translator) in enumerate(translators.items())
        for row in _parts(seed, translator, [readings[number] for _, readings in words], encoded)
    ]
    for (a, one), (b, other) in combinations(translators.items(), 2):
        rows += ({"seed": a, "other_seed": b, **row} for row in _matches(one, other, read))
    return pd.DataFrame(rows).assign(words=len(words))


def _words(
    translators: Sequence[Translator], pairs: Sequence[Pair], encoded: Sequence[EncodedPair], n: int
) -> Iterator[tuple[int, list[PairReading]]]:
    """Yield places of ``pairs``, and a reading for each translator up to one word of the reference.

    The word is drawn of those that all find the most probable at their step; its foil is each one's own runner-up.
    """
    rng = np.random.default_rng(0)
    config, n_found = translators[0].model.config, 0
    for place, (pair, (source, target)) in enumerate(zip(pairs, encoded, strict=True)):
        read = torch.tensor([[config.bos_id, *target[:-1]]])
        with torch.inference_mode():
            best = [one.model(torch.tensor([source]), read)[0].topk(2).indices.tolist() for one in translators]
        steps = [step for step, token in enumerate(target[:-1]) if all(of[step][0] == token for of in best)]
        if not steps:
            continue
        step = int(rng.choice(steps))
        written = tuple(target[:step])
        yield place, [PairReading(pair.source, "", written, of[step][0], of[step][1], "") for of in best]
        n_found += 1
        if n_found == n:
            return


def _parts(
    seed: int, translator: Translator, readings: Sequence[PairReading], encoded: Sequence[EncodedPair]
) -> Iterator[Shown]:
    config = translator.model.config
    parts = (*heads_of(config), *map(Part, unit_points(config)))
    means: Means = corpus_means(translator.model, encoded, dict.fromkeys(part.point for part in parts))
    effects = np.abs([effects_of(translator, reading, parts, means) for reading in readings])  # [word, part]
    halves = _shares(effects[::2]), _shares(effects[1::2])
    for part, share, *of_halves in zip(parts, _shares(effects), *halves, strict=True):
        shares = {"share": share, "first_half": of_halves[0], "second_half": of_halves[1]}
        yield {"measure": "part", "seed": seed, **place_of(part), **shares}


def _shares(effects: Float[np.ndarray, "word part"]) -> Float[np.ndarray, " part"]:
    return np.asarray(effects.mean(0) / effects.mean(0).sum())


def _matches(one: Translator, other: Translator, read: Sequence[EncodedPair]) -> Iterator[Shown]:
    """Yield each head's match in ``other``, how far the two look at the same places, and all pairs of their block."""
    points = attention_points(one.model.config)
    sums = {point: np.zeros((one.model.config.n_heads,) * 2) for point in points}
    for source, target in read:
        patterns = [_patterns(translator, source, target) for translator in (one, other)]
        for point in points:
            sums[point] += pattern_overlaps(*(of[point] for of in patterns)).numpy()
    for point, of_point in sums.items():
        overlaps = of_point / len(read)
        for head, match in enumerate(best_matching(overlaps)):
            compared = {"overlap": overlaps[head, match], "overlap_of_all": overlaps[head].mean()}
            yield {"measure": "match", "point": point, "head": head, "match": int(match), **compared}


def _patterns(translator: Translator, source: list[int], target: list[int]) -> dict[str, torch.Tensor]:
    """Return the patterns of every attention block, by the hook points of their ``z``."""
    read = torch.tensor([[translator.model.config.bos_id, *target[:-1]]])
    with torch.inference_mode(), record("*.pattern") as seen:
        translator.model(torch.tensor([source]), read)
    return {point.replace(".pattern", ".z"): pattern[0] for point, pattern in seen.items()}
