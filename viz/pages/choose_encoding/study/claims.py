"""Claims about an encoding, computed from measurements."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from model.positional import registered
from model.tasks import find
from model.zoo.scores import learned
from model.zoo.verdicts import LEAST_LEAD, Values, level
from pretrained.longer_sentences import JOINED, helps_from
from viz.base.claims import Claim, Claims, Names
from viz.pages.choose_encoding.study.evidence import (
    Evidence,
    by_task,
    cost,
    long_sentences,
    longer_inputs,
    past_training,
    streams,
    translation,
    unlearned_tasks,
)

NOPE, ROPE, QUARTER = "none", "rotary", "rotary_25"
KINDS = ("joined", "whole")
SAME_WORK = ("drope", "none")
"""DroPE has no positions after its training, so it computes what NoPE does."""
SEVERAL = 2
"""At least as many well-known models use an encoding that is widely used."""

Seeds = Float[np.ndarray, " seed"]


def first(evidence: Evidence) -> Claim:
    """Return whether only one encoding may be the best, over tasks and, where present, over families."""
    rows = evidence.judged
    best = next((row for row in rows if row.may_be_best is not None), rows[0] if rows else None)
    if best is None:
        return Claim(False, {"first": "", "mean": 0.0, "others": ""})
    near = dict.fromkeys((*level(rows), *level(evidence.judged_by_task)))
    others = tuple(name for name in near if name != best.name)
    return Claim(
        best.may_be_best is not None and not others,
        {"first": Names("encoding", (best.name,)), "mean": best.mean, "others": Names("encoding", others)},
    )


def default_choice(ablation_results: pd.DataFrame, encoding_costs: pd.DataFrame) -> Claim:
    """Return what to take without a special need, or that the measurements to tell are not there.

    It reads fastest of the widely used encodings that may be the best at translating sentences of the trained lengths.
    """
    best = level(translation(ablation_results).judged)
    widely_used = [name for name in best if len(registered()[name].description.used_in) >= SEVERAL]
    times = _reading_times(encoding_costs)
    near = tuple(name for name in widely_used if name in times)
    if not near:
        return Claim(False)
    name = min(near, key=lambda name: times[name])
    values = {
        "encoding": Names("encoding", (name,)),
        "models": Names("model", registered()[name].description.used_in),
        "near": Names("encoding", near),
        "time": times[name],
        "n_tokens": int(encoding_costs.n_tokens.max()),
    }
    return Claim(True, values)


def default_past_training(
    ablation_results: pd.DataFrame, encoding_costs: pd.DataFrame, zoo_results: pd.DataFrame
) -> Claim:
    """Return whether the default choice is worse than the best on inputs longer than those trained on."""
    default = default_choice(ablation_results, encoding_costs).values.get("encoding")
    judged = longer_inputs(zoo_results).judged
    row = next((row for row in judged if isinstance(default, Names) and row.name in default.names), None)
    if row is None or row.may_be_best is None:
        return Claim(False)
    values = {
        "encoding": default,
        "past": row.mean,
        "best": Names("encoding", (judged[0].name,)),
        "most": judged[0].mean,
    }
    return Claim(not row.may_be_best, values)


def cost_of_first(zoo_results: pd.DataFrame, encoding_costs: pd.DataFrame) -> Claim:
    """Return whether the first on longer inputs reads more slowly than another that may be as good."""
    near, times = level(longer_inputs(zoo_results).judged), _reading_times(encoding_costs)
    if len(near) < 2 or not {*near} <= {*times}:
        return Claim(False)
    fastest = min(near, key=lambda name: times[name])
    values = {
        "first": Names("encoding", (near[0],)),
        "time": times[near[0]],
        "other": Names("encoding", (fastest,)),
        "other_time": times[fastest],
        "n_tokens": int(encoding_costs.n_tokens.max()),
    }
    return Claim(fastest != near[0], values)


def _reading_times(costs: pd.DataFrame) -> dict[str, float]:
    """Return the milliseconds that each encoding takes to read the same text; ``costs`` may be empty."""
    return {} if costs.empty else dict(zip(costs.encoding, costs.read_milliseconds.tolist(), strict=True))


def once(evidence: Evidence) -> Claim:
    """Return by what share two encodings that compute the same differ, where each was measured once."""
    if not {*SAME_WORK} <= {*evidence.measured}:
        return Claim(False, {})
    means = _means({name: evidence.measured[name] for name in SAME_WORK})
    share = max(means.values()) / min(means.values()) - 1
    one, other = (Names("encoding", (name,)) for name in SAME_WORK)
    return Claim(True, {"one": one, "other": other, "share": share})


def not_learned(zoo_results: pd.DataFrame) -> Claim:
    """Return whether tasks are left out, or encodings not compared, since they were not learned."""
    evidence, tasks = longer_inputs(zoo_results), unlearned_tasks(zoo_results)
    hollow = tuple(row.name for row in evidence.judged if not row.has_learned)
    return Claim(bool(tasks or hollow), {"tasks": Names("task", tasks), "encodings": Names("encoding", hollow)})


def path_copies(zoo_results: pd.DataFrame) -> Claim:
    """Return whether PaTH reverses further than every other encoding, and copies less far than some."""
    reverse, copy = (past_training(zoo_results, [task]) for task in ("reverse", "copy_letters"))
    if "path" not in reverse or "path" not in copy:
        return Claim(False)
    reached, copied = _means(reverse), _means(copy)
    further = tuple(name for name in sorted(copied, key=lambda name: -copied[name]) if copied[name] > copied["path"])
    own = copy["path"]["copy_letters"]
    values = {
        "further": Names("encoding", further),
        "others": len(reverse) - 1,
        "path": copied["path"],
        "low": float(own.min()),
        "high": float(own.max()),
    }
    return Claim(max(reached, key=lambda name: reached[name]) == "path" and bool(further), values)


def compared_on_letters(results: pd.DataFrame, rope: str = ROPE, other: str = NOPE) -> dict[str, dict[str, Seeds]]:
    """Return each seed's result past training by task and encoding, on tasks with both encodings.

    Only models that have learned the task are there, and only tasks that one of the two has learned.
    """
    known = learned(results)
    tasks = dict.fromkeys(task for task, encoding in sorted(known) if encoding in (other, rope))
    compared = {}
    for task in tasks:
        measured = past_training(results, [task])
        if find(task).description.family and other in measured and rope in measured:
            compared[task] = {name: row[task] for name, row in measured.items() if (task, name) in known}
    return compared


def ahead(zoo_results: pd.DataFrame, one: str, other: str) -> Claim:
    """Return the tasks of letters on which ``one`` leads.

    There every seed of ``one`` is ahead of all of ``other``, or ``one`` alone has learned the task.
    """
    compared = compared_on_letters(zoo_results)
    tasks = _won(compared, one, other) + _learned_alone(compared, one, other)
    values = {
        "one": Names("encoding", (one,)),
        "other": Names("encoding", (other,)),
        "tasks": Names("task", tasks),
        "n": len(tasks),
        "all": len(compared),
    }
    return Claim(bool(tasks), values)


def quarter(zoo_results: pd.DataFrame) -> Claim:
    """Return where 25 % rotary and full rotary lead each other, and the same of it and NoPE.

    It does not hold unless it is ahead of full rotary somewhere, and behind it nowhere that both have learned.
    """
    of_full = compared_on_letters(zoo_results, QUARTER, ROPE)
    compared = compared_on_letters(zoo_results, QUARTER)
    won = {
        "further": _won(of_full, QUARTER, ROPE),
        "unlearned": _learned_alone(of_full, ROPE, QUARTER),
        "none": _won(compared, NOPE, QUARTER),
        "rotary": _won(compared, QUARTER, NOPE),
        "alone": _learned_alone(compared, NOPE, QUARTER),
    }
    values: dict[str, object] = {"all": len(compared)}
    for name, tasks in won.items():
        values |= {name: Names("task", tasks), f"n_{name}": len(tasks)}
    return Claim(all(won.values()) and not _won(of_full, ROPE, QUARTER), values)


def rotary_translates(longer_results: pd.DataFrame) -> Claim:
    """Return whether every rotary seed beats every NoPE seed on longer captions, with and without joining."""
    measured = {kind: long_sentences(longer_results, kind).measured for kind in KINDS}
    if not all(NOPE in row and ROPE in row for row in measured.values()):
        return Claim(False, {})
    values = {f"{name}_{kind}": float(measured[kind][name][kind].mean()) for kind in KINDS for name in (NOPE, ROPE)}
    inside = longer_results[longer_results.longest <= longer_results.trained_to]
    inside = inside[inside.shortest == inside.shortest.max()]
    bleu = {name: inside[inside.variant == name].bleu for name in (NOPE, ROPE)}
    values |= {f"{name}_inside": float(of_seeds.mean()) for name, of_seeds in bleu.items()}
    values |= {"shortest": int(inside.shortest.max()), "longest": int(inside.longest.max())}
    is_ahead = all(measured[kind][ROPE][kind].min() > measured[kind][NOPE][kind].max() for kind in KINDS)
    return Claim(bool(is_ahead and bleu[ROPE].min() > bleu[NOPE].max()), values)


def beyond_both(zoo_results: pd.DataFrame) -> Claim:
    """Return which encoding beats NoPE and rotary, with every seed, on the most tasks of letters."""
    wins: dict[str, list[str]] = {}
    compared = compared_on_letters(zoo_results)
    for task, row in compared.items():
        rivals = [row[name] for name in (NOPE, ROPE) if name in row]
        for name in row:
            if all(_is_ahead(row[name], rival) for rival in rivals):
                wins.setdefault(name, []).append(task)
    best = max(wins, key=lambda name: len(wins[name]), default="")
    values = {
        "best": Names("encoding", (best,)),
        "tasks": Names("task", tuple(wins.get(best, ()))),
        "n": len(wins.get(best, ())),
        "all": len(compared),
    }
    return Claim(bool(best), values)


def joining_helps(longer_results: pd.DataFrame) -> Claim:
    """Return the gain of training on joined captions, on those and, from some length on, on long captions.

    Joined captions are of up to twice the trained length.
    """
    if longer_results.empty:
        return Claim(False, {})
    best = max(long_sentences(longer_results).judged, key=lambda row: row.mean)
    past = longer_results[longer_results.shortest > longer_results.trained_to]
    rows = past[(past.variant == JOINED) & (past.longest <= 2 * past.trained_to) & (past.kind == "joined")]
    if rows.empty:
        return Claim(False, {})
    mean = float(rows.groupby("seed").bleu.mean().mean())
    ahead_from = helps_from(longer_results, "whole")
    values = {
        "joined": mean,
        "encoding": Names("encoding", (best.name,)),
        "mean": best.mean,
        "ahead_from": ahead_from,
    }
    is_late = ahead_from is not None and ahead_from > past.shortest.min()
    return Claim(bool(mean > best.mean and is_late), values)


def shaw_is_behind(language_model_results: Sequence[dict[str, Any]]) -> Claim:
    """Return whether Shaw's encoding with a memory needs more bits than none, unlike in Dai et al. 2019."""
    measured = streams(language_model_results).measured
    if not {"shaw", "no_recurrence"} <= {*measured}:
        return Claim(False, {})
    means = _means({name: measured[name] for name in ("shaw", "no_recurrence")})
    return Claim(means["shaw"] > means["no_recurrence"], {"shaw": means["shaw"], "without": means["no_recurrence"]})


def _won(compared: Mapping[str, Mapping[str, Seeds]], one: str, other: str) -> tuple[str, ...]:
    """Return the tasks that both have learned and ``one`` is ahead on."""
    both = {task: row for task, row in compared.items() if one in row and other in row}
    return tuple(task for task, row in both.items() if _is_ahead(row[one], row[other]))


def _learned_alone(compared: Mapping[str, Mapping[str, Seeds]], one: str, other: str) -> tuple[str, ...]:
    """Return the tasks that ``one`` has learned and ``other`` has not."""
    return tuple(task for task, row in compared.items() if one in row and other not in row)


def _is_ahead(one: Seeds, other: Seeds) -> bool:
    """Return whether every seed of ``one`` is ahead of all of ``other``, its mean by a visible margin."""
    return bool(one.min() > other.max() and one.mean() - other.mean() > LEAST_LEAD)


def _means(measured: Mapping[str, Values]) -> dict[str, float]:
    return {name: float(np.mean([seeds.mean() for seeds in row.values()])) for name, row in measured.items()}


def _first_on(task: str, zoo_results: pd.DataFrame) -> Claim:
    family = str(find(task).description.family)
    return first(by_task(zoo_results, family)[task])


def _costs_once(column: str, encoding_costs: pd.DataFrame) -> Claim:
    return once(cost(encoding_costs, column))


_WORDS = "pages/choose_encoding/choose_encoding"
COMPUTED_CLAIMS: Claims = {
    (_WORDS, "claim first"): (
        lambda zoo_results: first(longer_inputs(zoo_results)),
        partial(_first_on, "reverse"),
        partial(_first_on, "copy_letters"),
        partial(_first_on, "recall"),
        partial(_first_on, "lego_shuffled"),
        lambda ablation_results: first(translation(ablation_results)),
        lambda longer_results: first(long_sentences(longer_results)),
        lambda language_model_results: first(streams(language_model_results)),
    ),
    (_WORDS, "claim once"): tuple(partial(_costs_once, f"{act}_milliseconds") for act in ("read", "write")),
    (_WORDS, "claim default"): default_choice,
    (_WORDS, "claim default rule"): default_choice,
    (_WORDS, "claim default past"): default_past_training,
    (_WORDS, "claim cost"): cost_of_first,
    (_WORDS, "claim not learned"): not_learned,
    (_WORDS, "claim path copies"): path_copies,
    (_WORDS, "claim nope ahead"): partial(ahead, one=NOPE, other=ROPE),
    (_WORDS, "claim rope ahead"): partial(ahead, one=ROPE, other=NOPE),
    (_WORDS, "claim quarter"): quarter,
    (_WORDS, "claim rope translates"): rotary_translates,
    (_WORDS, "claim beyond both"): beyond_both,
    (_WORDS, "claim shaw"): shaw_is_behind,
    (_WORDS, "claim joining"): joining_helps,
}
