"""M2 as ChERRANT writes it: before the edits of each annotator stands their target (`T`).

    S 我 每 天 跑 步 。
    T0-A0 我 每 天 都 跑 步 。
    A 3 3|||M|||都|||REQUIRED|||-NONE-|||0
    T1 没有错误
    A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

`T1` is annotator 1. `T0-A1` is another way to cut the target of annotator 0 into edits; ChERRANT
writes all ways that cost the same, and the first of them is read. `没有错误` says that nothing is
wrong. `无法标注` (type `NA`) says that nobody can correct the sentence: it is not a reference.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TextIO

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import AnnotatedSentence, Annotation, Edit, apply_edits
from corrigenda.errors import FormatError, Location
from corrigenda.formats import input_file, m2, text
from corrigenda.formats.m2_lines import M2Reader, annotator_of
from corrigenda.formats.registry import LoadedCorpus
from corrigenda.text.sentences import Path

NO_ERROR = "没有错误"
NOT_ANNOTATED = "无法标注"
_NOT_ANNOTATED_TYPE = "NA"
_NOBODY_LINES = (
    f"T0 {NOT_ANNOTATED}",
    f"A -1 -1|||{_NOT_ANNOTATED_TYPE}|||-NONE-|||REQUIRED|||-NONE-|||0",
)
_TYPES = {"M": "M", "U": "R", "R": "S"}
"""ChERRANT's types of operations: missing, redundant, substitution."""
_TARGET = re.compile(r"T([0-9]{1,18})(?:-A([0-9]{1,18}))?(?: (.*))?")


@dataclass(frozen=True)
class _Target:
    """The target line of an annotator."""

    annotator: int
    words: list[str]
    at: Location

    def check(self, source: list[str], edits: Sequence[Edit]) -> None:
        """Refuse a target that the edits do not make."""
        nothing = self.words in ([NO_ERROR], list(NO_ERROR))
        made = apply_edits(source, edits)
        # A sentence may also consist of the words that say that nothing is wrong.
        if made != self.words and not (nothing and made == source):
            raise FormatError(
                f"the edits of annotator {self.annotator} do not give this target",
                at=self.at,
                remedy="The target is the source after the edits below it.",
            )


class _DialectLines:
    """The lines of a file for the reader of M2, without targets and other ways to cut them."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._reader = M2Reader(name)
        self._targets: list[_Target] = []
        self._left_out: set[int] = set()
        self._skips = False

    def read(self, lines: Iterable[str]) -> Iterator[AnnotatedSentence]:
        for number, line in enumerate(lines, 1):
            yield from self._take(line.rstrip(), Location(self._name, number))
        yield from self._checked(self._reader.finish())
        self._reader.report_skipped()

    def _take(self, line: str, at: Location) -> Iterator[AnnotatedSentence]:
        if target := _TARGET.fullmatch(line):
            self._skips = int(target[2] or 0) > 0
            words = (target[3] or "").split()
            if words in ([NOT_ANNOTATED], list(NOT_ANNOTATED)):
                self._left_out.add(int(target[1]))
            elif not self._skips:
                self._targets.append(_Target(int(target[1]), words, at))
        elif line.startswith("A ") and (self._skips or _is_not_annotated(line)):
            if _is_not_annotated(line):
                self._left_out.add(annotator_of(line, at))
        else:
            if not line.startswith("A "):
                self._skips = False
            yield from self._checked(self._reader.take(line, at))

    def _checked(self, sentences: Iterator[AnnotatedSentence]) -> Iterator[AnnotatedSentence]:
        for sentence in sentences:
            edits = {each.annotator: each.edits for each in sentence.annotations}
            source = sentence.words
            for target in self._targets:
                target.check(source, edits.get(target.annotator, ()))
            yield self._without_left_out(sentence)
            self._targets, self._left_out = [], set()

    def _without_left_out(self, sentence: AnnotatedSentence) -> AnnotatedSentence:
        if not self._left_out:
            return sentence
        rest = tuple(
            each
            for each in sentence.annotations
            if each.annotator not in self._left_out or each.edits
        )
        return replace(sentence, annotations=rest)


def _is_not_annotated(line: str) -> bool:
    """Whether an `A` line says that nobody can correct the sentence: it has no span."""
    fields = line[2:].split("|||")
    return fields[1:2] == [_NOT_ANNOTATED_TYPE] and fields[0].split() == ["-1", "-1"]


def read(path: Path) -> tuple[AnnotatedSentence, ...]:
    """All sentences of a file."""
    name = input_file.shown(path)
    with ExitStack() as stack:
        return tuple(
            _DialectLines(name).read(text.lines(input_file.open_binary(path, stack), name))
        )


def read_corpus(path: Path) -> Corpus:
    """Read a corpus with gold edits from M2 as ChERRANT writes it.

    Args:
        path: The file.

    Returns:
        The corpus. A reference is the source after one annotator's edits.

    Example:
        >>> import corrigenda, pathlib, tempfile
        >>> corpus = corrigenda.Corpus.from_lists(["我 很 很 好"], ["我 很 好"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "gold.m2"
        ...     corrigenda.convert(corpus, to="cherrant", out=path)
        ...     corrigenda.read_cherrant(path).references
        (('我 很 好',),)
    """
    return m2.to_corpus(read(path), input_file.shown(path))


def load(path: Path) -> LoadedCorpus:
    """The corpus of a file, for the registry of formats."""
    return LoadedCorpus(read_corpus(path))


def read_system(path: Path, name: str, corpus: Corpus) -> Hypotheses:
    """A system's edits for the sentences of a corpus."""
    return m2.to_hypotheses(read(path), name, input_file.shown(path), corpus.sources)


def save(corpus: Corpus, systems: Sequence[Hypotheses], file: TextIO) -> None:
    """Write a corpus. This format cannot hold systems.

    Edits that a minimal alignment finds get ChERRANT's types. Gold edits keep theirs.
    """
    sentences = m2.from_corpus(corpus)
    write(sentences if corpus.gold is not None else map(_with_types, sentences), file)


def _with_types(sentence: AnnotatedSentence) -> AnnotatedSentence:
    annotations = tuple(
        replace(each, edits=tuple(replace(edit, type=_TYPES[edit.type]) for edit in each.edits))
        for each in sentence.annotations
    )
    return replace(sentence, annotations=annotations)


def write(sentences: Iterable[AnnotatedSentence], file: TextIO) -> None:
    """The sentences with a target before the edits of each annotator.

    A sentence that nobody could correct has no annotators. It is written as such: without a line
    it would be read as correct.
    """
    m2.write(sentences, file, heading=_target_line, nobody=_NOBODY_LINES)


def _target_line(sentence: AnnotatedSentence, annotation: Annotation) -> str:
    if not annotation.edits:
        return f"T{annotation.annotator} {NO_ERROR}"
    target = apply_edits(sentence.words, annotation.edits)
    return " ".join([f"T{annotation.annotator}-A0", *target])
