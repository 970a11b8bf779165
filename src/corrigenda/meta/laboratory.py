"""Where published tables are computed anew: data and scores, each made once, or the reason why not."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from corrigenda import progress
from corrigenda.core import spec
from corrigenda.core.metric import Metric
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import CorrigendaError, MissingExtraError
from corrigenda.meta import benchmark
from corrigenda.meta.benchmark import Benchmark, HumanScores
from corrigenda.meta.scores import ScoredSystems, score_systems
from corrigenda.meta.stand_in import StandIn
from corrigenda.metrics import REGISTRY, metric, metric_class

Floats = npt.NDArray[np.float64]


class NotComputableError(Exception):
    """A number that cannot be computed here; the message says why."""


@dataclass(frozen=True)
class PublishedCell:
    """A published number and ours, or why there is none."""

    row: str
    column: str
    published: float | None
    ours: float | None = None
    reason: str | None = None
    digits: int = 3

    @property
    def difference(self) -> float | None:
        """Ours minus the published number."""
        return None if self.ours is None or self.published is None else self.ours - self.published

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "row": self.row,
            "column": self.column,
            "published": self.published,
            "ours": self.ours,
            "difference": self.difference,
            "reason": self.reason,
        }


@dataclass(frozen=True)
class Reproduction:
    """A published table with our numbers beside it; `notes` explain the differences."""

    name: str
    title: str
    cells: tuple[PublishedCell, ...]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "name": self.name,
            "title": self.title,
            "cells": [cell.to_dict() for cell in self.cells],
            "notes": list(self.notes),
        }


def cell(
    row: str, column: str, published: float | None, compute: Callable[[], float], digits: int = 3
) -> PublishedCell:
    """A cell with our number, or with the reason why it cannot be computed."""
    try:
        return PublishedCell(row, column, published, float(compute()), digits=digits)
    except NotComputableError as error:
        return PublishedCell(row, column, published, reason=str(error), digits=digits)


def rank_cells(orders: Mapping[str, str], rank: Callable[[str, str], float]) -> list[PublishedCell]:
    """A cell for each system of each published order, best first; `rank(column, system)` is ours."""
    return [
        cell(system, column, place, functools.partial(rank, column, system), digits=0)
        for column, order in orders.items()
        for place, system in enumerate(order.split(), 1)
    ]


@dataclass
class Laboratory:
    """Benchmarks and scores, each made the first time that it is asked for.

    `stand_in` is a pretrained model to be used beside those of the papers.
    """

    threads: int | None = None
    stand_in: StandIn | None = None
    _kept: dict[Any, Any] = field(default_factory=dict)

    def once(self, key: Any, compute: Callable[[], Any]) -> Any:
        """What `compute` gives, or the reason why it gives nothing, made once."""
        if key not in self._kept:
            try:
                self._kept[key] = compute()
            except NotComputableError as error:
                self._kept[key] = error
            except CorrigendaError as error:
                self._kept[key] = NotComputableError(str(error.problem))
        found = self._kept[key]
        if isinstance(found, NotComputableError):
            raise found
        return found

    def benchmark(self, name: str) -> Benchmark:
        """A benchmark, if its data are here."""
        found: Benchmark = self.once(("benchmark", name), lambda: benchmark.load(name))
        return found

    def metric(self, specification: str) -> Metric:
        """A metric, if this version has it and what it needs is installed."""
        name, _ = spec.split(specification)
        if name not in REGISTRY:
            raise NotComputableError(f"there is no metric {name!r} in this version")
        try:
            found = metric(specification)
            found.check_installed()
            return found
        except MissingExtraError as error:
            raise NotComputableError(
                f"corrigenda[{metric_class(name).extra}] is missing"
            ) from error
        except CorrigendaError as error:
            raise NotComputableError(error.problem) from error

    def scored(
        self, data: str, specification: str, systems: Sequence[str] | None = None
    ) -> ScoredSystems:
        """A metric's scores of the systems of a benchmark (by default its usual ones)."""

        def compute() -> ScoredSystems:
            wanted, bench = self.metric(specification), self.benchmark(data)
            names = bench.subset(["base"]) if systems is None else tuple(systems)
            progress.note(f"{specification} on {bench.name}")
            return score_systems(
                [wanted], bench.corpus_for, bench.outputs(names), threads=self.threads
            )[0]

        chosen = None if systems is None else tuple(systems)
        found: ScoredSystems = self.once(("scored", data, specification, chosen), compute)
        return found

    def scored_outputs(
        self,
        key: str,
        specification: str,
        corpus: Callable[[], Corpus],
        outputs: Callable[[], list[Hypotheses]],
    ) -> ScoredSystems:
        """A metric's scores of other outputs, or on another corpus."""

        def compute() -> ScoredSystems:
            progress.note(f"{specification} on {key}")
            made = corpus()
            return score_systems(
                [self.metric(specification)], lambda _: made, outputs(), threads=self.threads
            )[0]

        found: ScoredSystems = self.once(("scored outputs", key, specification), compute)
        return found

    def human(self, data: str, how: HumanScores | None = None, runs: int = 100) -> Floats:
        """The human scores of the usual systems of a benchmark."""

        def compute() -> Floats:
            bench = self.benchmark(data)
            if how == "trueskill":
                progress.note(f"TrueSkill on {bench.name}")
            return bench.human(bench.subset(["base"]), how, runs=runs)

        found: Floats = self.once(("human", data, how, runs), compute)
        return found
