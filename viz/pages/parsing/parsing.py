"""Parsing: a sentence in, its constituency tree out, as a decoder writes it bracket by bracket."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import streamlit as st
from jaxtyping import Float
from streamlit.delta_generator import DeltaGenerator

from model.checkpoint import DamagedWeightsError
from model.decoding.parser import MAX_WORDS, Parse
from model.device import use_one_thread
from model.text.languages import SCRIPTS
from model.text.penn_words import penn_words
from model.text.scripts import main_script
from model.text.trees import Tree, read_trees, to_brackets, words
from pretrained.parsers import COMPARED, FILES, GOLD, PARSERS, ShippedParser, load_parser
from pretrained.translators import METRICS
from viz.base.exports import arrays_as_npz, rows_as_csv
from viz.base.link_parameters import Text, counted, switch
from viz.base.markdown import plain
from viz.base.words import listed, listed_apart, page_text
from viz.pages.parsing.figures.tree import DrawnNode, tree_figure, tree_width
from viz.pages.parsing.study.parsed import (
    WrittenConstituent,
    errors,
    following_heads,
    n_decoder_layers,
    nodes_of,
    weights_on_words,
)
from viz.pages.parsing.study.scores import LENGTHS, PARSER, ahead_in_short, comparison, peer_scores, worth
from viz.shared.choices import choose_step
from viz.shared.shipped import cached_while_unchanged, damage
from viz.shell.controls import choose, place_for_warnings, text_input, toggle, warn_bad_links
from viz.shell.picture import File, draw_picture
from viz.shell.state import hold

TEXT = page_text("pages/parsing/parsing")
_EXAMPLES = tuple(TEXT.lines("examples"))
_SENTENCE = Text("parse", _EXAMPLES[0], 600)
_FREE = switch("free", False)
_LAYER = "parse-layer"
_STEP = "parse-step"


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    warn_bad_links(warnings, [_SENTENCE, _FREE])
    try:
        parser = shipped_parser()
    except (DamagedWeightsError, OSError, ValueError) as error:
        warnings.warning(TEXT["no parser"].format(reason=damage(error)))
        return
    picture, column = st.columns([2, 1], gap="large")
    with picture:
        st.markdown(TEXT["see"])
        tree = st.container()
        text = text_input(_SENTENCE, TEXT["sentence"], placeholder=TEXT["placeholder"])
        _offer_sentences()
        words = tuple(penn_words(text))
        if not words:
            st.info(TEXT["empty"])
        elif len(words) > MAX_WORDS:
            st.warning(TEXT["too many"].format(given=len(words), most=MAX_WORDS))
        else:
            if main_script(text) not in (None, *SCRIPTS["English"]):
                st.warning(TEXT["other script"])
            _show_parse(words, tree, column, warnings)
    with column:
        st.markdown(TEXT["what to try"])
        explained, measured = _measured(parser.metrics)
        st.markdown(explained)
    scores, source = st.columns([2, 1], gap="large")
    scores.markdown(measured)
    scores.markdown(_compared())
    source.caption(TEXT["source"])


@cached_while_unchanged(lambda: [PARSERS / PARSER / file for file in (*FILES, METRICS)], max_entries=1)
def shipped_parser() -> ShippedParser:
    """Return the parser, one for all sessions.

    Raises:
        ValueError: it does not ship.
        OSError, DamagedWeightsError: its files are missing or not the recorded ones.
    """
    use_one_thread()
    return load_parser(PARSER)


@st.cache_resource(max_entries=64, show_spinner=False)
def parsed(words: tuple[str, ...], well_formed: bool) -> Parse:
    """Return what the parser makes of ``words``, not to be changed."""
    return shipped_parser().parser.parse(words, well_formed=well_formed)


@cached_while_unchanged(lambda: [PARSERS / PARSER / GOLD], max_entries=1)
def gold_trees() -> dict[tuple[str, ...], Tree]:
    """Return trees made by people, by their words; none where their file cannot be read."""
    try:
        trees = read_trees((PARSERS / PARSER / GOLD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {tuple(word.text for word in words(tree)): tree for tree in trees}


def _offer_sentences() -> None:
    with st.container(horizontal=True, key="example"):
        for number, example in enumerate(_EXAMPLES):
            st.button(example, key=f"parse-example-{number}", on_click=_take, args=(example,))
    known = [" ".join(texts) for texts in gold_trees()]
    if known:
        st.selectbox(
            TEXT["with gold"],
            known,
            index=None,
            key="parse-gold",
            placeholder=TEXT["choose gold"],
            on_change=_take_chosen,
        )


def _take(sentence: str) -> None:
    st.session_state[_SENTENCE.key] = sentence


def _take_chosen() -> None:
    if st.session_state["parse-gold"]:
        _take(st.session_state["parse-gold"])
        st.session_state["parse-gold"] = None


def _show_parse(
    words: tuple[str, ...], picture: DeltaGenerator, column: DeltaGenerator, warnings: DeltaGenerator
) -> None:
    """Show the tree of ``words``, and below it the steps in which it was written."""
    hold(_FREE)
    parse = parsed(words, not st.session_state[_FREE.key])
    if parse.tree is None:
        picture.warning(TEXT["malformed"].format(reason=TEXT[f"malformed {parse.malformed}"]))
    symbols = [str(written.symbol) for written in parse.symbols]
    step = choose_step(_STEP, TEXT["line"], symbols, _opening_step(parse), about=words, warnings=warnings) - 1
    with st.container(horizontal=True, vertical_alignment="bottom", key="parse-choices"):
        n_layers = n_decoder_layers(parse)
        field = counted(_LAYER, n_layers, n_layers - 1)
        warn_bad_links(warnings, [field])
        layer = choose(field, TEXT["layer"])
        toggle(_FREE, TEXT["free"])
    weights = weights_on_words(parse, layer)[step]
    with column:
        st.markdown(_chosen(parse, step))
    if parse.tree is None:
        return
    nodes = nodes_of(parse)
    gold = gold_trees().get(words)
    with picture:
        _draw(parse, nodes, gold, step, weights)
    with column:
        if gold is not None:
            st.markdown(_against(nodes, gold))
        if nodes:
            first, second, *_ = following_heads(parse, nodes)
            st.markdown(
                TEXT["follows"].format(
                    first=f"{first.layer + 1}.{first.head + 1}",
                    first_weight=f"{first.weight:.0%}",
                    second=f"{second.layer + 1}.{second.head + 1}",
                    second_weight=f"{second.weight:.0%}",
                )
            )


def _opening_step(parse: Parse) -> int:
    """Return the number of the step that opens the last prepositional phrase.

    That can often hang elsewhere.
    """
    opened = [number for number, written in enumerate(parse.symbols, start=1) if str(written.symbol) == "(PP"]
    return opened[-1] if opened else 1


def _draw(
    parse: Parse, nodes: Sequence[WrittenConstituent], gold: Tree | None, step: int, weights: Float[np.ndarray, " word"]
) -> None:
    assert parse.tree is not None
    wrong = errors(nodes, gold).wrong if gold is not None else frozenset[int]()
    drawn = [
        DrawnNode(
            node.label,
            node.start,
            node.end,
            node.depth,
            TEXT["told"].format(
                label=node.label,
                words=" ".join(parse.words[node.start : node.end]),
                opened=node.opened + 1,
                probability=f"{parse.symbols[node.opened].probability:.1%}",
            ),
            is_wrong=place in wrong,
            is_chosen=step in (node.opened, node.closed),
        )
        for place, node in enumerate(nodes)
    ]
    brackets = to_brackets(parse.tree)
    alt = TEXT["alt"].format(
        n=len(parse.words),
        n_nodes=len(nodes),
        step=step + 1,
        symbol=parse.symbols[step].symbol,
        word=parse.words[int(weights.argmax())],
        brackets=brackets,
    )
    files = [
        File(TEXT["brackets"], lambda: f"{brackets}\n", "tree.mrg"),
        File(TEXT["steps"], lambda: _steps_as_csv(parse), "steps.csv"),
        File(TEXT["maps"], lambda: arrays_as_npz({"words": np.array(parse.words), **parse.patterns}), "maps.npz"),
    ]
    figure = tree_figure(drawn, parse.words, weights.tolist())
    draw_picture(figure, key="parse-tree", file_name="tree", alt=alt, files=files, narrowest=tree_width(parse.words))


def _chosen(parse: Parse, step: int) -> str:
    written = parse.symbols[step]
    others = [
        TEXT["alternative"].format(symbol=symbol, probability=f"{probability:.1%}")
        for symbol, probability in written.alternatives
        if symbol != written.symbol
    ]
    return TEXT["chosen"].format(
        step=step + 1,
        n=len(parse.symbols),
        symbol=written.symbol,
        probability=f"{written.probability:.1%}",
        others=listed(others) or TEXT["no alternative"],
    )


def _against(nodes: Sequence[WrittenConstituent], gold: Tree) -> str:
    mistakes = errors(nodes, gold)
    texts = [word.text for word in words(gold)]
    missing = [
        TEXT["missing one"].format(label=span.label, words=plain(" ".join(texts[span.start : span.end])))
        for span in mistakes.missing
    ]
    key = "gold" if missing else "gold all there" if mistakes.wrong else "gold right"
    return TEXT[key].format(
        n=len(nodes), n_wrong=len(mistakes.wrong), n_missing=len(missing), missing=listed_apart(missing)
    )


def _measured(metrics: Mapping[str, Any]) -> tuple[str, str]:
    """Return how the parser works, and how good it is beside its peer, as far as its files can be read."""
    try:
        dev, peer = metrics["dev"], peer_scores()
        scores = {"f1": dev["f1"], "pcfg": peer["f1"]}
        for length in LENGTHS:
            scores[f"f1_{length}"] = dev["f1_by_length"][length]
            scores[f"pcfg_{length}"] = peer["f1_by_length"][length]
        rounded = {name: f"{score:.0f}" for name, score in scores.items()}
        table = TEXT["measured"].format(n=dev["sentences"], **rounded)
        ahead = ahead_in_short(dev, peer).sentence(TEXT, "claim short")
        return TEXT["explained"].format(malformed=f"{dev['malformed']:.0f}"), f"{table}\n\n{ahead}"
    except (OSError, ValueError, KeyError, TypeError):
        return TEXT["not measured"], ""


def _compared() -> str:
    """Return the scores of the runs of one length, as far as their file can be read."""
    try:
        runs = comparison()
        rows = [
            TEXT["compared row"].format(
                name=TEXT[f"compared {name}"],
                **{key: f"{runs[name][key]:.1f}" for key in ("f1", "unlabelled_f1", "free_f1", "malformed")},
            )
            for name in COMPARED
        ]
        heading = TEXT["compared"].format(steps=f"{runs[COMPARED[0]]['n_steps']:,}")
        return "\n".join([heading, *rows, "", worth(runs).sentence(TEXT, "claim worth")])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _steps_as_csv(parse: Parse) -> str:
    rows = [[str(written.symbol), f"{written.probability:.6f}"] for written in parse.symbols]
    return rows_as_csv(TEXT["csv"].split(","), [[str(step), *row] for step, row in enumerate(rows, start=1)])


if __name__ == "__main__":
    show()
