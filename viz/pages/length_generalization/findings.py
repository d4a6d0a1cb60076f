"""Known findings, a section of the replication: the paper's number, ours, and a verdict."""

from collections import Counter
from collections.abc import Iterable, Sequence

import pandas as pd
import streamlit as st

from model.zoo.evaluate import LEARNED
from viz.base.exports import rows_as_csv
from viz.base.words import listed_apart, page_text
from viz.components.table import table
from viz.pages.length_generalization.names import encoding_title
from viz.pages.length_generalization.study.findings import CheckedClaim, SeedResult, findings
from viz.pages.length_generalization.study.ranking import lengths_tested
from viz.shell.controls import download

TEXT = page_text("pages/length_generalization/findings")


def show_findings(results: pd.DataFrame) -> None:
    """Show every finding with both numbers and whether it holds here."""
    st.header(TEXT["title"], anchor="findings")
    st.markdown(TEXT["intro"].format(learned=LEARNED))
    entries = findings(results)
    counts = Counter(entry.verdict for entry in entries)
    st.markdown(
        TEXT["tally"].format(
            all=len(entries),
            holds=counts["holds"],
            part=counts["holds in part"],
            fails=counts["does not hold"],
            missing=counts["not measured"],
        )
    )
    headings = [TEXT[key] for key in ("claim", "paper", "seeds", "verdict")]
    rows = ([_claim(entry), _paper(entry), _here(entry), _verdict(entry)] for entry in entries)
    with st.container(key="findings-table"):
        st.html(table(headings, rows, name=TEXT["title"]))
    download(TEXT["download"], lambda: _as_csv(entries), "findings.csv")


def _claim(entry: CheckedClaim) -> str:
    return TEXT[f"claim {entry.name}"].format(**entry.figures)


def _paper(entry: CheckedClaim) -> str:
    """Return the paper's number for an encoding, for the best one, or for none beside the best other."""
    scores, lengths = entry.published, lengths_tested(entry.task)
    if not scores:
        return TEXT["paper missing"]
    best = max(scores, key=lambda name: scores[name])
    if entry.name == "copy none":
        rival = max((name for name in scores if name != "none"), key=lambda name: scores[name])
        return TEXT["paper rival"].format(value=scores["none"], rival=encoding_title(rival), rival_value=scores[rival])
    key = "paper one" if len(scores) == 1 else "paper best"
    return TEXT[key].format(value=scores[best], encoding=encoding_title(best), first=lengths[0], last=lengths[-1])


def _here(entry: CheckedClaim) -> str:
    return listed_apart(_seed(seed, seen) for seed, seen in entry.seeds.items()) or TEXT["seed missing"]


def _seed(seed: int, seen: SeedResult) -> str:
    if seen.rival is not None:
        return TEXT["seed rival"].format(
            seed=seed, value=seen.value, rival=encoding_title(seen.rival), rival_value=seen.rival_value
        )
    key = "seed one" if seen.n_encodings == 1 else "seed best"
    return TEXT[key].format(
        seed=seed, value=seen.value, encoding=encoding_title(seen.encoding), encodings=seen.n_encodings
    )


def _verdict(entry: CheckedClaim) -> str:
    true_of = sum(seen.holds for seen in entry.seeds.values())
    return TEXT[f"verdict {entry.verdict}"].format(true=true_of, seeds=len(entry.seeds))


def _as_csv(entries: Sequence[CheckedClaim]) -> str:
    headings = [TEXT[key] for key in ("claim", "paper", "csv seed", "csv value", "csv against", "csv holds")]
    return rows_as_csv(headings, (row for entry in entries for row in _csv_rows(entry)))


def _csv_rows(entry: CheckedClaim) -> Iterable[Sequence[str]]:
    if not entry.seeds:
        yield _claim(entry), _paper(entry), "", "", "", TEXT["verdict not measured"]
    for seed, seen in entry.seeds.items():
        against = "" if seen.rival_value is None else f"{seen.rival_value:.4f}"
        holds = TEXT["yes"] if seen.holds else TEXT["no"]
        yield _claim(entry), _paper(entry), str(seed), f"{seen.value:.4f}", against, holds
