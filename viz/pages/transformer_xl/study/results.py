"""Results of the language models, made by the command below.

The command is ``python -m pretrained.publishing evaluate_language_model``.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float

from viz.base.claims import Claim, Claims


@dataclass(frozen=True)
class Evaluation:
    """One model read segment by segment with one memory length.

    Attributes:
        name: of the model.
        seed: that it was trained from.
        mem_len: positions remembered while it was measured.
        trained_mem_len: positions remembered in training.
        segment_length: characters read at once.
        bits: per character.
        by_position: bits at each position of a segment; the first is after one character of it.
        n_counted: predictions that count.
    """

    name: str
    seed: int
    mem_len: int
    trained_mem_len: int
    segment_length: int
    bits: float
    by_position: tuple[float, ...]
    n_counted: int


def evaluations(results: Iterable[Mapping[str, Any]]) -> tuple[Evaluation, ...]:
    """Return the evaluations segment by segment, by name, seed and memory.

    Of several, the one with the most characters counts.
    """
    best: dict[tuple[str, int, int], Evaluation] = {}
    for entry in results:
        reading, trained = entry["reading"], entry["training"]["data"]
        if reading["kind"] != "BySegments":
            continue
        evaluation = Evaluation(
            name=entry["name"],
            seed=entry["seed"],
            mem_len=reading["mem_len"],
            trained_mem_len=trained["mem_len"],
            segment_length=reading["segment_length"],
            bits=entry["bits_per_character"],
            by_position=tuple(entry["bits_by_position"]),
            n_counted=entry["n_counted"],
        )
        key = (evaluation.name, evaluation.seed, evaluation.mem_len)
        if key not in best or best[key].n_counted < evaluation.n_counted:
            best[key] = evaluation
    return tuple(best[key] for key in sorted(best))


def bits_through_windows(results: Iterable[Mapping[str, Any]]) -> dict[str, dict[int, dict[int, float]]]:
    """Return the bits of every model by seed and window, the number of characters before each one.

    So the paper evaluates a model that was trained without a memory (section 3.1, figure 1b). Of one model and window,
    what read most characters counts.
    """
    by_name: dict[str, dict[int, dict[int, float]]] = defaultdict(lambda: defaultdict(dict))
    for entry in sorted(results, key=lambda entry: entry["n_counted"]):
        if entry["reading"]["kind"] == "ThroughWindow":
            by_name[entry["name"]][entry["seed"]][entry["reading"]["window"]] = entry["bits_per_character"]
    return {name: dict(seeds) for name, seeds in by_name.items()}


def bits_by_position(entries: Iterable[Evaluation], name: str, mem_len: int) -> Float[np.ndarray, " position"] | None:
    """Return the mean over the seeds of ``name``, read with ``mem_len``; None where that was not measured."""
    rows = [one.by_position for one in entries if (one.name, one.mem_len) == (name, mem_len) and one.by_position]
    same = [row for row in rows if len(row) == len(rows[0])]
    return np.mean(same, axis=0) if same else None


def best_length(by_seed: Mapping[int, Mapping[int, float]]) -> int:
    """Return the length, of a memory or a window, whose mean over the seeds read with it is least."""
    bits: dict[int, list[float]] = defaultdict(list)
    for by_memory in by_seed.values():
        for mem_len, value in by_memory.items():
            bits[mem_len].append(value)
    return min(bits, key=lambda mem_len: float(np.mean(bits[mem_len])))


def bits_by_memory(entries: Iterable[Evaluation]) -> dict[str, dict[int, dict[int, float]]]:
    """Return the bits of every model by seed and memory length."""
    curves: dict[str, dict[int, dict[int, float]]] = defaultdict(lambda: defaultdict(dict))
    for one in entries:
        curves[one.name][one.seed][one.mem_len] = one.bits
    return {name: dict(seeds) for name, seeds in curves.items()}


def memory_saves(language_model_results: Sequence[Mapping[str, Any]]) -> Claim:
    """Return whether the model with a memory needs fewer bits than the one without, and the difference.

    Both are read in segments, as they were trained: over all seeds, with the memory length that suits the first best.
    Beside them stands the first model with its memory emptied.
    """
    curves = bits_by_memory(evaluations(language_model_results))
    of_memory, of_none = curves.get("transformer_xl", {}), curves.get("no_recurrence", {})
    none = [bits[0] for bits in of_none.values() if 0 in bits]
    emptied = [bits[0] for bits in of_memory.values() if 0 in bits]
    if not emptied or not none:
        return Claim(False)
    mem_len = best_length(of_memory)
    with_memory = float(np.mean([bits[mem_len] for bits in of_memory.values() if mem_len in bits]))
    without = float(np.mean(none))
    values = {
        "mem_len": mem_len,
        "with_memory": with_memory,
        "without": without,
        "saved": without - with_memory,
        "share": 1 - with_memory / without,
        "emptied": float(np.mean(emptied)),
    }
    return Claim(with_memory < without, values)


def worth_at_beginning(measured: Sequence[Evaluation]) -> Claim:
    """Return whether the memory of training is worth more at the beginning of a segment than at its end.

    It is held against the model that was trained without one, as a mean over the seeds of each.
    """
    trained = {one.name: one.trained_mem_len for one in measured}
    with_memory = bits_by_position(measured, "transformer_xl", trained.get("transformer_xl", 0))
    without = bits_by_position(measured, "no_recurrence", 0)
    if with_memory is None or without is None:
        return Claim(False)
    n = min(len(with_memory), len(without))
    saved = without[:n] - with_memory[:n]
    values = {
        "n": n,
        "with_memory": with_memory[0],
        "without": without[0],
        "last_with": with_memory[n - 1],
        "last_without": without[n - 1],
    }
    return Claim(bool(saved[0] > max(0, saved[-1])), values)


def _worth_at_beginning(language_model_results: Sequence[Mapping[str, Any]]) -> Claim:
    return worth_at_beginning(evaluations(language_model_results))


def blind(language_model_results: Sequence[Mapping[str, Any]]) -> Claim:
    """Look whether most of what a model loses without a memory comes back where no segment begins blind."""
    curves, windows = bits_by_memory(evaluations(language_model_results)), bits_through_windows(language_model_results)
    if "transformer_xl" not in curves or not {"no_recurrence"} <= curves.keys() & windows.keys():
        return Claim(False)
    best, without, seen = curves["transformer_xl"], curves["no_recurrence"], windows["no_recurrence"]
    if not (seeds := sorted({*best} & {*without} & {*seen})):
        return Claim(False)
    seed = seeds[0]
    window = best_length(seen)
    begins_blind = without[seed][0]
    gained, behind = begins_blind - seen[seed][window], begins_blind - min(best[seed].values())
    values = {"window": window, "gained": gained, "behind": behind, "seed": seed}
    return Claim(gained > behind / 2 > 0, values)


def faster_with_memory(evaluation_speed: Mapping[str, Any]) -> Claim:
    """Return how many times as fast a memory reads as a sliding window, at the longest context measured.

    As in the paper, the window is that of a model with absolute positions; ``same`` is that of the model itself.
    """
    rows = evaluation_speed.get("milliseconds_per_character", [])
    if not rows:
        return Claim(False)
    row = max(rows, key=lambda row: row["context"])
    times, same = (row[name] / row["memory"] for name in ("window_absolute", "window"))
    return Claim(same > times > 1, {"context": row["context"], "times": times, "same": same})


COMPUTED_CLAIMS: Claims = {
    ("pages/transformer_xl/segments", "claim beginning"): _worth_at_beginning,
    ("pages/transformer_xl/results", "claim memory"): memory_saves,
    ("pages/transformer_xl/ablation", "claim blind"): blind,
    ("pages/transformer_xl/context", "claim faster"): faster_with_memory,
}
