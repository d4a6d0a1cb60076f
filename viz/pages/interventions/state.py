"""State of Switch heads off: parts off now and before, the session's runs, and shared settings."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st

from model.analysis.interventions.ablation import Means
from model.device import use_one_thread
from pretrained import HeadMeans, load_head_means
from pretrained.translators import FOLDER, MEANS, METRICS
from viz.base.link_parameters import LinkParameter
from viz.base.words import listed
from viz.pages.interventions.study.ablated import (
    AblatedTranslation,
    AblationRequest,
    effects_of,
    opening_part,
    translate_ablated,
)
from viz.pages.interventions.study.attributed import Attribution
from viz.pages.interventions.study.parts import Switch, parts_of, switches_of
from viz.shared.shipped import cached_while_unchanged, translator
from viz.shared.translation import DecodingChoice, translated
from viz.shell.state import keep_in_session, kept

Codes = tuple[str, ...]
OFF, BY = "off", "by"
_NONE = "none"
_MOST_STATES, _MOST_RUNS = 100, 50


@dataclass(frozen=True)
class SwitchedOff(LinkParameter[Codes | None]):
    """A link's value for parts that are off: codes of ``known`` with commas; None for the page's choice."""

    known: Codes

    def read(self, text: str) -> Codes:
        """Return the codes; raises ValueError where one of them is not known."""
        codes = () if text == _NONE else tuple(dict.fromkeys(text.split(",")))
        if not {*codes} <= {*self.known}:
            raise ValueError(text)
        return codes

    def write(self, value: Codes | None) -> str:
        """Return ``value`` as a link carries it."""
        return ",".join(value or (_NONE,))

    @property
    def allowed(self) -> str:
        """The form, by some of the codes."""
        return listed((_NONE, self.known[0], f"{self.known[0]},{self.known[-1]}", "…"))


@dataclass(frozen=True)
class Timeline:
    """Sequence of ablated parts, and the place of the current one; None stands for the page's choice."""

    states: tuple[Codes | None, ...] = (None,)
    at: int = 0

    @property
    def now(self) -> Codes | None:
        """The parts that are off."""
        return self.states[self.at]

    @property
    def can_redo(self) -> bool:
        """Whether something was taken back."""
        return self.at < len(self.states) - 1

    def to(self, codes: Codes) -> "Timeline":
        """Return it with ``codes`` off from now on; what was taken back is forgotten."""
        states = (*self.states[: self.at + 1], codes)[-_MOST_STATES:]
        return Timeline(states, len(states) - 1)

    def moved(self, by: int) -> "Timeline":
        """Return it so many states later."""
        return replace(self, at=min(max(self.at + by, 0), len(self.states) - 1))


@dataclass(frozen=True)
class AblatedRun:
    """A translation of ``text`` by ``model`` with parts off: ``by_mean`` at their mean, else at zero."""

    text: str
    model: str
    by_mean: bool
    off: Codes


@dataclass(frozen=True)
class Runs:
    """The runs of the session, the latest last."""

    entries: tuple[AblatedRun, ...] = ()

    def of(self, text: str, model: str) -> tuple[AblatedRun, ...]:
        """Return those of ``text`` and ``model``."""
        return tuple(run for run in self.entries if (run.text, run.model) == (text, model))


def remember(run: AblatedRun) -> None:
    """Have the session hold ``run``, where it does not yet."""
    runs = kept(Runs) or Runs()
    if run not in runs.entries:
        keep_in_session(Runs((*runs.entries, run)[-_MOST_RUNS:]))


def timeline() -> Timeline:
    """Return what was off in this session."""
    return kept(Timeline) or Timeline()


def switch(codes: Codes) -> None:
    """Have ``codes`` off from now on."""
    keep_in_session(timeline().to(codes))


def move(by: int) -> None:
    """Take so many steps back, below 0, or forth."""
    keep_in_session(timeline().moved(by))


def off_of(known: Codes) -> Codes | None:
    """Return what is off, of what the model has; None where the page chooses.

    It also chooses where something is off and the model has none of it.
    """
    now = timeline().now
    there = tuple(code for code in now or () if code in known)
    return None if now is None or (now and not there) else there


@st.cache_resource(max_entries=8, show_spinner=False)
def switches(model: str) -> Mapping[str, Switch]:
    """Return everything that can be switched off in the translator ``model``, by its code."""
    return switches_of(translator(model).model)


@cached_while_unchanged(lambda model: (FOLDER / model / MEANS, FOLDER / model / METRICS), max_entries=8)
def head_means(model: str) -> HeadMeans | None:
    """Return the means of the translator ``model``; None where it has none."""
    return load_head_means(model)


def _means(model: str, by_mean: bool) -> Means | None:
    means = head_means(model) if by_mean else None
    return None if means is None else means.by_point


@st.cache_data(max_entries=128, show_spinner=False)
def effects(text: str, model: str, by_mean: bool) -> dict[str, float]:
    """Return the change of log P of the translation, in nats, for each part alone off, by its code."""
    use_one_thread()
    known = switches(model)
    changes = effects_of(asked(text, model), parts_of(known, tuple(known)), _means(model, by_mean))
    return dict(zip(known, changes, strict=True))


@st.cache_data(max_entries=128, show_spinner=False)
def opening(text: str, model: str, by_mean: bool) -> Codes:
    """Return the head that the page opens with off.

    It is one of those needed most, without which the translation is odd.
    """
    use_one_thread()
    known, worth = switches(model), effects(text, model, by_mean)
    heads = sorted((code for code in known if known[code].sort == "head"), key=worth.__getitem__)
    part = opening_part(asked(text, model), parts_of(known, tuple(heads)), _means(model, by_mean))
    return tuple(code for code in heads if known[code].part == part)


@st.cache_resource(max_entries=32, show_spinner=False)
def attributed(text: str, model: str) -> Attribution:
    """Return the direct contribution of each part of ``model`` to the translated words of ``text``.

    Raises:
        NotASumError: a model whose parts cannot be told apart like this.
    """
    use_one_thread()
    return Attribution(translator(model), translated(text, DecodingChoice(model=model)).translation)


@st.cache_resource(max_entries=256, show_spinner=False)
def ablated(run: AblatedRun) -> AblatedTranslation:
    """Return the translation of ``run``, without its attention, which would fill the memory."""
    use_one_thread()
    parts = parts_of(switches(run.model), run.off)
    made = translate_ablated(asked(run.text, run.model), parts, _means(run.model, run.by_mean))
    return replace(made, translation=replace(made.translation, patterns={}))


def asked(text: str, model: str) -> AblationRequest:
    """Return ``text``, and how the translator ``model`` searches for its translation."""
    choice, loaded = DecodingChoice(model=model), translator(model)
    return AblationRequest(loaded, text, choice.options(loaded.options), translated(text, choice).translation)
