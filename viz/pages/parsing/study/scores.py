"""Claims about the parser, beside a grammar of the same trees and runs with another start."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pretrained.parsers import COMPARED, COMPARISON
from viz.base.claims import Claim, Claims
from viz.base.numbers import with_sign

PARSER = "parser-from-translator"
PEER = Path(__file__).parents[1] / "data" / "pcfg.json"
LENGTHS = ("10", "20", "30", "40")
"""The scores that are shown are of sentences up to so many words, each without those of the length before."""

Scores = Mapping[str, Any]


def peer_scores() -> Scores:
    """Return the scores of a grammar of the same trees.

    Raises:
        OSError: the file cannot be read.
        ValueError: the file is damaged.
    """
    scores: Scores = json.loads(PEER.read_text(encoding="utf-8"))
    return scores


def comparison() -> dict[str, Scores]:
    """Return the scores of each of ``COMPARED``.

    Raises:
        OSError: a file cannot be read.
        ValueError: a file is damaged.
    """
    runs: dict[str, Scores] = json.loads(COMPARISON.read_text(encoding="utf-8"))
    return runs


def ahead_in_short(parser_dev: Scores, parser_peer: Scores) -> Claim:
    """Return whether the parser beats the grammar on short sentences and loses on the longest shown."""
    ours, theirs = parser_dev["f1_by_length"], parser_peer["f1_by_length"]
    return Claim(ours[LENGTHS[0]] > theirs[LENGTHS[0]] and ours[LENGTHS[-1]] < theirs[LENGTHS[-1]])


def worth(parser_runs: Mapping[str, Scores]) -> Claim:
    """Look whether the translator's encoder raises F1, and parts of speech raise it further."""
    translator, nothing, tags = (parser_runs[name]["f1"] for name in COMPARED)
    values = {"encoder": with_sign(translator - nothing, 1), "tags": with_sign(tags - translator, 1)}
    return Claim(tags > translator > nothing, values)


_WORDS = "pages/parsing/parsing"
COMPUTED_CLAIMS: Claims = {(_WORDS, "claim short"): ahead_in_short, (_WORDS, "claim worth"): worth}
