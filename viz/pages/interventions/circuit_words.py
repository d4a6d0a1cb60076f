"""Sentences about a circuit: the sum of its parts, the measured effect, and the limits of the picture."""

from collections.abc import Iterable

import pandas as pd
import streamlit as st

from viz.base.markdown import plain
from viz.base.numbers import signed
from viz.base.words import listed, page_text, paragraph
from viz.components.table import table
from viz.pages.interventions.circuit_picture import Shows
from viz.pages.interventions.study.circuit.claims import CLAIMS
from viz.pages.interventions.study.circuit.explained import N_DRAWS, SIZES, Curves, Explanation, ProbableToken
from viz.pages.interventions.study.circuit.methods import FEW, MANY, WITHIN, method_rows
from viz.pages.interventions.study.circuit.parts import Circuit

TEXT = page_text("pages/interventions/why_this_word")
# From such a share off, the picture is no guide to what happens without a box.
_WORTH_A_WARNING = 0.5


def seen_in(explained: Explanation, size: int, curves: Curves) -> tuple[str, str]:
    """Return, in Markdown, the picture's content and the share of the choice in its ``size`` parts."""
    only, place = curves.only, SIZES.index(size)
    names = {"token": plain(explained.token), "foil": plain(explained.foil)}
    carried = TEXT["see kept" if only.stays[place] else "see lost"].format(
        n=f"{size:,}",
        only=signed(only.values[place]),
        whole=signed(explained.effects.total),
        share=_share(explained, only.values[place]),
        word=plain(only.words[place][0].label),
        **names,
    )
    return carried, TEXT["see"].format(**names)


def _share(explained: Explanation, difference: float) -> str:
    """Return what share of the whole difference ``difference`` is, or that it speaks for the other token."""
    share = difference / explained.effects.total
    key = "share against" if share < 0 else "share over" if round(100 * share) > 100 else "share"
    other = explained.token if difference > 0 else explained.foil
    return TEXT[key].format(share=f"{100 * share:.0f}", other=plain(other))


def sentences_of(explained: Explanation, size: int, curves: Curves) -> tuple[str, str]:
    """Return, in Markdown, the sum of the difference, and the output with parts alone and without them."""
    effects, place = explained.effects, SIZES.index(size)
    names = {"token": plain(explained.token), "foil": plain(explained.foil)}
    p_token, p_foil = explained.probabilities
    adds_up = TEXT["sum"].format(
        difference=signed(effects.total),
        inputs=signed(effects.of_inputs),
        biases=signed(effects.biases),
        p_token=f"{p_token:.1%}",
        p_foil=f"{p_foil:.1%}",
        **names,
    )
    really = TEXT["really"].format(
        n=f"{size:,}",
        only=signed(curves.only.values[place]),
        share=_share(explained, curves.only.values[place]),
        off=signed(curves.off.values[place]),
        drawn=signed(curves.drawn[place]),
        draws=N_DRAWS,
        words_only=_words(curves.only.words[place]),
        words_off=_words(curves.off.words[place]),
        **names,
    )
    return adds_up, really


def about_picture(circuit: Circuit, shows: Shows) -> str:
    """Return how the picture's numbers compare with what is really lost, and how deep its colours go."""
    parts = circuit.by_code.values()
    deepest = max(abs(part.effect if shows == "held" else part.lost or 0.0) for part in parts)
    widest = max(abs(path.effect) for path in circuit.paths if circuit.parts[path.source].nodes)
    sentences = [TEXT["missed"].format(share=circuit.misses, refuted=sum(part.is_refuted for part in parts))]
    if circuit.misses > _WORTH_A_WARNING:
        sentences.append(TEXT["mostly missed"])
    sentences.append(TEXT["scale"].format(deepest=signed(deepest), widest=signed(widest)))
    if shows == "off":
        sentences.append(TEXT["not off"])
    if circuit.n_left_out:
        sentences.append(TEXT["left out"].format(n=circuit.n_left_out))
    return paragraph(sentences)


def show_methods(checks: pd.DataFrame) -> None:
    """Draw a table of what ranks the parts, and how faithful the strongest are, in a fold."""
    with st.expander(TEXT["methods"].format(n=f"{int(checks['sentences'].max()):,}")):
        off = TEXT.lines("methods off")
        headings = [
            TEXT["methods rank"],
            TEXT["by"],
            *(heading.format(n=n) for n in (FEW, MANY) for heading in off),
            *("CPR", "CMD"),
        ]
        rows = [
            [
                TEXT[f"method {row.method}"],
                TEXT[f"by {row.by}"],
                *(text for one in row.without.values() for text in (signed(one.median), f"{one.flipped:.0%}")),
                *(f"{area.value:.3f} ({area.low:.3f}–{area.high:.3f})" for area in row.areas.values()),
            ]
            for row in method_rows(checks)
        ]
        for keys in (("claim faithful", "claim alone"), ("claim methods",)):
            st.markdown(paragraph(CLAIMS[key](checks).sentence(TEXT, key) for key in keys))
        st.html(table(headings, rows, name=TEXT["methods rank"]))
        st.caption(TEXT["methods note"].format(within=WITHIN))


def _words(words: Iterable[ProbableToken]) -> str:
    return listed(f"**{plain(word.label)}** {word.probability:.0%}" for word in words)
