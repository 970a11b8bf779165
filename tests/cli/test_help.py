"""The list of commands by purpose, and the messages after a typing mistake."""

from __future__ import annotations

import re
import shlex

import pytest
from program import GOLD, output_of, run, system

from corrigenda.cli import COMMANDS, GROUPS, main, parser

PURPOSES = [
    "score and compare",
    "look closer",
    "shared tasks",
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
    finished = run("score", "--gold", GOLD, "--hyps", system("strong"), "--quite-wrong")
    assert finished.returncode == 2
    assert finished.stderr.splitlines() == [
        "corrigenda: error: corrigenda score does not take --quite-wrong",
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


ACTIONS = {
    "m2": ("validate", "split", "merge", "apply", "stats"),
    "data": ("list", "where", "import", "get"),
    "judge": (
        "new",
        "serve",
        "invite",
        "status",
        "export",
        "forget",
        "simulate",
        "restore",
        "demo",
    ),
}
HELPS = [(), *((name,) for name in COMMANDS)] + [
    (name, action) for name, actions in ACTIONS.items() for action in actions
]


@pytest.mark.slow
@pytest.mark.parametrize("command", HELPS, ids=" ".join)
def test_help_fits_80_columns_and_keeps_names_of_options_whole(command):
    text = output_of(*command, "--help", environment={"COLUMNS": "80"})
    lines = text.splitlines()
    assert [line for line in lines if len(line) > 80] == []
    # `--min-` at the end of a line, with `sentences` on the next one.
    assert [line for line in lines if re.search(r"--?\w[\w-]*-$", line)] == []


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_every_example_is_one_that_the_command_takes(command):
    """Folded examples, as a shell reads them."""
    lines = output_of(command, "--help").replace("\\\n", "").splitlines()
    examples = [
        line for line in lines if re.match(r"  (my-system < src.txt \| )?corrigenda ", line)
    ]
    assert examples
    for example in examples:
        words = shlex.split(example.partition("| ")[2] or example, comments=True)
        name, *arguments = words[1 : words.index(">") if ">" in words else None]
        parser([name]).parse_args([name, *arguments])


def test_values_stand_once_in_the_help_of_an_option():
    text = output_of("score", "--help")
    assert "  --format, -f {table,json,csv,markdown,latex}\n" in text


CORPUS = ["--gold", GOLD, "--hyps", system("strong")]
MISTAKES: dict[tuple[str, ...], list[str]] = {
    ("--versoin",): [
        "corrigenda does not take --versoin",
        "Did you mean '--version'? `corrigenda --help` lists the commands.",
    ],
    ("score", *CORPUS, "--formt", "json"): [
        "corrigenda score does not take --formt json",
        "Did you mean '--format'? See corrigenda score --help.",
    ],
    ("m2", "stats", GOLD, "--frmat=json"): [
        "corrigenda m2 does not take --frmat=json",
        "Did you mean '--format'? See corrigenda m2 --help.",
    ],
    ("score", system("strong"), "--gold", GOLD): [
        f"corrigenda score does not take {system('strong')}",
        "A file needs its option, e.g. --hyps FILE. See corrigenda score --help.",
    ],
    ("score", *CORPUS, "--format", "jsn"): [
        "--format is 'jsn'",
        "Did you mean 'json'? It takes table, json, csv, markdown or latex.",
    ],
    ("score", "--gold", GOLD, "--hyps"): ["--hyps has no value", "See corrigenda score --help."],
    ("m2", "vali"): [
        "ACTION is 'vali'",
        "Did you mean 'validate'? It takes validate, split, merge, apply or stats.",
    ],
    ("m2",): ["ACTION is missing", "See corrigenda m2 --help."],
    ("cache", "x"): ["ACTION is 'x'", "It takes info or clear."],
    ("bulk", "x.parquet"): [
        "--output and --metrics are missing",
        "See corrigenda bulk --help.",
    ],
    ("report", *CORPUS, "--judgments", "a", "--human", "b"): [
        "--human and --judgments exclude each other",
        "See corrigenda report --help.",
    ],
    ("score", *CORPUS, "--preset", "jfleg", "--level", "sentence"): [
        "--preset jfleg and --level sentence contradict each other",
        "--preset jfleg is --metrics gleu --level corpus: give --metrics and --level instead.",
    ],
    ("slices", *CORPUS, "--bounds", "x"): [
        "--bounds is 'x'",
        "It takes a whole number of 0 or more.",
    ],
    ("reproduce", "green-table2", "--tolerance", "x"): [
        "--tolerance is 'x'",
        "It takes a number of 0 or more.",
    ],
    ("edits", *CORPUS, "--beta", "-1"): ["--beta is -1", "It takes a number of 0 or more."],
}


@pytest.mark.parametrize("arguments", MISTAKES, ids=lambda value: " ".join(value)[-24:])
def test_a_mistake_is_named_with_what_was_expected(arguments, capsys):
    assert main([*arguments]) == 2
    problem, remedy = MISTAKES[arguments]
    assert capsys.readouterr().err == f"corrigenda: error: {problem}\n  {remedy}\n"


@pytest.mark.parametrize("columns", ["1", "2", "3", "7"])
def test_help_on_a_very_narrow_terminal(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert "grammatical" in parser().format_help()
