"""Judgments of a campaign as files: Appraise XML, WMT CSV with one pair per row, JSON lines."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable
from itertools import combinations
from typing import TYPE_CHECKING, TextIO

from corrigenda.formats import campaign as campaign_format
from corrigenda.formats import judgments as judgments_format
from corrigenda.judgments import Judgments, Ranking

if TYPE_CHECKING:
    from corrigenda.judge.store import CampaignStore


def export(store: CampaignStore, style: str, file: TextIO) -> None:
    """Write the judgments in one of `EXPORTS`."""
    EXPORTS[style](store, file)


def _appraise(store: CampaignStore, file: TextIO) -> None:
    judgments_format.write(store.judgments(), file, "xml")


def _appraise_wmt(store: CampaignStore, file: TextIO) -> None:
    judgments_format.write_ranking_result(store.judgments(), file)


def _csv(store: CampaignStore, file: TextIO) -> None:
    """One row per pair of systems in a ranking."""
    judgments_format.check_writable(store.judgments(), "csv")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(
        ["segmentId", "judgeID", "system1Id", "system1rank", "system2Id", "system2rank"]
    )
    writer.writerows(_pair_rows(store.judgments()))


def _pair_rows(judgments: Judgments) -> Iterable[list[str | int]]:
    for ranking in judgments.rankings:
        for (first, rank), (second, other) in combinations(_ranks(ranking), 2):
            yield [ranking.sentence, ranking.judge, first, rank, second, other]


def _ranks(ranking: Ranking) -> list[tuple[str, int]]:
    return sorted(ranking.ranks().items())


def _jsonl(store: CampaignStore, file: TextIO) -> None:
    """Everything: the order shown, the times, controls, repeats and comments.

    `corrigenda rank` reads `ranks`. A control has none: its broken output belongs to no system.
    """
    judgments_format.check_writable(store.judgments(), "jsonl")
    with store.reading() as connection:
        for row in campaign_format.answers(connection, controls=True):
            ranks = campaign_format.ranks_of(row["answer"])
            named = {
                " ".join(systems): rank
                for systems, rank in zip(row["systems"], ranks, strict=True)
                if systems
            }
            data = {
                "sentence": str(row["sentence"]),
                "judge": row["judge"],
                "ranks": named if row["item_kind"] != "control" else {},
                "kind": row["kind"],
                "item": row["item_id"],
                "judgment": row["id"],
                "shown": [list(systems) for systems in row["systems"]],
                "answer": row["answer"],
                "milliseconds": row["milliseconds"],
                "created": row["created"],
                "stratum": row["stratum"],
                "comment": row["comment"],
            }
            if row["item_kind"] == "control":
                data["control"] = {
                    "clean": row["shown"].index(row["clean_id"]),
                    "broken": row["shown"].index(row["broken_id"]),
                }
            file.write(json.dumps(data, ensure_ascii=False) + "\n")


EXPORTS: dict[str, Callable[[CampaignStore, TextIO], None]] = {
    "appraise": _appraise,
    "appraise-wmt": _appraise_wmt,
    "csv": _csv,
    "jsonl": _jsonl,
}
"""Every export by the name that `judge export --format` takes."""
SUFFIXES = {"appraise": "xml", "appraise-wmt": "xml", "csv": "csv", "jsonl": "jsonl"}
