"""Columns of text that stay in the buffers of Arrow: no string of Python is made."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from corrigenda.bulk.columns import Columns
from corrigenda.corpus.reference_texts import ReferenceTexts
from corrigenda.kernels.lines import Lines, sentences_in

Texts = tuple[Lines, Lines, Sequence[tuple[str, ...]]]
"""Sources, hypotheses and references."""


def arrow_texts(batch: pa.RecordBatch, columns: Columns) -> Texts | None:
    """The texts of all rows; None if a text is missing or is not a valid sentence.

    Rows may have several references if all rows have the same number. For all other rows the
    reader makes strings, so that it can say which row lacks what.
    """
    given = (batch.column(columns.source), batch.column(columns.hypothesis))
    found = [texts for column in given for texts in _texts(column)]
    if len(found) != len(given):
        return None
    references: list[Lines] = []
    for name in columns.references:
        column = batch.column(name)
        of_column = _texts_of_lists(column) or _texts(column)
        if not of_column:
            return None
        references += of_column
    return found[0], found[1], ReferenceTexts(references, batch.num_rows)


def _texts(column: pa.Array, step: int = 1) -> list[Lines]:
    """The texts of a column; with a step, every second, third, … from the first, second, … on.

    Nothing if the column holds anything but valid sentences.
    """
    kinds = {pa.string(): np.int32, pa.large_string(): np.int64}
    if column.type not in kinds or column.null_count:
        return []
    _, places, data = column.buffers()
    if places is None:  # a column without rows
        return []
    offsets: npt.NDArray[np.int64] = np.frombuffer(places, kinds[column.type])[
        column.offset : column.offset + len(column) + 1
    ].astype(np.int64)
    content = np.frombuffer(b"" if data is None else data, np.uint8)
    found = []
    for first in range(step):
        lines = sentences_in(content, offsets[:-1][first::step], offsets[1:][first::step])
        if lines is None:
            return []
        found.append(lines)
    return found


def _texts_of_lists(column: pa.Array) -> list[Lines]:
    """The first, second, … texts of lists that all have the same length."""
    is_list = pa.types.is_list(column.type) or pa.types.is_large_list(column.type)
    if not is_list or column.null_count or not len(column):
        return []
    offsets = column.offsets.to_numpy()
    size = int(offsets[1] - offsets[0])
    if not size or (np.diff(offsets) != size).any():
        return []
    return _texts(column.values.slice(int(offsets[0]), size * len(column)), size)
