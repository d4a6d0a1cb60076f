"""Exports: tables as CSV, arrays as NPZ."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count, zip_longest
from typing import Any

import numpy as np
from jaxtyping import Float, Float32

Numbers = Float[np.ndarray, "..."]
# A spreadsheet skips a tab or a carriage return before a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
# As Python writes a number that is not there.
_UNKNOWN = "nan"
# Other arguments of what saves arrays by their names.
_NO_ARRAYS = ("file", "allow_pickle")
QUERY_BY_KEY = "query \\ key"
"""The corner of a table of attention."""


def for_spreadsheets(table: str) -> str:
    """Return the CSV ``table`` with a byte-order mark, without which Excel takes its letters for others."""
    return f"\N{ZERO WIDTH NO-BREAK SPACE}{table}"


def rows_as_csv(headings: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """Return ``rows`` under ``headings``; an unknown number leaves its cell empty.

    A word that looks like one stays, in a column with other words. No text is run by a spreadsheet as a formula.
    """
    # With this end of a row, a carriage return in a cell is quoted as well; in the text both become line feeds.
    table = io.StringIO(newline=None)
    writer = csv.writer(table, lineterminator="\r\n")
    cells = [[*row] for row in rows]
    is_of_numbers = [all(map(_is_number, filter(_is_there, column))) for column in zip_longest(*cells)]
    writer.writerow([_safe(heading, False) for heading in headings])
    writer.writerows([*map(_safe, row, is_of_numbers)] for row in cells)
    return table.getvalue()


def columns_as_csv(columns: Mapping[str, Sequence[object] | Numbers]) -> str:
    """Return named columns of one length as a CSV table; an unknown number leaves its cell empty."""
    rows = zip(*columns.values(), strict=True)
    return rows_as_csv(list(columns), ([_written(value) for value in row] for row in rows))


def matrix_as_csv(
    matrix: Float32[np.ndarray, "row column"], rows: Sequence[str], columns: Sequence[str], *, axes: str = ""
) -> str:
    """Return a matrix as a CSV table with row and column labels, and ``axes`` in its corner."""
    # Nine digits tell any two numbers of single precision apart.
    labelled = zip(rows, matrix, strict=True)
    return rows_as_csv([axes, *columns], ([label, *(f"{value:.9g}" for value in values)] for label, values in labelled))


def arrays_as_npz(arrays: Mapping[str, np.ndarray]) -> bytes:
    """Return ``arrays`` as an NPZ file."""
    archive = io.BytesIO()
    np.savez_compressed(archive, allow_pickle=False, **arrays)
    return archive.getvalue()


def table_as_npz(table: str) -> bytes:
    """Return the columns of a CSV ``table`` as arrays of an NPZ file, by their headings.

    A column of numbers is one of numbers, with NaN where a cell is empty; any other is one of texts. Of several columns
    with one heading, the later ones are numbered.
    """
    headings, *rows = csv.reader(io.StringIO(table))
    columns = zip(*rows, strict=True) if rows else ((),) * len(headings)
    arrays: dict[str, np.ndarray] = {}
    for place, (heading, column) in enumerate(zip(headings, columns, strict=True), 1):
        # A stroke would make a folder in the archive.
        name = heading.replace("/", "_") or f"column_{place}"
        names = chain([name], (f"{name}_{number}" for number in count(2)))
        arrays[next(name for name in names if name not in {*arrays, *_NO_ARRAYS})] = _as_array(column)
    return arrays_as_npz(arrays)


def _as_array(column: Sequence[str]) -> np.ndarray:
    try:
        return np.array([float(cell or "nan") for cell in column])
    except ValueError:
        return np.array(column)


def _safe(cell: object, is_number: bool) -> object:
    if str(cell) == _UNKNOWN and (is_number or not isinstance(cell, str)):
        return ""
    is_formula = isinstance(cell, str) and cell.startswith(_FORMULA) and not _is_number(cell)
    return f"'{cell}" if is_formula else cell


def _is_there(cell: object) -> bool:
    return cell is not None and cell != ""


def _is_number(cell: Any) -> bool:
    try:
        float(cell)
    except (TypeError, ValueError):
        return False
    return True


def _written(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | np.integer):
        return str(value)
    number = float(value)  # type: ignore[arg-type]
    return "" if np.isnan(number) else f"{number:.6g}"
