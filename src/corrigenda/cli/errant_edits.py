"""`corrigenda edits --extractor errant`: M2 as ERRANT writes it."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TextIO

from corrigenda.cli import inputs, options, outputs
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from corrigenda.annotation.edit_source import EditSource
    from corrigenda.corpus import Corpus, Hypotheses
    from corrigenda.edits import Edit

EXAMPLES = """\
examples with ERRANT (pip install 'corrigenda[errant]'):
  corrigenda edits --extractor errant --source src.txt --refs ref0.txt ref1.txt --out gold.m2
  corrigenda edits --extractor errant --source src.txt --hyps ours.txt --out ours.m2
  corrigenda edits --extractor errant --gold conll.m2 --gold-edits retyped --out typed.m2
  corrigenda edits --extractor errant --edits any --source src.txt --refs ref0.txt --out gold.m2
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What only ERRANT takes."""
    group = parser.add_argument_group("ERRANT (--extractor errant)")
    group.add_argument(
        "--spacy-model",
        metavar="MODEL",
        help="spaCy model, by name or path (default: CORRIGENDA_SPACY_MODEL)",
    )
    group.add_argument(
        "--edits",
        metavar="NAME",
        help="who makes edits: en (the default), any (every language), ud, zh, or an annotator of "
        "another package",
    )
    group.add_argument(
        "--merger",
        choices=("auto", "rules", "all-split", "all-merge", "all-equal"),
        help="how neighbouring changes become edits (default: auto)",
    )
    group.add_argument(
        "--gold-edits",
        dest="gold_edits",
        choices=("extracted", "retyped"),
        help="with --gold and no --hyps: extract the edits again, or keep their spans and give "
        "them types (default: extracted)",
    )
    options.add_no_cache(group)


def run(args: argparse.Namespace) -> None:
    """Write one M2 file per system; without systems one file for all references."""
    from corrigenda.annotation.edit_source import EditSource
    from corrigenda.annotation.registry import DEFAULT
    from corrigenda.cli.edits import m2_files
    from corrigenda.kernels import threads_of

    _check(args)
    threads = threads_of(args.threads)
    source = EditSource(
        args.gold_edits or "extracted",
        args.spacy_model or "",
        args.edits or DEFAULT,
        args.merger or "auto",
    )
    source.check()
    corpus, systems = inputs.read_corpus(args)
    if not systems:
        outputs.check_file("--out", args.out, inputs.given_files(args))
        with options.working(args):
            edits = source.gold_edits(corpus, threads=threads)
        with outputs.open_output(args.out) as file:
            _write(file, corpus.sources, _annotators(corpus), edits)
        return
    files = m2_files(args, [system.name for system in systems])
    by_system = _found(source, corpus, systems, threads, args)
    with outputs.open_together() as opened:
        for path, system, found in zip(files, systems, by_system, strict=True):
            lines = [
                ((0,), (edits,)) if edits or _is_noop(*texts) else ((), ())
                for edits, *texts in zip(found, corpus.sources, system.sentences, strict=True)
            ]
            with opened(path) as file:
                _write(file, corpus.sources, [who for who, _ in lines], [made for _, made in lines])


def _check(args: argparse.Namespace) -> None:
    if args.gold_edits and (args.hyps or not args.gold):
        raise UsageError(
            "--gold-edits is about the edits of --gold", remedy="Give --gold FILE.m2 and no --hyps."
        )
    if args.source and not (args.refs or args.hyps):
        raise UsageError(
            "there is nothing to compare the source with", remedy="Give --refs or --hyps."
        )


def _found(
    source: EditSource,
    corpus: Corpus,
    systems: Sequence[Hypotheses],
    threads: int,
    args: argparse.Namespace,
) -> list[tuple[tuple[Edit, ...], ...]]:
    from corrigenda.corpus import Corpus

    # References are left out: only the systems' edits are wanted, so only they are parsed.
    sources = Corpus.from_lists(corpus.sources)
    with options.working(args):
        source.prepare(sources, systems, threads=threads)
        return [source.system_edits(sources, system, threads=threads) for system in systems]


def _is_noop(source: str, hypothesis: str) -> bool:
    """Whether ERRANT writes a `noop` for an output without edits.

    It does so if the output equals the source in single blanks. An output with other blanks gets no
    line at all. Both mean that nothing was changed.
    """
    return " ".join(source.split()) == hypothesis.strip()


def _annotators(corpus: Corpus) -> list[tuple[int, ...]]:
    if corpus.gold is None:
        return [tuple(range(len(references))) for references in corpus.references]
    return [tuple(annotation.annotator for annotation in sentence) for sentence in corpus.gold]


def _write(
    file: TextIO,
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
    # ERRANT writes a deletion as an empty text, and its own scorer compares letter by letter.
    m2.write(sentences, file, deletion="")
