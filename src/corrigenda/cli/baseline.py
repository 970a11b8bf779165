"""`corrigenda baseline`: the rescaling baseline of BERTScore for a model that has none."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from corrigenda.cli import options, outputs
from corrigenda.cli.display import say

if TYPE_CHECKING:
    from corrigenda.neural.baselines import Baseline
    from corrigenda.neural.model_source import ModelSource
    from corrigenda.neural.types import Pair

HELP = "compute the rescaling baseline of BERTScore for a model"
EXAMPLES = """\
examples:
  corrigenda baseline --model path/to/encoder --text news.txt
  corrigenda baseline --model path/to/encoder --text news.txt --layer 6 --output baseline.csv
  corrigenda score --gold gold.m2 --hyps ours.txt \\
      --metrics bertscore:model=path/to/encoder,baseline=baseline.csv

The baseline is the mean BERTScore of pairs of unrelated sentences, which are drawn from the text.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "--model", required=True, metavar="MODEL", help="encoder, by name or folder"
    )
    parser.add_argument(
        "--text",
        required=True,
        nargs="+",
        metavar="FILE",
        help="correct sentences of any kind, one sentence per line",
    )
    which = parser.add_mutually_exclusive_group()
    options.add_whole_number(
        which,
        "--layer",
        "layer of the encoder (default: its best known one, else its last)",
        least=0,
    )
    which.add_argument("--all-layers", action="store_true", help="one row per layer")
    options.add_whole_number(
        parser, "--pairs", "how many pairs at most (default: 10000)", least=1, default=10_000
    )
    options.add_seed(parser)
    parser.add_argument(
        "--output", "-o", metavar="FILE", help="the file to write (default: standard output)"
    )
    options.add_threads(parser)
    options.add_no_cache(parser)
    options.add_models(parser)


def run(args: argparse.Namespace) -> None:
    """Score unrelated pairs, then write the means."""
    from corrigenda.formats import text
    from corrigenda.neural.baselines import unrelated_pairs, write_baselines
    from corrigenda.neural.model_source import find

    given = [outputs.GivenFile("--text", path) for path in args.text]
    given.append(outputs.GivenFile("--model", args.model))
    outputs.check_file("--output", args.output, given)
    source = find(args.model)
    sentences = [sentence for path in args.text for sentence in text.read(path)]
    pairs = unrelated_pairs(sentences, args.pairs, args.seed)
    layers = _layers(source, args)
    with options.working(args):
        found = [(layer, _baseline(source, layer, pairs, args.threads)) for layer in layers]
    with outputs.open_output(args.output) as file:
        write_baselines(file, found)
    if not outputs.is_standard_output(args.output):
        noun = "layer" if len(found) == 1 else "layers"
        say(f"{args.output}: {len(pairs)} pairs, {len(found)} {noun}")


def _layers(source: ModelSource, args: argparse.Namespace) -> list[int]:
    from corrigenda.neural.layers import chosen_layer, number_of_layers

    if args.all_layers:
        return list(range((number_of_layers(source) or 0) + 1))
    return [chosen_layer(source, args.layer)]


def _baseline(source: ModelSource, layer: int, pairs: list[Pair], threads: int | None) -> Baseline:
    from corrigenda.corpus import Corpus
    from corrigenda.kernels import threads_of
    from corrigenda.neural.baselines import mean_scores
    from corrigenda.neural.bert_pairs import BertPairs
    from corrigenda.neural.pair_scores import pair_scores

    known = pair_scores(
        Corpus((), ()), BertPairs(source, layer), pairs, threads=threads_of(threads)
    )
    return mean_scores([known[pair] for pair in pairs])
