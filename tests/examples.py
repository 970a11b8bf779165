"""How many examples Hypothesis tries: all of them, or a few with the profile `quick`."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "corrigenda")
QUICK = 5

# A busy machine must not fail a test: no deadline for a single example.
_COMMON = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("corrigenda", _COMMON)
settings.register_profile("quick", _COMMON, max_examples=QUICK)
settings.load_profile(PROFILE)


def examples(number: int) -> int:
    """The number of examples for a test that asks for its own."""
    return min(number, QUICK) if PROFILE == "quick" else number
