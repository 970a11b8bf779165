"""Results as plain dictionaries that experiment trackers take.

    mlflow.log_metrics(logged_metrics(results))
    wandb.log(logged_metrics(results), step=step)
    for name, value in logged_metrics(results).items():
        writer.add_scalar(name, value, step)

No tracker is imported here. Names use the characters that MLflow, Weights & Biases and TensorBoard
all accept: letters, digits and `_ - . /`. Values are floats; scores are fractions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from corrigenda.core.result import Result
from corrigenda.errors import CorrigendaError

_NOT_ALLOWED = re.compile(r"[^A-Za-z0-9_\-./]+")


def logged_metrics(
    results: Iterable[Result] | Result, *, prefix: str = "", system: bool | None = None
) -> dict[str, float]:
    """Every score, precision, recall and interval by a name such as `ours/m2/precision`.

    `prefix` is put in front, e.g. `test`. `system` says whether names have the system; by default
    they do if there is more than one.
    """
    found = [results] if isinstance(results, Result) else list(results)
    named = len({result.system for result in found}) > 1 if system is None else system
    logged: dict[str, float] = {}
    for result in found:
        parts = [prefix, result.system if named else "", str(result.metric)]
        levels = {other.level for other in found}
        parts += [result.level] if len(levels) > 1 else []
        name = "/".join(tracker_name(part) for part in parts if part)
        values = {name: result.score}
        for measure in ("precision", "recall"):
            value = getattr(result, measure)
            if value is not None:
                values[f"{name}/{measure}"] = value
        if result.interval is not None:
            values |= {f"{name}/low": result.interval.low, f"{name}/high": result.interval.high}
        for key, value in values.items():
            if key in logged:
                raise CorrigendaError(
                    f"two results have the name {key!r} in a log",
                    remedy="Give the systems names that differ in letters or digits.",
                )
            logged[key] = float(value)
    return logged


def logged_parameters(results: Iterable[Result] | Result, *, prefix: str = "") -> dict[str, str]:
    """The signature of each metric: for `mlflow.log_params` or `wandb.config.update`."""
    found = [results] if isinstance(results, Result) else list(results)
    return {
        "/".join(filter(None, (tracker_name(prefix), tracker_name(str(result.metric))))): (
            result.signature
        )
        for result in found
    }


def tracker_name(text: str) -> str:
    """The text with `_` for every character that a tracker refuses: `m2:beta=1` is `m2_beta_1`."""
    return _NOT_ALLOWED.sub("_", text).strip("_/ ")
