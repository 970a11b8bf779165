"""A user's mistake is one message that says what, where and what to do; never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from program import GOLD, REFS, SOURCE, TEXT_CORPUS, run, system

STRONG = system("strong")
GREEN = ["--metrics", "green"]


@pytest.fixture
def folder(tmp_path) -> Path:
    """Files that are wrong in one way each."""
    lines = Path(STRONG).read_bytes().split(b"\n")[:-1]
    files = {
        "short.txt": b"\n".join(lines[:-2]) + b"\n",
        "long.txt": b"\n".join([*lines, b"one more"]) + b"\n",
        "nul.txt": b"\n".join([*lines[:6], b"a\x00b", *lines[7:]]) + b"\n",
        "latin1.txt": b"\n".join([*lines[:6], "café".encode("latin-1"), *lines[7:]]) + b"\n",
        "utf16.txt": "a b c\n".encode("utf-16"),
        "empty.txt": b"",
        "bad.m2": b"S a b\nA 0 1|||R|||x|||REQUIRED|||-NONE-|||0\n\nS c d\nA 0 5|||R|||x|||REQUIRED|||-NONE-|||0\n",
        "alternative.m2": b"S a b\nA 0 1|||R|||x|||||REQUIRED|||-NONE-|||0\n",
        "fields.m2": b"S a b\nA 0 1|||R|||x|||REQUIRED|||0\n",
        "overlap.m2": b"S a b c\n"
        + b"".join(b"A %d %d|||R|||x|||REQUIRED|||-NONE-|||0\n" % s for s in ((0, 2), (1, 3))),
        "bad.jsonl": b'{"source": "a", "references": ["b"]}\n{"source": "a", "references": "b"}\n',
        "one.jsonl": b'{"source": "a", "references": ["b"], "hypotheses": {"strong": "a"}}\n',
        "a/out.txt": Path(STRONG).read_bytes(),
        "b/out.txt": Path(STRONG).read_bytes(),
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return tmp_path


# Arguments, exit code, and texts that the message must contain.
MISTAKES: dict[str, tuple[list[str], int, list[str]]] = {
    "missing source": (["--source", "no.txt", "--refs", *REFS, "--hyps", STRONG], 1, ["no.txt: cannot read", "no such file"]),
    "missing hypothesis": ([*TEXT_CORPUS, "--hyps", "no.txt"], 1, ["no.txt: cannot read"]),
    "missing gold": (["--gold", "no.m2", "--hyps", STRONG], 1, ["no.m2: cannot read"]),
    "a folder instead of a file": ([*TEXT_CORPUS, "--hyps", "a"], 1, ["a: cannot read", "directory"]),
    "a hypothesis too short": ([*TEXT_CORPUS, "--hyps", STRONG, "short.txt"], 1, ["58  short.txt", "60  " + SOURCE, "60  " + STRONG]),
    "a hypothesis too long": ([*TEXT_CORPUS, "--hyps", "long.txt"], 1, ["61  long.txt", "60  " + REFS[1]]),
    "too short for the gold": (["--gold", GOLD, "--hyps", "short.txt"], 1, ["58  short.txt", "60  " + GOLD]),
    "a reference too short": (["--source", SOURCE, "--refs", "short.txt", "--hyps", STRONG], 1, ["58  short.txt"]),
    "an unknown metric": ([*TEXT_CORPUS, "--hyps", STRONG, "--metrics", "greeen"], 2, ["no metric 'greeen'", "Did you mean 'green'?"]),
    "an unknown parameter": ([*TEXT_CORPUS, "--hyps", STRONG, "--metrics", "green:bta=1"], 2, ["no parameter 'bta'", "'beta'"]),
    "a value that is not allowed": ([*TEXT_CORPUS, "--hyps", STRONG, "--metrics", "green:unit=letter"], 2, ["'letter'", "word, char"]),
    "underscores in a number": ([*TEXT_CORPUS, "--hyps", STRONG, "--ci", "--bootstrap", "1_000"], 2, ["--bootstrap is '1_000'", "a whole number"]),
    "a value that is not a number": ([*TEXT_CORPUS, "--hyps", STRONG, "--metrics", "green:beta=x"], 2, ["'x'", "a number"]),
    "a span outside the sentence": (["--gold", "bad.m2", "--hyps", STRONG], 1, ["bad.m2:5:", "0 5", "2 words"]),
    "an empty alternative": (["--gold", "alternative.m2", "--hyps", STRONG], 1, ["alternative.m2:2:", "'x|' ends with |", "-NONE-"]),
    "five fields": (["--gold", "fields.m2", "--hyps", STRONG], 1, ["fields.m2:2:", "5 fields", "A start end|||"]),
    "overlapping edits": (["--gold", "overlap.m2", "--hyps", STRONG], 1, ["overlap.m2:3:", "overlapping"]),
    "text given as gold": (["--gold", SOURCE, "--hyps", STRONG], 1, [SOURCE + ":1:", "'S '"]),
    "a NUL byte": ([*TEXT_CORPUS, "--hyps", "nul.txt"], 1, ["nul.txt:7:", "NUL"]),
    "not UTF-8": ([*TEXT_CORPUS, "--hyps", "latin1.txt"], 1, ["latin1.txt:7:", "UTF-8", "iconv"]),
    "UTF-16": ([*TEXT_CORPUS, "--hyps", "utf16.txt"], 1, ["utf16.txt:1:"]),
    "a bad JSON line": (["--jsonl", "bad.jsonl", "--hyps", STRONG], 1, ["bad.jsonl:2:", '"references"']),
    "no sentences": (["--source", "empty.txt", "--refs", "empty.txt", "--hyps", "empty.txt"], 1, ["no sentences"]),
    "an empty gold file": (["--gold", "empty.txt", "--hyps", "empty.txt"], 1, ["no sentences"]),
    "two systems of one name": ([*TEXT_CORPUS, "--hyps", "a/out.txt", "b/out.txt"], 2, ["two systems", "'out'", "--hyps"]),
    "the same name given": ([*TEXT_CORPUS, "--hyps", "x=a/out.txt", "x=b/out.txt"], 2, ["two systems", "'x'"]),
    "standard input twice": (["--source", "-", "--refs", *REFS, "--hyps", "x=-"], 2, ["standard input", "only once"]),
    "no corpus": (["--hyps", STRONG], 2, ["exactly one way", "--gold"]),
    "two corpora": (["--gold", GOLD, *TEXT_CORPUS, "--hyps", STRONG], 2, ["exactly one way"]),
    "a source without references": (["--source", SOURCE, "--hyps", STRONG], 2, ["green needs references", "the corpus has none"]),
    "references without a source": (["--refs", *REFS, "--hyps", STRONG], 2, ["--source is missing"]),
    "no system": (TEXT_CORPUS, 2, ["no system", "--hyps"]),
    "an unknown option": ([*TEXT_CORPUS, "--hyps", STRONG, "--metric-s", "green"], 2, ["--metric-s"]),
    "an unknown format": ([*TEXT_CORPUS, "--hyps", STRONG, "--format", "xml"], 2, ["--format is 'xml'", "markdown"]),
    "an unknown level": ([*TEXT_CORPUS, "--hyps", STRONG, "--level", "word"], 2, ["--level is 'word'", "sentence"]),
    "sentences in a table": ([*TEXT_CORPUS, "--hyps", STRONG, "--per-sentence"], 2, ["--per-sentence", "--format json"]),
    "no threads": ([*TEXT_CORPUS, "--hyps", STRONG, "--threads", "0"], 2, ["--threads"]),
}  # fmt: skip


def check(finished, code: int, parts: list[str]) -> None:
    assert "Traceback" not in finished.stderr
    for part in parts:
        assert part in finished.stderr
    assert finished.returncode == code
    assert finished.stdout == ""
    assert "error: " in finished.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(folder, name):
    arguments, code, parts = MISTAKES[name]
    metrics = [] if "--metrics" in arguments else GREEN
    check(run("score", *arguments, *metrics, folder=folder), code, parts)


def test_an_empty_json_file(folder):
    check(run("score", "--jsonl", "empty.txt", *GREEN, folder=folder), 1, ["no sentences"])


def test_a_system_of_the_json_file_and_one_of_its_own_with_the_same_name(folder):
    (folder / "strong.txt").write_text("b\n", encoding="utf-8")
    finished = run("score", "--jsonl", "one.jsonl", "--hyps", "strong.txt", *GREEN, folder=folder)
    check(finished, 2, ["two systems", "'strong'"])


def test_an_infinite_weight(folder):
    check(run("score", *TEXT_CORPUS, "--hyps", STRONG, "--metrics", "green:beta=inf"), 2, ["beta"])


def test_n_beyond_all_bounds():
    check(
        run("score", *TEXT_CORPUS, "--hyps", STRONG, "--metrics", "green:n=3000000000"),
        2,
        ["n is 3000000000"],
    )


def test_threads_from_the_environment():
    finished = run(
        "score", *TEXT_CORPUS, "--hyps", STRONG, *GREEN, environment={"CORRIGENDA_THREADS": "many"}
    )
    check(finished, 2, ["CORRIGENDA_THREADS", "'many'"])


def test_a_notice_is_not_an_error(folder):
    """Lines that some tools add to M2 are skipped, and the user is told on standard error."""
    (folder / "t.m2").write_text(
        "S a b\nT0-A0 a c\nA 1 2|||R|||c|||REQUIRED|||-NONE-|||0\n", encoding="utf-8"
    )
    (folder / "hyp.txt").write_text("a c\n", encoding="utf-8")
    finished = run("score", "--gold", "t.m2", "--hyps", "hyp.txt", *GREEN, folder=folder)
    assert finished.returncode == 0
    assert finished.stderr.startswith("corrigenda: note: t.m2: skipped 1 'T' line")
    assert "hyp" in finished.stdout


@pytest.mark.slow
def test_a_terminal_that_is_not_utf8():
    arguments = ["score", *TEXT_CORPUS, "--hyps", f"системa={STRONG}", *GREEN]
    finished = run(*arguments, environment={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert "Traceback" not in finished.stderr
    assert finished.returncode == 0
