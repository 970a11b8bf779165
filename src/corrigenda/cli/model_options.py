"""The options by which a command takes how pretrained models are run."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    """Device, type of numbers and size of batches."""
    group = parser.add_argument_group(
        "how pretrained models are run (bertscore, bartscore, pt-m2, pt-errant)"
    )
    group.add_argument(
        "--device", metavar="NAME", help="cpu, cuda, cuda:1, mps (default: a GPU if there is one)"
    )
    group.add_argument(
        "--dtype",
        choices=("float32", "bfloat16", "float16"),
        help="type of numbers (default: float32)",
    )
    group.add_argument(
        "--batch-tokens",
        type=int,
        metavar="N",
        help="tokens in a batch (default: 1024 on a CPU, else 4096)",
    )


@contextmanager
def model_settings(args: argparse.Namespace) -> Iterator[None]:
    """Run models as the options say."""
    if args.device is None and args.dtype is None and args.batch_tokens is None:
        yield
        return
    from corrigenda.neural import settings

    with settings.using(device=args.device, dtype=args.dtype, batch_tokens=args.batch_tokens):
        yield
