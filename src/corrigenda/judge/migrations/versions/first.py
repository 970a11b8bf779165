"""The tables of the first campaigns."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make all tables."""
    _make_campaign_and_texts()
    _make_items()
    _make_judges()


def _make_campaign_and_texts() -> None:
    op.create_table(
        "campaign",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("mode", sa.String(16), nullable=False),
        sa.Column("seed", sa.Integer, nullable=False),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("organiser_hash", sa.String(64)),
        sa.PrimaryKeyConstraint("id", name="pk_campaign"),
    )
    op.create_table(
        "system",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_system"),
        sa.UniqueConstraint("name", name="uq_system_name"),
    )
    op.create_table(
        "source",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("before", sa.Text, nullable=False),
        sa.Column("after", sa.Text, nullable=False),
        sa.Column("reference", sa.Text),
        sa.Column("stratum", sa.Text),
        sa.Column("state", sa.String(16), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_source"),
        sa.UniqueConstraint("number", name="uq_source_number"),
    )
    op.create_table(
        "output",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("source_id", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_output"),
        sa.ForeignKeyConstraint(["source_id"], ["source.id"], name="fk_output_source_id"),
        sa.UniqueConstraint("source_id", "hash", name="uq_output_source_id_hash"),
    )
    op.create_table(
        "candidate",
        sa.Column("output_id", sa.Integer, nullable=False),
        sa.Column("system_id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("output_id", "system_id", name="pk_candidate"),
        sa.ForeignKeyConstraint(["output_id"], ["output.id"], name="fk_candidate_output_id"),
        sa.ForeignKeyConstraint(["system_id"], ["system.id"], name="fk_candidate_system_id"),
    )


def _make_items() -> None:
    op.create_table(
        "item",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("source_id", sa.Integer, nullable=False),
        sa.Column("outputs", sa.JSON, nullable=False),
        sa.Column("needed", sa.Integer, nullable=False),
        sa.Column("clean_id", sa.Integer),
        sa.Column("broken_id", sa.Integer),
        sa.PrimaryKeyConstraint("id", name="pk_item"),
        sa.ForeignKeyConstraint(["source_id"], ["source.id"], name="fk_item_source_id"),
        sa.ForeignKeyConstraint(["clean_id"], ["output.id"], name="fk_item_clean_id"),
        sa.ForeignKeyConstraint(["broken_id"], ["output.id"], name="fk_item_broken_id"),
    )
    op.create_index("ix_item_kind_position", "item", ["kind", "position"])


def _make_judges() -> None:
    op.create_table(
        "judge",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("external_id", sa.Text),
        sa.Column("token_hash", sa.String(64)),
        sa.Column("code", sa.String(32), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("forgotten", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_judge"),
        sa.UniqueConstraint("name", name="uq_judge_name"),
        sa.UniqueConstraint("external_id", name="uq_judge_external_id"),
        sa.UniqueConstraint("token_hash", name="uq_judge_token_hash"),
    )
    op.create_table(
        "assignment",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("item_id", sa.Integer, nullable=False),
        sa.Column("judge_id", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("slot", sa.Integer),
        sa.Column("shown", sa.JSON, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("leased", sa.Float, nullable=False),
        sa.Column("leased_until", sa.Float, nullable=False),
        sa.Column("judgment_id", sa.Integer),
        sa.PrimaryKeyConstraint("id", name="pk_assignment"),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name="fk_assignment_item_id"),
        sa.ForeignKeyConstraint(["judge_id"], ["judge.id"], name="fk_assignment_judge_id"),
        sa.UniqueConstraint("item_id", "slot", name="uq_assignment_item_id_slot"),
        sa.UniqueConstraint(
            "judge_id", "item_id", "kind", name="uq_assignment_judge_id_item_id_kind"
        ),
    )
    op.create_index("ix_assignment_state_leased_until", "assignment", ["state", "leased_until"])
    op.create_index("ix_assignment_judge_id_state", "assignment", ["judge_id", "state"])
    op.create_table(
        "judgment",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("assignment_id", sa.Integer, nullable=False),
        sa.Column("judge_id", sa.Integer, nullable=False),
        sa.Column("item_id", sa.Integer, nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("answer", sa.JSON, nullable=False),
        sa.Column("shown", sa.JSON, nullable=False),
        sa.Column("reason", sa.Text),
        sa.Column("comment", sa.Text),
        sa.Column("milliseconds", sa.Integer),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("supersedes_id", sa.Integer),
        sa.PrimaryKeyConstraint("id", name="pk_judgment"),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignment.id"], name="fk_judgment_assignment_id"
        ),
        sa.ForeignKeyConstraint(["judge_id"], ["judge.id"], name="fk_judgment_judge_id"),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name="fk_judgment_item_id"),
        sa.ForeignKeyConstraint(
            ["supersedes_id"], ["judgment.id"], name="fk_judgment_supersedes_id"
        ),
        sa.UniqueConstraint("key", name="uq_judgment_key"),
    )
    op.create_index("ix_judgment_assignment_id", "judgment", ["assignment_id"])
    op.create_index("ix_judgment_judge_id_created", "judgment", ["judge_id", "created"])
    op.create_table(
        "event",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("judge_id", sa.Integer),
        sa.Column("what", sa.String(32), nullable=False),
        sa.Column("details", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_event"),
        sa.ForeignKeyConstraint(["judge_id"], ["judge.id"], name="fk_event_judge_id"),
    )
