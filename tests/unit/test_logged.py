"""Dictionaries for experiment trackers, against stubs with the trackers' own rules."""

from __future__ import annotations

import math
import re

import pytest

from corrigenda import Corpus, evaluate
from corrigenda.analysis.significance import with_interval
from corrigenda.core.logged import logged_metrics, logged_parameters
from corrigenda.errors import CorrigendaError


class Mlflow:
    """`log_metrics` and `log_params` refuse other characters, and values that are not numbers."""

    allowed = re.compile(r"^[/\w.\- :]*$")

    def __init__(self) -> None:
        self.metrics: dict[str, float] = {}
        self.params: dict[str, str] = {}

    def log_metrics(self, metrics, step=None) -> None:
        for name, value in metrics.items():
            assert self.allowed.match(name)
            assert not name.startswith("/")
            assert ".." not in name
            assert type(value) is float
            assert math.isfinite(value)
        self.metrics |= metrics

    def log_params(self, params) -> None:
        for name, value in params.items():
            assert self.allowed.match(name)
            assert len(str(value)) <= 6000
        self.params |= params


class Wandb:
    """`log` takes a dictionary with string keys; a slash makes a section."""

    def __init__(self) -> None:
        self.history: list[dict[str, float]] = []

    def log(self, data, step=None) -> None:
        assert all(type(name) is str and name for name in data)
        assert all(type(value) in (int, float) for value in data.values())
        self.history.append(dict(data))


class SummaryWriter:
    """TensorBoard's `add_scalar`: a tag of these characters, a number and a step."""

    def __init__(self) -> None:
        self.scalars: dict[str, list[tuple[int, float]]] = {}

    def add_scalar(self, tag, scalar_value, global_step=None) -> None:
        assert re.fullmatch(r"[-/\w.]+", tag)
        self.scalars.setdefault(tag, []).append((global_step, float(scalar_value)))


@pytest.fixture(scope="module")
def results():
    corpus = Corpus.from_lists(["He go ."], ["He goes ."])
    systems = {"ours, new (2)": ["He goes ."], "theirs": ["He go ."]}
    return evaluate(corpus, systems, ["m2", "green:n=2,beta=1"], health="off")


def test_the_three_trackers_take_them(results) -> None:
    mlflow, wandb, writer = Mlflow(), Wandb(), SummaryWriter()
    mlflow.log_metrics(logged_metrics(results), step=3)
    mlflow.log_params(logged_parameters(results))
    wandb.log(logged_metrics(results, prefix="test"), step=3)
    for name, value in logged_metrics(results).items():
        writer.add_scalar(name, value, 3)
    assert mlflow.metrics["ours_new_2/m2"] == 1.0
    assert mlflow.metrics["ours_new_2/m2/precision"] == 1.0
    assert mlflow.params["m2"] == results[0].signature
    assert wandb.history[0]["test/theirs/green_n_2_beta_1"] == results[3].score
    assert writer.scalars["theirs/m2/recall"] == [(3, 0.0)]


def test_one_system_needs_no_name_and_intervals_are_logged(results) -> None:
    logged = logged_metrics(
        with_interval(results[0], method="percentile", resamples=10, seed=0, confidence=0.95)
    )
    assert set(logged) == {"m2", "m2/precision", "m2/recall", "m2/low", "m2/high"}
    assert "theirs/m2" in logged_metrics(results[2], system=True)


def test_names_that_become_equal_are_refused() -> None:
    corpus = Corpus.from_lists(["a"], ["b"])
    results = evaluate(corpus, {"x:y": ["b"], "x y": ["a"]}, ["green"], health="off")
    with pytest.raises(CorrigendaError, match="two results have the name"):
        logged_metrics(results)


def test_levels_are_kept_apart() -> None:
    corpus = Corpus.from_lists(["a b", "c"], [["a c", "c"]])
    both = [
        *evaluate(corpus, {"x": ["a c", "c"]}, ["green"], health="off"),
        *evaluate(corpus, {"x": ["a c", "c"]}, ["green"], level="sentence", health="off"),
    ]
    assert {name.split("/")[1] for name in logged_metrics(both)} == {"corpus", "sentence"}
