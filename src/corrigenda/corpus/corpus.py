"""What a metric gets: sources with their references, and the outputs of systems."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from corrigenda.corpus.reference_shape import ReferenceShape, group_by_sentence
from corrigenda.corpus.reference_texts import ReferenceTexts
from corrigenda.errors import AlignmentError
from corrigenda.frames import FrameColumns, Tabular
from corrigenda.text.sentences import checked_sentences

if TYPE_CHECKING:
    from corrigenda.edits import Annotation, Edit
    from corrigenda.edits.gold_errors import GoldSentence

_Value = TypeVar("_Value")


@dataclass(frozen=True, repr=False)
class Hypotheses(Tabular):
    """The output of one system: one sentence per source sentence.

    `edits[i]` holds the edits that made sentence i, if the output was given as edits.
    """

    name: str
    sentences: Sequence[str]
    edits: tuple[tuple[Edit, ...], ...] | None = None
    given: Hypotheses | None = field(default=None, repr=False, compare=False)
    """The output as it was given, if it was tokenised."""

    def __post_init__(self) -> None:
        if self.edits is not None and len(self.edits) != len(self.sentences):
            raise AlignmentError(
                f"{self.name}: {len(self.sentences)} sentences but edits for {len(self.edits)}",
                remedy="Give one tuple of edits per sentence; it is empty if nothing was changed.",
            )

    def __repr__(self) -> str:
        return f"<Hypotheses {self.name!r} of {len(self)} sentences>"

    def columns(self) -> FrameColumns:
        """One column: the sentences, under the name of the system."""
        return {self.name: tuple(self.sentences)}

    def __len__(self) -> int:
        return len(self.sentences)

    def __getitem__(self, part: slice) -> Hypotheses:
        edits = None if self.edits is None else self.edits[part]
        given = None if self.given is None else self.given[part]
        return Hypotheses(self.name, self.sentences[part], edits, given)

    def at(self, places: Sequence[int]) -> Hypotheses:
        """The output for some of the sentences."""
        edits = None if self.edits is None else tuple(self.edits[place] for place in places)
        given = None if self.given is None else self.given.at(places)
        return Hypotheses(self.name, tuple(self.sentences[place] for place in places), edits, given)

    @classmethod
    def joined(cls, parts: Sequence[Hypotheses]) -> Hypotheses:
        """The outputs for consecutive parts of a corpus as one."""
        edits = [part.edits for part in parts if part.edits is not None]
        given = [part.given for part in parts if part.given is not None]
        return cls(
            parts[0].name,
            tuple(chain.from_iterable(part.sentences for part in parts)),
            tuple(chain.from_iterable(edits)) if len(edits) == len(parts) else None,
            cls.joined(given) if given and len(given) == len(parts) else None,
        )


@dataclass(frozen=True, repr=False)
class Corpus(Tabular):
    """Source sentences, each with zero or more references, and gold edits if there are any.

    `references[i]` holds the references of sentence i; their number may differ between sentences.
    `gold[i]` holds the annotations from which the references of sentence i were made, in the same
    order. `errors[i]` holds its errors with their alternatives, if the gold was given in that form.
    `documents[i]` is the id of the document to which sentence i belongs, if documents are known.
    Sentences are kept as they were read, without their line ends.
    """

    sources: Sequence[str]
    references: Sequence[tuple[str, ...]]
    gold: tuple[tuple[Annotation, ...], ...] | None = None
    errors: tuple[GoldSentence, ...] | None = None
    documents: tuple[str, ...] | None = None
    tokens: str | None = None
    """How its words were made, if raw text was tokenised; signatures name it."""
    given: Corpus | None = field(default=None, repr=False, compare=False)
    """The texts as they were given, if they were tokenised."""
    _workspace: dict[Hashable, Any] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.references) != len(self.sources):
            raise AlignmentError(
                f"{len(self.sources)} source sentences but references for "
                f"{len(self.references)} sentences",
                remedy="Give one tuple of references per source sentence.",
            )
        if self.gold is not None and len(self.gold) != len(self.sources):
            raise AlignmentError(
                f"{len(self.sources)} source sentences but gold edits of "
                f"{len(self.gold)} sentences",
                remedy="Give one tuple of annotations per source sentence.",
            )
        if self.documents is not None and len(self.documents) != len(self.sources):
            raise AlignmentError(
                f"{len(self.sources)} source sentences but documents of "
                f"{len(self.documents)} sentences",
                remedy="Give the id of one document per source sentence.",
            )

    def __repr__(self) -> str:
        fewest, most = self.reference_range
        references = str(most) if fewest == most else f"{fewest} to {most}"
        extra = [name for name in ("gold", "errors") if getattr(self, name) is not None]
        with_extra = f", with {' and '.join(extra)}" if extra else ""
        return f"<Corpus of {len(self)} sentences, {references} references each{with_extra}>"

    def columns(self) -> FrameColumns:
        """A row per sentence: the source, and the list of its references."""
        documents = {} if self.documents is None else {"document": self.documents}
        references = [list(each) for each in self.references]
        return {**documents, "source": tuple(self.sources), "references": references}

    def __len__(self) -> int:
        return len(self.sources)

    @classmethod
    def from_lists(
        cls,
        source: Sequence[str],
        references: Sequence[str] | Sequence[Sequence[str]] | None = None,
        *,
        references_by: ReferenceShape | None = None,
    ) -> Corpus:
        """A corpus from lists of sentences; without `references` it has sources alone.

        `references` is a list of reference *texts*. As in files, each text has one sentence per
        source sentence. A single text may also be given without the outer list. Lists grouped by
        sentence need `references_by="sentence"`. If there are as many references as sentences, both
        shapes look the same, and `references_by` must say which one is meant.
        """
        sources = checked_sentences(source, "source")
        if references is None:
            return cls(sources, ((),) * len(sources))
        return cls(sources, group_by_sentence(sources, references, references_by))

    @cached_property
    def reference_range(self) -> tuple[int, int]:
        """The smallest and the largest number of references of a sentence."""
        if isinstance(self.references, ReferenceTexts):
            return (len(self.references.texts),) * 2 if len(self) else (0, 0)
        numbers = [len(references) for references in self.references]
        return (min(numbers), max(numbers)) if numbers else (0, 0)

    def blocks(self, size: int) -> Iterator[slice]:
        """Slices of at most `size` sentences that cover the corpus in order."""
        for begin in range(0, len(self), size):
            yield slice(begin, min(begin + size, len(self)))

    @classmethod
    def joined(cls, parts: Sequence[Corpus]) -> Corpus:
        """Consecutive parts as one corpus. It has gold, errors and documents if all parts do."""
        gold = [part.gold for part in parts if part.gold is not None]
        errors = [part.errors for part in parts if part.errors is not None]
        documents = [part.documents for part in parts if part.documents is not None]
        given = [part.given for part in parts if part.given is not None]
        return cls(
            tuple(chain.from_iterable(part.sources for part in parts)),
            tuple(chain.from_iterable(part.references for part in parts)),
            tuple(chain.from_iterable(gold)) if len(gold) == len(parts) else None,
            tuple(chain.from_iterable(errors)) if len(errors) == len(parts) else None,
            tuple(chain.from_iterable(documents)) if len(documents) == len(parts) else None,
            parts[0].tokens if parts else None,
            cls.joined(given) if given and len(given) == len(parts) else None,
        )

    def __getitem__(self, part: slice) -> Corpus:
        gold = None if self.gold is None else self.gold[part]
        errors = None if self.errors is None else self.errors[part]
        documents = None if self.documents is None else self.documents[part]
        given = None if self.given is None else self.given[part]
        return Corpus(
            self.sources[part], self.references[part], gold, errors, documents, self.tokens, given
        )

    def at(self, places: Sequence[int]) -> Corpus:
        """Some of the sentences."""
        return Corpus(
            tuple(self.sources[place] for place in places),
            tuple(self.references[place] for place in places),
            None if self.gold is None else tuple(self.gold[place] for place in places),
            None if self.errors is None else tuple(self.errors[place] for place in places),
            None if self.documents is None else tuple(self.documents[place] for place in places),
            self.tokens,
            None if self.given is None else self.given.at(places),
        )

    def once(self, key: Hashable, compute: Callable[[], _Value]) -> _Value:
        """The value of `compute()`, computed once and kept with the corpus for all metrics."""
        if key not in self._workspace:
            self._workspace[key] = compute()
        value: _Value = self._workspace[key]
        return value

    def has(self, key: Hashable) -> bool:
        """Whether a value was computed once for this key."""
        return key in self._workspace

    def latest(
        self, key: Hashable, hypotheses: Hypotheses, compute: Callable[[], _Value]
    ) -> _Value:
        """The same as `once`, for the output of one system.

        All metrics of a system share the value. It is kept until another system asks for the key.
        """
        kept = self._workspace.get(key)
        if kept is None or kept[0] is not hypotheses:
            kept = self._workspace[key] = (hypotheses, compute())
        value: _Value = kept[1]
        return value
