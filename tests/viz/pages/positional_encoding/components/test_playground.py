"""The playground's state, what is sent to the browser, and how scripts become one."""

import json
import re
from dataclasses import asdict, replace

import numpy as np
import pytest

from viz.base.link_parameters import query_of
from viz.base.words import page_text
from viz.components.browser import pack
from viz.pages.positional_encoding.components.playground import MAX_EXACT_VALUES, SCRIPT, n_exact_rows
from viz.pages.positional_encoding.components.playground.state import SLIDERS, OpenedView, PlaygroundState, read_view

STATES = [
    PlaygroundState(),
    PlaygroundState(4, 2.0, 8, 7, 1, 0),
    PlaygroundState(1024, 1e6, 4096, 4095, 511, 4095),
    PlaygroundState(64, 137.5, 100, 0, 31, 99),
]


@pytest.mark.parametrize("state", STATES)
def test_a_link_reopens_the_state_it_was_made_from(state: PlaygroundState) -> None:
    assert read_view(query_of(state)) == OpenedView(state, [])


@pytest.mark.parametrize("state", STATES)
def test_what_a_browser_sends_is_checked_like_a_link(state: PlaygroundState) -> None:
    sent = json.loads(json.dumps(asdict(state)))
    assert read_view({name: str(value) for name, value in sent.items()}) == OpenedView(state, [])
    assert read_view({"d_model": str([64]), "pair": str(None)}).state == PlaygroundState()


def test_the_first_view_needs_no_link() -> None:
    assert query_of(PlaygroundState()) == {}
    assert read_view({}) == OpenedView(PlaygroundState(), [])


def test_a_link_carries_values_as_it_did_at_first() -> None:
    state = PlaygroundState(64, 137.123456789, 100, 0, 31, 99)
    assert query_of(state) == {
        "d_model": "64", "base": "137.123456789", "length": "100", "position": "0", "pair": "31", "offset": "99",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "given"),
    [
        *[("d_model", given) for given in ("7", "2", "1026", "6.5", "nan", "", "many", "-8", "1e400")],
        *[("base", given) for given in ("1", "0", "-3", "inf", "NaN", "1000001", "1e999", "<b>")],
        *[("length", given) for given in ("0", "7", "4097", "100.5", "None")],
        *[("position", given) for given in ("-1", "256", "0.5", "nan")],
        *[("pair", given) for given in ("64", "-1", "nan")],
        *[("offset", given) for given in ("256", "-1")],
    ],
)
def test_what_cannot_be_shown_is_named_and_the_default_used(name: str, given: str) -> None:
    opened = read_view({name: given})
    assert opened.state == PlaygroundState()
    assert [(bad.key, bad.text) for bad in opened.bad_links] == [(name, given)]
    sentence = page_text("pages/positional_encoding/playground")[f"trouble {name}"]
    assert all(part in sentence for part in ("{given}", "{low}", "{high}", "{used}"))


def test_good_values_stand_beside_bad_ones() -> None:
    opened = read_view({"d_model": "16", "base": "1", "length": "64", "position": "63", "pair": "8"})
    assert opened.state == PlaygroundState(16, 10000.0, 64, 63, 7, 12)
    assert [bad.key for bad in opened.bad_links] == ["base", "pair"]


def test_what_is_followed_moves_inside_what_is_shown() -> None:
    assert read_view({"d_model": "4", "length": "8"}).state == PlaygroundState(4, 10000.0, 8, 7, 1, 7)


def test_no_more_numbers_are_sent_than_is_said() -> None:
    for state in [*STATES, replace(STATES[0], d_model=1024, length=4096)]:
        rows = n_exact_rows(state)
        assert 1 <= rows <= state.length
        assert rows * state.d_model <= MAX_EXACT_VALUES
        assert rows == state.length or (rows + 1) * state.d_model > MAX_EXACT_VALUES


def test_numbers_are_packed_behind_their_header() -> None:
    blocks = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.float32([7.5])}
    packed = pack({"word": "naïve"}, blocks)
    size = int.from_bytes(packed[:4], "little")
    header = json.loads(packed[4 : 4 + size])
    assert size % 4 == 0
    assert header.pop("language") == "en"
    assert header == {"word": "naïve", "blocks": [{"name": "a", "shape": [2, 3]}, {"name": "b", "shape": [1]}]}
    assert np.frombuffer(packed[4 + size :], "<f4").tolist() == [0, 1, 2, 3, 4, 5, 7.5]


def test_the_playground_imports_nothing_at_run_time() -> None:
    assert not re.search(r"^\s*import\b", SCRIPT, re.MULTILINE)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", SCRIPT)


def test_every_word_is_used_and_none_is_missing() -> None:
    words = set(page_text("pages/positional_encoding/playground"))
    views = ("matrix", "waves", "wavelengths", "clocks", "similarity", "profile", "rotation")
    per_control = {f"{kind} {name}" for kind in ("label", "help", "trouble") for name in SLIDERS}
    per_view = {f"{kind} {view}" for kind in ("title", "caption", "alt") for view in views}
    looked_up = set(re.findall(r"""(?:words\[|say\()(?:\w+ [<>=]+ \w+ \? )?["']([a-z ]+)["']""", SCRIPT))
    looked_up |= set(re.findall(r""""((?:source|caption|keys) [a-z ]+)\"""", SCRIPT))
    assert words == per_control | per_view | looked_up
