"""The formats of a corpus that one path names.

To add one, write its module and add its line here. The module has two functions, `load` and `save`
(see `CorpusModule`). The command line takes its option and its help from here.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, NamedTuple, Protocol, TextIO, cast

if TYPE_CHECKING:
    from corrigenda.corpus import Corpus, Hypotheses
    from corrigenda.text.sentences import Path


class LoadedCorpus(NamedTuple):
    """A corpus, and the systems that its file holds."""

    corpus: Corpus
    systems: tuple[Hypotheses, ...] = ()


class CorpusModule(Protocol):
    """The functions of a format's module."""

    def load(self, path: Path) -> LoadedCorpus:
        """Read a file."""
        ...

    def save(self, corpus: Corpus, systems: Sequence[Hypotheses], file: TextIO) -> None:
        """Write a corpus; systems only where the format holds them."""
        ...


class FilesModule(Protocol):
    """The functions of a format with a file for the source, each reference and each system."""

    def load(self, path: Path) -> LoadedCorpus:
        """Read the source and the references beside it."""
        ...

    def reference_files(self, path: Path) -> Sequence[FilePath]:
        """The references beside a source."""
        ...

    def read_system(self, path: Path, name: str, corpus: Corpus) -> Hypotheses:
        """Read the output of a system for this corpus."""
        ...

    def files(self, corpus: Corpus, systems: Sequence[Hypotheses]) -> dict[str, str]:
        """The names and contents of all files."""
        ...


@dataclass(frozen=True)
class CorpusFormat:
    """A format: its module, and the option by which commands read it."""

    module: str
    option: str
    example: str
    """A file name for messages."""
    explanation: str
    holds_systems: bool = False
    has_many_files: bool = False
    """Whether its module is a `FilesModule`: systems are files of the same format."""
    has_own_edits: bool = False
    """Whether its module has `read_system` for systems that are given as edits (.m2)."""

    def load_module(self) -> CorpusModule:
        """The module; it is imported only when it is asked for."""
        return cast("CorpusModule", importlib.import_module(self.module))

    def load_files_module(self) -> FilesModule:
        """The module of a format with many files."""
        return cast("FilesModule", importlib.import_module(self.module))


CORPUS_FORMATS: dict[str, CorpusFormat] = {
    "m2": CorpusFormat(
        "corrigenda.formats.m2", "gold", "FILE.m2", "gold edits, instead of --source and --refs"
    ),
    "ixml": CorpusFormat(
        "corrigenda.formats.ixml",
        "ixml",
        "FILE.xml",
        "gold errors in the I-measure's XML, instead of --gold",
    ),
    "jsonl": CorpusFormat(
        "corrigenda.formats.jsonl",
        "jsonl",
        "FILE.jsonl",
        'one object per line with "source", "references", "hypotheses"',
        holds_systems=True,
    ),
    "cherrant": CorpusFormat(
        "corrigenda.formats.cherrant",
        "cherrant",
        "FILE.m2",
        "gold edits as ChERRANT writes them, with the target of each annotator",
        has_own_edits=True,
    ),
    "essays": CorpusFormat(
        "corrigenda.formats.essays",
        "essays",
        "X-orig-Y.md",
        "whole essays as in MultiGEC-2025; references X-ref1-Y.md, … are beside it",
        has_many_files=True,
    ),
}
"""Every format by the name that `convert --to` takes."""
