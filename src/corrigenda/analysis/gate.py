"""A gate: may a new system replace the baseline? One answer per metric, for machines to act on.

There are two questions. Without a margin: is the system worse? It fails if it is significantly
worse. With a margin: is it shown that the system is at most that much worse (non-inferiority)? It
fails unless that is shown, so a test set that is too small fails, too.

Both tests resample sentences, the same ones for both systems. The differences of the resamples,
around their mean, say how far the observed difference can lie from the true one by chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from corrigenda.analysis.resolution import (
    DEFAULT_CONFIDENCE,
    DEFAULT_CORRECTION,
    DEFAULT_RESAMPLES,
    Correction,
    alpha_of,
    enough_resamples,
    is_significant,
)
from corrigenda.analysis.significance import adjusted, check_comparable, shared_bootstrap_scores
from corrigenda.core.result import Result
from corrigenda.core.statistics import Array
from corrigenda.errors import UsageError

GateRule = Literal["not-worse", "non-inferior"]


@dataclass(frozen=True)
class GateCheck:
    """A system against the baseline by one metric: did it pass? Scores are fractions."""

    system: str
    baseline: str
    metric: str
    level: str
    score: float
    baseline_score: float
    difference: float
    bound: float
    """With rule `non-inferior` the lower bound of the difference, else the upper bound."""
    margin: float
    rule: GateRule
    p_value: float
    """Of the rule's test: `not-worse` tests that it is worse, `non-inferior` that it is not."""
    confidence: float
    passed: bool
    signature: str

    @property
    def reason(self) -> str:
        """What was decided, in words; scores × 100."""
        gap, bound = f"{100 * self.difference:+.2f}", f"{100 * self.bound:+.2f}"
        sure = f"with {100 * self.confidence:g} % confidence"
        if self.rule == "non-inferior":
            limit = f"-{100 * self.margin:g}"
            if self.passed:
                return f"{gap}; {sure} it is not below {bound}, and {limit} is allowed"
            return f"{gap}; {sure} it may be as low as {bound}, and {limit} is allowed"
        if self.passed:
            return f"{gap}; it is not significantly worse (p = {self.p_value:.3g})"
        return f"{gap}; it is significantly worse (p = {self.p_value:.3g})"


def gate_checks(
    by_metric: Sequence[Sequence[Result]],
    *,
    margin: float | None = None,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    correction: Correction = DEFAULT_CORRECTION,
) -> list[GateCheck]:
    """Each system against the first one, by every metric.

    Without a margin, the p-values are corrected for the number of checks: one false alarm is enough
    to fail. With a margin all checks must pass, so a correction would only make the gate stricter
    than the confidence says.
    """
    if margin is not None and not margin > 0:
        raise UsageError(f"the margin is {margin:g}", remedy="It takes a number above 0, e.g. 0.2.")
    tests = sum(len(results) - 1 for results in by_metric)
    enough = enough_resamples(resamples, tests, correction, confidence)
    checks = [
        check
        for results in by_metric
        for check in _of_metric(results, margin, enough, seed, confidence)
    ]
    if margin is not None:
        return checks
    corrected = adjusted([check.p_value for check in checks], correction)
    return [
        replace(check, p_value=p_value, passed=not is_significant(p_value, confidence))
        for check, p_value in zip(checks, corrected, strict=True)
    ]


def _of_metric(
    results: Sequence[Result], margin: float | None, resamples: int, seed: int, confidence: float
) -> list[GateCheck]:
    baseline, *others = results
    selections = [result.selection for result in results]
    for selection in selections[1:]:
        check_comparable(selection, selections[0])
    scores = shared_bootstrap_scores(selections, resamples, seed, f"{baseline.metric.name}, gate")
    rule: GateRule = "not-worse" if margin is None else "non-inferior"
    allowed = 0.0 if margin is None else margin / 100
    how = f"test:bootstrap|resamples:{resamples}|seed:{seed}|choice:frozen|gate:{rule}"
    checks = []
    for place, result in enumerate(others, 1):
        observed = result.score - baseline.score
        centred = _centred(scores[place] - scores[0])
        p_value, bound = _test(observed, centred, allowed, rule, alpha_of(confidence))
        checks.append(
            GateCheck(
                system=result.system,
                baseline=baseline.system,
                metric=str(result.metric),
                level=result.level,
                score=result.score,
                baseline_score=baseline.score,
                difference=observed,
                bound=bound,
                margin=allowed,
                rule=rule,
                p_value=p_value,
                confidence=confidence,
                passed=is_significant(p_value, confidence) == (rule == "non-inferior"),
                signature=f"{result.signature}|{how}",
            )
        )
    return checks


def _centred(differences: Array) -> Array:
    """How far a difference lies from the true one by chance: the resamples around their mean."""
    return np.asarray(differences - differences.mean())


def _test(
    observed: float, centred: Array, allowed: float, rule: GateRule, alpha: float
) -> tuple[float, float]:
    """The p-value, and the bound of the difference that belongs to it."""
    size = len(centred)
    # Resamples whose rounding differs in the last digits are equal.
    room = 1e-12
    if rule == "non-inferior":
        extreme = np.count_nonzero(centred >= observed + allowed - room)
        bound = observed - float(np.quantile(centred, 1 - alpha))
    else:
        extreme = np.count_nonzero(centred <= observed + room)
        bound = observed - float(np.quantile(centred, alpha))
    return (1 + int(extreme)) / (1 + size), bound
