"""How many examples Hypothesis tries: half of them, all with CORRIGENDA_FULL, a few in `quick`."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

from public_data import IS_FULL

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "corrigenda")
QUICK = 5

# A busy machine must not fail a test: no deadline for a single example.
_COMMON = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def examples(number: int) -> int:
    """The number of examples for a test that asks for its own.

    Every run tries other examples, so half of them per run find as much in two runs.
    """
    if PROFILE == "quick":
        return min(number, QUICK)
    return number if IS_FULL else max(min(number, QUICK), number // 2)


settings.register_profile("corrigenda", _COMMON, max_examples=examples(100))
settings.register_profile("quick", _COMMON, max_examples=QUICK)
settings.load_profile(PROFILE)
