"""Heads of the zoo's small decoders: one decoder, and beside it those with every other encoding."""

from collections.abc import Iterable, Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.zoo.plan import ENCODINGS
from pretrained import zoo
from viz.base.languages import OptionLabels, worded
from viz.base.link_parameters import labelled
from viz.base.words import page_text
from viz.components.table import table
from viz.pages.head_catalogue.study.roles import Catalogue, catalogue_of
from viz.shared.encodings import planned_title
from viz.shared.model_words import task_title
from viz.shared.shipped import cached_while_unchanged
from viz.shell.controls import select, warn_bad_links

TEXT = page_text("pages/head_catalogue/small_decoders")
_PREFIX = "zoo-"
Catalogues = Mapping[str, Mapping[str, Catalogue]]
"""By the task that a model learned and its encoding, these in the plan's order."""


def measured(warnings: DeltaGenerator) -> Catalogues:
    """Return what was measured of the heads of every model; nothing where none was, or it cannot be read."""
    try:
        return _catalogues()
    except (OSError, ValueError, KeyError):
        warnings.warning(TEXT["damaged"])
        return {}


@cached_while_unchanged(lambda: [zoo.ZOO / zoo.HEADS], max_entries=2)
def _catalogues() -> Catalogues:
    rows = zoo.zoo_heads(zoo.ZOO)
    if rows.empty:
        return {}
    order = [*ENCODINGS, *rows["encoding"].unique()]
    return {
        str(task): {
            str(encoding): catalogue_of(of_task[of_task["encoding"] == encoding])
            for encoding in sorted(of_task["encoding"].unique(), key=order.index)
        }
        for task, of_task in rows.groupby("task")
    }


def names_of(tasks: Iterable[str]) -> OptionLabels[str]:
    """Return what the models of ``tasks`` are called on the screen, by their names in a link's choice."""
    by_name = {_PREFIX + task: task for task in tasks}
    return worded(by_name, lambda name: TEXT["name"].format(task=task_title(by_name[name])))


def task_of(name: str) -> str | None:
    """Return the task that :func:`names_of` made ``name`` of; None where it made none."""
    return name.removeprefix(_PREFIX) if name.startswith(_PREFIX) else None


def choose_encoding(of_task: Mapping[str, Catalogue], warnings: DeltaGenerator) -> str:
    """Draw the choice between the encodings of ``of_task``, and return the chosen one."""
    field = labelled("encoding", worded(of_task, _title))
    warn_bad_links(warnings, [field])
    return select(field, TEXT["encoding"], width=250)


def show_every_encoding(of_task: Mapping[str, Catalogue], measure: str, measure_name: str, chosen: str) -> None:
    """Show the highest head with every encoding, that with the most first; the ``chosen`` one is marked."""
    highest = {encoding: ranked[0] for encoding, of_model in of_task.items() if (ranked := of_model.ranked(measure))}
    rows = [
        [
            TEXT["chosen" if encoding == chosen else "other"].format(encoding=_title(encoding)),
            TEXT["head"].format(layer=head.layer, head=head.number),
            f"{head.values[measure]:.2f}",
        ]
        for encoding, head in sorted(highest.items(), key=lambda item: -item[1].values[measure])
    ]
    st.subheader(TEXT["every encoding"], anchor=False)
    st.html(table([TEXT["encoding"], TEXT["highest"], measure_name], rows, name=TEXT["every encoding"]))


def explain(catalogue: Catalogue) -> None:
    """Tell how ``catalogue`` was measured, and what to try."""
    st.markdown(TEXT["how measured"].format(sentences=f"{catalogue.sentences:,}"))
    st.markdown(TEXT["what to try"])


def _title(encoding: str) -> str:
    return planned_title(encoding) if encoding in ENCODINGS else encoding
