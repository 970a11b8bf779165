"""Answers, skips and undone answers: rows are only added, and the same key counts once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import insert, select, update

from corrigenda.errors import CorrigendaError
from corrigenda.formats.campaign_schema import assignment, judgment
from corrigenda.judge import events, leasing
from corrigenda.judge.answer_values import AnswerValues

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

    from corrigenda.judge.leasing import Terms

LONGEST_TIME = 24 * 3600 * 1000
"""Times are cut here: nobody judges one sentence for a day."""


class NotYoursError(CorrigendaError):
    """A judge names an item, or a key, that is not theirs."""


@dataclass(frozen=True)
class GivenAnswer:
    """What a judge sent about an item; `values` is empty for a skip."""

    key: str
    kind: Literal["answer", "skip"]
    values: AnswerValues = field(default_factory=AnswerValues)
    reason: str | None = None
    comment: str | None = None
    milliseconds: int | None = None


@dataclass(frozen=True)
class Recorded:
    """The number of a judgment, and whether this request made it."""

    judgment_id: int
    new: bool


def record(
    connection: Connection, judge_id: int, assignment_id: int, given: GivenAnswer, terms: Terms
) -> Recorded:
    """Keep an answer or a skip. An earlier answer to the same assignment is superseded."""
    if (known := _known(connection, judge_id, assignment_id, given.key)) is not None:
        return Recorded(known, new=False)
    row = _assignment(connection, judge_id, assignment_id)
    if row.state == "expired" and row.kind == "main":
        # The lease is over, but the work is done: it counts, also where the place was given away.
        leasing.take_slot(connection, row.id, row.item_id)
    made = _insert(
        connection,
        row,
        terms,
        key=given.key,
        kind=given.kind,
        answer=given.values,
        reason=given.reason,
        comment=given.comment,
        milliseconds=_milliseconds(given, row, terms),
        supersedes_id=row.judgment_id,
    )
    state = "done" if given.kind == "answer" else "skipped"
    if state == "skipped":
        leasing.release_slot(connection, row.id, row.item_id)
        events.log(
            connection, terms.now, judge_id, "skipped", assignment=row.id, reason=given.reason
        )
    elif row.state == "skipped" and row.kind == "main":
        leasing.take_slot(connection, row.id, row.item_id)
    _change(connection, row.id, state=state, judgment_id=made, leased_until=terms.now)
    return Recorded(made, new=True)


def _milliseconds(given: GivenAnswer, row: Row[Any], terms: Terms) -> int | None:
    """The time that the page measured; without scripts, the time since the item was given out."""
    if given.milliseconds is not None or row.state not in leasing.OPEN_STATES:
        return given.milliseconds
    return min(int(1000 * (terms.now - row.leased)), LONGEST_TIME)


def undo(connection: Connection, judge_id: int, key: str, terms: Terms) -> bool:
    """Open the last answer or skip again; whether there was one."""
    if _known(connection, judge_id, None, key) is not None:
        return True
    row = connection.execute(
        select(assignment)
        .where(assignment.c.judge_id == judge_id, assignment.c.state.in_(leasing.ANSWERED_STATES))
        .order_by(assignment.c.judgment_id.desc())
        .limit(1)
    ).first()
    if row is None:
        return False
    if row.slot is None and row.kind == "main":
        leasing.take_slot(connection, row.id, row.item_id)
    _insert(connection, row, terms, key=key, kind="undo", answer={}, supersedes_id=row.judgment_id)
    _change(connection, row.id, state="reopened", judgment_id=None, leased_until=terms.until)
    events.log(connection, terms.now, judge_id, "undone", assignment=row.id)
    return True


def _known(
    connection: Connection, judge_id: int, assignment_id: int | None, key: str
) -> int | None:
    """The judgment that a key made earlier; a key belongs to one judge and one assignment."""
    row = connection.execute(
        select(judgment.c.id, judgment.c.judge_id, judgment.c.assignment_id).where(
            judgment.c.key == key
        )
    ).first()
    if row is None:
        return None
    if row.judge_id != judge_id or assignment_id not in (None, row.assignment_id):
        raise NotYoursError("this key belongs to another answer", remedy="Load the page again.")
    return int(row.id)


def _assignment(connection: Connection, judge_id: int, assignment_id: int) -> Row[Any]:
    row = connection.execute(
        select(assignment).where(
            assignment.c.id == assignment_id, assignment.c.judge_id == judge_id
        )
    ).first()
    if row is None:
        raise NotYoursError("this item is not yours", remedy="Load the page again.")
    return row


def _insert(connection: Connection, row: Row[Any], terms: Terms, **values: Any) -> int:
    made = connection.execute(
        insert(judgment).values(
            assignment_id=row.id,
            judge_id=row.judge_id,
            item_id=row.item_id,
            shown=row.shown,
            created=terms.now,
            **values,
        )
    )
    key = made.inserted_primary_key
    assert key is not None
    return int(key[0])


def _change(connection: Connection, number: int, **values: Any) -> None:
    connection.execute(update(assignment).where(assignment.c.id == number).values(**values))


def erase_comments(connection: Connection, judge_id: int) -> None:
    """Remove what a judge wrote in their own words; it may say who they are."""
    connection.execute(update(judgment).where(judgment.c.judge_id == judge_id).values(comment=None))
