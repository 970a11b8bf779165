"""JSON lines: an object a sentence.

    {"source": "…", "references": ["…", "…"], "hypotheses": {"system": "…"}}

`edits` (for each reference a list of edits with start, end, corrections and type) and `hypotheses` are
optional; a sentence with edits needs no references.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, TextIO

from corrigenda.corpus import Corpus, Hypotheses, Path
from corrigenda.edits import Annotation, Edit, apply_edits, first_overlap
from corrigenda.errors import FormatError, Location
from corrigenda.formats import text

_SHAPE = '{"source": "…", "references": ["…"], "hypotheses": {"name": "…"}}'


@dataclass(frozen=True)
class JsonLines:
    """A corpus and the systems that were in the same file."""

    corpus: Corpus
    systems: tuple[Hypotheses, ...]


def read(path: Path) -> JsonLines:
    """All sentences of a file, with the systems' outputs if it has any."""
    with ExitStack() as stack:
        stream = text.lines(text.open_binary(path, stack), text.shown(path))
        rows = [_parse(line, Location(text.shown(path), number)) for number, line in enumerate(stream, 1)]
    annotated = [row.gold is not None for row in rows]
    if any(annotated) != all(annotated):
        raise FormatError(
            'some sentences have "edits" and others have not',
            at=Location(text.shown(path), annotated.index(not annotated[0]) + 1),
            remedy='Give "edits" for every sentence or for none.',
        )
    corpus = Corpus(
        sources=tuple(row.source for row in rows),
        references=tuple(row.references for row in rows),
        gold=tuple(row.gold or () for row in rows) if any(annotated) else None,
    )
    return JsonLines(corpus, _systems(rows, text.shown(path)))


@dataclass(frozen=True)
class _Row:
    source: str
    references: tuple[str, ...]
    gold: tuple[Annotation, ...] | None
    hypotheses: Mapping[str, str]


def _parse(line: str, at: Location) -> _Row:
    try:
        data = json.loads(line)
    except json.JSONDecodeError as error:
        raise FormatError(
            f"not JSON: {error.msg} (column {error.colno})", at=at, remedy=f"Write {_SHAPE}."
        ) from error
    if not isinstance(data, dict) or not isinstance(data.get("source"), str):
        raise FormatError('there is no "source" string', at=at, remedy=f"Write {_SHAPE}.")
    source: str = data["source"]
    gold = _gold(data["edits"], len(source.split()), at) if "edits" in data else None
    references = data.get("references")
    if references is None and gold is not None:
        references = [" ".join(apply_edits(source.split(), annotation.edits)) for annotation in gold]
    if not _is_list_of_strings(references) or not references:
        raise FormatError('"references" is not a list of one or more strings', at=at, remedy=f"Write {_SHAPE}.")
    if gold is not None and len(gold) != len(references):
        raise FormatError(f'{len(references)} "references" but "edits" of {len(gold)} annotators', at=at)
    hypotheses = data.get("hypotheses", {})
    if not isinstance(hypotheses, dict) or not all(isinstance(value, str) for value in hypotheses.values()):
        raise FormatError('"hypotheses" is not an object of strings', at=at, remedy=f"Write {_SHAPE}.")
    for sentence in (source, *references, *hypotheses.values()):
        if "\n" in sentence or "\x00" in sentence:
            raise FormatError("a sentence contains a line end or a NUL character", at=at)
    return _Row(source, tuple(references), gold, hypotheses)


def _is_list_of_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _gold(data: object, words: int, at: Location) -> tuple[Annotation, ...]:
    if not isinstance(data, list) or not all(isinstance(edits, list) for edits in data):
        raise FormatError('"edits" is not a list with a list of edits for each annotator', at=at)
    annotations = []
    for annotator, items in enumerate(data):
        edits = tuple(_edit(item, words, at) for item in items)
        if clash := first_overlap(edits):
            raise FormatError(f"annotator {annotator} has overlapping edits, {clash[0]} and {clash[1]}", at=at)
        annotations.append(Annotation(annotator, edits))
    return tuple(annotations)


def _edit(data: Any, words: int, at: Location) -> Edit:
    shape = '{"start": 0, "end": 1, "corrections": ["…"], "type": "…"}'
    try:
        start, end, corrections = data["start"], data["end"], data["corrections"]
        kind = data.get("type", "UNK")
    except (TypeError, KeyError, AttributeError):
        raise FormatError(f"{data!r} is not an edit", at=at, remedy=f"Write {shape}.") from None
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start <= end <= words):
        raise FormatError(f"the span {start} {end} is not within the sentence of {words} words", at=at)
    if not _is_list_of_strings(corrections) or not corrections or not isinstance(kind, str):
        raise FormatError(f"{data!r} is not an edit", at=at, remedy=f"Write {shape}.")
    return Edit(start, end, tuple(" ".join(option.split()) for option in corrections), kind)


def _systems(rows: list[_Row], name: str) -> tuple[Hypotheses, ...]:
    names = list(rows[0].hypotheses) if rows else []
    for number, row in enumerate(rows, 1):
        if set(row.hypotheses) != set(names):
            raise FormatError(
                f'"hypotheses" has {sorted(row.hypotheses)}, and the first line has {sorted(names)}',
                at=Location(name, number),
                remedy="Every system needs an output for every sentence, if only an empty string.",
            )
    return tuple(Hypotheses(system, tuple(row.hypotheses[system] for row in rows)) for system in names)


def rows(corpus: Corpus, systems: Iterable[Hypotheses] = ()) -> Iterator[dict[str, Any]]:
    """The corpus as one plain dictionary a sentence."""
    systems = tuple(systems)
    for index, source in enumerate(corpus.sources):
        row: dict[str, Any] = {"source": source, "references": list(corpus.references[index])}
        if corpus.gold is not None:
            row["edits"] = [[_edit_row(edit) for edit in annotation.edits] for annotation in corpus.gold[index]]
        if systems:
            row["hypotheses"] = {system.name: system.sentences[index] for system in systems}
        yield row


def _edit_row(edit: Edit) -> dict[str, Any]:
    return {"start": edit.start, "end": edit.end, "corrections": list(edit.corrections), "type": edit.type}


def write(corpus: Corpus, systems: Iterable[Hypotheses], file: TextIO) -> None:
    """One object a line, text as it is."""
    for row in rows(corpus, systems):
        file.write(json.dumps(row, ensure_ascii=False) + "\n")
