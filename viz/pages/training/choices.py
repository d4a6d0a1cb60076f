"""Choices for training: the controls, the runs that they describe, and the differences of these."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from model.tasks import registered
from model.zoo.plan import ENCODINGS
from model.zoo.watched_runs import WatchedRun
from viz.base.colours import OKABE_ITO
from viz.base.languages import worded
from viz.base.link_parameters import Choice, LinkParameter, Number, labelled
from viz.base.words import Count, listed, page_text
from viz.shared.encodings import planned_title
from viz.shared.model_words import task_title
from viz.shell.controls import choose, number, select
from viz.shell.state import linked_value

TEXT = page_text("pages/training/choices")
MOST_MODELS = 4
# What the models of the opening state, and those that are added to them, differ in.
_FIRST_LAYERS, _FIRST_ENCODINGS = (1, 2, 2, 2), ("rotary", "rotary", "none", "alibi")
_WARM_UPS = (0.0, 0.05, 0.2)
_SMOOTHINGS = (0.0, 0.1, 0.3)
_BLOCKS = {False: "attention", True: "feed-forward"}
_DEFAULT = WatchedRun()


@dataclass(frozen=True)
class Common:
    """Settings that all models share: task, steps and seed; and the number of models."""

    task: str
    n_models: int
    n_steps: int
    seed: int


QUESTIONS = {
    "layers": (WatchedRun(n_layers=1), WatchedRun(n_layers=2)),
    "encodings": tuple(WatchedRun(encoding=name, n_steps=800) for name in ("none", "learned", "rotary", "alibi")),
    "longer inputs": tuple(WatchedRun(encoding=name, n_steps=1600) for name in ("none", "rotary")),
    "warm-up": tuple(
        WatchedRun(norm="post", feed_forward=True, n_layers=4, warmup_share=share) for share in (0.0, 0.2)
    ),
    "blocks": tuple(WatchedRun(task="reverse", feed_forward=has_them, n_steps=800) for has_them in (False, True)),
    "smoothing": tuple(WatchedRun(label_smoothing=share) for share in (0.0, 0.1)),
}
"""Prepared questions, by their names in the words of the page, and the models that answer them."""


def common_parameters() -> dict[str, LinkParameter[Any]]:
    """Return the parameters of :class:`Common`, by the names of its fields."""
    steps = {n: f"{n:,}" for n in (200, 400, 800, 1600, 3200)}
    return {
        "task": labelled("train-task", worded(registered(), task_title), _DEFAULT.task),
        "n_models": Choice("models", 2, tuple(range(1, MOST_MODELS + 1))),
        "n_steps": labelled("train-steps", steps, _DEFAULT.n_steps),
        "seed": Number("train-seed", _DEFAULT.seed, 1, 1000),
    }


def model_parameters(slot: int) -> dict[str, Choice[Any]]:
    """Return the parameters of the model ``slot``, counted from 1, by the names of :class:`WatchedRun`."""

    def choice(name: str, labels: Mapping[Any, str], default: object) -> Choice[Any]:
        return labelled(f"m{slot}-{name}", labels, default)

    encodings = worded(ENCODINGS, planned_title)
    widths = worded((32, 64, 128), lambda n: TEXT["of d_model"].format(n=n))
    blocks = worded(_BLOCKS, lambda has_them: TEXT["with feed-forward"] if has_them else TEXT["attention only"])
    norms = worded(("pre", "post"), lambda norm: TEXT[f"{norm}-norm"])
    warm_ups = worded(_WARM_UPS, lambda n: TEXT["with warm-up"].format(share=n) if n else TEXT["no warm-up"])
    smoothings = worded(_SMOOTHINGS, lambda n: TEXT["with smoothing"].format(n=n) if n else TEXT["no smoothing"])
    return {
        "encoding": choice("encoding", encodings, _FIRST_ENCODINGS[slot - 1]),
        "n_layers": choice("layers", _counted("layers", (1, 2, 3, 4)), _FIRST_LAYERS[slot - 1]),
        "n_heads": choice("heads", _counted("heads", (1, 2, 4)), _DEFAULT.n_heads),
        "d_model": choice("d-model", widths, _DEFAULT.d_model),
        "feed_forward": replace(choice("blocks", blocks, False), id=_BLOCKS.__getitem__),
        "norm": choice("norm", norms, _DEFAULT.norm),
        "warmup_share": choice("warm-up", warm_ups, _DEFAULT.warmup_share),
        "label_smoothing": choice("smoothing", smoothings, _DEFAULT.label_smoothing),
    }


def rate_parameter() -> Choice[float]:
    """Return the parameter of what the rates of all models are multiplied by."""
    return labelled("rate", {factor: f"× {factor:g}" for factor in (0.0, 0.1, 0.3, 1.0, 3.0, 10.0)}, 1.0)


def all_parameters() -> list[LinkParameter[Any]]:
    """Return everything that a link may carry for the models that it asks for."""
    common = common_parameters()
    slots = range(1, linked_value(common["n_models"]) + 1)
    return [*common.values(), *(one for slot in slots for one in model_parameters(slot).values()), rate_parameter()]


def choose_common() -> Common:
    """Draw the controls of what all models have in common, and return what is chosen."""
    fields = common_parameters()
    task: Choice[str] = fields["task"]  # type: ignore[assignment]
    models: Choice[int] = fields["n_models"]  # type: ignore[assignment]
    steps: Choice[int] = fields["n_steps"]  # type: ignore[assignment]
    seed: Number = fields["seed"]  # type: ignore[assignment]
    # In the order in which they fill two lines of a phone.
    return Common(
        task=select(task, TEXT["task"], width=230),
        n_steps=select(steps, TEXT["steps"], width=110),
        n_models=choose(models, TEXT["models"]),
        seed=number(seed, TEXT["seed"], width=120),
    )


def choose_model(slot: int, common: Common) -> WatchedRun:
    """Draw the controls of the model ``slot`` in a row, and return the run that is chosen."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"model-{slot}"):
        st.html(f'<span class="model-mark" style="background:{OKABE_ITO[slot - 1]}"></span>')
        chosen = {
            name: select(field, TEXT[f"label {name}"].format(number=slot), width="stretch")
            for name, field in model_parameters(slot).items()
        }
    return WatchedRun(task=common.task, n_steps=common.n_steps, seed=common.seed, **chosen)


def choose_for(runs: Sequence[WatchedRun]) -> None:
    """Have the controls be at ``runs``; to be called before they are drawn."""
    common = {"n_models": len(runs), **{name: getattr(runs[0], name) for name in ("task", "n_steps", "seed")}}
    values = {parameter.key: common[name] for name, parameter in common_parameters().items()}
    for slot, run in enumerate(runs, start=1):
        values |= {parameter.key: getattr(run, name) for name, parameter in model_parameters(slot).items()}
    st.session_state.update(values)
    st.session_state[rate_parameter().key] = rate_parameter().default


def question_of(runs: Sequence[WatchedRun]) -> str | None:
    """Return the name of the question that ``runs`` answer; None where they answer no prepared one."""
    return next((name for name, answering in QUESTIONS.items() if answering == tuple(runs)), None)


def names_of(runs: Sequence[WatchedRun]) -> list[str]:
    """Return a name for each of ``runs``: its settings that others do not share, else its number."""
    fields = model_parameters(1)
    labels = [{name: field.label(getattr(run, name)) for name, field in fields.items()} for run in runs]
    differing = [name for name in fields if len({one[name] for one in labels}) > 1]
    names = [listed(one[name] for name in differing) for one in labels]
    return [
        TEXT["model"].format(number=place) if names.count(name) > 1 or not name else f"{name[0].upper()}{name[1:]}"
        for place, name in enumerate(names, start=1)
    ]


def _counted(thing: str, numbers: Iterable[int]) -> Mapping[int, str]:
    return worded(numbers, lambda number: Count(number, thing).written(TEXT))
