"""Texts of plain JSON lines, without strings of Python; cpp/json_rows.hpp says what is plain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import corrigenda._kernels as _kernels
from corrigenda.kernels.lines import Lines

Places = npt.NDArray[np.int64]


class JsonTexts(NamedTuple):
    """Columns of texts; the first, second, … reference of each line; columns of keys."""

    texts: list[Lines]
    references: list[Lines]
    keys: list[Lines]


def json_texts(
    data: bytes,
    begins: Places,
    ends: Places,
    *,
    texts: Sequence[str],
    references: Sequence[str],
    keys: Sequence[str],
    longest: int,
    most_references: int,
) -> JsonTexts | None:
    """The named texts of the lines `data[begins[i]:ends[i]]`. None if one line is not plain."""
    found = _kernels.json_texts(
        data,
        np.ascontiguousarray(begins),
        np.ascontiguousarray(ends),
        longest,
        list(texts),
        list(references),
        list(keys),
        most_references,
    )
    return None if found is None else JsonTexts(*(list(map(Lines, each)) for each in found))
