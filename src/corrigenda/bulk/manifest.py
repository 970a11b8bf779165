"""The settings and inputs of the run in a folder of results. It prevents runs from being mixed."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TypedDict

from corrigenda.bulk.columns import Columns
from corrigenda.bulk.partitions import Cut, Partition, PlainCut, PlainShard, Shard
from corrigenda.bulk.records import RECORDS, SCORES, STATISTICS, record_name
from corrigenda.bulk.sealed import sealed, unsealed
from corrigenda.bulk.settings import LastingSettings, PlainLastingSettings
from corrigenda.bulk.storage import LOCK, Folder
from corrigenda.bulk.words import PlainTokenPlan, TokenPlan
from corrigenda.errors import CorrigendaError, Location

MANIFEST = "manifest.json"
TOTALS = "totals.json"
REJECTED = "rejected.jsonl"
_REMEDY = "Give another --output, or --restart to delete what is there and begin again."


class PlainPlan(TypedDict):
    """A plan as JSON has it."""

    shard: PlainShard
    cuts: list[PlainCut] | None


class PlainManifest(TypedDict):
    """A manifest as JSON has it."""

    settings: PlainLastingSettings
    versions: dict[str, str]
    partition_rows: int
    plans: list[PlainPlan]
    run: str
    tokens: PlainTokenPlan | None


@dataclass
class Plan:
    """A shard and its cuts; the cuts are None until the shard has been read."""

    shard: Shard
    cuts: list[Cut] | None = None

    def partitions(self, place: int) -> list[Partition]:
        """The partitions of the shard, which is at this place of the inputs."""
        return [
            Partition(place, number, self.shard, cut) for number, cut in enumerate(self.cuts or [])
        ]

    @classmethod
    def from_plain(cls, data: PlainPlan) -> Plan:
        """The plan that JSON holds."""
        cuts = data["cuts"]
        return cls(
            Shard.from_plain(data["shard"]),
            None if cuts is None else [Cut.from_plain(cut) for cut in cuts],
        )


@dataclass
class Manifest:
    """Everything that must not change when a run continues."""

    settings: LastingSettings
    versions: dict[str, str]
    partition_rows: int
    plans: list[Plan]
    run: str = field(default_factory=lambda: uuid.uuid4().hex)
    """The id of the run. Workers of an older run may still be writing records."""
    tokens: TokenPlan | None = None
    """How words are made of raw text; the first rows decide."""

    def write(self, folder: Folder) -> None:
        """Write the manifest into the folder."""
        folder.write(MANIFEST, sealed(asdict(self)))

    @classmethod
    def from_plain(cls, data: PlainManifest) -> Manifest:
        """The manifest that JSON holds."""
        tokens = data["tokens"]
        return cls(
            LastingSettings.from_plain(data["settings"]),
            data["versions"],
            data["partition_rows"],
            [Plan.from_plain(plan) for plan in data["plans"]],
            data["run"],
            None if tokens is None else TokenPlan(**tokens),
        )

    @property
    def partitions(self) -> list[Partition]:
        """All partitions so far, in the order of the inputs."""
        return [
            partition
            for place, plan in enumerate(self.plans)
            for partition in plan.partitions(place)
        ]


def read(folder: Folder) -> Manifest | None:
    """The manifest of the run that was begun in this folder, if any."""
    check_folder(folder)
    if not folder.exists(MANIFEST):
        return None
    try:
        return Manifest.from_plain(unsealed(folder.read(MANIFEST)))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorrigendaError(
            "the manifest is damaged, or an earlier version of Corrigenda wrote it",
            at=_location(folder),
            remedy=_REMEDY,
        ) from error


def check_folder(folder: Folder) -> None:
    """Refuse a folder with files that are not those of a run."""
    if folder.exists(MANIFEST):
        return
    others = [
        name for name in folder.names() if name != LOCK and not _is_empty_folder(folder, name)
    ]
    if others:
        raise CorrigendaError(
            f"the folder is not empty ({others[0]} is in it), but it has no manifest of a run",
            at=Location(folder.url),
            remedy="Give another --output.",
        )


def _is_empty_folder(folder: Folder, name: str) -> bool:
    """Whether it is an empty folder of a run that stopped before it wrote its manifest."""
    return name in (SCORES, STATISTICS, RECORDS) and not any(
        folder.names(f"{name}/{inside}") or "." in inside for inside in folder.names(name)
    )


def clear(folder: Folder) -> None:
    """Remove the files of a run, and nothing else.

    The manifest goes last. If this is interrupted, the rest is still known as a run.
    """
    if folder.exists(MANIFEST):
        for name in (TOTALS, REJECTED, RECORDS, SCORES, STATISTICS, MANIFEST):
            folder.remove(name)


def sweep(folder: Folder, partitions: Sequence[Partition]) -> None:
    """Remove files that belong to no partition.

    They are unfinished files of workers that died, and files of inputs that changed.
    """
    names = {partition.name for partition in partitions}
    inside = [f"{STATISTICS}/{name}" for name in folder.names(STATISTICS)]
    for place in (SCORES, RECORDS, *inside):
        for name in folder.names(place):
            if name.partition(".")[0] not in names:
                folder.remove(f"{place}/{name}")


def check_same(
    found: Manifest,
    settings: LastingSettings,
    versions: dict[str, str],
    partition_rows: int | None,
    folder: Folder,
) -> None:
    """Refuse to continue with other metrics, columns, words, counts or versions."""
    before = found.settings
    if before.metrics != settings.metrics:
        raise _mixed(folder, "metrics", before.metrics, settings.metrics)
    if before.columns != settings.columns:
        raise _mixed(folder, "columns", before.columns, settings.columns)
    if before.counts != settings.counts:
        raise _mixed(folder, "counts", before.counts, settings.counts)
    if before.tokenise != settings.tokenise:
        raise _mixed(folder, "words (--tokenise)", before.tokenise, settings.tokenise)
    for name, value in versions.items():
        if found.versions.get(name) != value:
            raise _mixed(folder, f"version of {name}", found.versions.get(name), value)
    if partition_rows is not None and partition_rows != found.partition_rows:
        raise _mixed(folder, "rows per partition", found.partition_rows, partition_rows)


def check_inputs(found: Manifest, shards: Sequence[Shard], folder: Folder) -> list[str]:
    """Refuse other inputs, and forget the partitions of inputs that changed.

    Returns the changed inputs of which a part had been scored.
    """
    if [plan.shard.files for plan in found.plans] != [shard.files for shard in shards]:
        before = [plan.shard.label for plan in found.plans]
        raise _mixed(folder, "inputs", before, [shard.label for shard in shards])
    changed = []
    for place, (plan, shard) in enumerate(zip(found.plans, shards, strict=True)):
        if (plan.shard.sizes, plan.shard.stamps) != (shard.sizes, shard.stamps):
            names = [record_name(partition) for partition in plan.partitions(place)]
            if any(folder.exists(name) for name in names):
                changed.append(shard.label)
            for name in names:
                folder.remove(name)
            plan.shard, plan.cuts = shard, None
    return changed


def _mixed(folder: Folder, what: str, before: object, now: object) -> CorrigendaError:
    return CorrigendaError(
        f"the run in this folder was begun with other {what}:\n"
        f"    then: {_shown(before)}\n    now:  {_shown(now)}",
        at=_location(folder),
        remedy=_REMEDY,
    )


def _shown(value: object) -> str:
    if isinstance(value, Columns):
        value = asdict(value)
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _location(folder: Folder) -> Location:
    return Location(folder.shown(MANIFEST))
