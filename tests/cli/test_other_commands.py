"""Help, version, the list of metrics and the demo."""

from __future__ import annotations

import dataclasses
import json
import re

import pytest
from program import output_of, run

from corrigenda import __version__
from corrigenda.cli import COMMANDS
from corrigenda.core import spec
from corrigenda.data import SAMPLE_SYSTEMS
from corrigenda.metrics import REGISTRY, default_metrics, metric, metric_class


def test_version():
    assert output_of("--version") == f"corrigenda {__version__}\n"


@pytest.mark.slow
@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)], ids=" ".join)
def test_help_has_an_example(command):
    text = output_of(*command, "--help")
    assert text.startswith(f"usage: {' '.join(['corrigenda', *command])}")
    examples = text.partition("example")[2]
    assert f"corrigenda {' '.join(command)}".rstrip() in examples


def test_the_commands_of_the_first_issue_are_there():
    assert {"score", "metrics", "convert", "demo"} <= set(COMMANDS)
    listing = output_of("--help")
    assert all(re.search(rf"^ +{name}\b", listing, re.MULTILINE) for name in COMMANDS)


def test_metrics_as_json():
    listed = json.loads(output_of("metrics", "--format", "json"))
    assert [entry["name"] for entry in listed] == list(REGISTRY)
    for entry in listed:
        made = metric_class(entry["name"])
        assert entry["title"] == made.full_title()
        assert entry["citation"] == made.citation
        assert entry["extra"] == made.extra
        assert isinstance(entry["installed"], bool)
        assert entry["installed"] or made.extra
        fields = [spec.public_name(field.name) for field in dataclasses.fields(made)]
        assert [parameter["name"] for parameter in entry["parameters"]] == fields
        for parameter in entry["parameters"]:
            assert parameter["default"]
            assert parameter["explanation"]


def test_listed_choices_are_taken():
    for entry in json.loads(output_of("metrics", "green", "gleu", "--format", "json")):
        for parameter in entry["parameters"]:
            for choice in parameter["choices"]:
                extra = (
                    ",variant=2015"
                    if choice in ("union", "paper") and parameter["name"] != "variant"
                    else ""
                )
                assert metric(f"{entry['name']}:{parameter['name']}={choice}{extra}")


def test_metrics_as_text():
    text = output_of("metrics")
    for name in REGISTRY:
        made = metric_class(name)
        assert f"\n{name}  " in f"\n{text}"
        assert made.title in text
        words = made.citation.split()
        assert words[0] in text
    assert "4 for words, 6 for characters" in text


def test_one_metric_alone():
    text = output_of("metrics", "bleu")
    assert text.startswith("bleu  ")
    assert "GREEN" not in text


def test_an_unknown_metric_is_suggested():
    finished = run("metrics", "gren")
    assert finished.returncode == 2
    assert "Did you mean 'green'?" in finished.stderr


@pytest.mark.slow
def test_demo(tmp_path):
    text = output_of("demo", folder=tmp_path)
    rows = [
        line.split()
        for line in text.splitlines()
        if line.split()[:1] and line.split()[0] in SAMPLE_SYSTEMS
    ]
    assert sorted(row[0] for row in rows) == sorted(SAMPLE_SYSTEMS)
    assert rows[0][0] == "strong"
    assert rows[0][1].startswith("*")
    with_edits = sum(made.shows_precision_recall for made in default_metrics())
    assert with_edits == 2
    assert all(len(row) == 1 + len(default_metrics()) + 2 * with_edits for row in rows)
    first = [float(row[1].lstrip("*")) for row in rows]
    assert first == sorted(first, reverse=True)
    assert all(f"\n{made.name}|" in text for made in default_metrics())
    assert "corrigenda score" in text
