"""Does a circuit hold: parts of small decoders on longer inputs, a translator's heads in other runs."""

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from model.tasks import find
from pretrained.ablations import SEED_CIRCUITS, seed_circuits
from pretrained.zoo import CIRCUITS, ZOO, zoo_circuits
from viz.base.languages import worded
from viz.base.link_parameters import labelled
from viz.base.numbers import signed
from viz.base.words import page_text, paragraph
from viz.figures.lines import lines
from viz.pages.interventions.figures.score_grid import score_grid
from viz.pages.interventions.names import long_name, short_name
from viz.pages.interventions.study.lasting.claims import (
    BETWEEN,
    EDGE,
    OF_MODEL,
    OF_SEEDS,
    PART,
    all_reading,
)
from viz.pages.interventions.study.lasting.longer import (
    INPUT,
    OUTPUT,
    UNITS,
    Edges,
    Longer,
    Model,
    accuracies_as_csv,
    edges_as_csv,
    longer_inputs,
    models_of,
    shown,
)
from viz.pages.interventions.study.lasting.seeds import (
    HeadMatches,
    matched,
    rank_of,
    seeds_of,
    shares_as_csv,
    strongest_heads,
)
from viz.shared.encodings import planned_title
from viz.shared.model_words import model_words, task_title
from viz.shared.shipped import cached_while_unchanged
from viz.shell.controls import place_for_warnings, select, warn_bad_links
from viz.shell.picture import File, draw_picture, with_arrays

TEXT = page_text("pages/interventions/lasting_circuits")
_NARROWEST_EDGES, _NARROWEST_SEEDS = 620, 560
_HEIGHT = 330


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    try:
        circuits, of_seeds = _measured()
        models = models_of(circuits)
    except (OSError, ValueError, KeyError):
        warnings.warning(TEXT["damaged"])
        return
    named = {f"{task}-{encoding}".replace("_", "-"): (task, encoding) for task, encoding in models}
    choice = labelled("lasting-model", worded(named, lambda code: _title(named[code])))
    warn_bad_links(warnings, [choice])
    st.markdown(TEXT["see"])
    model = named[select(choice, TEXT["model"], width=360)]
    _show_longer(model, longer_inputs(circuits, model), circuits)
    if len(of_seeds):
        _show_seeds(of_seeds)
    left, right = st.columns([2, 1], gap="large")
    left.markdown(TEXT["formula"])
    right.markdown(TEXT["paper"])


@cached_while_unchanged(lambda: [ZOO / CIRCUITS, SEED_CIRCUITS], max_entries=1)
def _measured() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return what was measured of longer inputs and of other seeds, not to be changed.

    Raises:
        OSError: a file cannot be read.
        ValueError: it is damaged.
    """
    return zoo_circuits(), seed_circuits()


def _title(model: Model) -> str:
    task, encoding = model
    return TEXT["task and encoding"].format(task=task_title(task), encoding=planned_title(encoding))


def _show_longer(model: Model, measured: Longer, circuits: pd.DataFrame) -> None:
    titles = {EDGE: _edge_title}
    left, right = st.columns([2, 3], gap="large")
    with left:
        _draw_accuracies(model, measured)
        keys = [key for key in OF_MODEL if measured.reading or key != "claim reading"]
        for key in keys:
            st.markdown(OF_MODEL[key](measured).sentence(TEXT, key, titles))
    with right:
        _draw_edges(measured)
        st.markdown(paragraph([all_reading(circuits).sentence(TEXT, "claim all reading"), TEXT["beware"]]))


def _draw_accuracies(model: Model, measured: Longer) -> None:
    curves = {TEXT[f"curve {change}"]: 100 * values for change, values in measured.accuracies.items()}
    figure = lines(
        np.array(measured.lengths, dtype=float),
        curves,
        x_name=TEXT["length"].format(unit=model_words(find(model[0]).description.unit), trained=measured.lengths[0]),
        y_name=TEXT["right"],
        height=_HEIGHT,
    )
    alt = TEXT["accuracy alt"].format(
        model=_title(model),
        trained=measured.lengths[0],
        longest=measured.lengths[-1],
        whole=f"{measured.accuracies['none'][-1]:.0%}",
        only=f"{measured.accuracies['others'][-1]:.0%}",
    )
    files = with_arrays(File(TEXT["download"], partial(accuracies_as_csv, measured), "longer.csv"))
    draw_picture(figure, key="longer", file_name="longer", alt=alt, files=files)


def _draw_edges(measured: Longer) -> None:
    edges = shown(measured.edges)
    names = [_edge_title(BETWEEN.join(code)) for code in edges.codes]
    hovers = [
        [_edge_tooltip(edges, measured, row, column, name) for column in range(len(measured.lengths))]
        for row, name in enumerate(names)
    ]
    figure = score_grid(
        100 * edges.shares,
        queries=[
            TEXT["edge"].format(source=_short_title(source), target=_short_title(target))
            for source, target in edges.codes
        ],
        keys=[f"{length}" for length in measured.lengths],
        hovers=hovers,
        places=0,
    )
    alt = TEXT["edges alt"].format(n=len(names), first=names[0], share=f"{edges.shares[0, -1]:.0%}")
    table = File(TEXT["download"], partial(edges_as_csv, measured.edges, measured.lengths), "edges.csv")
    st.markdown(TEXT["edges"].format(trained=measured.lengths[0]))
    draw_picture(
        figure,
        key="edges",
        file_name="edges",
        alt=alt,
        files=with_arrays(table),
        narrowest=_NARROWEST_EDGES,
        # The longest inputs, at which they break.
        opens_at=[len(measured.lengths) - 1],
    )


def _edge_tooltip(edges: Edges, measured: Longer, row: int, column: int, name: str) -> str:
    values = {
        key: signed(100 * float(table[row, column]), 0)
        for key, table in (("share", edges.shares), ("low", edges.low), ("high", edges.high))
    }
    effect = signed(100 * float(edges.effects[row]), 0)
    return TEXT["told edge"].format(name=name, length=measured.lengths[column], effect=effect, **values)


def _short_title(code: str) -> str:
    """Return what a part is called in a list; a head by its layer and number alone."""
    if code in (INPUT, OUTPUT):
        return TEXT[f"part {code}"]
    first, _, second = code.partition(".")
    return TEXT["units"].format(layer=second) if first == UNITS else code


def _part_title(code: str) -> str:
    is_head = code not in (INPUT, OUTPUT) and not code.startswith(UNITS)
    return TEXT["head"].format(head=code) if is_head else _short_title(code)


def _edge_title(code: str) -> str:
    source, target = map(_part_title, code.split(BETWEEN))
    return TEXT["edge"].format(source=source, target=target)


def _show_seeds(circuits: pd.DataFrame) -> None:
    st.markdown(TEXT["seeds"])
    first, *others = seeds_of(circuits)
    pairs = {b: pair for (a, b), pair in matched(circuits).items() if a == first}
    heads = strongest_heads(pairs[others[0]])
    left, right = st.columns([3, 2], gap="large")
    with left:
        _draw_seeds(circuits, first, pairs)
        st.caption(TEXT["seeds note"].format(n=len(heads), first=first))
    with right:
        for key, claim in OF_SEEDS.items():
            st.markdown(claim(circuits).sentence(TEXT, key, {PART: _block_title}))


def _draw_seeds(circuits: pd.DataFrame, first: int, pairs: dict[int, HeadMatches]) -> None:
    one = next(iter(pairs.values()))
    heads = strongest_heads(one)
    rows = [(first, one.shares, one.heads), *((seed, pair.of_matches, pair.matches) for seed, pair in pairs.items())]
    places = [one.match_of(head) for head in heads]
    values = np.array([[shares[place] for place in places] for _, shares, _ in rows])
    hovers = [
        [
            TEXT["told head"].format(
                name=long_name(own[place]), seed=seed, share=f"{shares[place]:.1%}", rank=rank_of(shares, place)
            )
            for place in places
        ]
        for seed, shares, own in rows
    ]
    figure = score_grid(
        100 * values,
        queries=[TEXT["seed"].format(seed=seed) for seed, *_ in rows],
        keys=[short_name(head) for head in heads],
        hovers=hovers,
    )
    alt = TEXT["seeds alt"].format(n=len(heads), seeds=len(rows), name=long_name(heads[0]))
    table = File(TEXT["download"], partial(shares_as_csv, circuits), "seeds.csv")
    draw_picture(figure, key="seeds", file_name="seeds", alt=alt, files=with_arrays(table), narrowest=_NARROWEST_SEEDS)


def _block_title(point: str) -> str:
    stack, layer, block, _ = point.split(".")
    return TEXT[f"block {stack} {block}"].format(layer=int(layer) + 1)
