"""A metric and its printed form are the same thing."""

from __future__ import annotations

import dataclasses
import typing

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from corrigenda import metric
from corrigenda.core import spec
from corrigenda.errors import MetricError
from corrigenda.metrics import REGISTRY, default_metrics, metric_class

NAMES = [each.name for each in default_metrics()]


def values_of(kind: object) -> st.SearchStrategy:
    """Values that a parameter of this type might take."""
    options = typing.get_args(kind) if typing.get_origin(kind) is not typing.Literal else ()
    if type(None) in options:
        (inner,) = (option for option in options if option is not type(None))
        return st.none() | values_of(inner)
    if choices := spec.choices(kind):
        return st.sampled_from(choices)
    return {
        bool: st.booleans(),
        int: st.integers(1, 30),
        float: st.sampled_from([0.0, 0.1, 0.5, 1.0, 2.0]) | st.floats(0, 1e6),
        str: st.text(st.sampled_from("abc"), min_size=1, max_size=3),
    }[kind]


@st.composite
def metrics(draw: st.DrawFn):
    """A metric of the registry with some of its parameters set."""
    made = metric_class(draw(st.sampled_from(NAMES)))
    kinds = typing.get_type_hints(made)
    names = draw(st.sets(st.sampled_from([field.name for field in dataclasses.fields(made)])))
    given = {name: draw(values_of(kinds[name])) for name in sorted(names)}
    try:
        return made(**given)
    except MetricError:  # parameters that do not go together
        assume(False)


@given(metrics())
def test_the_printed_form_makes_an_equal_metric(made):
    again = metric(str(made))
    assert again == made
    assert hash(again) == hash(made)
    assert str(again) == str(made) == repr(made)


@given(metrics(), metrics())
def test_metrics_are_equal_where_they_print_the_same(first, second):
    assert (first == second) == (str(first) == str(second))


@given(metrics())
def test_the_printed_form_is_one_shell_word(made):
    assert not set(str(made)) & set(" \t\n'\"$&|;<>()*?!`\\")


@given(metrics())
def test_nothing_is_printed_that_could_be_left_out(made):
    name, given_parameters = spec.split(str(made))
    for left_out in given_parameters:
        fewer = {key: value for key, value in given_parameters.items() if key != left_out}
        try:
            assert spec.build(metric_class(name), fewer) != made
        except MetricError:
            continue


@pytest.mark.parametrize("made", default_metrics(), ids=str)
def test_a_metric_as_published_prints_its_name_alone(made):
    assert str(made) == made.name
    assert metric(made.name) == made


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("green:unit=char", "green:unit=char,n=6"),
        ("green", "green:n=4,beta=2,unit=word"),
        ("green:beta=1", "green:beta=1.0"),
        ("green:beta=1,unit=char", "green:unit=char,beta=1"),
        ("gleu", "gleu:variant=official,references=sampled,smooth=true,brevity=standard,draws=500"),
        ("gleu:variant=2015", "gleu:variant=2015,references=union,lambda=0,brevity=exchanged"),
        ("gleu:smooth=no", "gleu:smooth=false"),
        ("gleu:variant=2015", "gleu:variant=2015,smooth=false"),
        (" green : beta = 1 ", "green:beta=1"),
    ],
)
def test_equal_metrics(first, second):
    assert metric(first) == metric(second)
    assert str(metric(first)) == str(metric(second))
    assert len({metric(first), metric(second)}) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [("green", "green:n=6"), ("green", "gleu"), ("green:unit=char", "green:unit=char,n=4")],
)
def test_unequal_metrics(first, second):
    assert metric(first) != metric(second)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("green:n=4,beta=2", "green"),
        ("green:unit=char,n=6,beta=1.0", "green:beta=1,unit=char"),
        ("gleu:lambda=0.1,variant=2015", "gleu:variant=2015,lambda=0.1"),
    ],
)
def test_the_shortest_form_is_printed(text, printed):
    assert str(metric(text)) == printed


@pytest.mark.parametrize(
    ("typo", "suggestion"),
    [
        ("gren", "'green'"),
        ("GREEN", "'green'"),
        ("bleuu", "'bleu'"),
        ("green:betta=1", "'beta'"),
        ("gleu:varient=paper", "'variant'"),
        ("gleu:lamda=1", "'lambda'"),
    ],
)
def test_typos_get_a_suggestion(typo, suggestion):
    with pytest.raises(MetricError) as caught:
        metric(typo)
    assert f"Did you mean {suggestion}?" in caught.value.remedy


def test_without_a_close_name_all_are_listed():
    with pytest.raises(MetricError) as caught:
        metric("zzzzzz")
    assert all(name in caught.value.remedy for name in REGISTRY)
    with pytest.raises(MetricError) as caught:
        metric("green:zzzzzz=1")
    assert "beta" in caught.value.remedy


WRONG = [
    "", ":", "green:", "green: ", "green:beta", "green:=1", "green:beta=", "green:beta=1,", "green:,", "green:beta=1,beta=2",
    "green:beta=one", "green:beta=-1", "green:beta=nan", "green:n=-1", "green:n=2.5", "green:n=four",
    "green:unit=letter", "green:unit=", "green:whitespace=none", "gleu:variant=2016", "gleu:smooth=maybe",
    "gleu:references=union", "gleu:variant=2015,references=sampled", "gleu:lambda=0.1", "gleu:denominator=paper",
    "gleu:draws=0", "gleu:draws=-5", "gleu:variant=2015,smooth=true", "gleu:variant=2015,lambda=-1", "gleu:variant=2015,lambda=nan",
    "bleu:n=0", "bleu:effective_order=2", "bleu:unit=char",
    "green:n=1_0", "green:n=４", "green:beta=1_0", "green:beta=٣",
]  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_wrong_metrics_are_refused(text):
    with pytest.raises(MetricError) as caught:
        metric(text)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("text", WRONG)
def test_wrong_metrics_have_a_remedy(text):
    with pytest.raises(MetricError) as caught:
        metric(text)
    assert caught.value.remedy


@pytest.mark.parametrize(
    "text", ["green:beta=inf", "gleu:variant=2015,lambda=inf", "green:n=0", "gleu:n=0"]
)
def test_values_without_a_meaning_are_refused(text):
    with pytest.raises(MetricError):
        metric(text)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("green", {"unit": "words", "n": 4}),
        ("green", {"unit": "character"}),
        ("green", {"whitespace": "keep", "unit": "char"}),
        ("gleu", {"variant": "2016"}),
        ("gleu", {"variant": "Official"}),
        ("gleu", {"references": "all"}),
        ("gleu", {"brevity": "no"}),
        ("green", {"n": 2.5}),
        ("green", {"beta": "1"}),
    ],
)
def test_values_given_in_python_are_checked_like_those_in_text(name, values):
    with pytest.raises(MetricError):
        metric_class(name)(**values)


@pytest.mark.parametrize("text", ["gleu:variant=2015,smooth=true", "gleu:lambda=0.1"])
def test_a_parameter_without_effect_is_refused_by_its_name(text):
    with pytest.raises(MetricError, match=r"ha(s|ve) no effect with variant=") as caught:
        metric(text)
    assert "variant=2015" in caught.value.remedy


def test_metrics_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        metric("green").beta = 1


@pytest.mark.parametrize("name", REGISTRY)
def test_every_metric_says_who_it_is(name):
    made = metric_class(name)
    assert made.name == name
    assert made.title
    assert made.citation
    assert all(field.metadata.get("explanation") for field in dataclasses.fields(made))


@pytest.mark.parametrize("beta", ["nan", "inf", "1e300", "-1e300", "1.1e100"])
def test_numbers_that_no_formula_can_use_are_refused(beta):
    with pytest.raises(MetricError, match="green: beta is"):
        metric(f"green:beta={beta}")
