"""Edits that judges called right or wrong, one by one: the first step of SEEDA.

A file holds a sentence with its neighbours, and the outputs for it:

    <Source with context>
    The sentence before .
    <t>He [go] home .</t>
    The sentence after .

    <Correction>
    <s1>He [go→goes|True] home .</s1>

A folder holds the files of one judge. A mark that does not read `[source→correction|True]` or
`[source→correction|False]` is a problem: its output is left out, and the problem is kept with its
file and line. Nothing is guessed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath

from corrigenda.errors import FormatError, Location
from corrigenda.formats import text
from corrigenda.text.sentences import Path

_MARK = re.compile(r"\[([^\[\]→|]*)→([^\[\]→|]*)\|(True|False)\]")
_LEFT_OVER = re.compile(r"[\[\]→|]|\b(?:True|False)\b(?=\s*[,.]|\|)")
_OUTPUT = re.compile(r"<s(\d+)>(.*)</s\1>\s*")
_SOURCE = re.compile(r"<t>(.*)</t>\s*")


@dataclass(frozen=True)
class EditKey:
    """An edit of a sentence: words `start` up to `end` of the source become `correction`."""

    source: str
    start: int
    end: int
    correction: str


@dataclass(frozen=True)
class EditLabel:
    """What one judge said of one edit."""

    edit: EditKey
    judge: str
    right: bool


@dataclass(frozen=True)
class EditLabels:
    """All labels, and the outputs that could not be read."""

    labels: tuple[EditLabel, ...]
    problems: tuple[FormatError, ...]

    def by_edit(self) -> Mapping[EditKey, dict[str, bool]]:
        """What each judge said of each edit; a judge who saw it in several outputs counts once.

        A judge who called the same edit both right and wrong counts as the more frequent answer,
        and not at all if both are as frequent.
        """
        answers: dict[EditKey, dict[str, Counter[bool]]] = {}
        for label in self.labels:
            of_edit = answers.setdefault(label.edit, {})
            of_edit.setdefault(label.judge, Counter())[label.right] += 1
        return {
            edit: {
                judge: counted[True] > counted[False]
                for judge, counted in by_judge.items()
                if counted[True] != counted[False]
            }
            for edit, by_judge in answers.items()
        }

    def majority(self) -> dict[EditKey, bool]:
        """Whether most judges called each edit right; an edit without a majority is left out."""
        found = {}
        for edit, by_judge in self.by_edit().items():
            right = sum(by_judge.values())
            if 2 * right != len(by_judge):
                found[edit] = 2 * right > len(by_judge)
        return found


def read_edit_labels(folders: Iterable[Path]) -> EditLabels:
    """The labels of some judges: one folder of text files each."""
    labels: list[EditLabel] = []
    problems: list[FormatError] = []
    for folder in map(FilePath, folders):
        files = sorted(folder.glob("*.txt"))
        if not files:
            raise FormatError(
                "there are no *.txt files",
                at=Location(str(folder)),
                remedy="Give the folder of one judge, such as edit_labels/annotator1.",
            )
        for file in files:
            _read_file(file, folder.name, labels, problems)
    return EditLabels(tuple(labels), tuple(problems))


def _read_file(
    path: FilePath, judge: str, labels: list[EditLabel], problems: list[FormatError]
) -> None:
    source: str | None = None
    for number, line in enumerate(text.read(path), 1):
        at = Location(str(path), number)
        if found := _SOURCE.fullmatch(line):
            source = " ".join(found.group(1).replace("[", "").replace("]", "").split())
        elif found := _OUTPUT.fullmatch(line):
            if source is None:
                raise FormatError(
                    "an output stands before its source", at=at, remedy="Give <t>…</t> first."
                )
            try:
                labels += _labels_of(found.group(2), source, judge, at)
            except FormatError as problem:
                problems.append(problem)


def _labels_of(output: str, source: str, judge: str, at: Location) -> list[EditLabel]:
    words: list[str] = []
    made: list[EditLabel] = []
    end = 0
    for mark in _MARK.finditer(output):
        words += _plain(output[end : mark.start()], at)
        start = len(words)
        words += mark.group(1).split()
        edit = EditKey(source, start, len(words), " ".join(mark.group(2).split()))
        made.append(EditLabel(edit, judge, mark.group(3) == "True"))
        end = mark.end()
    words += _plain(output[end:], at)
    if " ".join(words) != source:
        raise FormatError(
            "the output without its edits is not the source",
            at=at,
            remedy="The text outside the marks, with the left sides of the marks, is the source.",
        )
    return made


def _plain(part: str, at: Location) -> list[str]:
    if found := _LEFT_OVER.search(part):
        raise FormatError(
            f"a mark is not complete near {part[max(0, found.start() - 10) : found.end() + 10]!r}",
            at=at,
            remedy="Write [source→correction|True] or [source→correction|False].",
        )
    return part.split()
