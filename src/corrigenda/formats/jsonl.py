"""JSON lines: an object a sentence.

    {"source": "…", "references": ["…", "…"], "hypotheses": {"system": "…"}}

`edits` (for each reference a list of edits with start, end, corrections and type) and `hypotheses` are
optional; a sentence with edits needs no references. `annotators` numbers them where they are not 0, 1, ….
Other keys are left alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, TextIO, TypeGuard

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import Annotation, Edit, apply_edits, first_overlap
from corrigenda.errors import FormatError, Location
from corrigenda.formats import text
from corrigenda.text.sentences import Path

_EDITS = '"edits": [[{"start": 0, "end": 1, "corrections": ["…"], "type": "…"}], []]'
_MISSPELT = {
    "hypothesis": "hypotheses",
    "reference": "references",
    "sources": "source",
    "edit": "edits",
}
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
        rows = [
            _parse(line, Location(text.shown(path), number))
            for number, line in enumerate(stream, 1)
        ]
    annotated = [row.gold is not None for row in rows]
    if rows and any(annotated) != all(annotated):
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


def read_corpus(path: Path) -> Corpus:
    """The corpus of a file, without the systems that may be in it."""
    return read(path).corpus


@dataclass(frozen=True)
class _Row:
    source: str
    references: tuple[str, ...]
    gold: tuple[Annotation, ...] | None
    hypotheses: Mapping[str, str]


def _parse(line: str, at: Location) -> _Row:
    data = _object(line, at)
    if not isinstance(data.get("source"), str):
        raise FormatError('there is no "source" string', at=at, remedy=f"Write {_SHAPE}.")
    source: str = data["source"]
    gold = (
        _gold(data["edits"], data.get("annotators"), len(source.split()), at)
        if "edits" in data
        else None
    )
    references = data.get("references")
    if references is None and gold is not None:
        references = [
            " ".join(apply_edits(source.split(), annotation.edits)) for annotation in gold
        ]
    if not _is_list_of_strings(references) or not references:
        raise FormatError(
            '"references" is not a list of one or more strings', at=at, remedy=f"Write {_SHAPE}."
        )
    if gold is not None and len(gold) != len(references):
        problem = f'{len(references)} "references" but "edits" of {len(gold)} annotators'
        raise FormatError(
            problem, at=at, remedy=f"One list of edits belongs to each reference: {_EDITS}."
        )
    hypotheses = data.get("hypotheses", {})
    if not isinstance(hypotheses, dict) or not all(
        isinstance(value, str) for value in hypotheses.values()
    ):
        raise FormatError(
            '"hypotheses" is not an object of strings', at=at, remedy=f"Write {_SHAPE}."
        )
    for sentence in (source, *references, *hypotheses, *hypotheses.values()):
        _check_sentence(sentence, at)
    return _Row(source, tuple(references), gold, hypotheses)


def _object(line: str, at: Location) -> dict[str, Any]:
    def without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        for key in keys:
            if keys.count(key) > 1:
                raise FormatError(
                    f'the key "{key}" is given twice', at=at, remedy="Give each key once."
                )
        return dict(pairs)

    try:
        data = json.loads(line, object_pairs_hook=without_repetition)
    except json.JSONDecodeError as error:
        problem = f"not JSON: {error.msg} (column {error.colno})"
        raise FormatError(problem, at=at, remedy=f"Write {_SHAPE}.") from error
    except RecursionError:
        raise FormatError("the JSON is nested too deep", at=at, remedy=f"Write {_SHAPE}.") from None
    if not isinstance(data, dict):
        raise FormatError("the line is no JSON object", at=at, remedy=f"Write {_SHAPE}.")
    for wrong, right in _MISSPELT.items():
        if wrong in data:
            raise FormatError(
                f'the key "{wrong}" means nothing here', at=at, remedy=f'Did you mean "{right}"?'
            )
    return data


def _check_sentence(sentence: str, at: Location) -> None:
    if "\n" in sentence or "\x00" in sentence:
        problem = "a sentence contains a line end or a NUL character"
        raise FormatError(problem, at=at, remedy="Give one sentence a string.")
    if any("\ud800" <= character <= "\udfff" for character in sentence):
        problem = "a sentence contains half of a character (a lone surrogate)"
        raise FormatError(
            problem, at=at, remedy="Write the character itself, or both halves (\\ud83d\\ude00)."
        )


def _is_list_of_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _gold(data: object, annotators: object, words: int, at: Location) -> tuple[Annotation, ...]:
    if not isinstance(data, list) or not all(isinstance(edits, list) for edits in data):
        problem = '"edits" is not a list with a list of edits for each annotator'
        raise FormatError(problem, at=at, remedy=f"Write {_EDITS}.")
    numbers = list(range(len(data))) if annotators is None else annotators
    if (
        not _is_list_of_numbers(numbers)
        or len(numbers) != len(data)
        or numbers != sorted(set(numbers))
    ):
        problem = f'"annotators" is {annotators!r}'
        raise FormatError(
            problem, at=at, remedy='Give the number of each annotator in "edits", in rising order.'
        )
    made = []
    for annotator, items in zip(numbers, data, strict=True):
        edits = tuple(_edit(item, words, at) for item in items)
        if clash := first_overlap(edits):
            first, second = (f"{edit.start} {edit.end}" for edit in clash)
            raise FormatError(
                f"annotator {annotator} has overlapping edits, {first} and {second}",
                at=at,
                remedy="Edits of one annotator must not share a word; merge them or give one to another annotator.",
            )
        made.append(Annotation(annotator, edits))
    return tuple(made)


def _is_list_of_numbers(value: object) -> TypeGuard[list[int]]:
    return isinstance(value, list) and all(type(item) is int and item >= 0 for item in value)


def _edit(data: Any, words: int, at: Location) -> Edit:
    shape = '{"start": 0, "end": 1, "corrections": ["…"], "type": "…"}'
    try:
        start, end, corrections = data["start"], data["end"], data["corrections"]
        kind = data.get("type", "UNK")
    except (TypeError, KeyError, AttributeError):
        raise FormatError(f"{data!r} is not an edit", at=at, remedy=f"Write {shape}.") from None
    if not (type(start) is int and type(end) is int and 0 <= start <= end <= words):
        raise FormatError(
            f"the span {start} {end} is not within the sentence of {words} words",
            at=at,
            remedy="Spans count source words from 0, and the end is not included.",
        )
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
    return tuple(
        Hypotheses(system, tuple(row.hypotheses[system] for row in rows)) for system in names
    )


def rows(corpus: Corpus, systems: Iterable[Hypotheses] = ()) -> Iterator[dict[str, Any]]:
    """The corpus as one plain dictionary a sentence."""
    systems = tuple(systems)
    for index, source in enumerate(corpus.sources):
        row: dict[str, Any] = {"source": source, "references": list(corpus.references[index])}
        if corpus.gold is not None:
            annotators = [annotation.annotator for annotation in corpus.gold[index]]
            if annotators != list(range(len(annotators))):
                row["annotators"] = annotators
            row["edits"] = [
                [_edit_row(edit) for edit in annotation.edits] for annotation in corpus.gold[index]
            ]
        if systems:
            row["hypotheses"] = {system.name: system.sentences[index] for system in systems}
        yield row


def _edit_row(edit: Edit) -> dict[str, Any]:
    return {
        "start": edit.start,
        "end": edit.end,
        "corrections": list(edit.corrections),
        "type": edit.type,
    }


def write(corpus: Corpus, systems: Iterable[Hypotheses], file: TextIO) -> None:
    """One object a line, text as it is."""
    for row in rows(corpus, systems):
        file.write(json.dumps(row, ensure_ascii=False) + "\n")
