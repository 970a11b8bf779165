"""Which characters of a text its source has, too; cpp/common_parts.hpp explains the search."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import corrigenda._kernels as _kernels
from corrigenda.kernels.limits import bounded


def places_in_source(source: str, text: str) -> list[int]:
    """For each character of the text its place in the source, where the two agree; elsewhere -1."""
    with bounded():
        places: list[int] = _kernels.places_in_source(_letters(source), _letters(text)).tolist()
    return places


def _letters(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
