"""`corrigenda score --passport FILE`: gathers what a passport holds, and writes it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from corrigenda import writing
from corrigenda.cli import inputs, options, outputs
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from corrigenda.core.evaluate import Block
    from corrigenda.core.metric import Metric
    from corrigenda.core.result import Result
    from corrigenda.formats.jsonl import SentenceRow
    from corrigenda.health.finding import PlainFinding
    from corrigenda.passport.document import FileDigest

_AT_ONCE = 1 << 20


def add_passport(group: options.Group) -> None:
    """The options about passports."""
    group.add_argument(
        "--passport",
        metavar="FILE",
        help="also write what others need to check the scores: `corrigenda verify FILE …`",
    )
    group.add_argument(
        "--with-text",
        action="store_true",
        help="put the texts into the passport, too; by default it holds none",
    )


def check_passport(args: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    """Refuse a passport that cannot be written, before the work."""
    if args.with_text and not args.passport:
        raise UsageError("--with-text describes a passport", remedy="Add --passport FILE.")
    if args.passport == "-":
        raise UsageError("--passport needs a file", remedy="Write --passport FILE.")
    given = [*inputs.given_files(args), *options.files_of(metrics)]
    outputs.check_file("--passport", args.passport, given)


class PassportInputs:
    """Sees every block that is scored."""

    def __init__(self, *, with_text: bool) -> None:
        from corrigenda.passport.marks import TextMarker

        self.marker = TextMarker()
        self._rows: list[SentenceRow] | None = [] if with_text else None

    def add(self, block: Block) -> None:
        """Remember the marks of the texts, and the texts if they are wanted."""
        from corrigenda.formats import jsonl

        self.marker.add(block.corpus, block.systems)
        if self._rows is None:
            return
        if block.corpus.errors is not None or any(s.edits is not None for s in block.systems):
            raise UsageError(
                "--with-text cannot hold errors in XML, or outputs that are given as edits",
                remedy="Leave --with-text out, or give text, M2 gold or JSON lines.",
            )
        self._rows += jsonl.rows(block.corpus, block.systems)

    def write(
        self,
        path: str,
        results: Sequence[Result],
        files: Sequence[outputs.GivenFile],
        health: Sequence[PlainFinding] = (),
    ) -> None:
        """Write the passport."""
        from corrigenda.passport import document

        body = document.make(
            results,
            self.marker.marks(),
            files=[_file_digest(file) for file in files if str(file.path) != "-"],
            health=health,
            rows=self._rows,
        )
        writing.write_bytes(path, document.rendered(body))


def _file_digest(given: outputs.GivenFile) -> FileDigest:
    import hashlib

    digest = hashlib.sha256()
    with Path(given.path).open("rb") as file:
        while content := file.read(_AT_ONCE):
            digest.update(content)
    return {
        "option": given.option,
        "name": Path(given.path).name,
        "sha256": digest.hexdigest(),
    }
