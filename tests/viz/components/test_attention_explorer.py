"""What the attention explorer is given and sends, and how its view is written into a URL."""

import json
import re
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.fixtures.payload import unpack
from viz.base.attention_maps import AttentionKind, ExactRow, RowAddress, Step, TokenRow, exact_rows
from viz.base.link_parameters import query_of, read_fields, read_link
from viz.base.words import page_text
from viz.components import attention_explorer as package
from viz.components.attention_explorer import PARAMETERS, ExplorerView
from viz.components.attention_explorer.payload import pack
from viz.components.attention_explorer.sending import quantised
from viz.components.browser import bundle

FOLDER = Path(package.__file__).parent
SCRIPTS = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.js")}
TEXT = page_text("components/attention_explorer")

SOURCE = TokenRow(("⟨s⟩", "ti", "red"), ((0, 1), (1, 3)), (True, False, False))
TARGET = TokenRow(("mü", "de"), ((0, 2),))
READ = TokenRow(("⟨s⟩", "mü"))
OTHER = TokenRow(("a", "b", "c"))


def random(*shape: int) -> np.ndarray:
    weights = np.random.default_rng(0).random(shape, dtype=np.float32)
    return weights / weights.sum(axis=-1, keepdims=True)


def translation() -> tuple[AttentionKind, ...]:
    return (
        AttentionKind("encoder", random(3, 2, 3, 3), SOURCE, SOURCE),
        AttentionKind("decoder", random(2, 4, 2, 2), TARGET, READ),
        AttentionKind("cross", random(2, 4, 2, 3), TARGET, SOURCE),
    )


@pytest.mark.parametrize(
    ("labels", "words", "special", "word_labels", "said"),
    [
        ((), (), (), (), "no token"),
        (("a", "b"), (), (True,), (), "1 flags for 2 tokens"),
        (("a", "b"), ((0, 1),), (), (), "do not cover 2 tokens"),
        (("a", "b"), ((0, 1), (1, 1), (1, 2)), (), (), "do not cover"),
        (("a", "b"), ((0, 2), (1, 2)), (), (), "do not cover"),
        (("a", "b"), ((0, 2),), (), ("ab", "c"), "2 texts for 1 words"),
    ],
)
def test_tokens_that_do_not_fit_are_refused_in_a_sentence(
    labels: tuple, words: tuple, special: tuple, word_labels: tuple, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        TokenRow(labels, words, special, word_labels)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (np.zeros((1, 1, 2, 3), np.float32), r"shape \(1, 1, 2, 3\)"),
        (np.zeros((1, 0, 2, 2), np.float32), r"a layer and a head at least"),
        (np.zeros((1, 1, 2, 2)), "float64; give float32"),
        (np.full((1, 1, 2, 2), -0.1, np.float32), "negative or not finite"),
        (np.full((1, 1, 2, 2), np.nan, np.float32), "negative or not finite"),
        (np.full((1, 1, 2, 2), np.inf, np.float32), "negative or not finite"),
    ],
)
def test_weights_that_cannot_be_shown_are_refused_in_a_sentence(weights: np.ndarray, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        AttentionKind("encoder", weights, READ, READ)


@pytest.mark.parametrize("largest", [1.0, 37.5])
def test_a_byte_is_right_to_within_a_510th_of_what_255_stands_for(largest: float) -> None:
    weights = np.random.default_rng(1).random((2, 3, 16, 16), dtype=np.float32) * np.float32(largest)
    kind = AttentionKind("encoder", weights, *[TokenRow(tuple("abcdefghijklmnop"))] * 2)
    scales = kind.scales
    found = quantised(weights, scales) * (scales / 255)[:, :, None, None]
    assert np.abs(found - weights).max() <= scales.max() / 510 * 1.0001
    assert scales.max() == pytest.approx(1 if largest == 1 else weights.max())


def test_the_largest_weight_of_a_softmax_that_rounds_up_is_255() -> None:
    weights = np.full((1, 1, 1, 1), 1.00001, np.float32)
    assert quantised(weights, np.ones((1, 1), np.float32)).item() == 255


def test_the_browser_is_sent_what_was_recorded() -> None:
    kinds = translation()
    rows = exact_rows(kinds, [RowAddress("cross", 1, 3, 1), RowAddress("encoder", 2, 0, 2)])
    header, blocks = unpack(pack(kinds, exact=rows, steps=[Step("mü", (("a", 0.5),))], theme="dark", header={"a": "b"}))
    assert header["a"] == "b"
    assert header["steps"] == [{"label": "mü", "alternatives": [["a", 0.5]], "chosen": None}]
    assert header["exact"] == [["cross", 1, 3, 1], ["encoder", 2, 0, 2]]
    np.testing.assert_array_equal(blocks["exact 0"], kinds[2].weights[1, 3, 1])
    np.testing.assert_array_equal(blocks["exact 1"], kinds[0].weights[2, 0, 2])
    for kind, described in zip(kinds, header["recordings"][0], strict=True):
        assert described["name"] == kind.name
        assert header["rows"][described["queries"]]["labels"] == list(kind.queries.labels)
        assert header["rows"][described["keys"]]["labels"] == list(kind.keys.labels)
        np.testing.assert_array_equal(blocks[f"weights 0 {kind.name}"], np.rint(kind.weights * np.float32(255)))


def test_recordings_are_told_apart_by_weights_and_by_tokens() -> None:
    def digest(*kinds: AttentionKind) -> str:
        return unpack(pack(kinds, theme="light", header={}))[0]["digest"]

    encoder, decoder, cross = translation()
    other_weights = AttentionKind("encoder", random(3, 2, 3, 3)[::-1].copy(), SOURCE, SOURCE)
    other_tokens = AttentionKind("encoder", encoder.weights, OTHER, SOURCE)
    assert digest(encoder) == digest(translation()[0])
    assert len({digest(one) for one in (encoder, decoder, cross, other_weights, other_tokens)}) == 5


def test_a_weight_takes_at_most_one_byte_and_a_tenth() -> None:
    row = TokenRow(tuple(f"token{index}" for index in range(128)))
    weights = random(6, 8, 128, 128)
    data = pack((AttentionKind("encoder", weights, row, row),), theme="light", header={"text": dict(TEXT)})
    assert len(data) <= 1.1 * weights.size


VIEWS = [
    ExplorerView(),
    ExplorerView(
        kind="all",
        heads=((0, 1), (2, 0)),
        combine="max",
        grain="words",
        pins=((3, None), (4, 0)),
        threshold=0.125,
        hide_special=True,
        normalise=True,
        sort="entropy",
        compare="heads",
        step=0,
    ),
]


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_is_read_back_from_its_url(view: ExplorerView) -> None:
    parameters = query_of(view)
    assert read_link(ExplorerView, {**parameters, "text": "not the explorer's"}) == (view, [])
    assert set(parameters) <= set(PARAMETERS)


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_is_read_back_from_what_a_browser_sends(view: ExplorerView) -> None:
    assert read_fields(ExplorerView, json.loads(json.dumps(asdict(view)))) == view


@pytest.mark.parametrize(
    "sent", [{"heads": "1.1"}, {"heads": [[0]]}, {"pins": [[-1, None]]}, {"threshold": "x"}, {"kind": ["encoder"]}]
)
def test_what_no_view_can_be_is_not_taken_from_a_browser(sent: dict[str, Any]) -> None:
    assert read_fields(ExplorerView, sent) is None


def test_a_url_counts_from_one() -> None:
    assert query_of(VIEWS[1])["heads"] == "1.2-3.1"
    assert query_of(VIEWS[1])["pins"] == "4-5.1"
    assert query_of(VIEWS[1])["step"] == "1"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kind", "<script>"),
        ("heads", "0.1"),
        ("heads", "1"),
        ("heads", "1.2.3"),
        ("heads", "-".join(["1.1", *(f"{i}.1" for i in range(1, 500))])),
        ("pins", "a"),
        ("pins", "99999999999"),
        ("threshold", "nan"),
        ("threshold", "2"),
        ("threshold", ""),
        ("hide", "yes"),
        ("step", "0"),
        ("step", "²"),
        ("sort", ""),
    ],
)
def test_what_a_url_cannot_mean_is_named_and_everything_else_kept(name: str, value: str) -> None:
    parameters = {"by": "words", name: value}
    view, bad = read_link(ExplorerView, parameters)
    assert [link.key for link in bad] == [name]
    assert view == ExplorerView(grain="words")


def test_what_a_recording_does_not_have_is_left_out_of_the_view() -> None:
    asked = ExplorerView(kind="all", heads=((2, 1), (9, 9)), pins=((4, 4), (5, 0), (4, 5), (0, None)), step=7)
    fitted = asked.fitted(translation(), 2)
    assert fitted == ExplorerView(kind="all", heads=((2, 1),), pins=((4, 4), (0, None)))
    # The encoder has three layers of two heads, the decoder two of four.
    assert replace(asked, heads=((2, 3), (1, 3))).fitted(translation()).heads == ((1, 3),)
    alone = asked.fitted(translation()[1:2], 8)
    assert (alone.kind, alone.heads, alone.step) == ("decoder", ((1, 0),), 7)


def test_a_pinned_row_takes_every_head_and_every_piece_of_its_word() -> None:
    view = ExplorerView(kind="encoder", heads=((0, 0), (2, 1)), pins=((2, None), (2, 1)))
    assert view.wanted_rows(translation()) == (RowAddress("encoder", 0, 0, 2), RowAddress("encoder", 2, 1, 2))
    words = ExplorerView(kind="encoder", heads=((0, 0),), grain="words", pins=((2, None),))
    assert [address.query for address in words.wanted_rows(translation())] == [1, 2]


def test_a_pinned_row_of_all_takes_what_the_decoder_sees_on_both_sides() -> None:
    view = ExplorerView(kind="all", heads=((2, 1), (1, 3)), pins=((0, None), (4, None)))
    wanted = view.wanted_rows(translation())
    # The encoder has three layers of two heads, the decoder two of four.
    assert set(wanted) == {
        RowAddress("encoder", 2, 1, 0),
        RowAddress("decoder", 1, 3, 1),
        RowAddress("cross", 1, 3, 1),
    }
    assert all(isinstance(row, ExactRow) for row in exact_rows(translation(), wanted))


# What stands for a part of a key in the scripts, and what it can be.
PARTS = {
    "group": "kind|by|combine|compare",
    "value": "encoder|decoder|cross|all|pieces|words|mean|max|off|heads|recordings",
    "state.kind": "encoder|decoder|cross|all",
    "combine": "mean|max",
    "kind": "layer|head",
    "name": "layer|pointed|entropy|diagonal|distance|alignment",
    "value.name": "entropy|diagonal|distance|alignment",
    "way": "svg|png|csv|npz|html|print",
}


def key_pattern(key: str) -> re.Pattern[str]:
    return re.compile(
        re.sub(r"\\\$\\\{(.+?)\\\}", lambda part: f"({PARTS[part[1].replace(chr(92), '')]})", re.escape(key))
    )


def test_every_word_that_a_script_asks_for_is_there_and_none_is_left_over() -> None:
    brackets = [inside for source in SCRIPTS.values() for inside in re.findall(r"text\[(.+?)\]", source)]
    patterns = [key_pattern(key) for inside in brackets for _, key in re.findall(r"([\"`])(.+?)\1", inside)]
    assert [key for key in TEXT if not any(pattern.fullmatch(key) for pattern in patterns)] == []
    assert [p.pattern for p in patterns if not any(p.fullmatch(key) for key in [*TEXT, *page_text("base/lists")])] == []


def test_scripts_make_no_markup_of_texts() -> None:
    for name, source in SCRIPTS.items():
        forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|\beval\b"
        assert re.findall(forbidden, source) == [], name


def test_the_script_can_stand_in_a_page_of_its_own() -> None:
    source = bundle(FOLDER / "main.js")
    assert not re.search(r"</script|<!--", source, re.IGNORECASE)
    assert source.count("export default mounted(") == 2  # the entry, and where it is looked for
    assert source.rstrip().endswith("export default mounted((parent) => new Explorer(parent));")
