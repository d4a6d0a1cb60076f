"""Four claims about the sinusoidal encoding, each with a verdict from its numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field

import numpy as np
import streamlit as st

from model.device import use_one_thread
from viz.base.exports import arrays_as_npz, columns_as_csv
from viz.base.link_parameters import Number, parameters_of, read_link
from viz.base.words import listed_apart, page_text
from viz.figures.lines import lines
from viz.pages.positional_encoding.state import ClaimSettings, from_page_before, keep_encoding
from viz.pages.positional_encoding.study.claims import (
    BFLOAT16_WHOLE,
    NEW_BY,
    Bases,
    Beyond,
    Repeats,
    Studies,
    study_all,
)
from viz.pages.positional_encoding.study.verdicts import VERDICTS, verdict_claims
from viz.shell.controls import number, place_for_warnings, warn_bad_links
from viz.shell.link import link_decides
from viz.shell.navigation import place_at
from viz.shell.picture import File, draw_picture
from viz.shell.state import keep_in_session, kept, page_link

TEXT = page_text("pages/positional_encoding/claims")
_PAGE = "claims"
_FIELDS = {name: parameter for name, parameter in parameters_of(ClaimSettings).items() if isinstance(parameter, Number)}
_TRAINED_PAGE = "cliff"


@dataclass(frozen=True)
class Panel:
    """A claim's picture: curves over ``x``, keys of the axes' names, and paragraphs of the verdict."""

    x: np.ndarray
    curves: Mapping[str, np.ndarray]
    x_name: str
    y_name: str
    texts: Sequence[str]
    marks: Mapping[str, float] = dataclass_field(default_factory=dict)
    logarithmic_x: bool = False
    logarithmic_y: bool = False


def show() -> None:
    """Draw the page."""
    _enter()
    _show_claims()


def _enter() -> None:
    """Set the boxes to what the link says where that decides.

    Else to the encoding of the page before, if there is one.
    """
    is_linked = link_decides(_PAGE, *(field.key for field in _FIELDS.values()))
    settings = kept(ClaimSettings)
    if settings is None or is_linked:
        settings = read_link(ClaimSettings, page_link())[0]
    brought = None if is_linked else from_page_before(settings, _PAGE)
    if brought:
        settings = replace(brought, position=min(brought.position, brought.length - 2))
    if brought or is_linked:
        st.session_state.update({field.key: getattr(settings, name) for name, field in _FIELDS.items()})


@st.fragment
def _show_claims() -> None:
    """Show the four claims, each with its numbers and its verdict."""
    st.markdown(TEXT["intro"])
    settings = _ask()
    studies = _studied(settings)
    verdicts = verdict_claims(studies, settings.position)
    sentences = {
        name: [
            verdict.sentence(TEXT, f"claim {key}")
            for key, verdict in verdicts.items()
            if verdict.holds and key.startswith(f"{name} ")
        ]
        for name in VERDICTS
    }
    panels = {
        "neighbours": _neighbours(studies, settings, sentences["neighbours"]),
        "base": _bases(studies.bases, sentences["base"]),
        "repeat": _repeats(studies.repeats, settings, sentences["repeat"]),
        "beyond": _beyond(studies.beyond, sentences["beyond"]),
    }
    everything = File(TEXT["download all"], lambda: arrays_as_npz(_arrays(studies)), "claims.npz")
    names = list(panels)
    for row in (names[:2], names[2:]):
        for column, name in zip(st.columns(2, gap="large"), row, strict=True):
            with column:
                _show(name, panels[name], everything)
    st.caption(TEXT["limits"].format(**{name: field.allowed for name, field in _FIELDS.items()}))


def _ask() -> ClaimSettings:
    above = place_for_warnings()
    warn_bad_links(above, _FIELDS.values())
    with st.container(horizontal=True, vertical_alignment="bottom"):
        d_model, base, length, position = (number(field, TEXT[f"label {name}"]) for name, field in _FIELDS.items())
    below = place_for_warnings()
    if d_model % 2:
        last_good = (kept(ClaimSettings) or ClaimSettings()).d_model
        below.warning(TEXT["odd"].format(given=d_model, below=d_model - 1, above=d_model + 1, good=last_good))
        d_model = last_good
    if position > length - 2:
        below.warning(TEXT["past the end"].format(given=position, length=length, last=length - 2))
        position = length - 2
    settings = ClaimSettings(d_model, base, length, position)
    keep_in_session(settings)
    keep_encoding(settings, _PAGE)
    return settings


@st.cache_data(max_entries=64, show_spinner=False)
def _studied(settings: ClaimSettings) -> Studies:
    use_one_thread()
    return study_all(settings.d_model, settings.base, settings.length)


def _neighbours(studies: Studies, settings: ClaimSettings, verdict: Sequence[str]) -> Panel:
    steps = studies.neighbours.steps
    return Panel(
        np.arange(settings.length),
        {TEXT["apart"].format(k=k): _padded(values, settings.length) for k, values in steps.items()},
        "position",
        "distance",
        (*verdict, TEXT["neighbours formula"]),
        marks={"p": settings.position},
    )


def _bases(study: Bases, verdict: Sequence[str]) -> Panel:
    return Panel(
        study.bases,
        {TEXT["apart"].format(k=k): distances for k, distances in study.distances.items()},
        "base",
        "distance",
        (*verdict, TEXT["base formula"]),
        marks={TEXT["mark base"]: study.base, TEXT["mark larger"]: study.larger_base},
        logarithmic_x=True,
    )


def _repeats(study: Repeats, settings: ClaimSettings, verdict: Sequence[str]) -> Panel:
    rounded = TEXT["repeat rounded"].format(length=settings.length, exact=BFLOAT16_WHOLE, **study.equal)
    return Panel(
        np.arange(1, settings.length),
        {TEXT["width"].format(d_model=width): nearest for width, nearest in study.nearest.items()},
        "up to apart",
        "nearest",
        (*verdict, rounded, TEXT["repeat formula"]),
        logarithmic_x=True,
        logarithmic_y=True,
    )


def _beyond(study: Beyond, verdict: Sequence[str]) -> Panel:
    title = place_at(_TRAINED_PAGE).page.title
    evidence = [TEXT["trained evidence"].format(title=title, path=_TRAINED_PAGE)]
    return Panel(
        np.arange(len(study.share_outside)),
        {TEXT["share"]: study.share_outside},
        "position",
        "share",
        (*verdict, TEXT["beyond formula"].format(new_by=NEW_BY), *evidence),
        marks={TEXT["mark length"]: study.length},
    )


def _show(name: str, panel: Panel, everything: File) -> None:
    st.markdown(TEXT[f"{name} claim"])
    x, curves = panel.x, panel.curves
    figure = lines(
        x,
        curves,
        x_name=TEXT[panel.x_name],
        y_name=TEXT[panel.y_name],
        marks=panel.marks,
        logarithmic_x=panel.logarithmic_x,
        logarithmic_y=panel.logarithmic_y,
    )
    ends = listed_apart(f"{curve}: {values[0]:.3g} … {_last(values):.3g}" for curve, values in curves.items())
    alt = TEXT[f"{name} alt"].format(first=f"{x[0]:.3g}", last=f"{x[-1]:,.5g}", ends=ends)
    files = [
        File(TEXT["download"], lambda: columns_as_csv({TEXT[panel.x_name]: x, **curves}), f"claim-{name}.csv"),
        everything,
    ]
    draw_picture(figure, key=f"claims-{name}", file_name=f"claim-{name}", alt=alt, files=files)
    for text in panel.texts:
        st.markdown(text)


def _padded(values: np.ndarray, length: int) -> np.ndarray:
    """Return ``values`` padded with NaN to the length of the axis.

    The last positions have none at that distance.
    """
    return np.concatenate((values, np.full(length - len(values), np.nan)))


def _last(values: np.ndarray) -> float:
    return float(values[~np.isnan(values)][-1])


def _arrays(studies: Studies) -> dict[str, np.ndarray]:
    return {
        **{f"neighbours_{k}_apart": steps for k, steps in studies.neighbours.steps.items()},
        "bases": studies.bases.bases,
        **{f"bases_{k}_apart": distances for k, distances in studies.bases.distances.items()},
        "distances": studies.repeats.distances,
        **{f"nearest_d_model_{width}": nearest for width, nearest in studies.repeats.nearest.items()},
        "share_outside": studies.beyond.share_outside,
        "nearest_trained": studies.beyond.nearest_trained,
    }


if __name__ == "__main__":
    show()
