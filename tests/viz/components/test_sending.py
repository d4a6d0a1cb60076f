"""What is sent of a large recording: every head reduced, and whole what is on the screen."""

import json

import numpy as np
import pytest

from tests.fixtures.payload import unpack
from viz.base.attention_maps import AttentionKind, TokenRow
from viz.components.attention_explorer import ExplorerView
from viz.components.attention_explorer.payload import pack
from viz.components.attention_explorer.sending import MAX_APART, SendReduced

N = 200
ROW = TokenRow(tuple(f"token{index}" for index in range(N)), special=(True, *[False] * (N - 1)))


def recording(n_layers: int = 2, n_heads: int = 6, seed: int = 0) -> AttentionKind:
    weights = np.random.default_rng(seed).random((n_layers, n_heads, N, N), dtype=np.float32) ** 8
    return AttentionKind("encoder", weights / weights.sum(axis=-1, keepdims=True), ROW, ROW)


KIND = recording()


def sent(view: ExplorerView, *, other: tuple[AttentionKind, ...] = (), wanted: bool = False) -> tuple[dict, dict]:
    data = pack(
        (KIND,), other=other, theme="light", header={}, sending=SendReduced(view), wants_numbers=lambda _: wanted
    )
    return unpack(data)


def test_every_head_is_sent_reduced_and_whole_what_is_chosen() -> None:
    header, blocks = sent(ExplorerView(heads=((0, 1), (1, 5))))
    rows = header["rows"][header["recordings"][0][0]["queries"]]["starts"]
    assert blocks["overview 0 encoder"].shape == (2, 6, len(rows), len(rows))
    np.testing.assert_array_equal(blocks["overview 0 encoder"], np.rint(KIND.reduced.largest * np.float32(255)))
    assert [(one["of"], one["heads"]) for one in header["whole"]] == [("0 encoder", [[0, 1]]), ("0 encoder", [[1, 5]])]
    np.testing.assert_array_equal(blocks["whole 1"], np.rint(KIND.weights[1, 5] * np.float32(255)))
    assert not {name for name in blocks if name.startswith(("weights", "numbers", "entropy"))}


@pytest.mark.parametrize(("combine", "of_many"), [("mean", np.mean), ("max", np.max)])
def test_many_heads_are_sent_as_one_map(combine: str, of_many: type[np.mean]) -> None:
    heads = tuple((layer, head) for layer in range(2) for head in range(6))[: MAX_APART + 1]
    view = ExplorerView(heads=heads, combine=combine)
    header, blocks = sent(view, wanted=True)
    (whole,) = header["whole"]
    assert whole["combine"] == combine
    wanted = of_many(np.stack([KIND.weights[head] for head in heads]), axis=0)
    np.testing.assert_allclose(blocks["numbers 0"], wanted, atol=1e-6)
    assert np.abs(blocks["whole 0"] * (whole["scale"] / 255) - wanted).max() <= whole["scale"] / 500


def test_what_orders_heads_and_a_second_recording_are_sent_when_they_are_looked_at() -> None:
    _, blocks = sent(ExplorerView(sort="entropy"))
    np.testing.assert_allclose(blocks["entropy 0 encoder"], KIND.reduced.measure("entropy"))
    other = (recording(seed=1),)
    assert [one["of"] for one in sent(ExplorerView(), other=other)[0]["whole"]] == ["0 encoder"]
    compared = sent(ExplorerView(compare="recordings"), other=other)[0]
    assert [one["of"] for one in compared["whole"]] == ["0 encoder", "1 encoder"]
    heads = tuple((0, head) for head in range(6))
    assert len(sent(ExplorerView(heads=heads, compare="heads"))[0]["whole"]) == 2


def test_a_recording_is_told_from_another_and_not_from_itself() -> None:
    changed = KIND.weights.copy()
    changed[1, 3, 7, :2] = changed[1, 3, 7, 1::-1] + np.float32(1e-3)
    other = AttentionKind("encoder", changed, ROW, ROW)
    digests = [
        json.dumps(unpack(pack((kind,), theme="light", header={}, sending=SendReduced(view)))[0]["digest"])
        for kind, view in (
            (KIND, ExplorerView()),
            (KIND, ExplorerView(heads=((1, 1),), sort="entropy")),
            (other, ExplorerView()),
        )
    ]
    assert digests[0] == digests[1] != digests[2]


def test_bytes_grow_with_what_is_on_the_screen() -> None:
    def size(view: ExplorerView) -> int:
        return len(pack((KIND,), theme="light", header={}, sending=SendReduced(view)))

    one, two = size(ExplorerView()), size(ExplorerView(heads=((0, 0), (0, 1))))
    assert one < KIND.weights.size / 2
    assert two - one == pytest.approx(N * N, abs=300)
