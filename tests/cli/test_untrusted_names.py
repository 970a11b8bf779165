"""Control characters of file names, systems and sentences never reach a terminal."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from corrigenda.cli import display, main

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
