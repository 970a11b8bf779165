"""`corrigenda codabench`: a bundle for a shared task."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from corrigenda._version import __version__
from corrigenda.cli import inputs, options, outputs
from corrigenda.cli.display import say
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from corrigenda.corpus import Corpus

HELP = "write a scoring bundle for a shared task on Codabench"
_BYTES_PER_SOURCE_BYTE = 10
_SMALLEST_LIMIT = 1_000_000
EXAMPLES = """\
examples:
  corrigenda codabench --gold test.m2 --metrics errant green --title "Our task" --out task.zip
  corrigenda codabench --source src.txt --refs ref0.txt ref1.txt --metrics green --strict

The archive has the competition, the scoring program and the reference data. The first metric ranks
the submissions. Before scoring, the program checks the files, their size and the number of lines;
with --strict, also the health of the text. A submission that fails a check has no rank, and its
details say what is wrong. The details show scores and no text; `--details report` shows every
sentence with its references.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    inputs.add_corpus_arguments(parser)
    group = parser.add_argument_group("the task")
    options.add_metrics(group, ("green",))
    options.add_level(group)
    group.add_argument("--title", metavar="TEXT", default="Grammatical error correction")
    group.add_argument(
        "--submission",
        metavar="NAME",
        default="output.txt",
        help="the name of the file that participants submit (default: output.txt)",
    )
    options.add_whole_number(
        group,
        "--largest-bytes",
        f"the largest file that is read (default: {_BYTES_PER_SOURCE_BYTE} times the source)",
        least=1,
    )
    group.add_argument(
        "--details",
        choices=("scores", "report"),
        default="scores",
        help="what participants see: scores without texts, or the report with all sentences and "
        "references (default: scores)",
    )
    group.add_argument("--strict", action="store_true", help="a health finding fails a submission")
    group.add_argument(
        "--image",
        metavar="NAME",
        default=f"corrigenda:{__version__}",
        help=f"the Docker image that has Corrigenda (default: corrigenda:{__version__})",
    )
    group.add_argument(
        "--out", "-o", metavar="FILE", default="codabench.zip", help="(default: codabench.zip)"
    )


def run(args: argparse.Namespace) -> None:
    """Write the bundle and say where."""
    from corrigenda.codabench.bundle import write_bundle
    from corrigenda.codabench.task import SharedTask
    from corrigenda.core.metric import check_references

    inputs.check_corpus_arguments(args)
    if "/" in args.submission or "\\" in args.submission or args.submission in ("", ".", ".."):
        raise UsageError(
            f"--submission is {args.submission!r}", remedy="It takes the name of a file, no folder."
        )
    if args.tokenise != "none":
        raise UsageError(
            "a bundle holds the texts as they are",
            remedy="Leave --tokenise out. Tokenise the test set, and ask for tokenised output.",
        )
    metrics = options.metrics_of(args)
    given = [*inputs.given_files(args), *options.files_of(metrics)]
    outputs.check_file("--out", args.out, given)
    corpus, _ = inputs.read_corpus(args)
    for metric in metrics:
        check_references(metric, corpus)
    task = SharedTask(
        title=args.title,
        metrics=tuple(map(str, metrics)),
        level=args.level,
        submission=args.submission,
        largest_bytes=args.largest_bytes or _limit(corpus),
        details=args.details,
        strict=args.strict,
        version=__version__,
    )
    write_bundle(args.out, task, corpus, image=args.image)
    say(f"{args.out}. Sentences: {len(corpus)}; metrics: {', '.join(task.metrics)}")


def _limit(corpus: Corpus) -> int:
    size = sum(len(source.encode("utf-8", "surrogatepass")) + 1 for source in corpus.sources)
    return max(_SMALLEST_LIMIT, _BYTES_PER_SOURCE_BYTE * size)
