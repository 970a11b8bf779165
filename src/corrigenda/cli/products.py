"""How the matrix products of resampling are computed."""

from __future__ import annotations

import os


def single_threaded_products() -> None:
    """Use one thread per matrix product.

    The products here are small: to share one among threads costs more time than it saves, above all
    on a busy machine. This has an effect only before numpy is loaded.
    """
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
