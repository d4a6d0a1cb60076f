"""Circuit of a word: a translator's strongest parts for a word, paths between them, and ablations."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.analysis.interventions.ablation import Means
from model.analysis.interventions.direct_attribution import NotASumError
from model.device import use_one_thread
from pretrained.circuits import circuit_checks, circuits_path
from pretrained.unit_examples import unit_examples, unit_examples_path
from viz.base.languages import worded
from viz.base.link_parameters import Choice, labelled, switch
from viz.base.markdown import plain
from viz.base.numbers import signed
from viz.base.tokens import label_alone
from viz.base.words import listed, page_text, paragraph
from viz.pages.interventions.circuit_picture import Shows, part_name, picture_of
from viz.pages.interventions.circuit_words import about_picture, seen_in, sentences_of, show_methods
from viz.pages.interventions.components.circuit_view import circuit_view, pressed_part
from viz.pages.interventions.figures.circuit_curves import circuit_curves
from viz.pages.interventions.figures.score_grid import score_grid
from viz.pages.interventions.lines import refer
from viz.pages.interventions.opening import choose_step_and_foil, open_translation
from viz.pages.interventions.state import attributed, head_means
from viz.pages.interventions.study.circuit.details import UnitExample, examples_of, n_others, reads, reasons, units
from viz.pages.interventions.study.circuit.explained import SIZES, Curves, Explanation, WrittenOn
from viz.pages.interventions.study.circuit.files import circuit_as_csv, circuit_as_json, curves_as_csv, reasons_as_csv
from viz.pages.interventions.study.circuit.names import MOST_CHARACTERS, PartNames, renamed
from viz.pages.interventions.study.circuit.parts import Circuit, CircuitPart
from viz.shared.choices import choose_about
from viz.shared.head_roles import roles_of
from viz.shared.sentence import carried_sentence
from viz.shared.shipped import cached_while_unchanged, translator
from viz.shared.translation import DecodingChoice, TranslationResult, translated
from viz.shared.writers import writer_name
from viz.shell.controls import choose, slider, toggle, warn_bad_links
from viz.shell.page import link_to, theme
from viz.shell.picture import File, draw_picture, offered, with_arrays

TEXT = page_text("pages/interventions/why_this_word")
_VIEW, _CHOSEN, _OWN_NAME = "circuit", "node", "own-name"
_MOST_STEPS = 128
_SIZE = Choice("strongest", 100, SIZES, labels=worded(SIZES, lambda n: f"{n:,}"))
_BASELINE = labelled("baseline", worded(("zero", "mean"), lambda name: TEXT[f"by {name}"]))

_WRITES_ON = switch("write-on", False)
_NAMES = PartNames("names", ())
_SHOWS: Choice[Shows] = labelled("boxes", worded(("held", "off"), lambda name: TEXT[f"shows {name}"]))

Asked = tuple[str, str, int, int]
"""The text, the translator's name, the step from 1, and the foil."""


def show() -> None:
    """Draw the page."""
    result, model, _, warnings = open_translation(lambda *_: None)
    warn_bad_links(warnings, [_SIZE, _BASELINE, _SHOWS, _WRITES_ON])
    checks, n_steps = _rows(_checks, model.name), len(result.translation.target.pieces)
    if n_steps > _MOST_STEPS:
        warnings.warning(TEXT["too long"].format(given=n_steps, most=_MOST_STEPS))
    else:
        _show_circuit(result, warnings)
    if len(checks):
        show_methods(checks)
    refer(TEXT["formula"], TEXT["paper"], model=model)


@st.cache_resource(max_entries=32, show_spinner=False)
def _explained(asked: Asked) -> Explanation:
    use_one_thread()
    text, model, step, foil = asked
    translation = translated(text, DecodingChoice(model=model)).translation
    return Explanation(translator(model), translation, step, foil)


@st.cache_data(max_entries=64, show_spinner=False)
def _circuit(asked: Asked, size: int, by_mean: bool) -> Circuit:
    use_one_thread()
    return _explained(asked).circuit(size, _means(asked, by_mean))


@st.cache_data(max_entries=64, show_spinner=False)
def _curves(asked: Asked, by_mean: bool) -> Curves:
    use_one_thread()
    return _explained(asked).curves(_means(asked, by_mean))


@st.cache_data(max_entries=64, show_spinner=False)
def _written_on(asked: Asked, size: int, by_mean: bool) -> WrittenOn:
    use_one_thread()
    return _explained(asked).written_on(size, _means(asked, by_mean))


def _means(asked: Asked, by_mean: bool) -> Means | None:
    means = head_means(asked[1]) if by_mean else None
    return None if means is None else means.by_point


@cached_while_unchanged(lambda name: [circuits_path(name)], max_entries=16)
def _checks(name: str) -> pd.DataFrame:
    return circuit_checks(name)


@cached_while_unchanged(lambda name: [unit_examples_path(name)], max_entries=16)
def _unit_examples(name: str) -> pd.DataFrame:
    return unit_examples(name)


def _rows(read: Callable[[str], pd.DataFrame], name: str) -> pd.DataFrame:
    """Return what ``read`` returns of the translator ``name``.

    None, and a warning, where its file is damaged.
    """
    try:
        return read(name)
    except (OSError, ValueError):
        st.warning(TEXT["damaged"].format(name=plain(name)))
        return pd.DataFrame()


@st.fragment
def _show_circuit(result: TranslationResult, warnings: DeltaGenerator) -> None:
    """Draw the choices, the circuit and what is known of it; a chosen part draws nothing else again."""
    try:
        asked = _choose_word(result, warnings)
        explained = _explained(asked)
    except NotASumError as error:
        st.warning(TEXT["not a sum"].format(norm=error.norm, residual=error.residual))
        return
    picture, words = st.columns([5, 2], gap="medium")
    with words:
        size = slider(_SIZE, TEXT["strongest"])
        by = choose(_BASELINE, TEXT["by"])
        by_mean = by == "mean"
        shows = choose(_SHOWS, TEXT["shows"])
    circuit, curves = _circuit(asked, size, by_mean), _curves(asked, by_mean)
    with picture:
        carried, legend = seen_in(explained, size, curves)
        st.markdown(carried)
        directly = {**carried_sentence(result.text, result.choice), "step": str(explained.step)}
        link_to("direct-attribution", TEXT["directly"].format(token=plain(explained.token)), directly)
        typed = st.session_state.get("foil-of-translation", explained.foil)
        if typed != explained.foil:
            st.caption(TEXT["first token"].format(word=plain(typed), token=plain(explained.foil)))
        part = _choose_part(circuit, (*asked, size), warnings)
        names = _choose_names(asked, warnings)
        files = offered(_files(explained, circuit, names, by), _VIEW)
        data = picture_of(explained, circuit, part, theme=theme(), shows=shows, names=names, files=files)
        circuit_view(data, key=_VIEW, on_press=_press)
        # Below, so that a phone has the picture in sight at once.
        st.markdown(legend)
        st.caption(about_picture(circuit, shows))
        _name_part(explained, part, names)
        _tell_part(result, explained, part, circuit.drawn_of(part), by)
    with words:
        for sentence in sentences_of(explained, size, curves):
            st.markdown(sentence)
        if toggle(_WRITES_ON, TEXT["write on"]):
            with st.spinner(TEXT["writing"]):
                _tell_rest(_written_on(asked, size, by_mean), size)
        _draw_curves(explained, curves, size)


def _choose_word(result: TranslationResult, warnings: DeltaGenerator) -> Asked:
    """Draw the choices of a written word and of another one."""
    about = result.text, result.choice.model
    written, labels = attributed(*about), (TEXT["step"], TEXT["foil"])
    return *about, *choose_step_and_foil(written, written.opening_step, labels, about=about, warnings=warnings)


def _choose_part(circuit: Circuit, about: tuple[object, ...], warnings: DeltaGenerator) -> CircuitPart:
    """Return the part that is chosen.

    Before a click it is the head with the strongest effect, if there is one.
    """
    by_code = circuit.by_code
    order = sorted(by_code, key=lambda code: (by_code[code].kind != "head", -abs(by_code[code].effect)))
    parameter = Choice(_CHOSEN, order[0], tuple(by_code))
    return by_code[
        choose_about(about, parameter, by_code.__contains__, st.session_state.__getitem__, warnings=warnings)
    ]


def _press() -> None:
    code = pressed_part(_VIEW)
    if code is not None:
        st.session_state[f"{_CHOSEN}-of-translation"] = code


def _choose_names(asked: Asked, warnings: DeltaGenerator) -> Mapping[str, str]:
    """Return the reader's own names of parts, by code.

    They hold for a sentence and what a model makes of it.
    """
    named = choose_about(asked[:2], _NAMES, lambda _: True, st.session_state.__getitem__, warnings=warnings)
    return dict(named)


def _name_part(explained: Explanation, part: CircuitPart, names: Mapping[str, str]) -> None:
    """Draw what ``part`` is called, and a box for the reader's own name of it."""
    name, own = st.columns([3, 2], vertical_alignment="center")
    name.markdown(f"**{plain(part_name(explained, part))}**")
    key = f"{_OWN_NAME}-{part.code}"
    st.session_state[key] = names.get(part.code, "")
    own.text_input(
        TEXT["own name"],
        key=key,
        max_chars=MOST_CHARACTERS,
        placeholder=TEXT["own name"],
        label_visibility="collapsed",
        on_change=_rename,
        args=(part.code,),
    )


def _rename(code: str) -> None:
    key = f"{_NAMES.key}-of-translation"
    st.session_state[key] = renamed(dict(st.session_state[key]), code, st.session_state[f"{_OWN_NAME}-{code}"])


def _files(explained: Explanation, circuit: Circuit, names: Mapping[str, str], by: str) -> list[File]:
    def name_of(part: CircuitPart) -> str:
        own, name = names.get(part.code), part_name(explained, part)
        return f"{own} ({name})" if own else name

    return [
        *with_arrays(File(TEXT["download"], partial(circuit_as_csv, explained, circuit, names), "circuit.csv")),
        File(TEXT["download graph"], partial(circuit_as_json, explained, circuit, name_of, by=by), "circuit.json"),
    ]


def _tell_rest(written: WrittenOn, size: int) -> None:
    """Say how the translation goes on: with everything, with the strongest parts alone, without them."""
    lines = {"whole": written.whole, "only": written.only, "off": written.off}
    st.markdown(
        "\n".join(
            TEXT[f"rest {name}"].format(n=f"{size:,}", begun=plain(written.begun), rest=plain(rest.strip()) or "…")
            for name, rest in lines.items()
        )
    )
    st.caption(TEXT["rest note"])


def _draw_curves(explained: Explanation, curves: Curves, size: int) -> None:
    measured = {"only": curves.only, "off": curves.off}
    lines: dict[str, tuple[Sequence[float], Sequence[bool]]] = {
        TEXT[f"curve {name}"]: (curve.values, curve.stays) for name, curve in measured.items()
    }
    figure = circuit_curves(
        {**lines, TEXT["curve drawn"]: (curves.drawn, [True] * len(SIZES))},
        sizes=SIZES,
        whole=explained.effects.total,
        chosen=size,
        x_name=TEXT["curve x"],
        y_name=TEXT["curve y"],
        whole_name=TEXT["curve whole"],
    )
    place = SIZES.index(size)
    values = {**{name: curve.values for name, curve in measured.items()}, "drawn": curves.drawn}
    alt = TEXT["curve alt"].format(n=f"{size:,}", **{name: signed(one[place]) for name, one in values.items()})
    files = with_arrays(File(TEXT["download"], partial(curves_as_csv, curves), "circuit-curves.csv"))
    draw_picture(figure, key="circuit-curves", file_name="circuit-curves", alt=alt, files=files, is_narrow=True)
    st.caption(TEXT["curve note"].format(token=plain(explained.token)))


def _tell_part(
    result: TranslationResult, explained: Explanation, part: CircuitPart, drawn: float | None, by: str
) -> None:
    """Say what is known of the chosen part: its effect, held and really, and what it reads or writes.

    ``drawn`` is what its ribbons carry, and ``by`` what takes the place of what is off.
    """
    sentences = [TEXT[f"about {part.kind}"].format(effect=signed(part.effect), token=plain(explained.token))]
    if part.lost is not None:
        total = explained.effects.total
        sentences.append(TEXT["about off"].format(before=signed(total), after=signed(total - part.lost)))
        if part.turns_over:
            sentences.append(TEXT["turns over"])
    if drawn is not None:
        sentences.append(TEXT["about drawn"].format(drawn=signed(drawn), rest=signed(part.effect - drawn)))
    if part.kind == "head":
        left, right = st.columns(2, gap="large")
        with left:
            role = roles_of(result.choice.model).get(f"{part.lane}.{part.layer}.{part.head}")
            st.markdown("\n\n".join([*sentences, *([TEXT[f"role {role}"]] if role else [])]))
            st.table(_reads_table(explained, part))
            query = {
                **carried_sentence(result.text, result.choice),
                "off": f"{part.lane}.{part.layer}.{part.head}",
                "by": by,
            }
            link_to("switch-heads-off", TEXT["switch off"], query)
        with right:
            _tell_reasons(explained, part)
        return
    st.markdown(paragraph(sentences))
    if part.kind == "units":
        _show_units(result.choice.model, explained, part)


def _reads_table(explained: Explanation, part: CircuitPart) -> dict[str, list[str]]:
    rows = reads(explained, part)
    return {
        TEXT["reads"]: [plain(row.label) for row in rows],
        TEXT["weight"]: [f"{row.weight:.2f}" for row in rows],
        TEXT["adds"]: [signed(row.effect) for row in rows],
    }


def _tell_reasons(explained: Explanation, part: CircuitPart) -> None:
    score_parts = reasons(explained, part)
    st.markdown(
        TEXT["why there"].format(
            query=plain(score_parts.query), key=plain(score_parts.key), score=signed(score_parts.score)
        )
    )
    of_query, of_key = ([*map(writer_name, names)] for names in (score_parts.of_query, score_parts.of_key))
    template = TEXT["told pair"]
    hovers = [
        [
            template.format(query=row, key=column, value=signed(value))
            for column, value in zip(of_key, values, strict=True)
        ]
        for row, values in zip(of_query, score_parts.products.tolist(), strict=True)
    ]
    figure = score_grid(score_parts.products, queries=of_query, keys=of_key, hovers=hovers)
    row, column = np.unravel_index(np.abs(score_parts.products).argmax(), score_parts.products.shape)
    alt = TEXT["score alt"].format(
        query=score_parts.query,
        key=score_parts.key,
        score=signed(score_parts.score),
        of_query=of_query[row],
        of_key=of_key[column],
        value=signed(float(score_parts.products[row, column])),
    )
    table = File(TEXT["download"], partial(reasons_as_csv, score_parts), "score.csv")
    draw_picture(figure, key="score", file_name="score", alt=alt, files=with_arrays(table))


def _show_units(model: str, explained: Explanation, part: CircuitPart) -> None:
    """Draw a row for each of the strongest units of ``part``.

    It has what the unit does here, and where it is excited most.
    """
    rows = units(explained, part)
    examples = examples_of(_rows(_unit_examples, model), part)
    table = {
        TEXT["unit"]: [f"{row.number}" for row in rows],
        TEXT["activation"]: [f"{row.activation:.2f}" for row in rows],
        TEXT["adds"]: [signed(row.effect) for row in rows],
    }
    if rows[0].raises:
        table[TEXT["raises"]] = [plain(listed(row.raises)) for row in rows]
    st.table(table)
    count, effect = n_others(explained, part)
    if count:
        st.caption(TEXT["other units"].format(n=count, effect=signed(effect)))
    for row in rows:
        if examples.get(row.number):
            st.caption(TEXT["excited by"].format(unit=row.number, examples=_excited_by(examples[row.number])))


def _excited_by(examples: Sequence[UnitExample]) -> str:
    """Return ``examples`` as Markdown, with the token marked that excites."""
    lines = []
    for example in examples:
        gap = " " if example.text[:1].isspace() and example.before else ""
        after = " " if example.after[:1].isspace() else ""
        text = plain(example.text) or plain(label_alone(example.piece))
        marked = f"{plain(example.before)}{gap}:blue-background[{text}]{after}{plain(example.after)}"
        lines.append(f"{marked} ({example.activation:.1f})")
    return " · ".join(lines)


if __name__ == "__main__":
    show()
