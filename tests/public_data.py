"""Names of what the public data sets hold, and a mark for tests of all of it."""

from __future__ import annotations

import os

import pytest

CONLL_SYSTEMS = (
    "AMU", "CAMB", "CUUI", "IITB", "INPUT", "IPN", "NTHU", "PKU", "POST", "RAC", "SJTU", "UFC", "UMC",
)  # fmt: skip

IS_FULL = bool(os.environ.get("CORRIGENDA_FULL"))
full = pytest.mark.skipif(
    not IS_FULL,
    reason="takes minutes with all its data: set CORRIGENDA_FULL=1",
)
