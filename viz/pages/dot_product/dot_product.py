"""Dot product by hand: scaled dot-product and multi-head attention on matrices that can be typed into."""

import math
from collections.abc import Iterable
from dataclasses import asdict, replace

import numpy as np
import streamlit as st

from viz.base.exports import QUERY_BY_KEY, arrays_as_npz, rows_as_csv
from viz.base.languages import worded
from viz.base.link_parameters import Choice, Number, counted, labelled, parameters_of, switch
from viz.base.markdown import plain
from viz.base.words import ended, page_text, paragraph
from viz.components.matrix_view import matrix_style, matrix_view, matrix_views, product_view, written
from viz.pages.dot_product.components.computation_strip import Stage, show_computation_strip
from viz.pages.dot_product.components.matrix_editor import matrix_editor
from viz.pages.dot_product.real_head import show_head
from viz.pages.dot_product.state import (
    EXAMPLES,
    FIRST,
    OPENING,
    LinkProblem,
    Matrices,
    Result,
    matrices_from_link,
    result_of,
    sent_matrices,
)
from viz.pages.dot_product.study.by_hand import (
    HEAD_COUNTS,
    MASKS,
    MAX_SIZE,
    PRECISIONS,
    AttentionOptions,
    MatrixError,
    largest_number,
    smallest_number,
)
from viz.shell.controls import choose, number, place_for_warnings, toggle, warn_bad_links
from viz.shell.link import link_decides, write_link
from viz.shell.page import theme
from viz.shell.picture import File, offered
from viz.shell.state import keep, keep_in_session, kept

TEXT = page_text("pages/dot_product/dot_product")
_STRIP = "strip"
_MATRICES = [parameter.key for parameter in parameters_of(Matrices).values()]
_N_HEADS = Choice("n_heads", FIRST.options.n_heads, HEAD_COUNTS)
# A link to a head of a model says which as its "head".
_HEAD = "shown-head"
_SCALE = switch("scale", FIRST.options.scale)
_MASK = labelled("mask", worded(MASKS, lambda mask: TEXT[f"mask {mask}"]), FIRST.options.mask)
_N_PADDING = Number("n_padding", FIRST.options.n_padding, 1, MAX_SIZE)
_SUBTRACT = switch("subtract_maximum", FIRST.options.subtract_maximum)
_PRECISION = Choice("precision", FIRST.options.precision, PRECISIONS)


def show() -> None:
    """Draw the page."""
    st.html(matrix_style())
    if "kind" in st.query_params:
        broken = show_head()
        if broken is None:
            return
        st.warning(broken)
    if _is_plain_address():
        _take_example(OPENING)
    _show_matrices()


def _is_plain_address() -> bool:
    """Whether the page is opened without anything in its link that says what to compute."""
    return kept(Matrices) is None and {*_MATRICES, *vars(FIRST.options)}.isdisjoint(st.query_params)


@st.fragment
def _show_matrices() -> None:
    """Show all that examples and options change, and nothing else: only this is computed again."""
    st.markdown(TEXT["see"])
    _offer_examples()
    _show_edited(_options())


@st.fragment
def _show_edited(options: AttentionOptions) -> None:
    """Show all that an edit changes, in few elements: each costs milliseconds on the way to the screen."""
    matrices, linked = _opened()
    keep(matrices)
    # Never left out, so that no link is like that of the page as it opens.
    write_link({"X": matrices.X})
    strip = st.container()
    _edit(matrices)
    result, problem = result_of(matrices, options)
    if problem:
        st.warning(paragraph([ended(plain(problem.sentence(TEXT))), TEXT["last shown"]]))
    elif linked:
        st.warning(TEXT["bad link"].format(problem=plain(linked.sentence(TEXT))))
    head = _show_steps(result)
    with strip:
        _show_strip(result, head)
    _show_words()


def _show_words() -> None:
    for place, parts in zip(
        st.columns(3, gap="large"), (("what is seen",), ("what to try",), ("formula", "paper")), strict=True
    ):
        with place:
            st.markdown("\n\n".join(TEXT[part] for part in parts))
            if "paper" in parts:
                st.caption(TEXT["limits"].format(largest=MAX_SIZE))


def _show_strip(result: Result, head: int) -> None:
    steps, options = result.steps.heads[head], result.options
    suffix = _suffix(options, head)
    scores, z = TEXT["strip scores" if options.scale else "strip scores plain"], f"Z{suffix}"
    projected = ((f"Q{suffix}", steps.q, scores), (f"K{suffix}", steps.k, scores), (f"V{suffix}", steps.v, z))
    groups = (
        (Stage("X", result.inputs.X),),
        tuple(Stage(name, values, feeds=feeds) for name, values, feeds in projected),
        (Stage(scores, steps.scores),),
        (Stage(TEXT["strip pattern"], steps.pattern, is_pattern=True),),
        (Stage(z, steps.z),),
        (Stage(TEXT["shown output"], result.steps.output),),
    )
    shapes = {"x": result.inputs.X, "q": steps.q, "k": steps.k, "v": steps.v, "scores": steps.scores, "z": steps.z}
    alt = TEXT["strip alt"].format(
        head=head + 1,
        pattern=_rows(steps.pattern),
        output=_rows(result.steps.output),
        **{name: "\N{MULTIPLICATION SIGN}".join(map(str, values.shape)) for name, values in shapes.items()},
    )
    show_computation_strip(
        groups,
        theme=theme(),
        name=TEXT["strip name"],
        alt=alt,
        key=_STRIP,
        files=offered(_files(result), _STRIP),
    )


def _rows(values: np.ndarray) -> str:
    return "; ".join(" ".join(map(written, row)) for row in values)


def _opened() -> tuple[Matrices, MatrixError | None]:
    """Return what the session holds, at first by the link, and what was wrong with that link."""
    matrices, linked = kept(Matrices), kept(LinkProblem)
    if link_decides("matrices", *_MATRICES) or matrices is None or linked is None:
        matrices, error = matrices_from_link(st.query_params)
        linked = LinkProblem(error)
        keep_in_session(matrices)
        keep_in_session(linked)
    return matrices, linked.error


def _set(matrices: Matrices) -> None:
    keep_in_session(matrices)
    keep_in_session(LinkProblem(None))


def _offer_examples() -> None:
    with st.container(horizontal=True, key="example"):
        for name in EXAMPLES:
            st.button(TEXT[f"example {name}"], key=f"example-{name}", on_click=_take_example, args=(name,))


def _take_example(name: str) -> None:
    example, state = EXAMPLES[name], st.session_state
    _set(example.matrices)
    for entry, value in asdict(example.options).items():
        state[entry] = value
    state[_HEAD] = 0


def _options() -> AttentionOptions:
    warnings = place_for_warnings()
    warn_bad_links(warnings, [_N_HEADS, _SCALE, _MASK, _N_PADDING, _SUBTRACT, _PRECISION])
    with st.container(horizontal=True, vertical_alignment="bottom", key="controls"):
        n_heads = choose(_N_HEADS, TEXT["heads"])
        warn_bad_links(warnings, [counted(_HEAD, n_heads)])
        scale = toggle(_SCALE, TEXT["scale"])
        mask = choose(_MASK, TEXT["mask"])
        n_padding = FIRST.options.n_padding
        if mask == "padding":
            n_padding = number(_N_PADDING, TEXT["padding"], width=110)
        subtract = toggle(_SUBTRACT, TEXT["subtract"])
        precision = choose(_PRECISION, TEXT["precision"])
    return AttentionOptions(n_heads, scale, mask, n_padding, subtract, precision)


def _edit(matrices: Matrices) -> None:
    words = {
        "cell": TEXT["cell"],
        "size": TEXT["size"],
        "add_row": TEXT["add row"],
        "remove_row": TEXT["remove row"],
        "add_column": TEXT["add column"],
        "remove_column": TEXT["remove column"],
    }
    matrix_editor(vars(matrices), largest=MAX_SIZE, words=words, key="editor", on_edit=_take_edit)


def _take_edit() -> None:
    if typed := sent_matrices(st.session_state["editor"]["matrices"]):
        _set(typed)


def _show_steps(result: Result) -> int:
    """Show every step; return which head is open."""
    inputs, steps, options = result.inputs, result.steps, result.options
    st.markdown(TEXT["step projections"])
    _views(
        product_view(("X", inputs.X), (f"W_{name}", weight), (name, projected))
        for name, weight, projected in (
            ("Q", inputs.W_Q, steps.Q),
            ("K", inputs.W_K, steps.K),
            ("V", inputs.W_V, steps.V),
        )
    )
    head, number = 0, 2
    if options.n_heads > 1:
        with st.container(horizontal=True, vertical_alignment="center"):
            words = st.container(width="content")
            head = choose(counted(_HEAD, options.n_heads), TEXT["head"], label_visibility="collapsed")
            words.markdown(
                TEXT["step split"].format(
                    heads=options.n_heads, d_key=steps.heads[0].q.shape[1], columns=steps.Q.shape[1], head=head + 1
                )
            )
        number += 1
    else:
        write_link({_HEAD: None})
    _show_head(result, head, number)
    return head


def _show_head(result: Result, head: int, number: int) -> None:
    scores, mixture = st.columns(2, gap="large")
    with scores:
        number = _show_pattern(result, head, number)
    with mixture:
        _show_output(result, head, number)


def _show_pattern(result: Result, head: int, number: int) -> int:
    """Show the steps from ``number`` on that lead to the pattern; return the number of the next one."""
    steps, options = result.steps.heads[head], result.options
    d_key = steps.q.shape[1]
    suffix = _suffix(options, head)
    st.markdown(TEXT["step products"].format(number=number))
    transposed = (f"K{suffix}ᵀ", steps.k.T)
    _views([product_view((f"Q{suffix}", steps.q), transposed, (f"Q{suffix} K{suffix}ᵀ", steps.products))])
    if options.scale:
        root = f"{math.sqrt(d_key):.3f}"
        st.markdown(TEXT["step scale"].format(number=number + 1, d_key=d_key, root=root))
        _views([matrix_view(TEXT["shown scaled"], steps.scaled)])
    else:
        st.markdown(TEXT["step no scale"].format(number=number + 1))
    if options.mask != "none":
        number += 1
        st.markdown(TEXT["step mask"].format(number=number + 1))
        _views([matrix_view(TEXT["shown scores"], steps.scores)])
    return number + 2


def _show_output(result: Result, head: int, number: int) -> None:
    """Show the steps from ``number`` on: the softmax, and what is made of its pattern."""
    steps, options = result.steps.heads[head], result.options
    suffix = _suffix(options, head)
    shifted = [matrix_view(TEXT["shown shifted"], steps.shifted)] if options.subtract_maximum else []
    st.markdown(TEXT["step softmax shifted" if shifted else "step softmax"].format(number=number))
    _views(
        [
            *shifted,
            matrix_view(TEXT["shown exponentials"], steps.exponentials),
            matrix_view(TEXT["shown sums"], steps.sums[:, None]),
            matrix_view(TEXT["shown pattern"], steps.pattern, largest=1),
        ]
    )
    _say_what_happened(result, head)
    st.markdown(TEXT["step values"].format(number=number + 1))
    pattern = (TEXT["shown pattern"], steps.pattern)
    _views([product_view(pattern, (f"V{suffix}", steps.v), (f"Z{suffix}", steps.z), largest_left=1)])
    st.markdown(TEXT["step output"].format(number=number + 2))
    joined = (TEXT["shown concatenated"], result.steps.concatenated)
    _views([product_view(joined, ("W_O", result.inputs.W_O), (TEXT["shown output"], result.steps.output))])


def _suffix(options: AttentionOptions, head: int) -> str:
    """Return what the names of matrices of one head among several end with."""
    return f"_{head + 1}" if options.n_heads > 1 else ""


def _say_what_happened(result: Result, head: int) -> None:
    overflow = result.steps.overflow
    if overflow:
        precision = result.options.precision
        limit = smallest_number(precision) if overflow == "zeros" else largest_number(precision)
        st.warning(TEXT[f"overflow {overflow}"].format(precision=precision, limit=limit, subtract=TEXT["subtract"]))
    weight = f"{result.steps.heads[head].pattern[0, 0]:.4f}"
    for name in ("worked", "identity"):
        by_example = replace(result.options, subtract_maximum=True, precision="float64") == EXAMPLES[name].options
        if by_example and kept(Matrices) == EXAMPLES[name].matrices:
            st.caption(TEXT[f"{name} note"].format(weight=weight))


def _views(views: Iterable[str]) -> None:
    st.html(matrix_views(views, theme=theme()))


def _files(result: Result) -> list[File]:
    return [
        File(TEXT["download steps"], lambda: _as_npz(result), "attention-by-hand.npz"),
        File(TEXT["download output"], lambda: _patterns_as_csv(result), "pattern.csv"),
    ]


def _patterns_as_csv(result: Result) -> str:
    tokens = range(1, len(result.inputs.X) + 1)
    rows = (
        (head, query, *(f"{weight:.9g}" for weight in weights))
        for head, steps in enumerate(result.steps.heads, 1)
        for query, weights in zip(tokens, steps.pattern, strict=True)
    )
    return rows_as_csv(["head", QUERY_BY_KEY, *tokens], rows)


def _as_npz(result: Result) -> bytes:
    steps = result.steps
    whole = {"Q": steps.Q, "K": steps.K, "V": steps.V, "concatenated": steps.concatenated, "output": steps.output}
    heads = {
        f"head_{index}_{name}": value for index, head in enumerate(steps.heads, 1) for name, value in vars(head).items()
    }
    return arrays_as_npz({**vars(result.inputs), **whole, **heads})


if __name__ == "__main__":
    show()
