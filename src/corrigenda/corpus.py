"""The data that a metric sees: sources with their references, and the outputs of systems."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from os import PathLike
from typing import Any, Literal, TypeVar

from corrigenda.edits import Annotation, Edit
from corrigenda.errors import AlignmentError, FormatError
from corrigenda.gold_errors import GoldSentence

Path = str | PathLike[str]
ReferenceShape = Literal["text", "sentence"]
_Value = TypeVar("_Value")


@dataclass(frozen=True)
class Hypotheses:
    """The output of one system: a sentence for each source sentence.

    `edits[i]` holds the edits that made sentence i, where the output was given as edits.
    """

    name: str
    sentences: tuple[str, ...]
    edits: tuple[tuple[Edit, ...], ...] | None = None

    def __post_init__(self) -> None:
        if self.edits is not None and len(self.edits) != len(self.sentences):
            raise AlignmentError(
                f"{self.name}: {len(self.sentences)} sentences but edits for {len(self.edits)}",
                remedy="Give a tuple of edits for each sentence, an empty one where nothing was changed.",
            )

    def __len__(self) -> int:
        return len(self.sentences)

    def __getitem__(self, part: slice) -> Hypotheses:
        return Hypotheses(self.name, self.sentences[part], None if self.edits is None else self.edits[part])

    @classmethod
    def joined(cls, parts: Sequence[Hypotheses]) -> Hypotheses:
        """The outputs for consecutive parts of a corpus as one."""
        edits = [part.edits for part in parts if part.edits is not None]
        return cls(
            parts[0].name,
            tuple(chain.from_iterable(part.sentences for part in parts)),
            tuple(chain.from_iterable(edits)) if len(edits) == len(parts) else None,
        )

    @classmethod
    def from_m2(cls, path: Path, *, name: str | None = None, source: Sequence[str] | None = None) -> Hypotheses:
        """Read a system's edits from an M2 file; where `source` is given, its sentences must be those."""
        from corrigenda.formats import m2, text

        return m2.to_hypotheses(m2.read(path), name or text.stem(path), str(path), source)

    @classmethod
    def from_text(cls, path: Path, *, name: str | None = None) -> Hypotheses:
        """Read a text file, one sentence a line; the name is the file's stem unless it is given."""
        from corrigenda.formats import text

        return cls(name or text.stem(path), text.read(path))


@dataclass(frozen=True)
class Corpus:
    """Source sentences, each with one or more references, and gold edits where there are any.

    `references[i]` holds the references of sentence i; their number may differ between sentences.
    `gold[i]` holds the annotations that the references of sentence i were made from, in the same order.
    `errors[i]` holds its errors with their alternatives, where the gold was given in that form.
    Sentences are kept as they were read, without their line ends.
    """

    sources: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    gold: tuple[tuple[Annotation, ...], ...] | None = None
    errors: tuple[GoldSentence, ...] | None = None
    _workspace: dict[Hashable, Any] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.references) != len(self.sources):
            raise AlignmentError(
                f"{len(self.sources)} source sentences but references for {len(self.references)} sentences",
                remedy="Give one tuple of references for each source sentence.",
            )
        for number, references in enumerate(self.references, 1):
            if not references:
                raise FormatError(
                    f"sentence {number} has no reference",
                    remedy="Give each sentence at least one reference; repeat the source where nothing is to correct.",
                )

    def __len__(self) -> int:
        return len(self.sources)

    @classmethod
    def from_text(cls, source: Path, references: Sequence[Path]) -> Corpus:
        """Read a source file and one file a reference, one sentence a line."""
        from corrigenda.formats import text

        if isinstance(references, str | bytes | PathLike):
            raise FormatError(
                "references must be a list of files, not a single path",
                remedy=f"Write references=[{str(references)!r}].",
            )
        texts = text.read_aligned([source, *references])
        return cls.from_lists(texts[0], texts[1:], references_by="text")

    @classmethod
    def from_m2(cls, path: Path) -> Corpus:
        """Read an M2 file; the references are the source with each annotator's edits applied."""
        from corrigenda.formats import m2

        return m2.to_corpus(m2.read(path))

    @classmethod
    def from_ixml(cls, path: Path) -> Corpus:
        """Read the I-measure's gold XML; the references are each annotator's corrections applied."""
        from corrigenda.formats import ixml

        return ixml.to_corpus(ixml.read(path))

    @classmethod
    def from_jsonl(cls, path: Path) -> Corpus:
        """Read JSON lines with a "source" and "references" (a list of sentences) each."""
        from corrigenda.formats import jsonl

        return jsonl.read(path).corpus

    @classmethod
    def from_lists(
        cls,
        source: Sequence[str],
        references: Sequence[str] | Sequence[Sequence[str]],
        *,
        references_by: ReferenceShape | None = None,
    ) -> Corpus:
        """Take sentences from lists.

        `references` is a list of reference *texts*, each with a sentence for every source sentence (as
        files are), or, for a single reference, such a text itself. Lists grouped by sentence need
        `references_by="sentence"`. Where there are as many references as sentences the two shapes
        look alike, and `references_by` must say which is meant.
        """
        from corrigenda._reference_shape import group_by_sentence

        sources = checked_sentences(source, "source")
        return cls(sources, group_by_sentence(sources, references, references_by))

    @cached_property
    def reference_range(self) -> tuple[int, int]:
        """The smallest and the largest number of references of a sentence."""
        numbers = [len(references) for references in self.references]
        return (min(numbers), max(numbers)) if numbers else (0, 0)

    def blocks(self, size: int) -> Iterator[slice]:
        """Slices of at most `size` sentences that cover the corpus in order."""
        for begin in range(0, len(self), size):
            yield slice(begin, min(begin + size, len(self)))

    @classmethod
    def joined(cls, parts: Sequence[Corpus]) -> Corpus:
        """Consecutive parts as one corpus; gold and errors where all of them have them."""
        gold = [part.gold for part in parts if part.gold is not None]
        errors = [part.errors for part in parts if part.errors is not None]
        return cls(
            tuple(chain.from_iterable(part.sources for part in parts)),
            tuple(chain.from_iterable(part.references for part in parts)),
            tuple(chain.from_iterable(gold)) if len(gold) == len(parts) else None,
            tuple(chain.from_iterable(errors)) if len(errors) == len(parts) else None,
        )

    def __getitem__(self, part: slice) -> Corpus:
        gold = None if self.gold is None else self.gold[part]
        errors = None if self.errors is None else self.errors[part]
        return Corpus(self.sources[part], self.references[part], gold, errors)

    def once(self, key: Hashable, compute: Callable[[], _Value]) -> _Value:
        """What `compute` gives, computed the first time and kept with the corpus for all its users."""
        if key not in self._workspace:
            self._workspace[key] = compute()
        value: _Value = self._workspace[key]
        return value

    def latest(self, key: Hashable, hypotheses: Hypotheses, compute: Callable[[], _Value]) -> _Value:
        """Like `once` for one system's output, kept until the next system asks: its metrics share it."""
        kept = self._workspace.get(key)
        if kept is None or kept[0] is not hypotheses:
            kept = self._workspace[key] = (hypotheses, compute())
        value: _Value = kept[1]
        return value


def checked_sentences(sentences: Sequence[str], what: str) -> tuple[str, ...]:
    """The sentences as a tuple, if they are a sequence of strings without line ends."""
    if isinstance(sentences, str | bytes):
        raise FormatError(
            f"{what} must be a list of sentences, not one string",
            remedy=f"Write {what}=[…] even for a single sentence.",
        )
    checked = tuple(sentences)
    for number, sentence in enumerate(checked, 1):
        if not isinstance(sentence, str):
            raise FormatError(f"{what}: sentence {number} is {type(sentence).__name__}, not a string")
        if "\n" in sentence or "\x00" in sentence:
            raise FormatError(
                f"{what}: sentence {number} contains a line end or a NUL character",
                remedy="Give one sentence an item, without line ends.",
            )
    return checked
