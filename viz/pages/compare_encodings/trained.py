"""The view of trained biases: encodings with weights, trained in the zoo's models and untrained."""

from collections.abc import Sequence
from urllib.parse import urlencode

import numpy as np
import streamlit as st

from model.checkpoint import DamagedWeightsError
from model.device import use_one_thread
from model.zoo.plan import ENCODINGS
from pretrained import zoo
from pretrained.zoo import ZooModel
from viz.base.languages import worded
from viz.base.link_parameters import Choice, labelled
from viz.base.markdown import plain
from viz.base.numbers import signed
from viz.base.words import page_text, paragraph
from viz.figures.position_map import largest, position_map
from viz.pages.compare_encodings.study.zoo import ShippedEncoding, learned_effects
from viz.shared.encodings import encoding_look, encoding_title
from viz.shared.model_words import task_title
from viz.shared.shipped import cached_while_unchanged, damage
from viz.shared.zoo import network, seed_text, shipped, weights_file
from viz.shell.picture import draw_picture

TEXT = page_text("pages/compare_encodings/trained")
_DEFAULT_TASK = "sort"
_MAX_EFFECTS = 8
# More would have no room for their axes.
_IN_A_ROW = 4


def task_choice() -> Choice[str]:
    """Return the choice between the tasks that models ship for."""
    try:
        names = list(dict.fromkeys(model.run.task for model in zoo.shipped_zoo(zoo.ZOO)))
    except DamagedWeightsError:
        names = []
    known = names or [_DEFAULT_TASK]
    return labelled("trained-task", worded(known, task_title), _DEFAULT_TASK if _DEFAULT_TASK in known else None)


def show_trained(task: str, length: int, head: int, *, is_common: bool) -> None:
    """Show the trained encodings of ``task`` above the same ones untrained."""
    title = task_title(task)
    loaded = []
    try:
        for model in shipped(task):
            network(model)
            loaded.append(model)
    except DamagedWeightsError as error:
        st.warning(plain(damage(error)))
    effects = _effects(loaded, length)
    link = f"cliff?{urlencode({'task': task})}"
    if not effects:
        st.markdown(TEXT["none"].format(task=title, link=link))
        return
    # They may have fewer heads than are compared.
    head %= len(effects[0].trained.scores)
    shown = {learned.encoding: (learned.trained.scores[head], learned.untrained.scores[head]) for learned in effects}
    deepest = largest(values for pair in shown.values() for values in pair)
    scale = TEXT["common" if is_common else "own"].format(deepest=signed(deepest))
    text = TEXT["text"].format(task=title, head=head + 1, scale=scale, link=link)
    st.markdown(paragraph([text, seed_text(loaded)]))
    for first in range(0, len(effects), _IN_A_ROW):
        for learned, place in zip(effects[first : first + _IN_A_ROW], st.columns(_IN_A_ROW), strict=False):
            with place:
                _show_one(learned, shown[learned.encoding], title, deepest if is_common else None)


@cached_while_unchanged(
    lambda models, _: map(weights_file, models),
    max_entries=_MAX_EFFECTS,
    key=lambda models, length: (tuple(model.sha256 for model in models), length),
)
def _effects(models: Sequence[ZooModel], length: int) -> list[ShippedEncoding]:
    use_one_thread()
    return learned_effects({model.run.encoding: network(model) for model in models}, length)


def _show_one(learned: ShippedEncoding, maps: tuple[np.ndarray, np.ndarray], task: str, deepest: float | None) -> None:
    config = ENCODINGS[learned.encoding]
    name = encoding_title(config)
    st.html(f'<div class="variant-mark" style="background:{encoding_look(config).swatch}"></div>')
    for state, values in zip(("trained", "untrained"), maps, strict=True):
        st.markdown(TEXT[state].format(title=name))
        figure = position_map(
            values,
            row_name=TEXT["query"],
            column_name=TEXT["key"],
            hover=TEXT["hover"],
            is_square=True,
            height=230,
            deepest=deepest,
        )
        low, high = signed(np.nanmin(values)), signed(np.nanmax(values))
        alt = TEXT[f"alt {state}"].format(title=name, task=task, low=low, high=high)
        key = f"{state}-{learned.encoding}"
        draw_picture(figure, key=key, file_name=key, alt=alt)
