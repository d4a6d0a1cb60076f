"""What the browser's side of the maps and of the shift says is written down, and what it is given arrives."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from viz.base.words import page_text
from viz.pages.transformer_xl.components import relative_shift, term_maps
from viz.pages.transformer_xl.components.relative_shift import STEPS, relative_shift_view
from viz.pages.transformer_xl.components.term_maps import TermMaps

# Made by the page for each step, with the numbers of the example.
MADE = {f"{what} {step}" for what in ("title", "about") for step in STEPS}


@pytest.mark.parametrize("package", [term_maps, relative_shift], ids=lambda package: package.__name__)
def test_every_word_of_the_scripts_is_written_down(package: Any) -> None:
    folder = Path(package.__file__).parent
    source = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.js"))
    wanted = {re.escape(word) for word in re.findall(r'words\["([^"]+)"\]', source)}
    wanted |= {re.sub(r"\\\$\\\{\w+\\\}", ".+", re.escape(word)) for word in re.findall(r"words\[`([^`]+)`\]", source)}
    wanted |= {re.escape(word) for word in re.findall(r'"((?:in|said) [a-z]+|later)"', source)}
    known = {*page_text(f"pages/transformer_xl/{folder.name}"), *page_text("base/lists"), *MADE}
    assert wanted
    assert [word for word in wanted if not any(re.fullmatch(word, one) for one in known)] == []
    assert [
        one
        for one in page_text(f"pages/transformer_xl/{folder.name}")
        if not any(re.fullmatch(word, one) for word in wanted)
    ] == []


def test_the_steps_are_those_of_the_scripts() -> None:
    assert f"const STEPS = [{', '.join(f'{chr(34)}{step}{chr(34)}' for step in STEPS)}];" in relative_shift.SCRIPT


def test_maps_are_sent_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: dict[str, Any] = {}
    monkeypatch.setattr(term_maps, "_mount", lambda **given: sent.update(given))
    terms = np.arange(24, dtype=np.float32).reshape(4, 2, 3)
    maps = TermMaps(terms, terms.sum(0), terms[0], ("<b>", "␣", "c"), 1, (1.0, 2.0, 3.0, 4.0, 5.0), 1.0)
    titles = dict.fromkeys(("a", "b", "c", "d", "scores", "pattern"), "title")
    term_maps.term_maps(maps, titles=titles, alt="alt", file_name="maps", theme="light", words={}, key="maps")
    assert terms.tobytes() in sent["data"]
    assert '"labels":["<b>","␣","c"]'.encode() in sent["data"]
    assert b'"n_remembered":1' in sent["data"]


def test_the_shift_is_sent_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: dict[str, Any] = {}
    monkeypatch.setattr(relative_shift, "_mount", lambda **given: sent.update(given))
    scores = np.arange(6, dtype=np.float32).reshape(2, 3)
    relative_shift_view(scores, ["b", "c"], ["a", "b", "c"], alts=["alt"] * 6, theme="dark", words={}, key="shift")
    assert scores.tobytes() in sent["data"]
    assert b'"query_labels":["b","c"]' in sent["data"]
