"""The tables of a judging campaign, the same on SQLite and PostgreSQL.

The migrations in `judge/migrations` make them. A test compares both.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

SCHEMA_VERSION = "0002"
"""The newest migration."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

campaign = Table(
    "campaign",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("title", Text, nullable=False),
    Column("mode", String(16), nullable=False),
    Column("seed", Integer, nullable=False),
    Column("settings", JSON, nullable=False),
    Column("created", Float, nullable=False),
    Column("organiser_hash", String(64)),
    Column("open_hash", String(64)),
)
"""One row: how judging goes. `*_hash` are hashes of the tokens in links."""

system = Table(
    "system",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("kind", String(16), nullable=False),
)
"""Who wrote outputs: a `system`, the `source` itself, or a `reference`."""

source = Table(
    "source",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("number", Integer, nullable=False, unique=True),
    Column("text", Text, nullable=False),
    Column("before", Text, nullable=False),
    Column("after", Text, nullable=False),
    Column("reference", Text),
    Column("stratum", Text),
    Column("state", String(16), nullable=False),
)
"""A sentence; `number` counts from 0. `state` is `judged`, `agreed`, `length` or `unlisted`."""

output = Table(
    "output",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("source_id", ForeignKey("source.id"), nullable=False),
    Column("text", Text, nullable=False),
    Column("hash", String(64), nullable=False),
    UniqueConstraint("source_id", "hash"),
)
"""A text that some systems wrote for a sentence. An output without candidate is a broken copy."""

candidate = Table(
    "candidate",
    metadata,
    Column("output_id", ForeignKey("output.id"), primary_key=True),
    Column("system_id", ForeignKey("system.id"), primary_key=True),
)
"""Which systems wrote an output."""

item = Table(
    "item",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("source_id", ForeignKey("source.id"), nullable=False),
    Column("outputs", JSON, nullable=False),
    Column("needed", Integer, nullable=False),
    Column("clean_id", ForeignKey("output.id")),
    Column("broken_id", ForeignKey("output.id")),
    Column("taken", Integer, nullable=False, server_default="0"),
    Index(None, "kind", "position"),
)
"""Outputs to be judged together, by `needed` judges. `taken` counts leases and answers.

`kind` is `main`, `adaptive` or `control`. In a control, `broken` is `clean` with an error in it.
"""

judge = Table(
    "judge",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("external_id", Text, unique=True),
    Column("token_hash", String(64), unique=True),
    Column("code", String(32), nullable=False),
    Column("created", Float, nullable=False),
    Column("forgotten", Boolean, nullable=False),
)
"""A person who judges. `code` is what they get when they have finished."""

assignment = Table(
    "assignment",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("item_id", ForeignKey("item.id"), nullable=False),
    Column("judge_id", ForeignKey("judge.id"), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("slot", Integer),
    Column("shown", JSON, nullable=False),
    Column("state", String(16), nullable=False),
    Column("leased", Float, nullable=False),
    Column("leased_until", Float, nullable=False),
    Column("judgment_id", Integer),
    UniqueConstraint("item_id", "slot"),
    UniqueConstraint("judge_id", "item_id", "kind"),
    Index(None, "state", "leased_until"),
    Index(None, "judge_id", "state"),
)
"""An item that a judge holds or has answered.

`kind` is `main`, `repeat` or `control`. `slot` is one of the `needed` places of an item; no two
assignments hold the same one. `state` is `leased`, `reopened`, `done`, `skipped` or `expired`.
`judgment_id` is the judgment that counts.
"""

judgment = Table(
    "judgment",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("assignment_id", ForeignKey("assignment.id"), nullable=False),
    Column("judge_id", ForeignKey("judge.id"), nullable=False),
    Column("item_id", ForeignKey("item.id"), nullable=False),
    Column("key", String(64), nullable=False, unique=True),
    Column("kind", String(16), nullable=False),
    Column("answer", JSON, nullable=False),
    Column("shown", JSON, nullable=False),
    Column("reason", Text),
    Column("comment", Text),
    Column("milliseconds", Integer),
    Column("created", Float, nullable=False),
    Column("supersedes_id", ForeignKey("judgment.id")),
    Index(None, "assignment_id"),
    Index(None, "judge_id", "created"),
)
"""What a judge said. Rows are only added. `kind` is `answer`, `skip` or `undo`."""

event = Table(
    "event",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Float, nullable=False),
    Column("judge_id", ForeignKey("judge.id")),
    Column("what", String(32), nullable=False),
    Column("details", JSON, nullable=False),
)
"""What happened, for the organiser."""
