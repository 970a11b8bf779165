"""What the user names as inputs: files, patterns, folders; which format they have, and which belong together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from corrigenda.bulk import storage
from corrigenda.bulk.columns import Columns
from corrigenda.bulk.partitions import InputFormat, Shard
from corrigenda.errors import CorrigendaError, Location, UsageError

_SUFFIXES: dict[str, InputFormat] = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
}
_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")


def find_shards(inputs: Sequence[str | Shard], columns: Columns, given: InputFormat | None) -> list[Shard]:
    """The inputs in the order in which they are named; those of one pattern or folder by name."""
    shards: list[Shard] = []
    for item in inputs:
        shards += [item] if isinstance(item, Shard) else _of_one(item, columns, given)
    names = Counter(shard.files[0] for shard in shards)
    for name, times in names.items():
        if times > 1:
            raise UsageError(f"{name} is given twice", remedy="Give each input once: its rows would count twice.")
    return shards


def parallel_shard(source: str, hypothesis: str, references: Sequence[str]) -> Shard:
    """Text files side by side, line by line."""
    files = (source, hypothesis, *references)
    return Shard("text", source, tuple(map(storage.absolute, files)), tuple(map(_size, files)))


def _of_one(name: str, columns: Columns, given: InputFormat | None) -> list[Shard]:
    if given == "text":
        return [_parallel(name, columns)]
    files = storage.expanded(name)
    if not files:
        if given is None and _is_there(f"{name}.{columns.source}"):
            return [_parallel(name, columns)]
        raise CorrigendaError("there is no such file", at=Location(name), remedy="Check the path, URL or pattern.")
    return [Shard(given or _format(file), file, (storage.absolute(file),), (_size(file),)) for file in files]


def _parallel(prefix: str, columns: Columns) -> Shard:
    """`data/shard-0` stands for data/shard-0.src, data/shard-0.hyp, … as the columns say."""
    if columns.key is not None:
        raise UsageError(
            "parallel text has no key column", remedy="Leave out --key: rows are known by their number."
        )
    source, hypothesis, *references = (_found(f"{prefix}.{column}") for column in columns.sentences)
    return parallel_shard(source, hypothesis, references)


def _is_there(name: str) -> str | None:
    """A file of this name, compressed or not."""
    for suffix in ("", *_COMPRESSED):
        if files := storage.expanded(name + suffix):
            return files[0]
    return None


def _found(name: str) -> str:
    if (file := _is_there(name)) is not None:
        return file
    raise CorrigendaError(
        "there is no such file",
        at=Location(name),
        remedy="Parallel text is named by the files' common beginning; --columns says what follows after the dot.",
    )


def _size(file: str) -> int:
    try:
        return storage.size(file)
    except OSError as error:
        reason = (error.strerror or str(error) or "not found").lower()
        raise CorrigendaError(f"cannot read it: {reason}", at=Location(file), remedy="Check the path.") from error


def _format(file: str) -> InputFormat:
    name = file.lower()
    for compressed in _COMPRESSED:
        name = name.removesuffix(compressed)
    for suffix, kind in _SUFFIXES.items():
        if name.endswith(suffix):
            return kind
    raise UsageError(
        f"{file}: its name does not say its format",
        remedy="Name it .parquet or .jsonl (also .jsonl.gz), or add --input-format parquet, jsonl or text.",
    )
