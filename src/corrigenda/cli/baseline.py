"""`corrigenda baseline`: the rescaling baseline of BERTScore for a model that has none."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from corrigenda.cli.model_options import add_model_arguments, model_settings
from corrigenda.cli.progress_bar import bars
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from corrigenda.neural.baselines import Baseline
    from corrigenda.neural.model_source import ModelSource
    from corrigenda.neural.types import Pair

HELP = "compute the rescaling baseline of BERTScore for a model"
EXAMPLES = """\
examples:
  corrigenda baseline --model path/to/encoder --text news.txt
  corrigenda baseline --model path/to/encoder --text news.txt --layer 6 --pairs 5000 --output baseline.csv
  corrigenda score --gold gold.m2 --hyps ours.txt --metrics bertscore:model=path/to/encoder,baseline=baseline.csv

The baseline is what BERTScore gives, on average, for pairs of unrelated sentences, drawn from the text.
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
        help="correct sentences, one a line; any text will do",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--layer",
        type=int,
        metavar="N",
        help="of the encoder (default: its best known one, else its last)",
    )
    which.add_argument("--all-layers", action="store_true", help="a row for each layer")
    parser.add_argument(
        "--pairs", type=int, default=10_000, metavar="N", help="at most so many (default: 10000)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the lot (default: 0)")
    parser.add_argument(
        "--output", "-o", metavar="FILE", help="write the file there (default: standard output)"
    )
    parser.add_argument("--threads", type=int, metavar="N", help="(default: all cores)")
    parser.add_argument(
        "--no-cache", action="store_true", help="neither read nor keep scores on disk"
    )
    add_model_arguments(parser)


def run(args: argparse.Namespace) -> None:
    """Score unrelated pairs, then write the means."""
    from corrigenda.cache import folder as cache_folder
    from corrigenda.formats import text
    from corrigenda.neural.baselines import unrelated_pairs, write_baselines
    from corrigenda.neural.layers import chosen_layer, number_of_layers
    from corrigenda.neural.model_source import find

    if args.pairs < 1 or (args.threads is not None and args.threads < 1):
        raise UsageError("--pairs and --threads take whole numbers from 1 on")
    source = find(args.model)
    sentences = [sentence for path in args.text for sentence in text.read(path)]
    pairs = unrelated_pairs(sentences, args.pairs, args.seed)
    layers = [chosen_layer(source, args.layer)]
    if args.all_layers:
        layers = list(range((number_of_layers(source) or 0) + 1))
    with bars(), model_settings(args), cache_folder.disabled(args.no_cache):
        found = [(layer, _baseline(source, layer, pairs, args.threads)) for layer in layers]
    if args.output is None:
        write_baselines(sys.stdout, found)
        return
    with Path(args.output).open("w", encoding="utf-8", newline="\n") as file:
        write_baselines(file, found)
    print(
        f"{args.output}: {len(pairs)} pairs, {len(found)} {'layer' if len(found) == 1 else 'layers'}"
    )


def _baseline(source: ModelSource, layer: int, pairs: list[Pair], threads: int | None) -> Baseline:
    from corrigenda.corpus import Corpus
    from corrigenda.kernels import default_threads
    from corrigenda.neural.baselines import mean_scores
    from corrigenda.neural.bert_pairs import BertPairs
    from corrigenda.neural.pair_scores import pair_scores

    known = pair_scores(
        Corpus((), ()), BertPairs(source, layer), pairs, threads=threads or default_threads()
    )
    return mean_scores([known[pair] for pair in pairs])
