"""The grid of patching: rows and columns of each view, what every cell is called, and what it tells."""

from collections.abc import Callable, Mapping, Sequence

from viz.base.numbers import signed
from viz.base.words import page_text
from viz.pages.interventions.components.head_grid import GridCell, GridLook, head_grid
from viz.pages.interventions.names import TEXT as NAMES
from viz.pages.interventions.names import grid_words, long_name_of_head
from viz.pages.interventions.study.patched import PatchedPair, PatchedSite, View, cells_of
from viz.shell.page import theme

TEXT = page_text("pages/interventions/patch_grid")
_LOOK = GridLook("patching", places=2, least_written=0.05)
# Of the difference between the runs: the alternative text tells how many effects are larger.
_LARGE = 0.1


def draw_patch_grid(
    pair: PatchedPair,
    view: View,
    effects: Mapping[str, float],
    chosen: PatchedSite,
    *,
    key: str,
    files: Sequence[Mapping[str, str]],
    on_press: Callable[[], None],
) -> None:
    """Draw the cells of ``view``; those that come after the step are grey.

    Args:
        pair: the two sentences.
        view: what is patched.
        effects: by the codes of cells; of those after the step there is none.
        chosen: the cell that is patched in the translation.
        key: of the widget.
        files: what its menu offers besides.
        on_press: called when a visitor has chosen a cell.
    """
    cells = cells_of(pair.config, view, len(pair.source), len(pair.read))
    rows = list(dict.fromkeys(_row(cell) for cell in cells))
    measured = [cell for cell in cells if cell.code in effects]
    largest = max(measured, key=lambda cell: effects[cell.code])
    alt = TEXT["alt"].format(
        n=len(measured),
        effect=signed(effects[largest.code]),
        name=cell_name(pair, largest),
        n_large=sum(effects[cell.code] > _LARGE for cell in measured),
        least=_LARGE,
    )
    drawn = [_drawn(pair, cell, rows.index(_row(cell)), effects, is_chosen=cell == chosen) for cell in cells]
    head_grid(
        sorted(drawn, key=lambda cell: (cell.row, cell.column)),
        rows,
        _columns(pair, view),
        scale=1,
        alt=alt,
        theme=theme(),
        words=grid_words({"unit": TEXT["unit"], "rule": TEXT["rule"], "title": TEXT["picture"]}),
        key=key,
        files=files,
        on_press=on_press,
        look=_LOOK,
    )


def cell_name(pair: PatchedPair, cell: PatchedSite) -> str:
    """Return what ``cell`` is called in a sentence."""
    if cell.head:
        return long_name_of_head(cell.kind, cell.layer, cell.head)
    tokens = _source_tokens(pair) if cell.kind == "encoder" else pair.read
    key = "input" if cell.layer == 0 else cell.view
    return TEXT[f"name {key}"].format(
        stack=NAMES[f"stack {'encoder' if cell.kind == 'encoder' else 'decoder'}"],
        kind=NAMES[f"kind {cell.kind}"],
        layer=cell.layer,
        token=tokens[cell.position - 1],
    )


def _drawn(
    pair: PatchedPair, cell: PatchedSite, row: int, effects: Mapping[str, float], *, is_chosen: bool
) -> GridCell:
    effect = effects.get(cell.code)
    name = cell_name(pair, cell)
    tooltip = (
        [name, TEXT["told idle"]]
        if effect is None
        else [name, TEXT["told effect"].format(effect=signed(effect)), TEXT["told choose"]]
    )
    # A column is left free between the two sides.
    before = 0 if cell.head or cell.kind == "encoder" else len(pair.source) + 1
    column = before + (cell.head or cell.position) - 1
    return GridCell(
        cell.code,
        row,
        column,
        1,
        effect or 0.0,
        is_off=False,
        is_within=False,
        tooltip=tooltip,
        is_chosen=is_chosen,
        is_idle=effect is None,
    )


def _row(cell: PatchedSite) -> str:
    if cell.view == "heads":
        return TEXT[f"row {cell.kind}"].format(layer=cell.layer)
    if cell.view == "attention":
        return TEXT["row cross" if cell.kind == "cross" else "row self"].format(layer=cell.layer)
    return TEXT["row input" if cell.layer == 0 else f"row {cell.view}"].format(layer=cell.layer)


def _columns(pair: PatchedPair, view: View) -> list[str]:
    if view == "heads":
        return [str(head + 1) for head in range(pair.config.n_heads)]
    return [*_source_tokens(pair), "", *pair.read]


def _source_tokens(pair: PatchedPair) -> list[str]:
    """Return the tokens of the source; where the two differ, both."""
    tokens = zip(pair.source, pair.other_source, strict=True)
    return [
        clean if clean == corrupted else TEXT["both tokens"].format(clean=clean, corrupted=corrupted)
        for clean, corrupted in tokens
    ]
