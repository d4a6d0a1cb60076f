"""Models: what ships, how well it translates, and everything that was recorded of each."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from model.checkpoint import DamagedWeightsError
from pretrained import ModelCard, read_card, shipped
from viz.base.exports import rows_as_csv
from viz.base.link_parameters import choice_of
from viz.base.words import page_text
from viz.components.table import table
from viz.shared.encodings import encoding_title
from viz.shared.model_words import is_left_in_english, model_words
from viz.shared.shipped import DEFAULT_TRANSLATOR, damage
from viz.shell.controls import download, place_for_warnings, select, warn_bad_links

TEXT = page_text("pages/reference/models")
_COLUMNS = ("name", "source", "target", "parameters", "bleu", "chrf", "sentences", "size")
_KEY = "shown-model"
_ROOT = Path(__file__).parents[3]
# Entries that only name the files and the code that a number was made of.
_CODE = re.compile(r" ?Code: commit [^.]*\.")
_PROVENANCE = re.compile(r"(^|\.)(sha256|commit|history|weights)(\.|$)")


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    st.markdown(TEXT["lead"])
    cards = {card.name: card for card in _cards()}
    if not cards:
        st.markdown(TEXT["none"])
        return
    names, rows = [TEXT[column] for column in _COLUMNS], list(map(_row, cards.values()))
    with st.container(key="models"):
        st.html(table(names, rows, code_columns=(0,), name=TEXT["models"]))
    download(TEXT["download models"], lambda: rows_as_csv(names, rows), "models.csv")
    st.markdown(TEXT["what is seen"])
    _show_about()
    # The one that pages open with comes first.
    field = choice_of(_KEY, sorted(cards, key=lambda name: name != DEFAULT_TRANSLATOR))
    warn_bad_links(warnings, [field])
    _show_model(cards[select(field, TEXT["model"], width=320)])


def _show_about() -> None:
    """Say what the app is, and offer its licence and its citation; an installed copy has them elsewhere."""
    st.markdown(TEXT["about"])
    files = [_ROOT / name for name in ("LICENSE", "CITATION.cff")]
    if all(file.is_file() for file in files):
        with st.container(horizontal=True):
            for file in files:
                download(TEXT["save"].format(name=file.name), file.read_bytes, file.name)


def _cards() -> Iterator[ModelCard]:
    for name in shipped():
        try:
            yield read_card(name)
        except DamagedWeightsError as error:
            st.warning(TEXT["damaged"].format(name=name, reason=damage(error)))
        except ValueError:
            # Its configuration has gone since it was listed.
            continue


def _row(card: ModelCard) -> list[str]:
    measured = card.metrics["dev"]
    return [
        card.name,
        model_words(card.source_language),
        model_words(card.target_language),
        f"{card.metrics['n_parameters'] / 1e6:.1f} M",
        _bleu(measured),
        f"{measured['chrf']:.2f}",
        f"{measured['sentences']:,}",
        TEXT["megabytes"].format(megabytes=card.n_bytes / 1e6),
    ]


def _bleu(measured: Mapping[str, Any]) -> str:
    kind = "bleu of characters" if _is_of_characters(measured) else "bleu of words"
    return TEXT[kind].format(bleu=measured["sacrebleu"])


def _is_of_characters(measured: Mapping[str, Any]) -> bool:
    # Japanese has no spaces between words: the score's own signature says that it counts characters.
    return "tok:char" in measured["sacrebleu_signature"]


def _show_model(card: ModelCard) -> None:
    text, recorded = st.columns(2, gap="large")
    with text, st.container(key="card"):
        if is_left_in_english(card.text):
            st.caption(TEXT["card in English"])
        st.markdown(_demoted(_CODE.sub("", card.text)))
    with recorded, st.container(key="recorded"):
        st.html(table([TEXT["in short"], TEXT["value"]], in_short(card), name=TEXT["in short"]))
        with st.expander(TEXT["by name"]):
            for title, values in (("metrics", card.metrics), ("configuration", asdict(card.config))):
                headings, entries = [TEXT[title], TEXT["value"]], list(flat(values))
                first = [entry for entry in entries if not _PROVENANCE.search(entry[0])]
                st.html(table(headings, first, code_columns=(0, 1), name=TEXT[title]))
                content = partial(rows_as_csv, headings, entries)
                download(TEXT[f"download {title}"], content, f"{card.name}-{title}.csv")
        with st.expander(TEXT["provenance"]):
            st.markdown("\n\n".join(match[0] for match in _CODE.finditer(card.text)))
            entries = [entry for entry in flat(card.metrics) if _PROVENANCE.search(entry[0])]
            st.html(table([TEXT["metrics"], TEXT["value"]], entries, code_columns=(0, 1), name=TEXT["provenance"]))


def in_short(card: ModelCard) -> list[tuple[str, str]]:
    """Return what a reader asks of a model first, each as a label and its value."""
    config, metrics = card.config, card.metrics
    values = {
        "layers": f"{config.n_encoder_layers} + {config.n_decoder_layers}",
        "width": f"{config.d_model:,}",
        "heads": f"{config.n_heads} × {config.d_key}",
        "hidden units": f"{config.d_ff:,}",
        "positional encoding": encoding_title(config.positional),
        "vocabulary": f"{config.vocabulary_size:,}",
        "weights and biases": f"{metrics['n_parameters']:,}",
        "updates": f"{metrics['step']:,}",
        "beam size": f"{metrics['dev']['beam_size']}",
        "length penalty": f"{metrics['dev']['length_penalty']}",
    }
    return [(TEXT[name], value) for name, value in values.items()]


def _demoted(text: str) -> str:
    """Return a card's ``text`` with its headings one level lower, under the page's own."""
    return "\n".join(f"#{line}" if line.startswith("#") else line for line in text.splitlines())


def flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield every entry of nested ``values`` as its dotted name and its value as text."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, str(value)


if __name__ == "__main__":
    show()
