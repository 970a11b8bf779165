"""What Alembic runs: all steps on the connection that `judge.database` gives."""

from __future__ import annotations

from alembic import context

from corrigenda.formats.campaign_schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
)
with context.begin_transaction():
    context.run_migrations()
