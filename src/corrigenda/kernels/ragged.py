"""A batch of sentences as one array of ids and the offsets at which each sentence starts."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from corrigenda import arguments
from corrigenda.errors import UsageError, brief


@dataclass(frozen=True)
class Ragged:
    """Sentence i is `ids[offsets[i]:offsets[i + 1]]`.

    The arrays are checked once, here, so the kernels can trust them.
    """

    ids: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int64]

    def __post_init__(self) -> None:
        if self.ids.dtype != np.int32 or self.offsets.dtype != np.int64:
            raise TypeError(
                "ids must be int32 and offsets int64,"
                f" not {self.ids.dtype} and {self.offsets.dtype}"
            )
        if self.ids.ndim != 1 or self.offsets.ndim != 1 or len(self.offsets) == 0:
            raise ValueError("ids and offsets must be one-dimensional, and offsets not empty")
        check_offsets(self.offsets, len(self.offsets) - 1, len(self.ids), "offsets")

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """The number of units of each sentence."""
        return np.diff(self.offsets)


def single(ids: Sequence[int]) -> Ragged:
    """One sentence."""
    return Ragged(np.array(ids, np.int32), np.array([0, len(ids)], np.int64))


def one_reference() -> npt.NDArray[np.int64]:
    """The reference offsets of one sentence with one reference."""
    return np.array([0, 1], np.int64)


def check_offsets(offsets: npt.NDArray[np.int64], parts: int, total: int, name: str) -> None:
    """Check offsets that divide `total` things into `parts`. The kernels do not check them."""
    if offsets.dtype != np.int64 or offsets.shape != (parts + 1,):
        raise ValueError(f"{name} must be int64, with {parts + 1} entries for {parts} parts")
    if offsets[0] != 0 or offsets[-1] != total or (offsets[1:] < offsets[:-1]).any():
        raise ValueError(f"{name} must rise from 0 to {total}")


def default_threads() -> int:
    """The number of threads for kernels: CORRIGENDA_THREADS, or the cores of this process."""
    given = os.environ.get("CORRIGENDA_THREADS")
    if given is None:
        available = getattr(os, "sched_getaffinity", None)
        return len(available(0)) if available else os.cpu_count() or 1
    if not re.fullmatch("0*[1-9][0-9]{0,3}", given):
        raise UsageError(
            f"CORRIGENDA_THREADS is {brief(given)}",
            remedy="Set it to a whole number from 1 to 9999.",
        )
    return int(given)


def threads_of(given: int | None) -> int:
    """The given number of threads, or the default one for None."""
    if given is None:
        return default_threads()
    return arguments.whole_number("threads", given, least=1, most=arguments.MOST_THREADS)
