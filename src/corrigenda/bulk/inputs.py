"""The inputs that the user names: files, patterns, folders.

This module finds their formats, and which files of parallel text belong together.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from typing import get_args

from corrigenda.bulk import storage
from corrigenda.bulk.columns import Columns
from corrigenda.bulk.partitions import InputFormat, Shard
from corrigenda.errors import CorrigendaError, Location, UsageError
from corrigenda.formats.packed import PACKINGS

_SUFFIXES: dict[str, InputFormat] = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
}
_PACKED = tuple(packing.suffix for packing in PACKINGS)
_OTHER_PACKED = (".zip", ".lzma", ".lz4", ".snappy", ".7z", ".rar", ".tar", ".tgz")
"""Archives, which may hold several files, and ways of packing that are not read."""
Input = str | os.PathLike[str] | Shard


def find_shards(
    inputs: Sequence[Input], columns: Columns, given: InputFormat | None
) -> list[Shard]:
    """The inputs in the given order. The files of a pattern or folder are sorted by name.

    `given` is the format that the user gave, if any.
    """
    _check_format(given)
    shards: list[Shard] = []
    for item in inputs:
        if isinstance(item, Shard):
            shards.append(item)
        else:
            shards += _shards_of(os.fspath(item), columns, given)
    if not shards:
        raise UsageError("there are no inputs to score", remedy="Give at least one input.")
    names = Counter(shard.files[0] for shard in shards)
    for name, times in names.items():
        if times > 1:
            raise UsageError(
                f"{name} is given twice",
                remedy="Give each input once, or its rows would count twice.",
            )
    return shards


def _check_format(given: InputFormat | None) -> None:
    if given is not None and given not in get_args(InputFormat):
        raise UsageError(
            f"the input format is {given!r}",
            remedy=f"It takes: {', '.join(get_args(InputFormat))}.",
        )


def parallel_shard(source: str, hypothesis: str, references: Sequence[str]) -> Shard:
    """Text files in which line i belongs to sentence i; there may be no references."""
    return _shard("text", source, (source, hypothesis, *references))


def _shard(kind: InputFormat, label: str, files: Sequence[str]) -> Shard:
    known = [_size_and_stamp(file) for file in files]
    sizes, stamps = zip(*known, strict=True)
    return Shard(kind, label, tuple(map(storage.absolute, files)), sizes, stamps)


def _shards_of(name: str, columns: Columns, given: InputFormat | None) -> list[Shard]:
    if given == "text" or (
        given is None and not storage.is_file(name) and _beginnings(name, columns)
    ):
        return [_parallel(beginning, columns) for beginning in _beginnings(name, columns) or [name]]
    return [_shard(given or _format(file), file, (file,)) for file in _files(name, given)]


def _files(name: str, given: InputFormat | None) -> list[str]:
    """The file of this name, or the files that match the pattern, or the files of the folder."""
    if storage.is_file(name):
        return [name]
    if storage.is_pattern(name):
        return storage.matching(name) or _nothing("no file matches this pattern", name)
    if not storage.is_folder(name):
        return _nothing("there is no such file", name)
    # A folder may hold other files beside its tables.
    found = [
        file for file in storage.files_below(name) if given is not None or _format_by_name(file)
    ]
    return found or _nothing("the folder holds no Parquet and no JSON lines", name)


def _nothing(problem: str, name: str) -> list[str]:
    raise CorrigendaError(problem, at=Location(name), remedy="Check the path, URL or pattern.")


def _beginnings(name: str, columns: Columns) -> list[str]:
    """The common beginnings of parallel text, e.g. `data/shard-0` for data/shard-0.src.

    A pattern may match many of them.
    """
    if not storage.is_pattern(name):
        return [name] if _existing(f"{name}.{columns.source}") else []
    found: dict[str, None] = {}
    for suffix in ("", *_PACKED):
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
            remedy="Leave out --key; rows are identified by their number.",
        )
    source, hypothesis = (
        _required(f"{beginning}.{column}") for column in (columns.source, columns.hypothesis)
    )
    return parallel_shard(source, hypothesis, _reference_files(beginning, columns))


def _reference_files(beginning: str, columns: Columns) -> list[str]:
    names = [f"{beginning}.{column}" for column in columns.references]
    if columns.may_lack_references and not _existing(names[0]):
        return []
    return [_required(name) for name in names]


def _existing(name: str) -> str | None:
    """The file of this name, compressed or not."""
    return next(
        (name + suffix for suffix in ("", *_PACKED) if storage.is_file(name + suffix)), None
    )


def _required(name: str) -> str:
    if (file := _existing(name)) is not None:
        return file
    raise CorrigendaError(
        "there is no such file",
        at=Location(name),
        remedy="Give the common beginning of the files' names; --columns says what follows the "
        "dot.",
    )


def _size_and_stamp(file: str) -> tuple[int, str]:
    try:
        file.encode()
    except UnicodeEncodeError as error:
        readable = file.encode(errors="replace").decode()
        raise CorrigendaError(
            "the name of the file is not UTF-8", at=Location(readable), remedy="Rename it."
        ) from error
    if file.lower().endswith(_OTHER_PACKED):
        raise UsageError(
            f"{file}: files packed like this are not read",
            remedy=f"Unpack it, or pack each file by itself: {', '.join(_PACKED)}.",
        )
    try:
        return storage.size_and_stamp(file)
    except OSError as error:
        reason = (error.strerror or str(error) or "not found").lower()
        raise CorrigendaError(
            f"cannot read it: {reason}", at=Location(file), remedy="Check the path."
        ) from error


def _format_by_name(file: str) -> InputFormat | None:
    name = file.lower()
    for compressed in _PACKED:
        name = name.removesuffix(compressed)
    return next((kind for suffix, kind in _SUFFIXES.items() if name.endswith(suffix)), None)


def _format(file: str) -> InputFormat:
    if (kind := _format_by_name(file)) is not None:
        return kind
    raise UsageError(
        f"{file}: the name does not show the format",
        remedy="Name it .parquet or .jsonl (also .jsonl.gz), or add --input-format parquet, jsonl "
        "or text.",
    )
