"""Word alignment from attention, on maps and links made by hand."""

import numpy as np
import pytest

from model.analysis.maps.alignment import (
    GoldLinks,
    alignment_error_rate,
    at_step,
    links_of,
    pharaoh,
    read_gold,
    turned,
    word_spans,
    word_weights,
)


def test_gold_links_are_read_with_possible_ones_among_them() -> None:
    assert read_gold("1-1 2p3") == GoldLinks(frozenset({(0, 0)}), frozenset({(0, 0), (1, 2)}))
    with pytest.raises(ValueError, match="x"):
        read_gold("1-x")
    counted_from_0 = read_gold("0-0 1?2", possible="?", first=0)
    assert counted_from_0 == read_gold("1-1 2p3")
    assert turned(counted_from_0) == read_gold("1-1 3p2")


def test_words_have_the_pieces_that_hold_them_bytes_and_the_space_before_them_too() -> None:
    pieces = ["▁A", "▁c", "af", "<0xC3>", "<0xA9>", ".", "▁", "<0x59>", "es", "!"]
    assert word_spans(["A", "café", ".", "Yes", "!"], pieces) == [(0, 1), (1, 5), (5, 6), (6, 9), (9, 10)]
    # A piece over two words is of both, and a word that is written in another way of none.
    assert word_spans(["従", "一位"], ["▁", "従一", "位"]) == [(0, 2), (1, 3)]
    assert word_spans(["A", "cafe"], pieces) is None


def test_weights_of_words_are_sums_over_sources_and_means_over_targets() -> None:
    weights = np.array([[0.1, 0.2, 0.7], [0.3, 0.4, 0.3], [0.5, 0.5, 0.0]])
    np.testing.assert_allclose(
        word_weights(weights, [(0, 2), (2, 3)], [(0, 2), (2, 3)]), [[0.5, 0.5], [1.0, 0.0]], atol=1e-12
    )


def test_the_input_step_is_one_row_later() -> None:
    rows = np.eye(4)
    assert links_of(at_step(rows, "output")) == {(0, 0), (1, 1), (2, 2)}
    assert links_of(at_step(rows, "input")) == {(1, 0), (2, 1), (3, 2)}


def test_links_are_written_as_pharaoh_does() -> None:
    assert pharaoh({(2, 0), (0, 1), (0, 0)}) == "0-0 0-1 2-0"
    assert read_gold(pharaoh({(2, 0), (0, 1)}), first=0).sure == {(2, 0), (0, 1)}


def test_the_error_is_that_of_och_and_ney() -> None:
    gold = GoldLinks(frozenset({(0, 0), (1, 1)}), frozenset({(0, 0), (1, 1), (2, 2)}))
    assert alignment_error_rate([({(0, 0), (1, 1)}, gold)]) == 0
    # |A and S| = 1, |A and P| = 2, |A| = 3, |S| = 2.
    assert alignment_error_rate([({(0, 0), (2, 2), (0, 1)}, gold)]) == pytest.approx(1 - 3 / 5)
    assert np.isnan(alignment_error_rate([]))
