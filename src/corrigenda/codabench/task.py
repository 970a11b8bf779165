"""What a shared task scores by: a file beside its reference data."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, get_args

from corrigenda.core.metric import LEVELS, Level, Metric
from corrigenda.errors import FormatError, Location
from corrigenda.formats import text
from corrigenda.formats.json_text import JsonError, parsed_object
from corrigenda.metrics import metric

SETTINGS_FILE = "task.json"
CORPUS_FILE = "corpus.jsonl"
SUBMITTED = "submission"

Details = Literal["scores", "report"]
"""`scores`: a page without texts. `report`: the report with every sentence and reference."""


@dataclass(frozen=True)
class SharedTask:
    """The metrics and the checks. The first metric ranks the submissions."""

    title: str
    metrics: tuple[str, ...]
    level: Level
    submission: str
    """The name of the file that participants submit."""
    largest_bytes: int
    details: Details
    strict: bool
    """Whether a health finding fails a submission."""
    version: str
    """The version of Corrigenda that wrote the bundle."""

    def check_types(self) -> None:
        """Raise a TypeError if a value is not of the type that it must have."""
        texts = (self.title, self.submission, self.version, *self.metrics)
        known = self.details in get_args(Details) and type(self.strict) is bool
        if not (
            known
            and self.metrics
            and all(isinstance(each, str) for each in texts)
            and type(self.largest_bytes) is int
        ):
            raise TypeError("a value is of another type")

    def built_metrics(self) -> list[Metric]:
        """The metrics by which submissions are scored."""
        return [metric(each) for each in self.metrics]

    def to_json(self) -> str:
        """The text of the file."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def load(cls, folder: Path, name: str = SETTINGS_FILE) -> SharedTask:
        """The task of the reference data in a folder."""
        path = folder / name
        try:
            data = parsed_object("\n".join(text.read(path)))
            task = cls(**{**data, "metrics": tuple(_list(data["metrics"]))})  # type: ignore[arg-type]
            task.check_types()
        except (JsonError, TypeError, KeyError) as error:
            raise FormatError(
                f"the settings of the task cannot be read: {error}",
                at=Location(str(path)),
                remedy="Write the bundle again with `corrigenda codabench`.",
            ) from error
        if task.level not in LEVELS:
            raise FormatError(f"level is {task.level!r}", at=Location(str(path)))
        return task


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError("the metrics are no list")
    return value


def column_keys(metrics: list[Metric]) -> dict[str, list[str]]:
    """The keys of the leaderboard's columns, by metric: the score, then precision and recall."""
    keys: dict[str, list[str]] = {}
    for each in metrics:
        plain = "".join(sign if sign.isalnum() else "_" for sign in str(each)).strip("_")
        shown = ["precision", "recall"] if each.shows_precision_recall else []
        keys[str(each)] = [plain, *(f"{plain}_{name}" for name in shown)]
    return keys
