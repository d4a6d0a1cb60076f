"""How wide the scripts of the browser take a text to be, beside how wide Python takes it."""

import json
import sys
import unicodedata

from tests.node import run_module
from viz.base.tokens import CONTINUATION, n_columns

COLUMNS = """
import { readFileSync } from "node:fs";
import { columnsOf, standsUpright } from "./viz/components/browser/scripts.js";
const texts = JSON.parse(readFileSync(0));
console.log(JSON.stringify([texts.map(columnsOf), texts.map(standsUpright)]));
"""
NO_TEXT = ("Cc", "Cs", "Co", "Cn")


def measured(texts: list[str]) -> tuple[list[int], list[bool]]:
    columns, are_upright = json.loads(run_module(COLUMNS, given=json.dumps(texts).encode()))
    return columns, are_upright


def test_every_character_is_as_wide_in_the_browser_as_in_python() -> None:
    characters = [one for one in map(chr, range(sys.maxunicode)) if unicodedata.category(one) not in NO_TEXT]
    columns, are_upright = measured(characters)
    assert [one for one, width in zip(characters, columns, strict=True) if width != n_columns(one)] == []
    assert [n == 2 for n in columns] == are_upright


def test_the_mark_of_a_continued_word_changes_no_direction() -> None:
    texts = ["ing", "t", "\u8857", "\u30b9", "\uff7d", "\U0001f642", "\ub2e8\uc5b4"]
    columns, are_upright = measured([*texts, *(CONTINUATION + text for text in texts)])
    assert columns[len(texts) :] == [n + 1 for n in columns[: len(texts)]]
    assert are_upright == 2 * [False, False, True, True, False, True, True]
