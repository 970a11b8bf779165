"""What the user names as inputs: files, patterns, folders; which format they have, and which belong together."""

from __future__ import annotations

import os
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
Input = str | os.PathLike[str] | Shard


def find_shards(
    inputs: Sequence[Input], columns: Columns, given: InputFormat | None
) -> list[Shard]:
    """The inputs in the order in which they are named; those of one pattern or folder by name."""
    shards: list[Shard] = []
    for item in inputs:
        shards += [item] if isinstance(item, Shard) else _of_one(os.fspath(item), columns, given)
    names = Counter(shard.files[0] for shard in shards)
    for name, times in names.items():
        if times > 1:
            raise UsageError(
                f"{name} is given twice", remedy="Give each input once: its rows would count twice."
            )
    return shards


def parallel_shard(source: str, hypothesis: str, references: Sequence[str]) -> Shard:
    """Text files side by side, line by line."""
    return _shard("text", source, (source, hypothesis, *references))


def _shard(kind: InputFormat, label: str, files: Sequence[str]) -> Shard:
    known = [_known(file) for file in files]
    sizes, stamps = zip(*known, strict=True)
    return Shard(kind, label, tuple(map(storage.absolute, files)), sizes, stamps)


def _of_one(name: str, columns: Columns, given: InputFormat | None) -> list[Shard]:
    if given == "text" or (
        given is None and not storage.is_file(name) and _beginnings(name, columns)
    ):
        return [_parallel(beginning, columns) for beginning in _beginnings(name, columns) or [name]]
    return [_shard(given or _format(file), file, (file,)) for file in _files(name, given)]


def _files(name: str, given: InputFormat | None) -> list[str]:
    """The file of this name, else the files that a pattern matches, or a folder holds."""
    if storage.is_file(name):
        return [name]
    if storage.is_pattern(name):
        return storage.matching(name) or _nothing("no file matches this pattern", name)
    if not storage.is_folder(name):
        return _nothing("there is no such file", name)
    # A folder may hold other things beside its tables.
    found = [
        file for file in storage.files_below(name) if given is not None or _format_by_name(file)
    ]
    return found or _nothing("the folder holds no Parquet and no JSON lines", name)


def _nothing(problem: str, name: str) -> list[str]:
    raise CorrigendaError(problem, at=Location(name), remedy="Check the path, URL or pattern.")


def _beginnings(name: str, columns: Columns) -> list[str]:
    """What parallel text is named by: `data/shard-0` of data/shard-0.src, or all that a pattern of such matches."""
    if not storage.is_pattern(name):
        return [name] if _is_there(f"{name}.{columns.source}") else []
    found: dict[str, None] = {}
    for suffix in ("", *_COMPRESSED):
        ending = f".{columns.source}{suffix}"
        found |= dict.fromkeys(
            file.removesuffix(ending) for file in storage.matching(name + ending)
        )
    return sorted(found)


def _parallel(beginning: str, columns: Columns) -> Shard:
    """`data/shard-0` stands for data/shard-0.src, data/shard-0.hyp, … as the columns say."""
    if columns.key is not None:
        raise UsageError(
            "parallel text has no key column",
            remedy="Leave out --key: rows are known by their number.",
        )
    source, hypothesis, *references = (
        _found(f"{beginning}.{column}") for column in columns.sentences
    )
    return parallel_shard(source, hypothesis, references)


def _is_there(name: str) -> str | None:
    """A file of this name, compressed or not."""
    return next(
        (name + suffix for suffix in ("", *_COMPRESSED) if storage.is_file(name + suffix)), None
    )


def _found(name: str) -> str:
    if (file := _is_there(name)) is not None:
        return file
    raise CorrigendaError(
        "there is no such file",
        at=Location(name),
        remedy="Parallel text is named by the files' common beginning; --columns says what follows after the dot.",
    )


def _known(file: str) -> tuple[int, str]:
    try:
        file.encode()
    except UnicodeEncodeError as error:
        readable = file.encode(errors="replace").decode()
        raise CorrigendaError(
            "the name of the file is not UTF-8", at=Location(readable), remedy="Rename it."
        ) from error
    try:
        return storage.size_and_stamp(file)
    except OSError as error:
        reason = (error.strerror or str(error) or "not found").lower()
        raise CorrigendaError(
            f"cannot read it: {reason}", at=Location(file), remedy="Check the path."
        ) from error


def _format_by_name(file: str) -> InputFormat | None:
    name = file.lower()
    for compressed in _COMPRESSED:
        name = name.removesuffix(compressed)
    return next((kind for suffix, kind in _SUFFIXES.items() if name.endswith(suffix)), None)


def _format(file: str) -> InputFormat:
    if (kind := _format_by_name(file)) is not None:
        return kind
    raise UsageError(
        f"{file}: its name does not say its format",
        remedy="Name it .parquet or .jsonl (also .jsonl.gz), or add --input-format parquet, jsonl or text.",
    )
