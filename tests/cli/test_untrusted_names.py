"""Control characters of file names, systems and sentences never reach a terminal."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from corrigenda import Corpus, Hypotheses, evaluate
from corrigenda.cli import display, main
from corrigenda.cli.render import markdown_escaped
from corrigenda.formats import jsonl

CLI = Path(display.__file__).parent
ESCAPE = "\x1b[31m"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Files of a corpus whose names, and one of whose outputs, would colour a terminal."""
    monkeypatch.chdir(tmp_path)
    contents = {
        "source": "He go .\nShe like it .\n",
        "reference": "He goes .\nShe likes it .\n",
        "output": f"He {ESCAPE}goes .\nShe like it .\n",
        "gold": "S He go .\nA 1 2|||R|||goes|||REQUIRED|||-NONE-|||0\n",
    }
    for name, content in contents.items():
        Path(f"{ESCAPE}{name}").write_text(content, encoding="utf-8")
    return {name: f"{ESCAPE}{name}" for name in contents}


def loaded(path: str) -> tuple[Corpus, tuple[Hypotheses, ...]]:
    """The corpus and the systems of a file."""
    found = jsonl.load(path)
    return found.corpus, found.systems


COMMANDS = {
    "validate": ["m2", "validate", "{gold}"],
    "split": ["m2", "split", "{gold}", "--out", ESCAPE],
    "convert": ["convert", "--gold", "{gold}", "--to", "text", "--out", ESCAPE],
    "check": ["check", "--source", "{source}", "--refs", "{reference}", "--hyps", "{output}"],
    "score": ["score", "--source", "{source}", "--refs", "{reference}", "--hyps", "{output}",
              "--metrics", "green"],
    "report": ["report", "--source", "{source}", "--refs", "{reference}", "--hyps", "{output}",
               "--metrics", "green", "--out", f"{ESCAPE}.html"],
    "bundle": ["codabench", "--source", "{source}", "--refs", "{reference}", "--metrics", "green",
               "--out", f"{ESCAPE}.zip"],
    "no such file": ["m2", "validate", f"{ESCAPE}nothing"],
}  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_names_are_shown_escaped(name, files, capsys):
    code = main([part.format(**files) for part in COMMANDS[name]])
    assert code == (name == "no such file")
    printed = "".join(capsys.readouterr())
    assert "\x1b" not in printed
    assert not printed or "\\x1b[31m" in printed


def test_a_line_end_in_the_name_of_a_file_is_no_new_line(tmp_path, capsys):
    assert main(["m2", "validate", str(tmp_path / "a\ncorrigenda: all is well.m2")]) == 1
    assert "a\\ncorrigenda: all is well.m2: cannot read it" in capsys.readouterr().err


class Terminal(io.StringIO):
    """Standard output that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("style", ["m2", "jsonl"])
def test_data_are_escaped_on_a_terminal_and_kept_in_a_file(style, files, monkeypatch, tmp_path):
    arguments = ["edits", "--source", files["source"], "--refs", files["reference"],
                 "--hyps", files["output"], "--format", style]  # fmt: skip
    shown = Terminal()
    monkeypatch.setattr("sys.stdout", shown)
    assert main(arguments) == 0
    assert "\x1b" not in shown.getvalue()
    assert "goes" in shown.getvalue()
    path = tmp_path / "edits"
    assert main([*arguments, "--out", str(path)]) == 0
    assert ("\x1b" if style == "m2" else "\\u001b") in path.read_text(encoding="utf-8")


def test_tabs_and_line_ends_of_data_stay(monkeypatch):
    shown = Terminal()
    monkeypatch.setattr("sys.stdout", shown)
    display.data_output().write("a\tb\r\n\x9b\u202e日\n")
    assert shown.getvalue() == "a\tb\\r\n\\x9b\\u202e日\n"


def test_commands_print_by_the_functions_that_escape():
    """A bare `print` would show the names of others as they are."""
    allowed = {"__init__.py", "display.py", "last_net.py", "parsing.py", "render.py", "terminal.py"}
    users = {
        path.name
        for path in CLI.glob("*.py")
        if re.search(r"(?<![\w.`])print\(", path.read_text(encoding="utf-8"))
    }
    assert users <= allowed


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u200bb\ufeff", "a\\u200bb\\ufeff"),
        ("\U000e0041\u2060", "\\U000e0041\\u2060"),
        ("क्\u200dष \u200c", "क्\u200dष \u200c"),  # joiners belong to the script
    ],
)
def test_what_nobody_sees_is_shown(text, shown):
    assert display.printable(text) == shown


def test_names_are_no_commands_for_github(monkeypatch, capsys):
    names = "::add-mask::0", " ::error::a", "a ##[error]b", "a::b"
    assert tuple(map(display.printable, names)) == names
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    shown = ["\\x3a:add-mask::0", " \\x3a:error::a", "a \\x23#[error]b", "a::b"]
    assert list(map(display.printable, names)) == shown
    display.say("\n".join(names))
    assert capsys.readouterr().out.splitlines() == shown


def test_dollars_begin_no_formula_in_markdown():
    assert markdown_escaped("$x$ and $$y$$") == r"\$x\$ and \$\$y\$\$"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["$x_1$", "$$", r"$\frac{$", "\x1b[31mx", "a\tb\x00", "<svg>"])
def test_names_in_pictures(name, tmp_path, monkeypatch):
    """Names are no formulas, and characters that XML cannot hold do not damage the files."""
    monkeypatch.chdir(tmp_path)
    systems = {name.replace("\0", ""): "a b c x", "B": "a b c d", "C": "a b x d", "D": "x b c d"}
    rows = [
        {"source": "a b c e", "references": ["a b c d"], "hypotheses": systems} for _ in range(4)
    ]
    ranks = {each: place for place, each in enumerate(systems, 1) if "\t" not in each}
    rankings = [{"sentence": str(i), "judge": "j", "ranks": ranks} for i in range(4)]
    for file, lines in (("c.jsonl", rows), ("j.jsonl", rankings)):
        Path(file).write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["meta", "--jsonl", "c.jsonl", "--judgments", "j.jsonl", "--metrics", "green",
                 "--bootstrap", "10", "--plots", "plots", "--plot-format", "svg"]) == 0  # fmt: skip
    figure = evaluate(*loaded("c.jsonl"), ["green"]).plot()
    figure.savefig("plots/results.svg")
    texts = set()
    for file in Path("plots").glob("*.svg"):
        root = ElementTree.parse(file).getroot()
        assert root.tag.endswith("svg")
        texts.add(file.read_text(encoding="utf-8"))
    shown = name.replace("\x1b", "\ufffd").replace("\t", " ").replace("\0", "")
    comments = [text.replace("&lt;", "<").replace("&gt;", ">") for text in texts]
    # Letters are drawn as curves; a comment before them has the text.
    assert any(f"<!-- {shown} -->" in text for text in comments)
