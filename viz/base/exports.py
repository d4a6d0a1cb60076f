"""What can be saved: tables as CSV, arrays as NPZ."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from jaxtyping import Float, Float32

Numbers = Float[np.ndarray, "..."]


def rows_as_csv(headings: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """Return ``rows`` under ``headings``; no text in them is run by a spreadsheet as a formula."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerows([_safe(cell) for cell in row] for row in (headings, *rows))
    return table.getvalue()


def columns_as_csv(columns: Mapping[str, Sequence[object] | Numbers]) -> str:
    """Return ``columns`` of one length as a table under their names; a number that is not known is left empty."""
    rows = zip(*columns.values(), strict=True)
    return rows_as_csv(list(columns), ([_written(value) for value in row] for row in rows))


def matrix_as_csv(matrix: Float32[np.ndarray, "query key"], queries: Sequence[str], keys: Sequence[str]) -> str:
    """Return ``matrix`` as a table with a heading row and column of labels."""
    rows = zip(queries, matrix, strict=True)
    return rows_as_csv(["", *keys], ([query, *(f"{weight:.6g}" for weight in weights)] for query, weights in rows))


def arrays_as_npz(arrays: Mapping[str, np.ndarray]) -> bytes:
    """Return ``arrays`` as an NPZ file."""
    archive = io.BytesIO()
    np.savez_compressed(archive, allow_pickle=False, **arrays)
    return archive.getvalue()


def _safe(cell: object) -> object:
    is_formula = isinstance(cell, str) and cell.startswith(("=", "+", "-", "@")) and not _is_number(cell)
    return f"'{cell}" if is_formula else cell


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _written(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | np.integer):
        return str(value)
    number = float(value)  # type: ignore[arg-type]
    return "" if np.isnan(number) else f"{number:.6g}"
