"""What a folder of results was begun with: the guard against mixing two runs."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from corrigenda.bulk.partitions import Partition, Shard
from corrigenda.bulk.records import RECORDS, SCORES, STATISTICS, record_name
from corrigenda.bulk.settings import BulkSettings
from corrigenda.bulk.storage import Folder
from corrigenda.errors import CorrigendaError, Location

MANIFEST = "manifest.json"
TOTALS = "totals.json"
REJECTED = "rejected.jsonl"
LOCK = ".lock"
_REMEDY = "Give another --output, or --restart to throw away what is there and begin anew."


@dataclass
class Plan:
    """A shard and its partitions; none yet while it cannot be read."""

    shard: Shard
    partitions: list[Partition] | None = None


@dataclass
class Manifest:
    """Everything that must stay as it was when a run is taken up again."""

    settings: dict[str, Any]
    versions: dict[str, str]
    partition_rows: int
    plans: list[Plan]
    run: str = field(default_factory=lambda: uuid.uuid4().hex)
    """Which run it is: workers of another may still be about."""

    def write(self, folder: Folder) -> None:
        """Keep it in the folder."""
        folder.write(MANIFEST, json.dumps(asdict(self), ensure_ascii=False, indent=1).encode())

    @property
    def partitions(self) -> list[Partition]:
        """All of them, in the order of the inputs."""
        return [partition for plan in self.plans for partition in plan.partitions or []]


def read(folder: Folder) -> Manifest | None:
    """The manifest of a run that was begun here, if there is one."""
    if not folder.exists(MANIFEST):
        others = [
            name for name in folder.names() if name != LOCK and not _is_empty_folder(folder, name)
        ]
        if others:
            raise CorrigendaError(
                f"the folder is not empty, and no earlier run left it so ({others[0]} is in it)",
                at=Location(folder.url),
                remedy="Give another --output.",
            )
        return None
    try:
        data = json.loads(folder.read(MANIFEST))
        plans = [
            Plan(
                _shard(plan["shard"]),
                plan["partitions"] and [Partition.from_dict(part) for part in plan["partitions"]],
            )
            for plan in data["plans"]
        ]
        return Manifest(
            data["settings"], data["versions"], data["partition_rows"], plans, data["run"]
        )
    except (ValueError, KeyError, TypeError) as error:
        raise CorrigendaError("the manifest is damaged", at=_at(folder), remedy=_REMEDY) from error


def _shard(data: dict[str, Any]) -> Shard:
    return Shard(
        data["format"],
        data["label"],
        tuple(data["files"]),
        tuple(data["sizes"]),
        tuple(data["stamps"]),
    )


def _is_empty_folder(folder: Folder, name: str) -> bool:
    """What a run leaves that could not even write its manifest."""
    return name in (SCORES, STATISTICS, RECORDS) and not any(
        folder.names(f"{name}/{inside}") or "." in inside for inside in folder.names(name)
    )


def clear(folder: Folder) -> None:
    """Remove what a run left, and nothing else; the manifest last, so that what is left is known as a run's."""
    if folder.exists(MANIFEST):
        for name in (TOTALS, REJECTED, RECORDS, SCORES, STATISTICS, MANIFEST):
            folder.remove(name)


def sweep(folder: Folder, partitions: Sequence[Partition]) -> None:
    """Remove files that are of no partition: unfinished ones of workers that died, and those of inputs that changed."""
    names = {partition.name for partition in partitions}
    inside = [f"{STATISTICS}/{name}" for name in folder.names(STATISTICS)]
    for place in (SCORES, RECORDS, *inside):
        for name in folder.names(place):
            if name.partition(".")[0] not in names:
                folder.remove(f"{place}/{name}")


def check_same(
    found: Manifest,
    settings: BulkSettings,
    versions: dict[str, str],
    partition_rows: int | None,
    folder: Folder,
) -> None:
    """Refuse to go on with other metrics, columns or versions."""
    wanted = json.loads(json.dumps(settings.lasting()))
    for name, value in wanted.items():
        if found.settings.get(name) != value:
            raise _mixed(folder, name, found.settings.get(name), value)
    for name, value in versions.items():
        if found.versions.get(name) != value:
            raise _mixed(folder, f"version of {name}", found.versions.get(name), value)
    if partition_rows is not None and partition_rows != found.partition_rows:
        raise _mixed(folder, "rows of a partition", found.partition_rows, partition_rows)


def check_inputs(found: Manifest, shards: Sequence[Shard], folder: Folder) -> list[str]:
    """Refuse other inputs. One that changed is planned, and scored, anew; gives those of which a part was scored."""
    known = [list(plan.shard.files) for plan in found.plans]
    if known != [list(shard.files) for shard in shards]:
        raise _mixed(
            folder,
            "inputs",
            [plan.shard.label for plan in found.plans],
            [shard.label for shard in shards],
        )
    changed = []
    for plan, shard in zip(found.plans, shards, strict=True):
        if (plan.shard.sizes, plan.shard.stamps) != (shard.sizes, shard.stamps):
            names = [record_name(partition) for partition in plan.partitions or []]
            if any(folder.exists(name) for name in names):
                changed.append(shard.label)
            for name in names:
                folder.remove(name)
            plan.shard, plan.partitions = shard, None
    return changed


def _mixed(folder: Folder, what: str, before: object, now: object) -> CorrigendaError:
    return CorrigendaError(
        f"the run in this folder was begun with other {what}:\n    then: {_shown(before)}\n    now:  {_shown(now)}",
        at=_at(folder),
        remedy=_REMEDY,
    )


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value)


def _at(folder: Folder) -> Location:
    return Location(folder.shown(MANIFEST))
