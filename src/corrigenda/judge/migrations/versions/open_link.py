"""An open link for judges of a crowd service, and a count of the taken places of an item."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both columns. The count comes from the assignments."""
    op.add_column("campaign", sa.Column("open_hash", sa.String(64)))
    op.add_column("item", sa.Column("taken", sa.Integer, nullable=False, server_default="0"))
    op.execute(
        "UPDATE item SET taken = (SELECT COUNT(*) FROM assignment "
        "WHERE assignment.item_id = item.id AND assignment.slot IS NOT NULL)"
    )
