"""The list of commands by purpose, and what is said to somebody who mistypes."""

from __future__ import annotations

import pytest
from program import GOLD, output_of, run, system

from corrigenda.cli import COMMANDS, GROUPS

PURPOSES = [
    "score and compare",
    "look closer",
    "files",
    "people",
    "published results",
    "housekeeping",
]


def groups_of(text: str) -> dict[str, list[str]]:
    """The commands below each heading."""
    found: dict[str, list[str]] = {}
    for block in text.split("\n\n"):
        heading, *lines = block.splitlines()
        if heading.endswith(":") and heading[:-1] in PURPOSES:
            assert all(len(line.split(maxsplit=1)) == 2 for line in lines)
            found[heading[:-1]] = [line.split()[0] for line in lines]
    return found


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",)], ids=["bare", "--help", "-h"])
def test_commands_are_grouped_by_purpose(arguments):
    text = output_of(*arguments)
    found = groups_of(text)
    assert list(found) == PURPOSES
    assert found == {purpose: list(names) for purpose, names in GROUPS.items()}
    assert sorted(name for names in found.values() for name in names) == sorted(COMMANDS)
    examples = text.partition("first examples to try:\n")[2].split("\n\n")[0].splitlines()
    assert 2 <= len(examples) <= 3
    assert all(line.startswith("  corrigenda ") for line in examples)


def test_every_module_of_a_command_is_in_a_group():
    from pathlib import Path

    import corrigenda.cli

    modules = Path(corrigenda.cli.__file__).parent.glob("*.py")
    commands = {path.stem for path in modules if "\nHELP = " in path.read_text(encoding="utf-8")}
    assert commands == set(COMMANDS)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("scroe", "score"), ("comapre", "compare"), ("explian", "explain"), ("reprot", "report")],
)
def test_the_nearest_command_is_suggested(typed, meant):
    finished = run(typed, "--gold", GOLD)
    assert finished.returncode == 2
    assert f"there is no command '{typed}'" in finished.stderr
    assert f"Did you mean '{meant}'?" in finished.stderr
    assert finished.stdout == ""


def test_a_word_that_is_near_nothing():
    finished = run("xyzzy")
    assert finished.returncode == 2
    assert "Did you mean" not in finished.stderr
    assert "`corrigenda --help` lists the commands" in finished.stderr


def test_wrong_options_are_one_message_with_where_to_look():
    finished = run("score", "--gold", GOLD, "--hyps", system("strong"), "--nonsense")
    assert finished.returncode == 2
    assert finished.stderr.splitlines() == [
        "corrigenda: error: corrigenda score does not take --nonsense",
        "  See corrigenda score --help.",
    ]


@pytest.mark.parametrize(
    "command", ["score", "compare", "slices", "rank", "meta", "reproduce", "explain"]
)
def test_help_says_how_wide_tables_are(command):
    text = " ".join(output_of(command, "--help").split())
    assert "the environment variable COLUMNS" in text
    assert "80 columns" in text


@pytest.mark.parametrize(
    ("flag", "value", "remedy"),
    [
        ("--confidence", "95", "between 0 and 1"),
        ("--confidence", "x", "between 0 and 1"),
        ("--seed", "-1", "0 or more"),
        ("--seed", "x", "a whole number"),
        ("--resamples", "0", "1 or more"),
        ("--threads", "0", "1 or more"),
        ("--batch-tokens", "0", "1 or more"),
    ],
)
def test_numbers_are_checked_in_the_same_words(flag, value, remedy):
    common = [system("strong"), system("eager"), "--gold", GOLD]
    finished = run("compare", *common, flag, value)
    assert finished.returncode == 2
    assert f"{flag} is " in finished.stderr
    assert remedy in finished.stderr
