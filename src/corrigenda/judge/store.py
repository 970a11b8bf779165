"""A campaign in its database: what the pages and the commands ask for and change.

Each change is one transaction, and changes are made one after another: on SQLite by a lock of the
file, on PostgreSQL by a lock of the campaign's row.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, insert, select, update

from corrigenda.errors import CorrigendaError
from corrigenda.formats import campaign as campaign_format
from corrigenda.formats.campaign_schema import campaign, event, item, judge, output, source, system
from corrigenda.formats.campaign_schema import candidate as candidate_table
from corrigenda.judge import events, leasing, recording
from corrigenda.judge.database import new_campaign, open_campaign
from corrigenda.judge.design import CampaignDesign
from corrigenda.judge.leasing import Lease, Progress
from corrigenda.judge.recording import GivenAnswer, Recorded
from corrigenda.judge.settings import CampaignSettings
from corrigenda.judge.standing import CampaignMemory, Standing
from corrigenda.judge.tokens import new_code, new_token, token_hash
from corrigenda.text.sentences import Path

if TYPE_CHECKING:
    from pathlib import Path as FilePath

    from sqlalchemy import Connection, Engine

    from corrigenda.judgments import Judgments


@dataclass(frozen=True)
class Campaign:
    """The one row about the campaign."""

    title: str
    seed: int
    settings: CampaignSettings


@dataclass(frozen=True)
class Person:
    """A judge, as the server knows them."""

    id: int
    name: str
    code: str


class CampaignStore:
    """All reads and changes of one campaign. Safe to share between threads."""

    def __init__(self, place: Path, engine: Engine, clock: Callable[[], float] = time.time) -> None:
        self.place, self.engine, self._clock = place, engine, clock
        self.backup: FilePath | None = None
        with campaign_format.database_errors(place), self.reading() as connection:
            row = connection.execute(select(campaign)).mappings().one()
        settings = CampaignSettings.from_json(row["settings"])
        self.campaign = Campaign(row["title"], row["seed"], settings)
        self._memory = CampaignMemory()
        self._line = threading.Lock()

    @classmethod
    def open(cls, place: Path, clock: Callable[[], float] = time.time) -> CampaignStore:
        """A campaign that exists; an older one is migrated after a backup."""
        engine, backup = open_campaign(place)
        store = cls(place, engine, clock)
        store.backup = backup
        return store

    @classmethod
    def create(
        cls,
        place: Path,
        design: CampaignDesign,
        settings: CampaignSettings,
        *,
        title: str,
        seed: int,
    ) -> tuple[CampaignStore, str]:
        """A new campaign, and the token of its organiser."""
        token = new_token()
        with new_campaign(place) as connection:
            row = {"id": 1, "title": title, "mode": settings.mode, "seed": seed}
            connection.execute(
                insert(campaign).values(
                    **row,
                    settings=settings.to_json(),
                    created=time.time(),
                    organiser_hash=token_hash(token),
                )
            )
            _insert_design(connection, design)
        return cls(place, campaign_format.engine_of(place)), token

    def close(self) -> None:
        """Give back all connections."""
        self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that only reads."""
        with campaign_format.reading(self.engine) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that no other change runs beside.

        Threads of this process wait in a line. A wait for SQLite's lock would be a row of naps, and
        some thread would nap for seconds.
        """
        with self._line, self.engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(select(campaign.c.id).with_for_update())
            yield connection

    # People

    def add_judge(self, name: str | None = None, external_id: str | None = None) -> str:
        """A new judge; the token is returned here and nowhere else."""
        if name is not None and (not name.strip() or not name.isprintable() or len(name) > 200):
            raise CorrigendaError(
                f"{name!r} cannot be the name of a judge",
                remedy="Give 1 to 200 characters that can be printed.",
            )
        token = new_token()
        with self.writing() as connection:
            known = set(connection.execute(select(judge.c.name)).scalars())
            if name in known:
                raise CorrigendaError(
                    f"there is already a judge {name!r}",
                    remedy="Give another name, or --renew to replace their link.",
                )
            number = len(known) + 1
            while name is None or name in known:
                name, number = f"judge{number}", number + 1
            self._insert_judge(connection, name, external_id, token)
        return token

    def _insert_judge(
        self, connection: Connection, name: str, external_id: str | None, token: str
    ) -> None:
        connection.execute(
            insert(judge).values(
                name=name,
                external_id=external_id,
                token_hash=token_hash(token),
                code=self.campaign.settings.completion_code or new_code(),
                created=self._clock(),
                forgotten=False,
            )
        )

    def renew_token(self, name: str) -> str:
        """A new link for a judge; the old one no longer works."""
        token = new_token()
        with self.writing() as connection:
            changed = connection.execute(
                update(judge)
                .where(judge.c.name == name, judge.c.forgotten.is_(False))
                .values(token_hash=token_hash(token))
            )
            if not changed.rowcount:
                raise self._no_judge(connection, name)
        return token

    def enter_by_external_id(self, external_id: str) -> str:
        """The token for somebody of a crowd service; the same id is the same judge again."""
        with self.reading() as connection:
            known = connection.execute(
                select(judge.c.name).where(judge.c.external_id == external_id)
            ).scalar()
        return self.renew_token(known) if known else self.add_judge(external_id=external_id)

    def person(self, token: str) -> Person | None:
        """The judge with this token."""
        query = select(judge.c.id, judge.c.name, judge.c.code)
        with self.reading() as connection:
            row = connection.execute(query.where(judge.c.token_hash == token_hash(token))).first()
        return Person(*row) if row else None

    def is_organiser(self, token: str) -> bool:
        """Whether this is the organiser's token."""
        return self._has_hash("organiser_hash", token)

    def is_open_link(self, token: str) -> bool:
        """Whether this is the token of the open link."""
        return self._has_hash("open_hash", token)

    def _has_hash(self, column: str, token: str) -> bool:
        query = select(campaign.c.id).where(campaign.c[column] == token_hash(token))
        with self.reading() as connection:
            return connection.execute(query).first() is not None

    def renew_campaign_token(self, column: str) -> str:
        """A new token of the organiser (`organiser_hash`) or of the open link (`open_hash`)."""
        token = new_token()
        with self.writing() as connection:
            connection.execute(update(campaign).values(**{column: token_hash(token)}))
        return token

    def forget(self, name: str) -> str:
        """Remove who a judge is; their judgments stay under the returned name."""
        with self.writing() as connection:
            number = connection.execute(select(judge.c.id).where(judge.c.name == name)).scalar()
            if number is None:
                raise self._no_judge(connection, name)
            new = f"forgotten-{number}"
            connection.execute(
                update(judge)
                .where(judge.c.id == number)
                .values(name=new, external_id=None, token_hash=None, code="", forgotten=True)
            )
            events.log(connection, self._clock(), number, "forgotten")
            recording.erase_comments(connection, number)
        return new

    def _no_judge(self, connection: Connection, name: str) -> CorrigendaError:
        names = connection.execute(select(judge.c.name).order_by(judge.c.name)).scalars()
        return CorrigendaError(
            f"there is no judge {name!r}",
            remedy=f"The judges are: {', '.join(names) or 'none yet'}.",
        )

    # Judging

    def lease(self, judge_id: int) -> Lease | None:
        """The item that a judge has open, or the next one; None if they have finished."""
        with self.writing() as connection:
            terms = leasing.Terms(self.campaign.settings, self.campaign.seed, self._clock())
            return leasing.lease(connection, judge_id, terms, self._memory)

    def shown(self, judge_id: int, assignment_id: int) -> Lease | None:
        """An item as it was shown to a judge; None if it never was."""
        with self.reading() as connection:
            return leasing.shown(connection, judge_id, assignment_id)

    def progress(self, judge_id: int) -> Progress:
        """How far a judge is."""
        with self.reading() as connection:
            return leasing.progress(connection, judge_id, self.campaign.settings)

    def answer(self, judge_id: int, assignment_id: int, given: GivenAnswer) -> Recorded:
        """Keep an answer or a skip; the same key counts once."""
        with self.writing() as connection:
            terms = leasing.Terms(self.campaign.settings, self.campaign.seed, self._clock())
            return recording.record(connection, judge_id, assignment_id, given, terms)

    def undo(self, judge_id: int, key: str) -> bool:
        """Open the last answer or skip again; whether there was one."""
        with self.writing() as connection:
            terms = leasing.Terms(self.campaign.settings, self.campaign.seed, self._clock())
            return recording.undo(connection, judge_id, key, terms)

    def pause(self, judge_id: int) -> None:
        """Keep the open item for a judge who comes back later."""
        with self.writing() as connection:
            until = self._clock() + self.campaign.settings.pause_hours * 3600
            leasing.keep_until(connection, judge_id, until)
            events.log(connection, self._clock(), judge_id, "paused")

    def log(self, judge_id: int | None, what: str, **details: Any) -> None:
        """Note an event."""
        with self.writing() as connection:
            events.log(connection, self._clock(), judge_id, what, **details)

    # Results

    def judgments(self) -> Judgments:
        """The rankings so far."""
        with self.reading() as connection:
            name = campaign_format.shown_place(self.place)
            return campaign_format.judgments_of(connection, name)

    def standing(self) -> Standing | None:
        """The ranking so far and how certain it is; None before there is anything to rank."""
        with self.reading() as connection:
            return self._memory.standing(connection)

    def count(self, table: Any, *conditions: Any) -> int:
        """The number of rows."""
        query = select(func.count()).select_from(table).where(*conditions)
        with self.reading() as connection:
            return int(connection.execute(query).scalar_one())

    def events(self) -> list[dict[str, object]]:
        """All events, oldest first."""
        with self.reading() as connection:
            return [dict(row) for row in connection.execute(select(event)).mappings()]


def _insert_design(connection: Connection, design: CampaignDesign) -> None:
    """All rows of a design. Ids count from 1, in the order of the design."""
    connection.execute(
        insert(system),
        [
            {"id": number, "name": each.name, "kind": each.kind}
            for number, each in enumerate(design.systems, 1)
        ],
    )
    names = ("number", "text", "before", "after", "reference", "stratum", "state")
    connection.execute(
        insert(source),
        [
            {"id": number, **{name: getattr(each, name) for name in names}}
            for number, each in enumerate(design.sources, 1)
        ],
    )
    ids = {
        (place, number): offset
        for offset, (place, number) in enumerate(
            (
                (place, number)
                for place, each in enumerate(design.sources)
                for number in range(len(each.outputs))
            ),
            1,
        )
    }
    outputs = [
        (ids[place, number], place, each)
        for place, of_source in enumerate(design.sources)
        for number, each in enumerate(of_source.outputs)
    ]
    connection.execute(
        insert(output),
        [
            {"id": number, "source_id": place + 1, "text": each.text, "hash": each.hash}
            for number, place, each in outputs
        ],
    )
    connection.execute(
        insert(candidate_table),
        [
            {"output_id": number, "system_id": writer + 1}
            for number, _, each in outputs
            for writer in each.systems
        ],
    )
    connection.execute(
        insert(item),
        [
            {
                "position": position,
                "kind": each.kind,
                "source_id": each.source + 1,
                "outputs": [ids[each.source, number] for number in each.outputs],
                "needed": each.needed,
                "taken": 0,
                "clean_id": None if each.clean is None else ids[each.source, each.clean],
                "broken_id": None if each.broken is None else ids[each.source, each.broken],
            }
            for position, each in enumerate(design.items)
        ],
    )
