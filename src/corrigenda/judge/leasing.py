"""Which item a judge gets next, and for how long it is theirs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import and_, exists, func, insert, not_, select, update

from corrigenda.formats.campaign_schema import (
    assignment,
    item,
    judgment,
    output,
    source,
    system,
)
from corrigenda.judge import adaptive, events
from corrigenda.judge.answer_values import AnswerValues, PreviousAnswer
from corrigenda.judge.settings import CampaignSettings

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

    from corrigenda.judge.standing import CampaignMemory

OPEN_STATES = ("leased", "reopened")
ANSWERED_STATES = ("done", "skipped")


@dataclass(frozen=True)
class Terms:
    """The settings of the campaign, and the present time."""

    settings: CampaignSettings
    seed: int
    now: float

    @property
    def until(self) -> float:
        """When a lease that begins now ends."""
        return self.now + self.settings.lease_minutes * 60


@dataclass(frozen=True)
class Lease:
    """An item that a judge holds, as they see it: nothing here says who wrote what."""

    assignment_id: int
    source: str
    before: str
    after: str
    reference: str | None
    outputs: tuple[str, ...]
    leased: float
    previous: PreviousAnswer = field(default_factory=PreviousAnswer)
    """The answer that the judge has undone."""


@dataclass(frozen=True)
class Progress:
    """How many items a judge has answered or skipped, and how many are left."""

    done: int
    left: int


def lease(
    connection: Connection, judge_id: int, terms: Terms, memory: CampaignMemory
) -> Lease | None:
    """The open item of a judge, or the next one; None if they have finished."""
    free_stale(connection, terms.now)
    number = _open(connection, judge_id, terms)
    if number is None and not finished(connection, judge_id, terms, memory):
        number = _regained(connection, judge_id, terms) or _next(
            connection, judge_id, terms, memory
        )
    return None if number is None else _shown(connection, number)


def free_stale(connection: Connection, now: float) -> None:
    """End the leases that are over; their places in the items are free again."""
    stale = connection.execute(
        select(assignment).where(
            assignment.c.state.in_(OPEN_STATES), assignment.c.leased_until < now
        )
    ).all()
    for row in stale:
        if row.slot is not None:
            _count_place(connection, row.item_id, -1)
        connection.execute(
            update(assignment).where(assignment.c.id == row.id).values(state="expired", slot=None)
        )
        events.log(connection, now, row.judge_id, "expired", assignment=row.id)


def _count_place(connection: Connection, item_id: int, change: int) -> None:
    connection.execute(update(item).where(item.c.id == item_id).values(taken=item.c.taken + change))


def _open(connection: Connection, judge_id: int, terms: Terms) -> int | None:
    """The item that is open already; a lease near its end is renewed. An undone one comes first."""
    row = connection.execute(
        select(assignment.c.id, assignment.c.leased_until)
        .where(assignment.c.judge_id == judge_id, assignment.c.state.in_(OPEN_STATES))
        .order_by(assignment.c.state.desc(), assignment.c.id)
        .limit(1)
    ).first()
    if row is None:
        return None
    if row.leased_until < (terms.now + terms.until) / 2:
        connection.execute(
            update(assignment).where(assignment.c.id == row.id).values(leased_until=terms.until)
        )
    return int(row.id)


def finished(connection: Connection, judge_id: int, terms: Terms, memory: CampaignMemory) -> bool:
    """Whether a judge has done their part, or the campaign's stop rule holds."""
    settings = terms.settings
    if settings.per_judge is not None:
        answered = _answered(connection, judge_id)
        if sum(answered.values()) >= settings.per_judge:
            return True
    return stopped(connection, settings, memory)


def stopped(connection: Connection, settings: CampaignSettings, memory: CampaignMemory) -> bool:
    """Whether the stop rule of the campaign holds."""
    if settings.stop_at is not None:
        count = connection.execute(
            select(func.count()).select_from(assignment).where(assignment.c.state == "done")
        ).scalar_one()
        return int(count) >= settings.stop_at
    if settings.stop == "apart":
        standing = memory.standing(connection)
        systems = connection.execute(select(func.count()).select_from(system)).scalar_one()
        return (
            standing is not None
            and len(standing.strengths) == systems
            and standing.judgments >= 2 * systems
            and standing.apart
        )
    return False


def _answered(connection: Connection, judge_id: int) -> dict[str, int]:
    """How many assignments of each kind a judge has answered or skipped."""
    rows = connection.execute(
        select(assignment.c.kind, func.count())
        .where(assignment.c.judge_id == judge_id, assignment.c.state.in_(ANSWERED_STATES))
        .group_by(assignment.c.kind)
    )
    return {kind: int(count) for kind, count in rows}


def _regained(connection: Connection, judge_id: int, terms: Terms) -> int | None:
    """The newest item whose lease was over, if its place is still free."""
    row = connection.execute(
        select(assignment.c.id, assignment.c.item_id, assignment.c.kind)
        .where(assignment.c.judge_id == judge_id, assignment.c.state == "expired")
        .order_by(assignment.c.id.desc())
        .limit(1)
    ).first()
    if row is None:
        return None
    slot = free_slot(connection, row.item_id) if row.kind == "main" else None
    if row.kind == "main" and slot is None:
        return None
    if slot is not None:
        _count_place(connection, row.item_id, 1)
    connection.execute(
        update(assignment)
        .where(assignment.c.id == row.id)
        .values(state="leased", slot=slot, leased=terms.now, leased_until=terms.until)
    )
    return int(row.id)


def free_slot(connection: Connection, item_id: int) -> int | None:
    """The first free place of an item, if there is one."""
    needed = connection.execute(select(item.c.needed).where(item.c.id == item_id)).scalar_one()
    used = set(
        connection.execute(
            select(assignment.c.slot).where(
                assignment.c.item_id == item_id, assignment.c.slot.is_not(None)
            )
        ).scalars()
    )
    return next((slot for slot in range(needed) if slot not in used), None)


def take_slot(connection: Connection, assignment_id: int, item_id: int) -> None:
    """Take a free place of an item for an assignment that has none; without one, do nothing."""
    slot = free_slot(connection, item_id)
    if slot is not None:
        _count_place(connection, item_id, 1)
        connection.execute(
            update(assignment).where(assignment.c.id == assignment_id).values(slot=slot)
        )


def release_slot(connection: Connection, assignment_id: int, item_id: int) -> None:
    """Give the place of an assignment back."""
    changed = connection.execute(
        update(assignment)
        .where(assignment.c.id == assignment_id, assignment.c.slot.is_not(None))
        .values(slot=None)
    )
    if changed.rowcount:
        _count_place(connection, item_id, -1)


def _next(
    connection: Connection, judge_id: int, terms: Terms, memory: CampaignMemory
) -> int | None:
    """A new assignment: a control or a repeat if one is due, else a new item."""
    if not _anything_fresh(connection, judge_id, terms.settings):
        return None
    answered = _answered(connection, judge_id)
    total = sum(answered.values())
    if answered.get("control", 0) + 1 <= terms.settings.controls * (total + 1) and (
        control := _unseen(connection, judge_id, "control")
    ):
        return _assign(connection, control, judge_id, "control", terms)
    if answered.get("repeat", 0) + 1 <= terms.settings.repeats * (total + 1) and (
        repeat := _to_repeat(connection, judge_id, terms.settings.repeat_distance)
    ):
        return _assign(connection, repeat, judge_id, "repeat", terms)
    fresh = _fresh(connection, judge_id, terms, memory)
    return None if fresh is None else _assign(connection, fresh, judge_id, "main", terms)


def _anything_fresh(connection: Connection, judge_id: int, settings: CampaignSettings) -> bool:
    """Whether there is a new item for a judge; without one they get no repeat and no control."""
    if settings.assign == "adaptive":
        return adaptive.budget_left(connection) > 0
    return _unseen(connection, judge_id, "main") is not None


def _fresh(
    connection: Connection, judge_id: int, terms: Terms, memory: CampaignMemory
) -> int | None:
    """An item that the judge has not seen, balanced or adaptive."""
    settings = terms.settings
    if settings.assign == "adaptive":
        systems = connection.execute(select(func.count()).select_from(system)).scalar_one()
        standing = memory.standing(connection)
        due = adaptive.balanced_is_due(connection, settings, systems)
        if not due and standing is not None and standing.uncertain():
            count = connection.execute(select(func.count()).select_from(assignment)).scalar_one()
            generator = np.random.default_rng([terms.seed, 4, judge_id, count])
            made = adaptive.make_item(
                connection, judge_id, standing, memory.sentences(connection), settings, generator
            )
            if made is not None:
                return made
    return _unseen(connection, judge_id, "main", "adaptive")


def _unseen(connection: Connection, judge_id: int, *kinds: str) -> int | None:
    """The first item with a free place that the judge has not had; controls are always free."""
    had = exists().where(
        assignment.c.item_id == item.c.id,
        assignment.c.judge_id == judge_id,
    )
    free = item.c.taken < item.c.needed if kinds != ("control",) else item.c.needed == 0
    return connection.execute(
        select(item.c.id)
        .where(item.c.kind.in_(kinds), free, not_(had))
        .order_by(item.c.position)
        .limit(1)
    ).scalar()


def _to_repeat(connection: Connection, judge_id: int, distance: int) -> int | None:
    """The oldest answered item that the judge has not repeated and has had time to forget."""
    repeated = assignment.alias()
    was_repeated = exists().where(
        repeated.c.judge_id == judge_id,
        repeated.c.item_id == assignment.c.item_id,
        repeated.c.kind == "repeat",
    )
    mine = and_(assignment.c.judge_id == judge_id, assignment.c.kind == "main")
    limit = connection.execute(
        select(assignment.c.id)
        .where(assignment.c.judge_id == judge_id)
        .order_by(assignment.c.id.desc())
        .offset(distance)
        .limit(1)
    ).scalar()
    if limit is None:
        return None
    return connection.execute(
        select(assignment.c.item_id)
        .where(mine, assignment.c.state == "done", assignment.c.id <= limit, not_(was_repeated))
        .order_by(assignment.c.id)
        .limit(1)
    ).scalar()


def _assign(connection: Connection, item_id: int, judge_id: int, kind: str, terms: Terms) -> int:
    """Lease an item; the order of its outputs is random, and another one for every assignment."""
    outputs = connection.execute(select(item.c.outputs).where(item.c.id == item_id)).scalar_one()
    place = ("main", "repeat", "control").index(kind)
    generator = np.random.default_rng([terms.seed, 3, item_id, judge_id, place])
    slot = None
    if kind == "main":
        slot = free_slot(connection, item_id)
        _count_place(connection, item_id, 1)
    made = connection.execute(
        insert(assignment).values(
            item_id=item_id,
            judge_id=judge_id,
            kind=kind,
            slot=slot,
            shown=generator.permutation(np.asarray(outputs, np.int64)).tolist(),
            state="leased",
            leased=terms.now,
            leased_until=terms.until,
        )
    )
    key = made.inserted_primary_key
    assert key is not None
    return int(key[0])


def shown(connection: Connection, judge_id: int, assignment_id: int) -> Lease | None:
    """An item as it was shown to a judge; None if it never was."""
    mine = assignment.c.id == assignment_id, assignment.c.judge_id == judge_id
    known = connection.execute(select(assignment.c.id).where(*mine)).scalar()
    return None if known is None else _shown(connection, known)


def _shown(connection: Connection, assignment_id: int) -> Lease:
    row = connection.execute(
        select(assignment, source.c.text, source.c.before, source.c.after, source.c.reference)
        .join(item, item.c.id == assignment.c.item_id)
        .join(source, source.c.id == item.c.source_id)
        .where(assignment.c.id == assignment_id)
    ).one()
    texts = dict(
        connection.execute(select(output.c.id, output.c.text).where(output.c.id.in_(row.shown)))
        .tuples()
        .all()
    )
    return Lease(
        assignment_id,
        row.text,
        row.before,
        row.after,
        row.reference,
        tuple(texts[number] for number in row.shown),
        row.leased,
        _undone(connection, row) if row.state == "reopened" else {},
    )


def _undone(connection: Connection, row: Row[Any]) -> PreviousAnswer:
    """The newest answer of an assignment that was opened again."""
    found = connection.execute(
        select(judgment.c.answer, judgment.c.comment)
        .where(judgment.c.assignment_id == row.id, judgment.c.kind == "answer")
        .order_by(judgment.c.id.desc())
        .limit(1)
    ).first()
    if found is None:
        return {}
    values: AnswerValues = found.answer
    return {**values, "comment": found.comment or ""}


def keep_until(connection: Connection, judge_id: int, until: float) -> None:
    """Let the open items of a judge wait."""
    connection.execute(
        update(assignment)
        .where(assignment.c.judge_id == judge_id, assignment.c.state.in_(OPEN_STATES))
        .values(leased_until=until)
    )


def progress(connection: Connection, judge_id: int, settings: CampaignSettings) -> Progress:
    """How far a judge is. Without a limit per judge, all free items are left."""
    done = sum(_answered(connection, judge_id).values())
    if settings.per_judge is not None:
        return Progress(done, max(0, settings.per_judge - done))
    had = exists().where(
        assignment.c.item_id == item.c.id,
        assignment.c.judge_id == judge_id,
        assignment.c.state.in_(ANSWERED_STATES),
    )
    mine = exists().where(
        assignment.c.item_id == item.c.id,
        assignment.c.judge_id == judge_id,
        assignment.c.state.in_(OPEN_STATES),
    )
    left = connection.execute(
        select(func.count())
        .select_from(item)
        .where(item.c.kind != "control", not_(had), (item.c.taken < item.c.needed) | mine)
    ).scalar_one()
    if settings.assign == "adaptive":
        return Progress(done, min(int(left), adaptive.budget_left(connection) + 1))
    return Progress(done, int(left))
