"""Tables and archives that can be saved."""

import csv
import io

import numpy as np
import pytest

from viz.base.exports import arrays_as_npz, columns_as_csv, matrix_as_csv, rows_as_csv, table_as_npz


def test_a_table_leaves_out_what_is_not_known_and_runs_no_formula() -> None:
    columns = {"word": ["=1+1", "a"], "n": [1, 2], "x": np.array([0.5, np.nan])}
    assert list(csv.reader(io.StringIO(columns_as_csv(columns)))) == [
        ["word", "n", "x"],
        ["'=1+1", "1", "0.5"],
        ["a", "2", ""],
    ]
    assert rows_as_csv(["x", "y"], [[f"{np.nan:.6g}", np.nan]]) == "x,y\n,\n"


def test_a_matrix_is_read_back_to_the_last_bit() -> None:
    matrix = np.random.default_rng(0).random((2, 50), dtype=np.float32)
    table = matrix_as_csv(matrix, ["a", "b"], [str(column) for column in range(50)], axes="query \\ key")
    (corner, *_), *rows = csv.reader(io.StringIO(table))
    assert corner == "query \\ key"
    np.testing.assert_array_equal(np.array([row[1:] for row in rows], dtype=np.float32), matrix)


def test_an_archive_gives_back_every_array() -> None:
    arrays = {"a": np.arange(3), "b": np.ones((2, 2), np.float32)}
    with np.load(io.BytesIO(arrays_as_npz(arrays))) as archive:
        for name, array in arrays.items():
            np.testing.assert_array_equal(archive[name], array)


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "-", "\t=1+1", "\r=1+1"])
def test_text_that_begins_like_a_formula_is_text_in_a_spreadsheet(text: str) -> None:
    rows = list(csv.reader(io.StringIO(rows_as_csv([text], [[text]]))))
    assert [[cell.replace("\n", "\r") for cell in row] for row in rows] == [[f"'{text}"], [f"'{text}"]]


def test_numbers_are_left_as_they_are() -> None:
    rows = list(csv.reader(io.StringIO(rows_as_csv(["a", "b"], [["-0.25", -3]]))))
    assert rows[1] == ["-0.25", "-3"]


def test_a_table_becomes_arrays_that_numpy_reads_by_its_headings() -> None:
    table = rows_as_csv(["word", "log P", "a/b", ""], [["das", -1.5, "", 1], ["=Haus", 2, 3, 2]])
    with np.load(io.BytesIO(table_as_npz(table))) as arrays:
        assert arrays["word"].tolist() == ["das", "'=Haus"]
        np.testing.assert_array_equal(arrays["log P"], [-1.5, 2])
        np.testing.assert_array_equal(arrays["a_b"], [np.nan, 3])
        np.testing.assert_array_equal(arrays["column_4"], [1, 2])


def test_words_come_back_as_they_were() -> None:
    words = ["nan", "inf", "", "1e5", "NaN", "the"]
    weights = np.eye(6, dtype=np.float32)
    weights[0, 1] = np.nan
    heading, *rows = csv.reader(io.StringIO(matrix_as_csv(weights, words, words)))
    assert heading[1:] == [row[0] for row in rows] == words
    assert rows[0][1:] == ["1", "", "0", "0", "0", "0"]
    columns = {"nan": words, "x": [np.nan, 1, 2, 3, 4, 5]}
    heading, *rows = csv.reader(io.StringIO(columns_as_csv(columns)))
    assert heading == ["nan", "x"]
    assert [row[0] for row in rows] == words
    assert [row[1] for row in rows] == ["", "1", "2", "3", "4", "5"]


@pytest.mark.parametrize(
    "headings",
    [["the", "the", "the"], ["a/b", "a_b"], ["", "column_1", ""], ["the", "the_2", "the"], ["file", "allow_pickle"]],
)
def test_every_column_is_an_array_whatever_the_headings(headings: list[str]) -> None:
    table = rows_as_csv(headings, [[*range(len(headings))]])
    with np.load(io.BytesIO(table_as_npz(table))) as arrays:
        assert [arrays[name].tolist() for name in arrays] == [[place] for place in range(len(headings))]


def test_a_table_without_rows_becomes_empty_arrays() -> None:
    with np.load(io.BytesIO(table_as_npz(rows_as_csv(["a", "b"], [])))) as arrays:
        assert {name: arrays[name].size for name in arrays} == {"a": 0, "b": 0}
