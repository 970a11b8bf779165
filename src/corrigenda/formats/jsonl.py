"""JSON lines: one object per sentence.

    {"source": "…", "references": ["…", "…"], "hypotheses": {"system": "…"}}

Only `source` is required. A sentence without `references` (no key, `null` or `[]`) has none.
`edits` holds one list per reference, of edits with start, end, corrections and type; without
`references`, the edits give them. `annotators` numbers the lists of edits if the numbers are not
0, 1, …. `document` is the id of the document of the sentence: a text or a whole number, for all
sentences or for none. Other keys are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import NotRequired, TextIO, TypedDict, TypeGuard

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import (
    UNKNOWN_TYPE,
    Annotation,
    Edit,
    are_annotators,
    first_overlap,
)
from corrigenda.errors import FormatError, Location, brief
from corrigenda.formats import input_file, text
from corrigenda.formats.edited_texts import EditedTexts, check_reference_number
from corrigenda.formats.input_file import MOST_SYSTEMS
from corrigenda.formats.json_text import check_spelling, object_of_line
from corrigenda.formats.registry import LoadedCorpus
from corrigenda.text.sentences import Path, check_sentence

_EDIT = '{"start": 0, "end": 1, "corrections": ["…"], "type": "…"}'
_EDITS = f'"edits": [[{_EDIT}], []]'
_KEYS = ("source", "references", "edits", "annotators", "hypotheses", "document")
_EDIT_KEYS = ("start", "end", "corrections", "type")
_SHAPE = '{"source": "…", "references": ["…"], "hypotheses": {"name": "…"}}'


class EditRow(TypedDict):
    """One edit, as it is written."""

    start: int
    end: int
    corrections: list[str]
    type: str


class SentenceRow(TypedDict):
    """One line, as it is written; the keys are written in this order."""

    document: NotRequired[str]
    source: str
    references: list[str]
    annotators: NotRequired[list[int]]
    edits: NotRequired[list[list[EditRow]]]
    hypotheses: NotRequired[dict[str, str]]


@dataclass(frozen=True)
class _Sentence:
    """One line, as it was read."""

    source: str
    references: tuple[str, ...]
    gold: tuple[Annotation, ...] | None
    hypotheses: Mapping[str, str]
    document: str | None


def load(path: Path) -> LoadedCorpus:
    """All sentences of a file, and the outputs of systems if the file has any."""
    name = input_file.shown(path)
    with ExitStack() as stack:
        return load_lines(text.lines(input_file.open_binary(path, stack), name), name)


def load_lines(lines: Iterable[str], name: str) -> LoadedCorpus:
    """The same for lines that were read before; `name` stands for the file in messages."""
    texts = EditedTexts()
    sentences = [
        _parse(line, Location(name, number), texts) for number, line in enumerate(lines, 1)
    ]
    corpus = Corpus(
        sources=tuple(sentence.source for sentence in sentences),
        references=tuple(sentence.references for sentence in sentences),
        gold=_all_gold(sentences, name),
        documents=_all_documents(sentences, name),
    )
    return LoadedCorpus(corpus, _systems(sentences, name))


def read_corpus(path: Path) -> Corpus:
    """Read a corpus from JSON lines, without the systems that may be in the file.

    Args:
        path: The file.

    Returns:
        The corpus.

    Example:
        >>> import corrigenda, pathlib, tempfile
        >>> corpus = corrigenda.Corpus.from_lists(["He go ."], ["He goes ."])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "corpus.jsonl"
        ...     corrigenda.convert(corpus, to="jsonl", out=path)
        ...     corrigenda.read_jsonl(path).references
        (('He goes .',),)
    """
    return load(path).corpus


def _all_gold(
    sentences: Sequence[_Sentence], name: str
) -> tuple[tuple[Annotation, ...], ...] | None:
    gold = [sentence.gold for sentence in sentences if sentence.gold is not None]
    if gold and len(gold) != len(sentences):
        annotated = [sentence.gold is not None for sentence in sentences]
        raise FormatError(
            'some sentences have "edits" and others do not',
            at=Location(name, annotated.index(not annotated[0]) + 1),
            remedy='Give "edits" for every sentence or for none.',
        )
    return tuple(gold) if gold else None


def _all_documents(sentences: Sequence[_Sentence], name: str) -> tuple[str, ...] | None:
    found = [each.document for each in sentences if each.document is not None]
    if found and len(found) != len(sentences):
        known = [sentence.document is not None for sentence in sentences]
        raise FormatError(
            'some sentences have a "document" and others do not',
            at=Location(name, known.index(not known[0]) + 1),
            remedy='Give "document" for every sentence or for none.',
        )
    return tuple(found) if found else None


def _systems(sentences: Sequence[_Sentence], name: str) -> tuple[Hypotheses, ...]:
    names = list(sentences[0].hypotheses) if sentences else []
    for number, sentence in enumerate(sentences, 1):
        here = sentence.hypotheses
        if here.keys() != set(names):
            raise FormatError(
                f'"hypotheses" has {brief(sorted(here))}, '
                f"but the first line has {brief(sorted(names))}",
                at=Location(name, number),
                remedy="Give one output per system and sentence; it may be an empty string.",
            )
    return tuple(
        Hypotheses(system, tuple(sentence.hypotheses[system] for sentence in sentences))
        for system in names
    )


def _parse(line: str, at: Location, texts: EditedTexts) -> _Sentence:
    data = object_of_line(line, at, _SHAPE)
    check_spelling(data, _KEYS, at)
    source = data.get("source")
    if not isinstance(source, str):
        raise FormatError('there is no "source" string', at=at, remedy=f"Write {_SHAPE}.")
    words = source.split()
    gold = _gold(data["edits"], data.get("annotators"), len(words), at) if "edits" in data else None
    if gold is None and data.get("annotators") is not None:
        raise FormatError(
            'there are "annotators" without "edits"', at=at, remedy=f"Write {_EDITS}."
        )
    references = _references(data.get("references"), words, gold, at, texts)
    hypotheses = _hypotheses(data.get("hypotheses", {}), at)
    for sentence in (source, *references, *hypotheses, *hypotheses.values()):
        check_sentence(sentence, at)
    return _Sentence(source, references, gold, hypotheses, _document(data.get("document"), at))


def _document(data: object, at: Location) -> str | None:
    if data is None or isinstance(data, str):
        if data is not None:
            check_sentence(data, at)
        return data
    if type(data) is int:
        return str(data)
    raise FormatError(
        f'"document" is {brief(data)}',
        at=at,
        remedy='Give the id as a text or a whole number: "document": "essay 7".',
    )


def _references(
    data: object,
    words: Sequence[str],
    gold: tuple[Annotation, ...] | None,
    at: Location,
    texts: EditedTexts,
) -> tuple[str, ...]:
    """The references; if none are given, the source after each annotator's edits."""
    if data is None:
        return texts.of(words, gold or (), at)
    if not _is_list_of_strings(data):
        raise FormatError('"references" is not a list of strings', at=at, remedy=f"Write {_SHAPE}.")
    if gold is not None and len(gold) != len(data):
        raise FormatError(
            f'{len(data)} "references" but "edits" of {len(gold)} annotators',
            at=at,
            remedy=f"Give one list of edits per reference: {_EDITS}.",
        )
    check_reference_number(len(data), at)
    return tuple(data)


def _hypotheses(data: object, at: Location) -> Mapping[str, str]:
    if not isinstance(data, dict) or not _is_list_of_strings(list(data.values())):
        problem = '"hypotheses" is not an object of strings'
        raise FormatError(problem, at=at, remedy=f"Write {_SHAPE}.")
    if len(data) > MOST_SYSTEMS:
        raise FormatError(
            f"there are more than {MOST_SYSTEMS:,} systems",
            at=at,
            remedy="Give the outputs of fewer systems per file.",
        )
    return data


def _is_list_of_strings(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _gold(data: object, annotators: object, words: int, at: Location) -> tuple[Annotation, ...]:
    if not isinstance(data, list) or not all(isinstance(edits, list) for edits in data):
        problem = '"edits" is not a list with one list of edits per annotator'
        raise FormatError(problem, at=at, remedy=f"Write {_EDITS}.")
    numbers = list(range(len(data))) if annotators is None else annotators
    if not _are_annotators(numbers, len(data)):
        problem = f'"annotators" is {brief(annotators)}'
        remedy = 'Give the number of each annotator in "edits", in increasing order.'
        raise FormatError(problem, at=at, remedy=remedy)
    return tuple(
        _annotation(annotator, items, words, at)
        for annotator, items in zip(numbers, data, strict=True)
    )


def _are_annotators(value: object, count: int) -> TypeGuard[list[int]]:
    return (
        isinstance(value, list)
        and len(value) == count
        and all(type(item) is int for item in value)
        and are_annotators(value)
    )


def _annotation(annotator: int, items: Sequence[object], words: int, at: Location) -> Annotation:
    edits = tuple(_edit(item, words, at) for item in items)
    if clash := first_overlap(edits):
        first, second = (f"{edit.start} {edit.end}" for edit in clash)
        raise FormatError(
            f"annotator {annotator} has overlapping edits, {first} and {second}",
            at=at,
            remedy="Edits of one annotator must not share a word; merge them "
            "or give one to another annotator.",
        )
    return Annotation(annotator, edits)


def _edit(data: object, words: int, at: Location) -> Edit:
    if not isinstance(data, dict) or not {"start", "end", "corrections"} <= data.keys():
        raise _not_an_edit(data, at)
    check_spelling(data, _EDIT_KEYS, at)
    start, end, corrections = data["start"], data["end"], data["corrections"]
    if not (type(start) is int and type(end) is int and 0 <= start <= end <= words):
        raise FormatError(
            f"the span {brief(start)} {brief(end)} is not within the sentence of {words} words",
            at=at,
            remedy="Spans count source words from 0, and the end is not included.",
        )
    kind = data.get("type", UNKNOWN_TYPE)
    if not _is_list_of_strings(corrections) or not corrections or not isinstance(kind, str):
        raise _not_an_edit(data, at)
    normalised = tuple(" ".join(option.split()) for option in corrections)
    for part in (kind, *normalised):
        check_sentence(part, at)
    return Edit(start, end, normalised, kind)


def _not_an_edit(data: object, at: Location) -> FormatError:
    return FormatError(f"{brief(data)} is not an edit", at=at, remedy=f"Write {_EDIT}.")


def save(corpus: Corpus, systems: Iterable[Hypotheses], file: TextIO) -> None:
    """One object per line; characters outside ASCII are written as they are.

    What the reader would refuse is not written.
    """
    systems = tuple(systems)
    names = [system.name for system in systems]
    if len(set(names)) < len(names):
        raise FormatError("two systems have the same name", remedy="Name each system once.")
    for number, row in enumerate(rows(corpus, systems), 1):
        line = json.dumps(row, ensure_ascii=False)
        _parse(line, Location(f"sentence {number}"), EditedTexts())
        file.write(line + "\n")


def rows(corpus: Corpus, systems: Iterable[Hypotheses] = ()) -> Iterator[SentenceRow]:
    """The corpus as one row per sentence."""
    systems = tuple(systems)
    for index, source in enumerate(corpus.sources):
        row = SentenceRow(source=source, references=list(corpus.references[index]))
        if corpus.documents is not None:
            row = SentenceRow(document=corpus.documents[index], **row)
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


def _edit_row(edit: Edit) -> EditRow:
    return EditRow(
        start=edit.start, end=edit.end, corrections=list(edit.corrections), type=edit.type
    )
