"""A correlation of a metric with people, with its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypedDict

import numpy as np
import numpy.typing as npt

from corrigenda.meta.correlation import COEFFICIENTS, Coefficient, leave_one_out
from corrigenda.meta.intervals import (
    CorrelationInterval,
    interval_over_both,
    interval_over_systems,
)
from corrigenda.meta.people import People

Floats = npt.NDArray[np.float64]


class CorrelationData(TypedDict):
    """A coefficient in the JSON of a report."""

    value: float
    interval: tuple[float, float] | None
    interval_over: str | None
    interval_method: str | None
    leave_one_out: tuple[float, float]


@dataclass(frozen=True)
class Correlation:
    """A coefficient with its interval, and its range when any one system is left out."""

    value: float
    interval: tuple[float, float] | None
    interval_over: str | None
    """What varies in the interval: `both` (systems and sentences), `inputs` or `systems`."""
    leave_one_out: tuple[float, float]
    interval_method: str | None = None
    """How the interval was made, such as `jackknife+sentences`, `mid-p` or `boot-both`."""

    def to_dict(self) -> CorrelationData:
        """The coefficient as plain Python values, ready for JSON."""
        return {
            "value": self.value,
            "interval": self.interval,
            "interval_over": self.interval_over,
            "interval_method": self.interval_method,
            "leave_one_out": self.leave_one_out,
        }


def correlation_with_people(
    scores: Floats, resampled: Floats | None, people: People, name: Coefficient
) -> Correlation:
    """The correlation of a metric's scores with people's; `resampled` has the drawn scores."""
    settings, human = people.settings, people.scores
    value = float(COEFFICIENTS[name](scores, human))
    without = leave_one_out(scores, human, name)
    if not settings.resamples or math.isnan(value):
        return Correlation(value, None, None, without)
    found, over = _interval(scores, resampled, people, name)
    return Correlation(value, found.bounds, over, without, found.described)


def _interval(
    scores: Floats, resampled: Floats | None, people: People, name: Coefficient
) -> tuple[CorrelationInterval, str]:
    """The interval of a correlation, and what varies in it."""
    settings, human, confidence = people.settings, people.scores, people.settings.confidence
    if resampled is None or people.resampled is None:
        return interval_over_systems(scores, human, name, confidence=confidence), "systems"
    both = (resampled, people.resampled)
    if settings.interval == "both":
        found = interval_over_both(
            scores, human, both, name, confidence=confidence, seed=settings.seed
        )
        return found, "both"
    systems = settings.interval == "boot-both"
    found = people.resamples.interval(*both, name, confidence, systems=systems)
    return found, "both" if systems else "inputs"
