"""What fuzzing did: one record per target in build/fuzz/runs, for the table of the docs."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "build" / "fuzz"


@dataclass(frozen=True)
class Run:
    """The last run of a target."""

    seconds: float
    executions: int
    findings: int


def keep(target: str, seconds: float, executions: int, findings: int) -> None:
    """Write the record of a run; it replaces the one before."""
    (FOLDER / "runs").mkdir(parents=True, exist_ok=True)
    record = json.dumps(asdict(Run(seconds, executions, findings)))
    (FOLDER / "runs" / f"{target}.json").write_text(record, encoding="utf-8")


def kept(target: str) -> Run | None:
    """The record of a target, if it was fuzzed."""
    path = FOLDER / "runs" / f"{target}.json"
    return Run(**json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None
