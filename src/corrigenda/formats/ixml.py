"""The I-measure's gold XML: sentences, their errors, and alternatives that exclude each other.

    <scripts><script id="1">
      <sentence id="1" numann="2"><text>This machines is old .</text><error-list>
        <error id="1" req="yes" type="SVA">
          <alt ann="0"><c start="0" end="1">These</c><c start="2" end="3">are</c></alt>
          <alt ann="1"><c start="1" end="2">machine</c></alt>
        </error></error-list></sentence>
    </script></scripts>

`numann` is the number of annotators of the sentence. With `req="no"` it is also right to leave the
error alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.gold import gold_sentences
from corrigenda.edits import Annotation, are_annotators
from corrigenda.edits.gold_errors import (
    Alternative,
    ErrorCorrection,
    GoldError,
    GoldSentence,
    annotations_of,
)
from corrigenda.errors import CorrigendaError, FormatError, Location, brief
from corrigenda.formats import input_file, safe_xml, text
from corrigenda.formats.edited_texts import EditedTexts
from corrigenda.formats.registry import LoadedCorpus
from corrigenda.formats.safe_xml import Element
from corrigenda.text.sentences import Path

MOST_UNCHANGED = 100
"""The most annotators of a sentence who corrected nothing. Each of them gives a reference."""
_MAXIMUM_DEPTH = 8  # scripts, script, sentence, error-list, error, alt, c
_PARTS: dict[str, tuple[str, ...]] = {
    "sentence": ("text", "error-list"),
    "text": (),
    "error-list": ("error",),
    "error": ("alt",),
    "alt": ("c",),
    "c": (),
}
"""For each element, the elements that it may contain."""


def read(path: Path) -> tuple[GoldSentence, ...]:
    """All sentences of a file, in its order."""
    expected = "Give the I-measure's gold XML, which begins <scripts><script><sentence …>."
    elements = safe_xml.stream(path, "sentence", remedy=expected, maximum_depth=_MAXIMUM_DEPTH)
    return tuple(map(_sentence, elements))


def _sentence(element: Element) -> GoldSentence:
    _check_parts(element)
    words = tuple(element.only("text").text.split())
    errors = tuple(
        _error(error, len(words))
        for errors in element.named("error-list")
        for error in errors.named("error")
    )
    annotators = element.whole_number("numann", least=0)
    if annotators > len(_correcting(errors)) + MOST_UNCHANGED:
        raise element.error(
            f"numann={annotators} of <sentence> counts more than {MOST_UNCHANGED} annotators "
            "without a correction",
            remedy="Give the number of annotators of this sentence.",
        )
    return GoldSentence(words, errors, annotators)


def _correcting(errors: Iterable[GoldError]) -> set[int]:
    """The annotators who corrected something."""
    return {each.annotator for error in errors for each in error.alternatives}


def _check_parts(element: Element) -> None:
    """Refuse unknown elements: a misspelt one would silently lose its corrections."""
    for part in element.children:
        if part.name not in _PARTS[element.name]:
            expected = " and ".join(f"<{name}>" for name in _PARTS[element.name]) or "text"
            raise part.error(
                f"<{element.name}> contains <{part.name}>",
                remedy=f"It may contain only {expected}.",
            )
        _check_parts(part)


def _error(element: Element, words: int) -> GoldError:
    meaning = 'Write req="yes", or req="no" if it is also right to leave the error alone.'
    required = element.attribute("req", remedy=meaning)
    if required not in ("yes", "no"):
        raise element.error(f"<error> has req={required!r}", remedy=meaning)
    alternatives = tuple(_alternative(alternative, words) for alternative in element.named("alt"))
    if not alternatives:
        raise element.error(
            "<error> has no <alt>", remedy="Give at least one alternative, or remove the error."
        )
    return GoldError(alternatives, required == "yes", element.attributes.get("type", ""))


def _alternative(element: Element, words: int) -> Alternative:
    corrections = tuple(_correction(correction, words) for correction in element.named("c"))
    return Alternative(element.whole_number("ann", least=0), corrections)


def _correction(element: Element, words: int) -> ErrorCorrection:
    start, end = element.whole_number("start", least=0), element.whole_number("end", least=0)
    if not start <= end <= words:
        raise element.error(
            f"the correction {start}-{end} is not within the sentence of {words} words",
            remedy="start and end count source words from 0, and the end is not included.",
        )
    return ErrorCorrection(start, end, tuple(element.text.split()))


def read_corpus(path: Path) -> Corpus:
    """Read a corpus from the gold XML of the I-measure.

    Args:
        path: The file.

    Returns:
        The corpus. A reference is one annotator's corrected sentence.

    Example:
        >>> import corrigenda, pathlib, tempfile
        >>> corpus = corrigenda.Corpus.from_lists(["He go ."], ["He goes ."])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "gold.xml"
        ...     corrigenda.convert(corpus, to="ixml", out=path)
        ...     corrigenda.read_ixml(path).references
        (('He goes .',),)
    """
    return to_corpus(read(path), input_file.shown(path))


def load(path: Path) -> LoadedCorpus:
    """The corpus of an I-measure gold file, for the registry of formats."""
    return LoadedCorpus(read_corpus(path))


def save(corpus: Corpus, systems: Sequence[Hypotheses], file: TextIO) -> None:
    """Write the gold errors of a corpus. If none are given, they are clustered from its edits.

    This format cannot hold systems.
    """
    if not corpus.sources:
        raise CorrigendaError(
            "there is no sentence, but the I-measure's XML cannot express that",
            remedy="Write another format: --to jsonl.",
        )
    text.check_corpus(corpus)
    for number, references in enumerate(corpus.references, 1):
        if not references:
            raise CorrigendaError(
                f"sentence {number} has no reference, but the I-measure's XML cannot express that",
                remedy="Write another format: --to jsonl or --to text.",
            )
    sentences = iter(gold_sentences(corpus))
    write(sentences if corpus.gold is None else _same_annotators(corpus.gold, sentences), file)


def _same_annotators(
    gold: Sequence[Sequence[Annotation]], sentences: Iterator[GoldSentence]
) -> Iterator[GoldSentence]:
    """Refuse annotators who would be read with other numbers: those who changed nothing have none.

    They are read with the smallest numbers that are free.
    """
    for number, (given, sentence) in enumerate(zip(gold, sentences, strict=True), 1):
        annotators = [each.annotator for each in given]
        if annotators != [each.annotator for each in annotations_of(sentence)]:
            raise FormatError(
                f"sentence {number}: the I-measure's XML cannot hold the annotators "
                f"{brief(annotators)}",
                remedy="Number the annotators of every sentence from 0, or write --to jsonl.",
            )
        yield sentence


def to_corpus(sentences: Iterable[GoldSentence], name: str = "XML") -> Corpus:
    """The corpus of these errors, with gold edits and a reference for each annotator.

    `name` stands for the file in messages.
    """
    sentences = tuple(sentences)
    texts = EditedTexts()
    gold = tuple(annotations_of(sentence) for sentence in sentences)
    return Corpus(
        sources=tuple(" ".join(sentence.words) for sentence in sentences),
        references=tuple(
            texts.of(sentence.words, of_sentence, Location(name))
            for sentence, of_sentence in zip(sentences, gold, strict=True)
        ),
        gold=gold,
        errors=sentences,
    )


def write(sentences: Iterable[GoldSentence], file: TextIO) -> None:
    """Write the sentences as one script, numbered from 1."""
    file.write("<?xml version='1.0' encoding='UTF-8'?>\n<scripts>\n<script id=\"1\">\n")
    for number, sentence in enumerate(sentences, 1):
        correcting = _correcting(sentence.errors)
        if (
            not are_annotators(sorted(correcting))
            or not 0 <= sentence.annotators <= len(correcting) + MOST_UNCHANGED
        ):
            raise FormatError(
                f"sentence {number}: the I-measure's XML cannot hold {sentence.annotators} "
                f"annotators with the numbers {brief(sorted(correcting))}",
                remedy="Number the annotators from 0.",
            )
        lines = "".join(f"{line}\n" for line in _sentence_lines(number, sentence))
        if found := safe_xml.NOT_IN_XML.search(lines):
            raise FormatError(
                f"sentence {number} has the character U+{ord(found[0]):04X}, which XML cannot hold",
                remedy="Remove it from the sentence or its corrections.",
            )
        file.write(lines)
    file.write("</script>\n</scripts>\n")


def _sentence_lines(number: int, sentence: GoldSentence) -> Iterator[str]:
    yield f'<sentence id="{number}" numann="{sentence.annotators}">'
    yield f"  <text>{escape(' '.join(sentence.words))}</text>"
    yield "  <error-list>"
    for error_number, error in enumerate(sentence.errors, 1):
        required = "yes" if error.required else "no"
        yield f'    <error id="{error_number}" req="{required}" type={quoteattr(error.type)}>'
        for alternative in error.alternatives:
            corrections = "".join(
                f'<c start="{each.start}" end="{each.end}">{escape(" ".join(each.words))}</c>'
                for each in alternative.corrections
            )
            yield f'      <alt ann="{alternative.annotator}">{corrections}</alt>'
        yield "    </error>"
    yield "  </error-list>"
    yield "</sentence>"
