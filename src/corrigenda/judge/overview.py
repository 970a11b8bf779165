"""What the organiser sees: who judged how much, agreement, the ranking, and what went wrong."""

from __future__ import annotations

import datetime
import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from corrigenda.formats import campaign as campaign_format
from corrigenda.formats.campaign_schema import assignment, item, judge, source, system
from corrigenda.human.agreement import agreement
from corrigenda.human.ranking import RankedSystem, rank
from corrigenda.judge.adaptive import budget_left
from corrigenda.judge.standing import CONFIDENCE, RESAMPLES, Neighbours, standing_of
from corrigenda.judgments import Judgments
from corrigenda.text.numerals import whole_number

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from corrigenda.judge.store import CampaignStore

_MOST_DISPUTED = 10
_FEWEST_FOR_KAPPA = 1


@dataclass(frozen=True)
class JudgeSummary:
    """One judge: how much, how fast, how sure."""

    name: str
    answers: int
    skipped: int
    per_hour: float | None
    median_seconds: float | None
    kappa_within: float | None
    controls: int
    failed_controls: int
    code: str


@dataclass(frozen=True)
class FailedControl:
    """A control in which the output with an injected error was ranked above the clean one."""

    judge: str
    sentence: int
    judgment_id: int


@dataclass(frozen=True)
class DisputedItem:
    """An item on which judges disagree: the share of pairs of outputs ranked the other way."""

    sentence: int
    item_id: int
    judges: int
    disagreement: float


@dataclass(frozen=True)
class Overview:
    """Everything about a campaign so far."""

    title: str
    mode: str
    judgments: int
    skipped: int
    superseded: int
    open_leases: int
    items: int
    places: int
    """How many judgments the design has room for; adaptive items use the same room."""
    taken: int
    sentences: Mapping[str, int]
    tied_pairs_without_judging: int
    judges: tuple[JudgeSummary, ...]
    hours: Mapping[str, int]
    kappa_between: float | None
    kappa_within: float | None
    expected_wins: tuple[RankedSystem, ...]
    bradley_terry: tuple[RankedSystem, ...]
    neighbours: tuple[Neighbours, ...]
    stop: str
    stop_reached: bool
    disputed: tuple[DisputedItem, ...]
    failed_controls: tuple[FailedControl, ...]

    def to_dict(self) -> dict[str, object]:
        """As plain values, ready for JSON."""
        return {
            **asdict(self),
            "neighbours": [{**asdict(each), "apart": each.apart} for each in self.neighbours],
        }


def overview(store: CampaignStore) -> Overview:
    """The campaign as it is now."""
    with store.reading() as connection:
        rows = campaign_format.answers(connection, controls=True)
        judgments = campaign_format.judgments_of(connection, "campaign")
        states = _counts(connection, assignment.c.state)
        superseded = _superseded(connection)
        sentences = _counts(connection, source.c.state)
        people = [
            dict(row) for row in connection.execute(select(judge).order_by(judge.c.id)).mappings()
        ]
        skipped = _skips(connection)
        items, taken = connection.execute(
            select(func.count(), func.sum(item.c.taken)).where(item.c.kind != "control")
        ).one()
        places = int(taken or 0) + budget_left(connection)
        systems = connection.execute(select(func.count()).select_from(system)).scalar_one()
    report = agreement(judgments)
    within = {each.first: each.kappa for each in report.within}
    failed = _failed_controls(rows)
    standing = standing_of(judgments)
    settings = store.campaign.settings
    return Overview(
        title=store.campaign.title,
        mode=settings.mode,
        judgments=states.get("done", 0),
        skipped=states.get("skipped", 0),
        superseded=superseded,
        open_leases=states.get("leased", 0) + states.get("reopened", 0),
        items=items,
        places=places,
        taken=int(taken or 0),
        sentences=sentences,
        tied_pairs_without_judging=sentences.get("agreed", 0) * systems * (systems - 1) // 2,
        judges=tuple(
            _judge(person, rows, within, failed, skipped.get(person["id"], 0)) for person in people
        ),
        hours=_hours(rows),
        kappa_between=report.mean("between", fewest=_FEWEST_FOR_KAPPA),
        kappa_within=report.mean("within", fewest=_FEWEST_FOR_KAPPA),
        expected_wins=_ranked(judgments, "expected-wins"),
        bradley_terry=_ranked(judgments, "bradley-terry"),
        neighbours=standing.neighbours if standing else (),
        stop=settings.stop,
        stop_reached=_stop_reached(settings.stop, states.get("done", 0), standing),
        disputed=_disputed(rows),
        failed_controls=tuple(failed),
    )


def _stop_reached(stop: str, done: int, standing: Any) -> bool:
    wanted = whole_number(stop)
    if wanted is not None:
        return done >= wanted
    return stop == "apart" and standing is not None and standing.apart


def _counts(connection: Connection, column: Any) -> dict[str, int]:
    rows = connection.execute(select(column, func.count()).group_by(column).order_by(column))
    return {str(value): int(count) for value, count in rows}


def _superseded(connection: Connection) -> int:
    from corrigenda.formats.campaign_schema import judgment

    query = select(func.count()).select_from(judgment)
    return int(connection.execute(query.where(judgment.c.supersedes_id.is_not(None))).scalar_one())


def _skips(connection: Connection) -> dict[int, int]:
    rows = connection.execute(
        select(assignment.c.judge_id, func.count())
        .where(assignment.c.state == "skipped")
        .group_by(assignment.c.judge_id)
    )
    return {int(number): int(count) for number, count in rows}


def _judge(
    person: Mapping[str, Any],
    rows: Sequence[Mapping[str, Any]],
    within: Mapping[str, float],
    failed: Sequence[FailedControl],
    skipped: int,
) -> JudgeSummary:
    name = person["name"]
    mine = [row for row in rows if row["judge"] == name]
    times = [row["milliseconds"] / 1000 for row in mine if row["milliseconds"] is not None]
    hours = (mine[-1]["created"] - mine[0]["created"]) / 3600 if len(mine) > 1 else 0.0
    return JudgeSummary(
        name,
        len(mine),
        skipped,
        (len(mine) - 1) / hours if hours else None,
        statistics.median(times) if times else None,
        within.get(name),
        sum(row["item_kind"] == "control" for row in mine),
        sum(each.judge == name for each in failed),
        person["code"],
    )


def _hours(rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Judgments per hour, in UTC."""
    stamps = (datetime.datetime.fromtimestamp(row["created"], datetime.UTC) for row in rows)
    return dict(Counter(f"{stamp:%Y-%m-%d %H}:00" for stamp in stamps))


def _failed_controls(rows: Sequence[Mapping[str, Any]]) -> list[FailedControl]:
    failed = []
    for row in rows:
        if row["item_kind"] == "control":
            ranks = dict(zip(row["shown"], campaign_format.ranks_of(row["answer"]), strict=True))
            if ranks[row["broken_id"]] < ranks[row["clean_id"]]:
                failed.append(FailedControl(row["judge"], row["sentence"], row["id"]))
    return failed


def _disputed(rows: Sequence[Mapping[str, Any]]) -> tuple[DisputedItem, ...]:
    """The items on which judges disagree most."""
    by_item: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        if row["kind"] == "main":
            by_item[row["item_id"]].append(row)
    found = [
        DisputedItem(answers[0]["sentence"], number, len(answers), _disagreement(answers))
        for number, answers in by_item.items()
        if len(answers) > 1
    ]
    found.sort(key=lambda each: (-each.disagreement, each.item_id))
    return tuple(each for each in found[:_MOST_DISPUTED] if each.disagreement > 0)


def _disagreement(answers: Sequence[Mapping[str, Any]]) -> float:
    """1 for a pair that two judges order in opposite ways, 1/2 where one of them sees a tie."""
    ranks = [
        dict(zip(row["shown"], campaign_format.ranks_of(row["answer"]), strict=True))
        for row in answers
    ]
    distances = [
        abs(_sign(one[b] - one[a]) - _sign(other[b] - other[a])) / 2
        for one, other in combinations(ranks, 2)
        for a, b in combinations(sorted(one), 2)
    ]
    return sum(distances) / len(distances)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _ranked(judgments: Judgments, method: str) -> tuple[RankedSystem, ...]:
    if len(judgments.pairs) == 0:
        return ()
    found = rank(judgments, method, resamples=RESAMPLES, unit="sentences", confidence=CONFIDENCE)
    return found.systems
