"""Earlier scores that a report is compared with: the JSON of `corrigenda score`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corrigenda.core.result import Result
from corrigenda.errors import FormatError, Location, brief
from corrigenda.formats import input_file, text
from corrigenda.formats.json_text import JsonError, parsed_object
from corrigenda.text.sentences import Path

_REMEDY = "Give a file that `corrigenda score --format json` wrote."


@dataclass(frozen=True)
class EarlierScores:
    """The scores of an earlier run, by system, metric and level."""

    name: str
    scores: Mapping[tuple[str, str, str], float]
    signatures: Mapping[tuple[str, str, str], str]
    sentences: int | None = None
    """The number of sentences of the earlier run, if it is known."""

    def of(self, result: Result) -> float | None:
        """The earlier score of the same system by the same metric."""
        return self.scores.get(_key(result))

    def score(self, system: str, like: Result) -> float | None:
        """The earlier score of a system by the metric and at the level of a result."""
        return self.scores.get((system, str(like.metric), like.level))

    def systems_without(self, names: Sequence[str]) -> list[str]:
        """The systems of the earlier run that are not among these."""
        return [name for name in dict.fromkeys(key[0] for key in self.scores) if name not in names]

    def other_settings(self, results: Sequence[Result]) -> list[str]:
        """The metrics whose earlier scores were made in another way, e.g. by another version."""
        found = [
            str(result.metric)
            for result in results
            if self.signatures.get(_key(result), result.signature) != result.signature
        ]
        return list(dict.fromkeys(found))


def _key(result: Result) -> tuple[str, str, str]:
    return result.system, str(result.metric), result.level


def from_json(path: Path) -> EarlierScores:
    """The scores of a JSON file."""
    at = Location(input_file.shown(path))
    try:
        data: Any = parsed_object("\n".join(text.read(path)))
        rows = [(_key_of(row), row) for row in data["results"]]
        repeated = [key for key, times in Counter(key for key, _ in rows).items() if times > 1]
        scores = {key: _score_of(row["score"]) for key, row in rows}
        signatures = {key: _text_of(row["signature"]) for key, row in rows}
        sentences = data.get("corpus", {}).get("sentences")
    except (JsonError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise FormatError(
            "this is not the JSON of `corrigenda score`", at=at, remedy=_REMEDY
        ) from error
    if repeated:
        system, metric, level = repeated[0]
        raise FormatError(
            f"{brief(system)} has two scores by {brief(metric)} ({brief(level)} level)",
            at=at,
            remedy=_REMEDY,
        )
    known = sentences if type(sentences) is int else None
    return EarlierScores(input_file.stem(path), scores, signatures, known)


def _key_of(row: Any) -> tuple[str, str, str]:
    return _text_of(row["system"]), _text_of(row["metric"]), _text_of(row["level"])


def _text_of(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _score_of(value: object) -> float:
    if type(value) not in (int, float):
        raise TypeError
    return float(value)  # type: ignore[arg-type]
