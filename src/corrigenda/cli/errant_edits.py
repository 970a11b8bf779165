"""`corrigenda edits --extractor errant`: M2 as ERRANT writes it, of references, of gold files and of systems."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from corrigenda.cli import inputs, outputs
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from corrigenda.corpus import Corpus, Hypotheses
    from corrigenda.edits import Edit

EXAMPLES = """\
examples with ERRANT (pip install 'corrigenda[errant]'):
  corrigenda edits --extractor errant --source src.txt --refs ref0.txt ref1.txt --out gold.m2
  corrigenda edits --extractor errant --source src.txt --hyps ours.txt --out ours.m2
  corrigenda edits --extractor errant --gold conll.m2 --gold-edits retyped --out typed.m2
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What only ERRANT takes."""
    group = parser.add_argument_group("ERRANT (--extractor errant)")
    group.add_argument(
        "--model", help="spaCy model, by name or path (default: CORRIGENDA_SPACY_MODEL)"
    )
    group.add_argument(
        "--gold-edits",
        dest="gold_edits",
        choices=("extracted", "retyped"),
        help="of --gold alone: extract its edits anew, or keep their spans and type them (default: extracted)",
    )
    group.add_argument(
        "--no-cache", action="store_true", help="neither read nor keep annotations on disk"
    )


def run(
    args: argparse.Namespace, files_of: Callable[[str | None, list[str]], list[Path | None]]
) -> None:
    """Write an M2 file for each system; without systems one for all references."""
    from corrigenda.annotation.edit_source import EditSource
    from corrigenda.cache import folder as cache_folder
    from corrigenda.kernels import default_threads

    threads = args.threads or default_threads()
    source = EditSource(args.gold_edits or "extracted", args.model or "")
    corpus, systems = _read(args)
    with cache_folder.disabled(args.no_cache):
        if not systems:
            _write(
                args.out,
                corpus.sources,
                _annotators(corpus),
                source.gold_edits(corpus, threads=threads),
            )
            return
        # The gold is not asked for: references are not parsed in vain.
        source.prepare_systems(corpus, systems, threads=threads)
        for system, path in zip(
            systems, files_of(args.out, [system.name for system in systems]), strict=True
        ):
            edits = source.system_edits(corpus, system, threads=threads)
            _write(path, corpus.sources, [(0,)] * len(corpus), [(found,) for found in edits])


def _read(args: argparse.Namespace) -> tuple[Corpus, list[Hypotheses]]:
    """References are needed only where there is no system."""
    from corrigenda.corpus import Corpus, Hypotheses
    from corrigenda.formats import text

    named = inputs.named_systems(args)
    if args.source and named and not args.refs:
        texts = text.read_aligned([args.source, *(path for _, path in named)])
        corpus = Corpus.from_lists(texts[0], texts[0], references_by="text")
        return corpus, [
            Hypotheses(name, output) for (name, _), output in zip(named, texts[1:], strict=True)
        ]
    if args.gold_edits and (named or not args.gold):
        raise UsageError(
            "--gold-edits is about the edits of --gold", remedy="Give --gold FILE.m2 and no --hyps."
        )
    return inputs.read_corpus(args)


def _annotators(corpus: Corpus) -> list[tuple[int, ...]]:
    if corpus.gold is None:
        return [tuple(range(len(references))) for references in corpus.references]
    return [tuple(annotation.annotator for annotation in sentence) for sentence in corpus.gold]


def _write(
    path: str | Path | None,
    sources: Sequence[str],
    annotators: Sequence[tuple[int, ...]],
    edits: Iterable[Sequence[tuple[Edit, ...]]],
) -> None:
    from corrigenda.edits import AnnotatedSentence, Annotation
    from corrigenda.formats import m2

    sentences = (
        AnnotatedSentence(source, tuple(map(Annotation, numbers, found)))
        for source, numbers, found in zip(sources, annotators, edits, strict=True)
    )
    with outputs.open_output(path) as file:
        # ERRANT writes a deletion as nothing at all, and its own scorer compares letter by letter.
        m2.write(sentences, file, deletion="")
