"""Baselines for rescaling: the BERTScore of sentences that have nothing to do with each other."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TextIO

from corrigenda.errors import (
    CorrigendaError,
    FormatError,
    MetricError,
    UsageError,
    brief,
    in_home,
)
from corrigenda.formats.csv_rows import csv_rows
from corrigenda.neural.types import Pair, pair
from corrigenda.text.numerals import decimal, whole_number

HEADER = ("LAYER", "P", "R", "F")


class Baseline(NamedTuple):
    """The mean scores of unrelated pairs."""

    precision: float
    recall: float
    f1: float


def read_baseline(given: str, layer: int) -> Baseline:
    """One number for P, R and F, or the layer's row of a file with the columns LAYER, P, R, F."""
    try:
        value = float(given)
    except ValueError:
        return _checked(_from_file(given, layer), given)
    return _checked(Baseline(value, value, value), given)


def _checked(found: Baseline, given: str) -> Baseline:
    if not all(math.isfinite(value) and value < 1 for value in found):
        raise MetricError(
            f"the baseline {given} is not below 1",
            remedy="Scores are rescaled as (x − b) / (1 − b), so b must be below 1.",
        )
    return found


def _from_file(path: str, layer: int) -> Baseline:
    try:
        rows = list(csv_rows(in_home(path)))[1:]
    except (FormatError, UsageError):
        raise
    except CorrigendaError as error:
        raise CorrigendaError(
            f"the baseline {path} is neither a number nor a file that can be read: "
            f"{error.problem.removeprefix('cannot read it: ')}",
            remedy="Make one: corrigenda baseline --model MODEL --text FILE --output FILE.",
        ) from error
    for at, row in rows:
        values = [value for cell in row[1:4] if (value := decimal(cell.strip())) is not None]
        if len(values) < len(Baseline._fields) or whole_number(row[0].strip()) is None:
            raise FormatError(
                f"{brief(','.join(row))} is not a baseline",
                at=at,
                remedy="Each row must be LAYER,P,R,F.",
            )
        if whole_number(row[0].strip()) == layer:
            return Baseline(*values)
    raise MetricError(
        f"{path} has no baseline for layer {layer}",
        remedy=f"Make one: corrigenda baseline --layer {layer} …",
    )


def write_baselines(file: TextIO, baselines: Iterable[tuple[int, Baseline]]) -> None:
    """Write the file format of the bert-score package: one row per layer."""
    print(*HEADER, sep=",", file=file)
    for layer, values in baselines:
        print(layer, *(f"{value:.8f}" for value in values), sep=",", file=file)


def unrelated_pairs(sentences: Sequence[str], number: int, seed: int) -> list[Pair]:
    """Random pairs of distinct sentences. Each sentence is in one pair only and is encoded once."""
    distinct = sorted({" ".join(text.split()) for text in sentences} - {""})
    if len(distinct) < 2:
        raise CorrigendaError(
            "a baseline needs at least two different sentences", remedy="Give a longer text."
        )
    random.Random(seed).shuffle(distinct)
    return [pair(*two) for two in zip(distinct[::2], distinct[1::2], strict=False)][:number]


def mean_scores(scores: Iterable[Sequence[float]]) -> Baseline:
    """The means of precision, recall and F1."""
    columns = list(zip(*scores, strict=True))[:3]
    return Baseline(*(math.fsum(column) / len(column) for column in columns))
