"""How the matrix products of resampling are computed."""

from __future__ import annotations

import os


def single_threaded_products() -> None:
    """Matrix products here are small: sharing one among threads costs more than it gives, the more on a busy machine.

    It has an effect only where numpy was not loaded before.
    """
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
