"""The event log of a campaign: what happened beside the answers, for the organiser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import insert

from corrigenda.formats.campaign_schema import event

if TYPE_CHECKING:
    from sqlalchemy import Connection


def log(
    connection: Connection, now: float, judge_id: int | None, what: str, **details: Any
) -> None:
    """Note an event."""
    connection.execute(insert(event).values(at=now, judge_id=judge_id, what=what, details=details))
