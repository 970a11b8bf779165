"""Arguments of public calls that cannot be: an error that names them, not one of numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import corrigenda
from corrigenda import arguments
from corrigenda.data import sample_corpus, sample_systems
from corrigenda.errors import CorrigendaError, UsageError
from corrigenda.meta.settings import MetaSettings
from corrigenda.report.options import ReportOptions

CORPUS, SYSTEMS = sample_corpus()[:4], [system[:4] for system in sample_systems()[:2]]
RECURSIVE: list[object] = []
RECURSIVE.append(RECURSIVE)


def compared(**given: Any) -> object:
    return corrigenda.compare(CORPUS, SYSTEMS, ["green"], **given)


def sliced(**given: Any) -> object:
    return corrigenda.slices(CORPUS, SYSTEMS, ["green"], **given)


def ranked(**given: Any) -> object:
    return corrigenda.rank("sample", **given)


def options(**given: Any) -> object:
    return ReportOptions(**given)


def settings(**given: Any) -> object:
    return MetaSettings(**given)


STATISTICS: list[tuple[str, object]] = [
    ("seed", -1), ("seed", "x"), ("seed", None), ("seed", 0.5), ("seed", RECURSIVE),
    ("seed", 10**400), ("confidence", 95), ("confidence", 1), ("confidence", 0),
    ("confidence", float("nan")), ("confidence", "0.95"), ("confidence", 10**400),
    ("confidence", np.array([0.9, 0.8])), ("resamples", -1), ("resamples", 10**400),
    ("resamples", 1e3), ("resamples", True), ("resamples", np.array([1, 2])),
]  # fmt: skip


@pytest.mark.parametrize("call", [compared, sliced, ranked, options, settings])
@pytest.mark.parametrize(("name", "value"), STATISTICS, ids=lambda value: f"{value!r:.12}")
def test_what_no_interval_can_be_made_with(
    call: Callable[..., object], name: str, value: object
) -> None:
    with pytest.raises(UsageError, match=f"{name} is ") as caught:
        call(**{name: value})
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("call", "given"),
    [
        (compared, {"test": "x"}),
        (compared, {"correction": None}),
        (compared, {"level": np.array([1, 2])}),
        (compared, {"health": []}),
        (compared, {"baseline": np.array([1, 2])}),
        (compared, {"threads": -1}),
        (compared, {"threads": 0}),
        (compared, {"threads": "2"}),
        (compared, {"threads": 10**400}),
        (sliced, {"test": "x"}),
        (sliced, {"min_sentences": 0}),
        (sliced, {"bounds": ["a"]}),
        (sliced, {"types": None}),
        (sliced, {"columns": [1, 2, 3, 4]}),
        (ranked, {"unit": "x"}),
        (ranked, {"runs": 0}),
        (ranked, {"method": []}),
        (options, {"title": float("nan")}),
        (options, {"attribute": 5}),
        (options, {"min_sentences": None}),
        (settings, {"window": "x"}),
        (corrigenda.metric, {"specification": None}),
        (corrigenda.metric, {"specification": b"green"}),
        (corrigenda.reward, {"metric": None}),
    ],
    ids=lambda value: f"{value!r:.40}" if isinstance(value, dict) else "",
)
def test_what_an_argument_cannot_be(call: Callable[..., object], given: dict[str, Any]) -> None:
    with pytest.raises(CorrigendaError):
        call(**given)


def test_other_calls() -> None:
    for wrong in ([None], [b"green"], [5]):
        with pytest.raises(CorrigendaError, match="a metric is "):
            corrigenda.evaluate(CORPUS, SYSTEMS, wrong)  # type: ignore[arg-type]
    for tokenise in (5, ["auto"]):
        with pytest.raises(CorrigendaError, match="tokenise is "):
            corrigenda.evaluate(CORPUS, SYSTEMS, ["green"], tokenise=tokenise)  # type: ignore[arg-type]
    for line in (0, 5, "1", None):
        with pytest.raises(CorrigendaError, match="line is "):
            corrigenda.explain(CORPUS, SYSTEMS, ["green"], line=line)  # type: ignore[arg-type]
    for data in (None, 5):
        with pytest.raises(CorrigendaError, match="data is "):
            corrigenda.meta(data, ["green"])  # type: ignore[arg-type]
    with pytest.raises(CorrigendaError, match="settings is "):
        corrigenda.meta("sample", ["green"], settings={"seed": 1})  # type: ignore[arg-type]
    with pytest.raises(CorrigendaError, match="gold edits of 0 sentences"):
        corrigenda.Corpus(sources=["a"], references=[("a",)], gold=())


def test_what_an_argument_can_be() -> None:
    assert arguments.whole_number("n", np.int64(3)) == 3
    arguments.fraction("c", np.float32(0.5))
    pandas = pytest.importorskip("pandas")
    assert arguments.scores("human", pandas.Series({"a": 1})) == {"a": 1.0}
    frame = pandas.DataFrame({"level": ["A", "B"]})
    assert list(arguments.columns("columns", frame)["level"]) == ["A", "B"]


@pytest.mark.parametrize(
    "value", [None, 5, [("a", 1)], {"a": "1"}, {"a": 10**400}, {"a": None}, {1: 1.0}, "a"]
)
def test_human_scores_that_are_none(value: object) -> None:
    with pytest.raises(CorrigendaError, match="human "):
        arguments.scores("human", value)
