"""The passport as a file: one canonical JSON text, with a digest of itself.

The digest is the SHA-256 of the canonical JSON of everything else: sorted keys, no blanks, ASCII.
A reader refuses a file that is not, byte for byte, what `rendered` writes.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import TypedDict, cast

from corrigenda._version import __version__
from corrigenda.core import spec
from corrigenda.core.measures import NamedCounts, PlainMeasures, plain_measures
from corrigenda.core.metric import Level, Metric
from corrigenda.core.result import Result
from corrigenda.errors import FormatError, Location, brief
from corrigenda.formats.jsonl import SentenceRow
from corrigenda.passport.marks import MarkedTexts, TextMarks
from corrigenda.passport.shape import ShapeError, check_passport

MOST_BYTES = 1 << 30
"""The largest passport that is read: in memory it takes several times as much."""
_BEGIN = b'{"digest":'
EDITION = 1
"""The number of this layout; a later layout has a larger number."""
_REMEDY = "Ask for the original file. A passport is never changed: `score --passport` makes it."


class StatedResult(TypedDict):
    """The score of one system by one metric, and the counts that it follows from."""

    system: str
    metric: str
    level: Level
    score: float
    measures: PlainMeasures
    totals: NamedCounts
    signature: str
    rows: list[int]
    """The number of rows of counts per sentence: one per reference or fewer, or one for all."""
    counts: list[list[float]]
    """The counts of each row."""


class FileDigest(TypedDict):
    """An input file: the option it was given by, its name without its folder, its SHA-256."""

    option: str
    name: str
    sha256: str


class StatedTexts(TypedDict):
    """The marks of the texts; see `marks`."""

    sentences: int
    corpus: dict[str, TextMarks]
    systems: dict[str, TextMarks]


class PassportParts(TypedDict):
    """The parts that every passport has."""

    passport: int
    versions: dict[str, str]
    files: list[FileDigest]
    texts: StatedTexts
    results: list[StatedResult]
    health: list[dict[str, object]]


class PassportBody(PassportParts, total=False):
    """Everything but the digest."""

    rows: list[SentenceRow]
    """The texts themselves, only if they were asked for."""


def make(
    results: Sequence[Result],
    texts: MarkedTexts,
    *,
    files: Sequence[FileDigest] = (),
    health: Sequence[Mapping[str, object]] = (),
    rows: Sequence[SentenceRow] | None = None,
) -> PassportBody:
    """The passport of results that kept their statistics."""
    body = PassportBody(
        passport=EDITION,
        versions=_versions([result.metric for result in results]),
        files=list(files),
        texts=cast("StatedTexts", asdict(texts)),
        results=[_stated(result) for result in results],
        health=[dict(finding) for finding in health],
    )
    if rows is not None:
        body["rows"] = list(rows)
    # Tuples become lists, and so on: the body is what a reader of the file gets.
    return cast("PassportBody", json.loads(_canonical(body)))


def _stated(result: Result) -> StatedResult:
    statistics = result.selection.chosen.statistics
    return StatedResult(
        system=result.system,
        metric=shown_metric(result.metric),
        level=result.level,
        score=result.score,
        measures=plain_measures(result.measures),
        totals=result.counts,
        signature=result.signature,
        rows=statistics.rows.tolist(),
        counts=statistics.counts.tolist(),
    )


def shown_metric(metric: Metric) -> str:
    """The metric as printed. A folder of a model is named without the folders above it."""
    given = {key: _without_folders(value) for key, value in spec.split(str(metric))[1].items()}
    return ":".join(filter(None, (metric.name, ",".join(f"{k}={v}" for k, v in given.items()))))


def _without_folders(value: str) -> str:
    return Path(value).resolve().name if Path(value).exists() else value


def _versions(metrics: Sequence[Metric]) -> dict[str, str]:
    packages = sorted({"numpy", *(name for metric in metrics for name in metric.modules_in_use)})
    found = {"corrigenda": __version__, "python": platform.python_version()}
    for name in packages:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "unknown"
    return found


def digest_of(body: PassportBody) -> str:
    """The SHA-256 of the canonical JSON."""
    return hashlib.sha256(_canonical(body)).hexdigest()


def rendered(body: PassportBody) -> bytes:
    """The file: one line per part, so that its beginning can be read."""
    parts = {"digest": digest_of(body), **body}
    lines = [f"{json.dumps(name)}:".encode() + _canonical(part) for name, part in parts.items()]
    return b"{" + b",\n".join(lines) + b"}\n"


def _canonical(value: object) -> bytes:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("ascii")


def load(path: str | Path) -> PassportBody:
    """The passport of a file, if no byte of it was changed."""
    at = Location(str(path))
    content = _content(path, at)
    try:
        data: object = json.loads(content)
        if not isinstance(data, dict) or "passport" not in data or "digest" not in data:
            raise _no_passport("it lacks its digest or its edition", at)
        stated = data.pop("digest")
        body = cast("PassportBody", data)
        found = digest_of(body)
    except (ValueError, RecursionError):  # also a number that is none
        raise _no_passport("not JSON", at) from None
    if stated != found:
        raise FormatError(
            f"the passport was changed: its digest is {brief(stated)}, its content has {found}",
            at=at,
            remedy=_REMEDY,
        )
    if rendered(body) != content:
        raise FormatError(
            "the passport was changed: its bytes are not the ones that were written",
            at=at,
            remedy=_REMEDY,
        )
    if type(body["passport"]) is int and body["passport"] != EDITION:
        raise FormatError(
            f"this passport has edition {brief(body['passport'])}; this version reads edition "
            f"{EDITION}",
            at=at,
            remedy="Install the version of Corrigenda that the passport names.",
        )
    try:
        check_passport(data)
    except ShapeError as problem:
        raise _no_passport(str(problem), at) from None
    return body


def _content(path: str | Path, at: Location) -> bytes:
    """The bytes of the file. One that does not begin as passports do is not read whole."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(len(_BEGIN))
            if content == _BEGIN:
                content += file.read(MOST_BYTES)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise FormatError(f"cannot read the passport: {reason}", at=at) from error
    if len(content) >= MOST_BYTES:
        raise FormatError(
            f"the passport has more than {MOST_BYTES >> 20} MB",
            at=at,
            remedy="Make one passport per system, or leave out --with-text.",
        )
    if not content.startswith(_BEGIN):
        raise _no_passport("it does not begin with its digest", at)
    return content


def _no_passport(problem: str, at: Location) -> FormatError:
    return FormatError(f"this is not a passport: {problem}", at=at, remedy=_REMEDY)
