"""Whether the inputs have references at all: checked before the work, if a metric needs them."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from itertools import islice

from corrigenda.bulk import storage
from corrigenda.bulk.columns import Columns
from corrigenda.bulk.partitions import Shard
from corrigenda.bulk.readers import json_object
from corrigenda.errors import UsageError
from corrigenda.formats import text

_ROWS_TO_TELL = 10_000
"""If none of this many rows of a JSON lines file has references, the column name is wrong."""


def check_reference_columns(shards: Sequence[Shard], columns: Columns, metric: str | None) -> None:
    """Refuse to begin if a metric needs references and no input has columns for them.

    `metric` is the name of a metric that needs references; None if no metric needs them.
    """
    if metric is None or any(_may_have_references(shard, columns) for shard in shards):
        return
    names = " or ".join(repr(name) for name in columns.references)
    if all(shard.format == "text" for shard in shards):
        problem = "no file of references is given"
    elif names:
        problem = f"the inputs have no column {names}"
    else:
        problem = "no column of references is named"
    raise UsageError(
        f"{metric} needs references, but {problem}",
        remedy="Name them (--columns references=NAME+NAME, or --refs FILE… with --source), or "
        "choose metrics that need no references.",
    )


def _may_have_references(shard: Shard, columns: Columns) -> bool:
    if shard.format == "text":
        return len(shard.files) > 2
    if not columns.references:
        return False
    try:
        if shard.format == "jsonl":
            return _json_may_have_references(shard, columns)
        from corrigenda.bulk.parquet_reader import column_names

        return any(name in columns.references for name in column_names(shard))
    except Exception:
        # This input cannot be read. A later step, which cuts it, reports the error.
        return True


def _json_may_have_references(shard: Shard, columns: Columns) -> bool:
    """Whether a row has a column of references. True also if no row has a source: then the rows
    themselves are wrong, and later messages say how.
    """
    tells = False
    with storage.opened(shard.files[0]) as file:
        for raw in islice(text.bounded_lines(file, shard.files[0]), _ROWS_TO_TELL):
            line = raw.removeprefix(codecs.BOM_UTF8).decode(errors="replace")
            row, _ = json_object(line)
            if row is not None and any(name in row for name in columns.references):
                return True
            tells |= row is not None and columns.source in row
    return not tells
