"""Four claims about the sinusoidal encoding, each with a verdict from its numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from typing import Any

import numpy as np
import streamlit as st

from model.device import use_one_thread
from viz.base.exports import arrays_as_npz, columns_as_csv
from viz.base.link_parameters import Number, parameters_of, read_link
from viz.base.numbers import scientific
from viz.base.words import page_text
from viz.figures.lines import lines
from viz.pages.positional_encoding.state import ClaimSettings, from_page_before, keep_encoding
from viz.pages.positional_encoding.study.claims import (
    BEYOND,
    NEW_BY,
    Bases,
    Beyond,
    Claims,
    Repeats,
    encode,
    study_bases,
    study_beyond,
    study_neighbours,
    study_repeats,
)
from viz.shell.controls import place_for_warnings, warn_bad_links
from viz.shell.navigation import sections
from viz.shell.page import theme
from viz.shell.picture import File, draw_picture
from viz.shell.state import keep_in_session, kept, page_link, set_link

TEXT = page_text("pages/positional_encoding/claims")
_APART = (1, 10, 100)
_PAGE = "claims"
_FIELDS = {name: parameter for name, parameter in parameters_of(ClaimSettings).items() if isinstance(parameter, Number)}
_TRAINED_PAGE = "cliff"


@dataclass(frozen=True)
class Panel:
    """A claim as it is shown: its curves over ``x``, the keys of the axes' names, and the paragraphs of the verdict."""

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
    """Set the boxes to the encoding of the page before, to what they last were, or to what the link says."""
    settings = kept(ClaimSettings) or read_link(ClaimSettings, page_link())[0]
    brought = from_page_before(settings, _PAGE)
    if brought:
        settings = replace(brought, position=min(brought.position, brought.length - 2))
    for name, field in _FIELDS.items():
        if brought or field.key not in st.session_state:
            st.session_state[field.key] = getattr(settings, name)


@st.fragment
def _show_claims() -> None:
    """Show the four claims, each with its numbers and its verdict."""
    st.markdown(TEXT["intro"])
    settings = _ask()
    claims = _studied(settings)
    panels = {
        "neighbours": _neighbours(claims, settings),
        "base": _bases(claims.bases, settings),
        "repeat": _repeats(claims.repeats, settings),
        "beyond": _beyond(claims.beyond, settings),
    }
    everything = File(TEXT["download all"], lambda: arrays_as_npz(_arrays(claims)), "claims.npz")
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
        d_model, base, length, position = (_number(field, TEXT[f"label {name}"]) for name, field in _FIELDS.items())
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


def _number(field: Number, label: str) -> Any:
    """Draw the number ``field``; Streamlit does not bind it to the link, of which it leaves out what a page has set."""
    is_whole = isinstance(field.default, int)
    value = st.number_input(
        label, field.low, field.high, step=field.step, key=field.key, width=130, format="%d" if is_whole else "%g"
    )
    set_link(field, value)
    return value


@st.cache_data(max_entries=64, show_spinner=False)
def _studied(settings: ClaimSettings) -> Claims:
    use_one_thread()
    encoding = encode(settings.d_model, settings.base, BEYOND * settings.length)
    trained = encoding[: settings.length]
    return Claims(
        neighbours=study_neighbours(trained, settings.base, _APART[1:]),
        bases=study_bases(settings.d_model, settings.base, _APART),
        repeats=study_repeats(trained, settings.base),
        beyond=study_beyond(encoding, settings.base, settings.length),
    )


def _neighbours(claims: Claims, settings: ClaimSettings) -> Panel:
    study, norm = claims.neighbours, claims.repeats.norm
    steps = study.steps[1]
    verdict = TEXT[f"neighbours {study.verdict}"].format(
        position=settings.position,
        here=f"{steps[settings.position]:.4f}",
        first=f"{steps[0]:.4f}",
        last=f"{steps[-1]:.4f}",
        spread=scientific(study.spread),
        expected=f"{study.expected:.4f}",
    )
    alike = TEXT["neighbours alike"].format(percent=f"{steps.mean() / norm:.0%}", norm=f"{norm:.2f}")
    return Panel(
        np.arange(settings.length),
        {TEXT["apart"].format(k=k): _padded(values, settings.length) for k, values in study.steps.items()},
        "position",
        "distance",
        (verdict, alike, TEXT["neighbours formula"]),
        marks={"p": settings.position},
    )


def _bases(study: Bases, settings: ClaimSettings) -> Panel:
    changes = "; ".join(
        TEXT["base change"].format(k=k, before=f"{study.before[k]:.3f}", after=f"{study.after[k]:.3f}")
        for k in study.before
    )
    verdict = TEXT[f"base {study.verdict}"].format(
        base=f"{study.base:,.6g}", larger=f"{study.larger_base:,.6g}", changes=changes, d_model=settings.d_model
    )
    return Panel(
        study.bases,
        {TEXT["apart"].format(k=k): distances for k, distances in study.distances.items()},
        "base",
        "distance",
        (verdict, TEXT["base formula"]),
        marks={TEXT["mark base"]: study.base, TEXT["mark larger"]: study.larger_base},
        logarithmic_x=True,
    )


def _repeats(study: Repeats, settings: ClaimSettings) -> Panel:
    verdict = TEXT[f"repeat {study.verdict}"].format(
        length=settings.length,
        d_model=settings.d_model,
        closest=study.closest,
        turns=f"{study.closest / (2 * np.pi):.2f}",
        smallest=f"{study.smallest:.3g}",
        percent=f"{study.smallest / study.norm:.2%}",
        step=f"{study.distances[0]:.3f}",
    )
    rounded = TEXT["repeat rounded"].format(length=settings.length, **study.equal)
    return Panel(
        np.arange(1, settings.length),
        {TEXT["width"].format(d_model=width): nearest for width, nearest in study.nearest.items()},
        "up to apart",
        "nearest",
        (verdict, rounded, TEXT["repeat formula"]),
        logarithmic_x=True,
        logarithmic_y=True,
    )


def _beyond(study: Beyond, settings: ClaimSettings) -> Panel:
    verdict = TEXT[f"beyond {study.verdict}"].format(
        length=settings.length,
        last=BEYOND * settings.length - 1,
        share=f"{study.share_of_dimensions_outside:.0%}",
        d_model=settings.d_model,
        slow=study.n_slow_pairs,
        pairs=study.n_pairs,
        nearest=f"{study.nearest_trained.max():.2f}",
        step=f"{study.step:.2f}",
    )
    evidence = [
        TEXT["trained evidence"].format(title=page.title, path=page.url_path)
        for pages in sections().values()
        for page in pages
        if page.url_path == _TRAINED_PAGE
    ]
    return Panel(
        np.arange(len(study.share_outside)),
        {TEXT["share"]: study.share_outside},
        "position",
        "share",
        (verdict, TEXT["beyond formula"].format(new_by=NEW_BY), *evidence),
        marks={TEXT["mark length"]: settings.length},
    )


def _show(name: str, panel: Panel, everything: File) -> None:
    st.markdown(TEXT[f"{name} claim"])
    x, curves = panel.x, panel.curves
    figure = lines(
        x,
        curves,
        theme=theme(),
        x_name=TEXT[panel.x_name],
        y_name=TEXT[panel.y_name],
        marks=panel.marks,
        logarithmic_x=panel.logarithmic_x,
        logarithmic_y=panel.logarithmic_y,
    )
    ends = "; ".join(f"{curve}: {values[0]:.3g} … {_last(values):.3g}" for curve, values in curves.items())
    alt = TEXT[f"{name} alt"].format(first=f"{x[0]:.3g}", last=f"{x[-1]:,.5g}", ends=ends)
    files = [
        File(TEXT["download"], lambda: columns_as_csv({TEXT[panel.x_name]: x, **curves}), f"claim-{name}.csv"),
        everything,
    ]
    draw_picture(figure, key=f"claims-{name}", file_name=f"claim-{name}", alt=alt, files=files)
    for text in panel.texts:
        st.markdown(text)


def _padded(values: np.ndarray, length: int) -> np.ndarray:
    """Return ``values`` padded with NaN to the length of the axis: the last positions have none at that distance."""
    return np.concatenate((values, np.full(length - len(values), np.nan)))


def _last(values: np.ndarray) -> float:
    return float(values[~np.isnan(values)][-1])


def _arrays(claims: Claims) -> dict[str, np.ndarray]:
    return {
        **{f"neighbours_{k}_apart": steps for k, steps in claims.neighbours.steps.items()},
        "bases": claims.bases.bases,
        **{f"bases_{k}_apart": distances for k, distances in claims.bases.distances.items()},
        "distances": claims.repeats.distances,
        **{f"nearest_d_model_{width}": nearest for width, nearest in claims.repeats.nearest.items()},
        "share_outside": claims.beyond.share_outside,
        "nearest_trained": claims.beyond.nearest_trained,
    }


if __name__ == "__main__":
    show()
