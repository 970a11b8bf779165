"""Computes the numbers of published tables again, each once, or gives the reason why it cannot."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypedDict, TypeVar, cast

import numpy as np
import numpy.typing as npt

from corrigenda import progress
from corrigenda.core import spec
from corrigenda.core.metric import Metric
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.data.locate import locate
from corrigenda.errors import CorrigendaError, MissingExtraError
from corrigenda.human.methods import METHODS
from corrigenda.meta import benchmark
from corrigenda.meta.benchmark import Benchmark
from corrigenda.meta.drawing import Drawing, DrawingData
from corrigenda.meta.scores import ScoredSystems, score_systems
from corrigenda.meta.stand_in import StandIn
from corrigenda.metrics import REGISTRY, metric, metric_class

Floats = npt.NDArray[np.float64]
_Value = TypeVar("_Value")


class NotComputableError(Exception):
    """A number cannot be computed here; the message says why."""


Status = Literal["equal", "within rounding", "differs", "not computed", "ours alone"]
"""How our number compares with the published one, at the digits that are printed."""
STATUSES: tuple[Status, ...] = (
    "equal",
    "within rounding",
    "differs",
    "not computed",
    "ours alone",
)


class PublishedCellData(TypedDict):
    """A cell in the JSON of a table."""

    row: str
    column: str
    published: float | None
    ours: float | None
    difference: float | None
    reason: str | None
    digits: int
    status: Status
    cause: str | None


class ReproductionData(TypedDict):
    """The JSON of a table."""

    name: str
    title: str
    cells: list[PublishedCellData]
    notes: list[str]
    drawings: list[DrawingData]


@dataclass(frozen=True)
class PublishedCell:
    """A published number and ours, or the reason why ours is missing."""

    row: str
    column: str
    published: float | None
    ours: float | None = None
    reason: str | None = None
    digits: int = 3
    cause: str | None = None
    """Why ours differs."""

    @property
    def status(self) -> Status:
        """Equal if both have the same printed digits; rounding may move the last one by 1."""
        if self.ours is None:
            return "not computed"
        if self.published is None:
            return "ours alone"
        unit = 10.0**-self.digits
        steps = abs(round(self.ours / unit) - round(self.published / unit))
        # Ranks have no digits after the point: they are equal or not.
        return (
            "equal"
            if steps == 0
            else "within rounding"
            if steps == 1 and self.digits
            else "differs"
        )

    @property
    def difference(self) -> float | None:
        """Ours minus the published number."""
        return None if self.ours is None or self.published is None else self.ours - self.published

    def to_dict(self) -> PublishedCellData:
        """The cell as plain Python values, ready for JSON."""
        return {
            "row": self.row,
            "column": self.column,
            "published": self.published,
            "ours": self.ours,
            "difference": self.difference,
            "reason": self.reason,
            "digits": self.digits,
            "status": self.status,
            "cause": self.cause if self.status == "differs" else None,
        }

    @classmethod
    def from_dict(cls, data: PublishedCellData) -> PublishedCell:
        """What `to_dict` gave."""
        return cls(
            data["row"],
            data["column"],
            data["published"],
            data["ours"],
            data["reason"],
            data["digits"],
            data["cause"],
        )


@dataclass(frozen=True)
class Cause:
    """Why some numbers of a table differ; without rows or columns, it is about all of them."""

    text: str
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    def explains(self, cell: PublishedCell) -> bool:
        """Whether it is about this cell; a column is named by its beginning."""
        return (not self.rows or cell.row in self.rows) and (
            not self.columns or cell.column.startswith(self.columns)
        )


def with_causes(
    cells: Iterable[PublishedCell], causes: Sequence[Cause]
) -> tuple[PublishedCell, ...]:
    """Cells that differ, each with the first cause that is about it."""

    def explained(cell: PublishedCell) -> PublishedCell:
        if cell.status != "differs":
            return cell
        found = next((cause.text for cause in causes if cause.explains(cell)), None)
        return replace(cell, cause=found)

    return tuple(map(explained, cells))


@dataclass(frozen=True)
class Reproduction:
    """A published table with our numbers beside it; `notes` explain the differences."""

    name: str
    title: str
    cells: tuple[PublishedCell, ...]
    notes: tuple[str, ...] = ()
    drawings: tuple[Drawing, ...] = ()

    def to_dict(self) -> ReproductionData:
        """The table as plain Python values, ready for JSON."""
        return {
            "name": self.name,
            "title": self.title,
            "cells": [cell.to_dict() for cell in self.cells],
            "notes": list(self.notes),
            "drawings": [drawing.to_dict() for drawing in self.drawings],
        }

    @classmethod
    def from_dict(cls, data: ReproductionData) -> Reproduction:
        """What `to_dict` gave."""
        return cls(
            data["name"],
            data["title"],
            tuple(map(PublishedCell.from_dict, data["cells"])),
            tuple(data["notes"]),
            tuple(map(Drawing.from_dict, data["drawings"])),
        )


def cell(
    row: str, column: str, published: float | None, compute: Callable[[], float], digits: int = 3
) -> PublishedCell:
    """A cell with our number, or with the reason why it cannot be computed."""
    try:
        return PublishedCell(row, column, published, float(compute()), digits=digits)
    except NotComputableError as error:
        return PublishedCell(row, column, published, reason=str(error), digits=digits)


def rank_cells(orders: Mapping[str, str], rank: Callable[[str, str], float]) -> list[PublishedCell]:
    """A cell for each system of each published order, best first; `rank` gives our rank."""
    return [
        cell(system, column, place, functools.partial(rank, column, system), digits=0)
        for column, order in orders.items()
        for place, system in enumerate(order.split(), 1)
    ]


@dataclass
class Laboratory:
    """Benchmarks and scores. Each is made when it is first needed.

    `stand_in` is a pretrained model that is used in addition to the models of the papers.
    """

    threads: int | None = None
    stand_in: StandIn | None = None
    missing_data: dict[str, CorrigendaError] = field(default_factory=dict)
    """The data sets that were needed and not found."""
    _kept: dict[Hashable, object] = field(default_factory=dict)

    def once(self, key: Hashable, compute: Callable[[], _Value]) -> _Value:
        """What `compute` gives. It runs once per key; if it fails, the reason is kept."""
        if key not in self._kept:
            try:
                self._kept[key] = compute()
            except NotComputableError as error:
                self._kept[key] = error
            except CorrigendaError as error:
                self._kept[key] = NotComputableError(error.problem)
        found = self._kept[key]
        if isinstance(found, NotComputableError):
            raise found
        return cast(_Value, found)

    def working_on(self, what: str) -> None:
        """Report what is computed now. The amount of work that is left is not known."""
        progress.report("published numbers", len(self._kept), None, what)

    def benchmark(self, name: str) -> Benchmark:
        """A benchmark, if its data are installed."""
        return self.once(("benchmark", name), lambda: self._found(name, benchmark.load))

    def folder(self, name: str) -> Path:
        """The folder of a data set, if it is installed."""
        return self.once(("folder", name), lambda: self._found(name, locate))

    def _found(self, name: str, find: Callable[[str], _Value]) -> _Value:
        try:
            return find(name)
        except CorrigendaError as error:
            self.missing_data.setdefault(name, error)
            raise

    def metric(self, specification: str) -> Metric:
        """A metric, if this version has it and everything that it needs is installed."""
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
        """A metric's scores of the systems of a benchmark; by default of its usual systems."""

        def compute() -> ScoredSystems:
            wanted, bench = self.metric(specification), self.benchmark(data)
            names = bench.subset(["base"]) if systems is None else tuple(systems)
            self.working_on(f"{specification} on {bench.name}")
            return score_systems(
                [wanted], bench.corpus_for, bench.outputs(names), threads=self.threads
            )[0]

        chosen = None if systems is None else tuple(systems)
        return self.once(("scored", data, specification, chosen), compute)

    def scored_outputs(
        self,
        key: str,
        specification: str,
        corpus: Callable[[], Corpus],
        outputs: Callable[[], list[Hypotheses]],
    ) -> ScoredSystems:
        """A metric's scores of other outputs, or on another corpus."""

        def compute() -> ScoredSystems:
            self.working_on(f"{specification} on {key}")
            made = corpus()
            return score_systems(
                [self.metric(specification)], lambda _: made, outputs(), threads=self.threads
            )[0]

        return self.once(("scored outputs", key, specification), compute)

    def human(self, data: str, how: str | None = None, runs: int = 100) -> Floats:
        """The human scores of the usual systems of a benchmark."""

        def compute() -> Floats:
            bench = self.benchmark(data)
            if how in METHODS and METHODS[how].repeats:
                self.working_on(f"human scores by {how} on {bench.name}")
            return bench.human(bench.subset(["base"]), how, runs=runs)

        return self.once(("human", data, how, runs), compute)
