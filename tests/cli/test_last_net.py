"""No exception but ours reaches the user: full and closed outputs, Ctrl+C, unforeseen errors."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from program import GOLD, TEXT_CORPUS, run, system

from corrigenda import cli
from corrigenda.cli import display, last_net

STRONG = system("strong")
PROGRAM = [sys.executable, "-m", "corrigenda"]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this platform has no /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", [["--version"], ["metrics"], ["m2", "apply", GOLD]])
def test_a_full_standard_output(arguments: list[str], unbuffered: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PROGRAM, *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )
    assert (done.returncode, done.stderr) == (
        1,
        "corrigenda: error: input or output: no space left on device\n",
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("closing", "code", "message"),
    [
        (">&-", 1, "standard output is closed"),
        ("2>&- >/dev/null", 0, ""),
        ("<&- >/dev/null", 0, ""),
    ],
)
def test_closed_streams(closing: str, code: int, message: str) -> None:
    command = " ".join([*PROGRAM, "metrics", closing])
    done = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, text=True)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("flag", ["--passport", "--metrics", "--bootstrap", "--tokenise"])
def test_two_hyphens_are_no_value(capsys: pytest.CaptureFixture[str], flag: str) -> None:
    """argparse leaves them out."""
    assert cli.main(["score", *TEXT_CORPUS, "--hyps", STRONG, f"{flag}=--"]) == 2
    assert f"{flag} is '--'" in capsys.readouterr().err


def test_a_closed_standard_input_that_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert cli.main(["score", "--source", "-", "--hyps", STRONG, "--refs", STRONG]) == 1


@pytest.mark.parametrize("debug", [True, False])
def test_an_unforeseen_error_is_one_line(capsys: pytest.CaptureFixture[str], debug: bool) -> None:
    def fail() -> None:
        raise RuntimeError("first\nsecond")

    assert last_net.exit_code(fail, debug=debug) == 70
    message = capsys.readouterr().err
    assert "corrigenda: internal error: RuntimeError: first\n" in message
    assert "--debug" in message
    assert ("Traceback" in message) == debug


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (MemoryError(), 1, "not enough memory"),
        (ImportError("x.so: failed to map segment from shared object"), 1, "not enough memory"),
        (RuntimeError("can't start new thread"), 1, "no more threads or processes"),
        (ImportError("x"), 70, "internal error: ImportError: x"),
        (OSError(5, "Input/output error", "x\x1b[2J.txt"), 1, r"x\x1b[2J.txt: input/output error"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (BrokenPipeError(), 0, ""),
        (SystemExit(3), 3, ""),
    ],
)
def test_every_way_to_fail_has_its_code(
    capsys: pytest.CaptureFixture[str], error: BaseException, code: int, message: str
) -> None:
    def fail() -> None:
        raise error

    assert last_net.exit_code(fail, debug=False) == code
    assert message in capsys.readouterr().err


def test_ctrl_c_during_an_import_is_no_error_of_the_program() -> None:
    def fail() -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise ImportError("numpy is broken") from error

    assert last_net.exit_code(fail, debug=False) == 130


def test_debug_is_for_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["score", "--debug", "--hyps", "nowhere.txt"]) == 2
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("later", [0, 0.02, 0.1, 1])
def test_ctrl_c_during_the_imports_and_after(later: float) -> None:
    """From the moment on at which Python has loaded its first compiled module of ours or numpy's."""
    started = subprocess.Popen(
        [*PROGRAM, "score", *TEXT_CORPUS, "--hyps", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    maps = Path(f"/proc/{started.pid}/maps")
    while "numpy" not in maps.read_text() and started.poll() is None:
        time.sleep(0.002)
    time.sleep(later)
    started.send_signal(signal.SIGINT)
    _, message = started.communicate(timeout=60)
    assert (started.returncode, message) == (130, "corrigenda: interrupted\n")


@pytest.mark.slow
@pytest.mark.parametrize("gap", [0, 0.003, 0.02, 0.1])
def test_an_impatient_second_ctrl_c(tmp_path: Path, gap: float) -> None:
    """It stops neither the clean-up nor the message, and does not kill the process as it ends."""
    program = (
        "import sys, time; from corrigenda import __main__, cli\n"
        "def command(_):\n"
        "    try: print('ready', flush=True); time.sleep(60)\n"
        "    finally: time.sleep(0.05); open('cleaned', 'w').close()\n"
        "cli._parsed = lambda _: type('Given', (), {'run': staticmethod(command)})\n"
        "sys.exit(__main__.main())\n"
    )
    started = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    assert started.stdout is not None
    assert started.stdout.readline() == "ready\n"
    started.send_signal(signal.SIGINT)
    time.sleep(gap)
    started.send_signal(signal.SIGINT)
    _, message = started.communicate(timeout=60)
    assert (started.returncode, message) == (130, "corrigenda: interrupted\n")
    assert (tmp_path / "cleaned").exists()


@pytest.mark.parametrize("presses", [(1.0, 1.5, 4.0), (1.0, 1.8, 2.6)])
def test_a_later_ctrl_c_is_another_one(
    monkeypatch: pytest.MonkeyPatch, presses: tuple[float, float, float]
) -> None:
    """A slow clean-up can be interrupted, also by who presses again and again.

    The second press comes too soon to count. It must not make the third one count for nothing.
    """
    pressed = last_net._CtrlC()
    now = iter(presses)
    monkeypatch.setattr(last_net.time, "monotonic", lambda: next(now))
    with pytest.raises(KeyboardInterrupt):
        pressed(2, None)
    pressed(2, None)
    with pytest.raises(KeyboardInterrupt):
        pressed(2, None)


def test_ctrl_c_while_an_error_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = last_net.tell

    def interrupted(text: str) -> None:
        monkeypatch.setattr(last_net, "tell", real)
        raise KeyboardInterrupt

    monkeypatch.setattr(last_net, "tell", interrupted)

    def fail() -> None:
        raise OSError(5, "Input/output error")

    assert last_net.exit_code(fail, debug=False) == 130
    assert capsys.readouterr().err == "corrigenda: interrupted\n"


def test_an_interrupt_that_python_cannot_raise(capsys: pytest.CaptureFixture[str]) -> None:
    """It is no traceback, and the next Ctrl+C counts at once."""
    last_net._ctrl_c.pressed = 1.0
    problem = SimpleNamespace(exc_type=KeyboardInterrupt)
    others: list[object] = []
    hook = last_net._hook_for_lost(others.append)
    hook(problem)  # type: ignore[arg-type]
    assert last_net._ctrl_c.pressed is None
    hook(SimpleNamespace(exc_type=ValueError))  # type: ignore[arg-type]
    assert [each.exc_type for each in others] == [ValueError]  # type: ignore[attr-defined]
    assert capsys.readouterr().err == ""


ABSURD = ["-1", "nan", "inf", "1e999", "9" * 30, "9" * 5000, "١", "0x10", "", "1_0", "\x1b[2J"]


@pytest.mark.parametrize("value", ABSURD)
@pytest.mark.parametrize(
    "option",
    [["compare", "--resamples"], ["compare", "--seed"], ["score", "--threads"],
     ["compare", "--confidence"]],
    ids=lambda option: option[-1],
)  # fmt: skip
def test_options_with_absurd_numbers(
    capsys: pytest.CaptureFixture[str], option: list[str], value: str
) -> None:
    command, flag = option
    hyps = ["--hyps", STRONG, system("eager")]
    code = cli.main([command, *TEXT_CORPUS, *hyps, "--metrics", "green", f"{flag}={value}"])
    message = capsys.readouterr().err
    accepted = (flag, value) in {("--seed", "1_0"), ("--threads", "1_0"), ("--threads", "١")}
    assert code in ((0, 2) if accepted or value in ("1_0", "١") else (2,)), message
    assert "\x1b" not in message
    assert len(message) < 400


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rank", "sample", "--method", "trueskill", "--runs", "1000000000"], "at most 100,000"),
        (["rank", "sample", "--method", "trueskill", "--runs", "9" * 18], "at most 100,000"),
        (["score", *TEXT_CORPUS, "--hyps", STRONG, "-m", "gleu:draws=1000000000"], "draws"),
    ],
)
def test_numbers_that_no_memory_holds(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert cli.main(arguments) == 2
    assert message in capsys.readouterr().err


def test_runs_of_many_systems(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ranks = {f"s{number}": number + 1 for number in range(500)}
    file = tmp_path / "x.jsonl"
    file.write_text(json.dumps({"sentence": "1", "judge": "j", "ranks": ranks}) + "\n")
    assert cli.main(["rank", str(file), "--method", "trueskill", "--bootstrap", "0"]) == 2
    assert "Give at most 80 runs" in capsys.readouterr().err


@pytest.mark.parametrize("value", ABSURD)
@pytest.mark.parametrize("name", ["CORRIGENDA_CACHE_MEGABYTES", "CORRIGENDA_THREADS", "COLUMNS"])
def test_environment_variables_with_absurd_numbers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    action = ["cache", "info"] if "CACHE" in name else ["score", *TEXT_CORPUS, "--hyps", STRONG]
    code = cli.main(action)
    assert code in (0, 2)
    if code:
        assert f"{name} is " in capsys.readouterr().err


def test_a_note_with_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    last_net.tell("note: \x1b[31mred\u202e\n  second line")
    assert capsys.readouterr().err == "corrigenda: note: \\x1b[31mred\\u202e\n  second line\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("-x", "'-x"),
        ("@a", "'@a"),
        ("a=1", "a=1"),
        ("", ""),
        ("+", "'+"),
        (" =1", "' =1"),
        ("\u3000@a", "'\u3000@a"),
        ("＝1+1", "'＝1+1"),
        ("－x", "'－x"),
        ("\na", "'\na"),
        (" a=1", " a=1"),
        ("— x", "— x"),
    ],
)
def test_formulas(text: str, shown: str) -> None:
    assert display.no_formula(text) == shown


def test_untrusted_names_in_all_formats(tmp_path: Path) -> None:
    row = '{"sentence": "1", "judge": "j", "ranks": {"=A\\u001b[2J|x": 1, "B": 2}}\n'
    file = tmp_path / "j.jsonl"
    file.write_text(row)
    shown = {
        style: run("rank", file, "--format", style).stdout for style in ("table", "markdown", "csv")
    }
    raw = run("rank", file, "--format", "csv", "--csv-raw").stdout
    assert r"=A\x1b[2J|x" in shown["table"]
    assert r"\x1b[2J\|x" in shown["markdown"].replace("\\\\", "\\")
    assert "\x1b" not in shown["table"] + shown["markdown"]
    assert "'=A" in shown["csv"]
    assert "'=A" not in raw
    assert "=A" in raw
    assert run("rank", file, "--csv-raw").returncode == 2


def test_untrusted_sentences_in_explain(tmp_path: Path) -> None:
    file = tmp_path / "x.txt"
    file.write_bytes(b"a \x1b]0;title\x07 \xc2\x9b2J b\n")
    shown = run("explain", "--line", "1", "--source", file, "--refs", file, "--hyps", file)
    assert shown.returncode == 0, shown.stderr
    assert "\\x1b]0;title\\x07" in shown.stdout
    assert not set(shown.stdout) & {"\x1b", "\x07", "\x9b"}


def test_closed_stderr_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    last_net.prepare()
    assert isinstance(sys.stderr, io.TextIOWrapper)
