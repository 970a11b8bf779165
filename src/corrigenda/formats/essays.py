"""Essays as in MultiGEC-2025: whole texts under a heading with their id.

    ### essay_id = 17
    My mother became very sad, no food.
    But my sister better five months later.

Sources, each reference and each system have a file of their own. The name of the source contains
`orig`; references are beside it, with `ref1`, `ref2`, … in its place. A reference may lack essays.
A system has all of them, in any order.

An essay is one sentence of the corpus, and its id is its document. The lines of an essay are kept
apart by U+2028, which separates words as a blank does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path as FilePath

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import AlignmentError, CorrigendaError, FormatError, Location, brief
from corrigenda.formats import input_file, text
from corrigenda.formats.registry import LoadedCorpus
from corrigenda.text.sentences import Path, check_sentence, problem_of

HEADING = "### essay_id = "
LINE_END = "\u2028"
_SOURCE = "orig"
_SHOWN_IDS = 5


def read(path: Path) -> dict[str, str]:
    """The essays of a file by their ids."""
    name = input_file.shown(path)
    found: dict[str, list[str]] = {}
    lines: list[str] | None = None
    with ExitStack() as stack:
        for number, line in enumerate(text.lines(input_file.open_binary(path, stack), name), 1):
            if line.startswith(HEADING):
                lines = found[_new_id(line, found, Location(name, number))] = []
            elif lines is not None:
                check_sentence(line, Location(name, number))
                lines.append(line)
            elif line.strip():
                raise FormatError(
                    f"the line {brief(line)} stands before the first essay",
                    at=Location(name, number),
                    remedy=f"Every essay begins with a line '{HEADING}ID'.",
                )
    return {essay: _joined(lines) for essay, lines in found.items()}


def _new_id(line: str, found: Mapping[str, object], at: Location) -> str:
    essay = line[len(HEADING) :].strip()
    if not essay:
        raise FormatError("the essay has no id", at=at, remedy=f"Write '{HEADING}ID'.")
    if essay in found:
        raise FormatError(
            f"there is another essay with the id {essay!r}",
            at=at,
            remedy="Give every essay an id of its own.",
        )
    return essay


def _joined(lines: Sequence[str]) -> str:
    """An essay without the empty lines around it."""
    filled = [place for place, line in enumerate(lines) if line]
    return LINE_END.join(lines[filled[0] : filled[-1] + 1]) if filled else ""


def load(path: Path) -> LoadedCorpus:
    """The essays of the source, and the references beside it."""
    sources = read(path)
    references = [_read_of(each, sources, path) for each in reference_files(path)]
    return LoadedCorpus(
        Corpus(
            tuple(sources.values()),
            tuple(
                tuple(texts[essay] for texts in references if essay in texts) for essay in sources
            ),
            documents=tuple(sources),
        )
    )


def read_corpus(path: Path) -> Corpus:
    """Read whole essays as in MultiGEC-2025.

    Args:
        path: The file of the source; its references are beside it.

    Returns:
        The corpus. Its documents are the ids of the essays.

    Example:
        >>> import corrigenda, pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "de-orig-dev").with_suffix(".md")
        ...     _ = path.write_text("### essay_id = 7\\nIch gehe in Schule.\\n")
        ...     corrigenda.read_essays(path).documents
        ('7',)
    """
    return load(path).corpus


def reference_files(path: Path) -> list[FilePath]:
    """The references beside a source: `orig` in its name is `ref1`, `ref2`, … in theirs."""
    source = FilePath(path)
    before, found, after = source.name.rpartition(_SOURCE)
    if not found:
        raise CorrigendaError(
            f"the name of the source does not contain {_SOURCE!r}, so its references are unknown",
            at=Location(input_file.shown(path)),
            remedy="Name it as MultiGEC does: de-merlin-orig-dev.md beside de-merlin-ref1-dev.md.",
        )
    name = re.compile(re.escape(before) + r"ref([0-9]+)" + re.escape(after))
    matches = [match for each in source.parent.iterdir() if (match := name.fullmatch(each.name))]
    return [source.parent / match[0] for match in sorted(matches, key=lambda each: int(each[1]))]


def _read_of(path: Path, sources: Mapping[str, str], source: Path) -> dict[str, str]:
    """The essays of a file that may only have ids of the source."""
    essays = read(path)
    if unknown := [essay for essay in essays if essay not in sources]:
        raise AlignmentError(
            f"{_listed(unknown)} not in {input_file.shown(source)}",
            at=Location(input_file.shown(path)),
            remedy="Every id must be one of the source.",
        )
    return essays


def read_system(path: Path, name: str, corpus: Corpus) -> Hypotheses:
    """The output of a system for the essays of a corpus."""
    expected = corpus.documents or ()
    essays = read(path)
    missing = [essay for essay in expected if essay not in essays]
    known = set(expected)
    unknown = [essay for essay in essays if essay not in known]
    if missing or unknown:
        problems = [f"{_listed(missing)} missing"] if missing else []
        problems += [f"{_listed(unknown)} not in the source"] if unknown else []
        raise AlignmentError(
            "; ".join(problems),
            at=Location(input_file.shown(path)),
            remedy="A system needs every essay of the source and no other; an essay may be empty.",
        )
    return Hypotheses(name, tuple(essays[essay] for essay in expected))


def _listed(ids: Sequence[str]) -> str:
    shown = ", ".join(map(repr, ids[:_SHOWN_IDS]))
    more = f" and {len(ids) - _SHOWN_IDS} others" if len(ids) > _SHOWN_IDS else ""
    return f"the {'essay' if len(ids) == 1 else 'essays'} {shown}{more} {_verb(ids)}"


def _verb(ids: Sequence[str]) -> str:
    return "is" if len(ids) == 1 else "are"


def files(corpus: Corpus, systems: Sequence[Hypotheses]) -> dict[str, str]:
    """The files of a corpus: names and contents. A document of several sentences is one essay.

    A corpus without documents has one essay per sentence.
    """
    documents = list(_documents(corpus))
    _, most = corpus.reference_range
    found = {f"{_SOURCE}.md": _written(documents, [[text] for text in corpus.sources])}
    for number in range(most):
        texts = [references[number : number + 1] for references in corpus.references]
        found[f"ref{number + 1}.md"] = _written(documents, texts)
    for system in systems:
        if f"{system.name}.md" in found:
            raise CorrigendaError(
                f"a system is called {system.name!r}, which is the name of another file",
                remedy="Give it another name: --hyps NAME=FILE.",
            )
        found[f"{system.name}.md"] = _written(documents, [[text] for text in system.sentences])
    return found


def _documents(corpus: Corpus) -> Iterator[tuple[str, list[int]]]:
    """The id of each document and the places of its sentences, which stand together."""
    ids = corpus.documents or tuple(str(number) for number in range(1, len(corpus) + 1))
    seen: set[str] = set()
    for document, group in groupby(range(len(corpus)), lambda place: ids[place]):
        if document in seen:
            raise CorrigendaError(
                f"the sentences of the document {document!r} do not stand together",
                remedy="Sort the sentences by document.",
            )
        if document != document.strip() or not document or problem_of(document) is not None:
            raise CorrigendaError(
                f"{document!r} cannot be the id of an essay",
                remedy="An id is a text in one line, without blanks around it.",
            )
        seen.add(document)
        yield document, list(group)


def _written(documents: Sequence[tuple[str, Sequence[int]]], texts: Sequence[Sequence[str]]) -> str:
    """One file; an essay is left out if one of its sentences has no text."""
    written = []
    for document, places in documents:
        if all(texts[place] for place in places):
            sentences = [texts[place][0] for place in places]
            _check_essay(document, sentences)
            essay = "\n".join(sentences).replace(LINE_END, "\n")
            written.append(f"{HEADING}{document}\n{essay}\n\n")
    return "".join(written)


def _check_essay(document: str, sentences: Sequence[str]) -> None:
    """Refuse an essay that would be read as something else."""
    for sentence in sentences:
        check_sentence(sentence, Location(f"essay {document}"))
        if sentence.startswith(LINE_END) or sentence.endswith(LINE_END):
            raise CorrigendaError(
                f"the essay {document!r} has an empty line (U+2028) at the beginning or the end",
                remedy="It would be read as a part of the file: remove the character.",
            )
        for line in sentence.split(LINE_END):
            if line.startswith(HEADING):
                raise CorrigendaError(
                    f"the essay {document!r} has a line that begins with {HEADING!r}",
                    remedy="It would be read as another essay: change the line.",
                )
            if line.endswith("\r"):
                raise CorrigendaError(
                    f"the essay {document!r} has a line that ends with a carriage return",
                    remedy="It would be read as part of the line end: remove it.",
                )
