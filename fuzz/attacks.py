"""Files and commands that once broke a promise, or were made to break one.

Each attack writes its files into a folder and gives the arguments of the program. The tests run
all of them; `reliability.py` also measures their memory and time.
"""

from __future__ import annotations

import bz2
import copy
import gzip
import json
import lzma
import random
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Attack:
    """What is tried, the arguments, and what the program must do."""

    name: str
    make: Callable[[Path], list[str]]
    code: int
    says: str
    """Part of what the program says, or an empty text."""
    slow: bool = False
    huge: bool = False
    """It takes several seconds: tests leave it out unless CORRIGENDA_FULL is set."""


ATTACKS: list[Attack] = []


def attack(
    name: str, code: int, says: str = "", *, slow: bool = False, huge: bool = False
) -> Callable[[Callable[[Path], list[str]]], Callable[[Path], list[str]]]:
    """Register an attack."""

    def register(make: Callable[[Path], list[str]]) -> Callable[[Path], list[str]]:
        ATTACKS.append(Attack(name, make, code, says, slow or huge, huge))
        return make

    return register


def _file(folder: Path, name: str, content: str | bytes) -> str:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def _jsonl(folder: Path, *rows: object) -> str:
    return _file(folder, "x.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


_ROW = {"source": "a b", "references": ["a c"], "hypotheses": {"s": "a x"}}


@attack('`numann="100000000"` in 131 bytes of XML', 1, "numann=100000000")
def _numann(folder: Path) -> list[str]:
    text = (
        '<scripts><script id="1"><sentence id="1" numann="100000000"><text>a b</text>'
        "<error-list></error-list></sentence></script></scripts>"
    )
    return ["convert", "--ixml", _file(folder, "x.xml", text), "--to", "m2"]


@attack("60,000 keys in one JSON object", 0)
def _keys(folder: Path) -> list[str]:
    row = _ROW | {f"k{number}": 1 for number in range(60_000)}
    return ["score", "--jsonl", _jsonl(folder, row), "--metrics", "green"]


@attack("20,000 edits of one sentence in M2", 0, "no problem")
def _edits(folder: Path) -> list[str]:
    lines = ["S " + "w " * 20_000]
    lines += [f"A {n} {n + 1}|||R|||x|||REQUIRED|||-NONE-|||0" for n in range(20_000)]
    return ["m2", "validate", _file(folder, "x.m2", "\n".join(lines) + "\n")]


@attack("5,000 systems in one ranking", 1, "more than 1,000 systems")
def _systems(folder: Path) -> list[str]:
    ranks = {f"s{number}": number + 1 for number in range(5_000)}
    return ["rank", _jsonl(folder, {"sentence": "1", "judge": "j", "ranks": ranks})]


@attack("10,000 judges of one sentence", 1, "500,000 pairs of judges", slow=True)
def _judges(folder: Path) -> list[str]:
    ranks = {"A": 1, "B": 2}
    rows = ({"sentence": "1", "judge": f"j{number}", "ranks": ranks} for number in range(10_000))
    return ["rank", _jsonl(folder, *rows)]


@attack("10,000 judges of a sentence each", 0, slow=True)
def _judges_apart(folder: Path) -> list[str]:
    numbers, ranks = range(10_000), {"A": 1, "B": 2}
    rows = ({"sentence": str(each), "judge": f"j{each}", "ranks": ranks} for each in numbers)
    return ["rank", _jsonl(folder, *rows)]


def _won_in_turn(folder: Path, systems: int, sentences: int) -> str:
    """In each sentence one system wins against the next one."""
    places = (number % (systems - 1) for number in range(sentences))
    return _jsonl(
        folder,
        *(
            {"sentence": str(number), "judge": "j", "ranks": {f"s{at}": 1, f"s{at + 1}": 2}}
            for number, at in enumerate(places)
        ),
    )


@attack("100 systems, two of them in each of 20,000 sentences", 0, slow=True)
def _sparse_rankings(folder: Path) -> list[str]:
    return ["rank", _won_in_turn(folder, 100, 20_000)]


@attack("Bradley–Terry of 200 systems", 2, "at most 250 resamples")
def _strengths(folder: Path) -> list[str]:
    return ["rank", _won_in_turn(folder, 200, 2_000), "--method", "bradley-terry"]


@attack("10,000 resamples of 900 systems", 2, "at most 1,234 resamples")
def _many_resamples(folder: Path) -> list[str]:
    return ["rank", _won_in_turn(folder, 900, 2_000), "--bootstrap", "10000"]


@attack("4,000 annotators with a type each in a table", 1, "Add --format json", slow=True)
def _annotators_and_types(folder: Path) -> list[str]:
    edit = "S a b\nA 0 1|||T{0}|||x|||REQUIRED|||-NONE-|||{0}\n\n"
    gold = "".join(edit.format(number) for number in range(4_000))
    return ["m2", "stats", _file(folder, "x.m2", gold)]


@attack("GLEU of 800 systems with one reference", 0, slow=True)
def _gleu_of_many(folder: Path) -> list[str]:
    row = {"source": "a b", "references": ["a c"]}
    row["hypotheses"] = {f"s{number}": f"a x{number}" for number in range(800)}
    options = ["--metrics", "gleu", "--no-health", "--format", "json"]
    return ["score", "--jsonl", _jsonl(folder, *[row] * 5), *options]


@attack("people and a metric on 30 systems in 20,000 sentences", 0, huge=True)
def _meta(folder: Path) -> list[str]:
    text = _file(folder, "x.txt", "a b\n" * 20_000)
    outputs = [_file(folder, f"s{number}.txt", f"a b{number}\n" * 20_000) for number in range(30)]
    texts = ["--source", text, "--refs", text, "--hyps", *outputs]
    judgments = _won_in_turn(folder, 30, 20_000)
    return ["meta", *texts, "--judgments", judgments, "--metrics", "green"]


@attack("600 runs of one system", 0, slow=True)
def _many_runs(folder: Path) -> list[str]:
    text = _file(folder, "x.txt", "a b\n")
    runs = "s=" + ",".join([text] * 600)
    texts = ["--source", text, "--refs", text, "--hyps", runs, "--metrics", "green"]
    return ["score", *texts, "--no-health", "--format", "json"]


@attack("800 equal systems", 0, "the same as in s0", slow=True)
def _equal_systems(folder: Path) -> list[str]:
    row = _ROW | {"hypotheses": {f"s{number}": "a c" for number in range(800)}}
    return ["score", "--jsonl", _jsonl(folder, *[row] * 50), "--metrics", "green"]


@attack("a letter with 200,000 marks, out of order", 0, slow=True)
def _marks(folder: Path) -> list[str]:
    source = _file(folder, "x.txt", "a" + "\u0301\u0323" * 100_000 + "\n")
    output = _file(folder, "y.txt", "a" + "\u0323\u0301" * 100_000 + "\n")
    return ["score", "--source", source, "--refs", output, "--hyps", output, "--metrics", "green"]


@attack("130,000 characters whose hashes had the same end", 0, slow=True)
def _alike_characters(folder: Path) -> list[str]:
    def end_of_hash(character: int) -> int:
        mixed = character * 0x9E3779B97F4A7C15 % (1 << 64)
        return (mixed ^ mixed >> 32) % (1 << 18)

    characters = (*range(0x3400, 0xD800), *range(0xE000, 0x110000))
    alike = "".join(map(chr, sorted(characters, key=end_of_hash)[:130_000]))
    source, output = (_file(folder, f"{end}.txt", f"{alike}{end}\n") for end in "xy")
    texts = ["--source", source, "--refs", output, "--hyps", output]
    return ["score", *texts, "--metrics", "green:unit=char"]


@attack("Shapley values of 500 edits of one sentence", 2, "has 500 edits", slow=True)
def _shapley(folder: Path) -> list[str]:
    source = _file(folder, "x.txt", "a b " * 500 + "\n")
    output = _file(folder, "y.txt", "a c " * 500 + "\n")
    texts = ["--source", source, "--refs", output, "--hyps", output]
    return ["explain", *texts, "--line", "1", "--attribute", "green"]


@attack("100,000 types in slices", 1, "100,000 slices", huge=True)
def _types(folder: Path) -> list[str]:
    words = " ".join(f"w{number}" for number in range(50))
    rows = [
        {
            "source": words,
            "hypotheses": {"s": words},
            "edits": [[
                {"start": n, "end": n + 1, "corrections": ["x"], "type": f"T{first + n}"}
                for n in range(50)
            ]],
        }
        for first in range(0, 100_000, 50)
    ]  # fmt: skip
    return ["slices", "--by", "type", "--metrics", "green", "--jsonl", _jsonl(folder, *rows)]


def _raw(folder: Path, source: str, output: str) -> list[str]:
    """Two long lines whose words are to be made by the source."""
    files = _file(folder, "x.txt", source + "\n"), _file(folder, "y.txt", output + "\n")
    texts = ["--source", files[0], "--refs", files[0], "--hyps", files[1]]
    return ["score", *texts, "--metrics", "green", "--no-health"]


@attack("`--tokenise auto` on a line of 100,000 words that change", 0, slow=True)
def _long_raw(folder: Path) -> list[str]:
    words = [f"word{number % 999}," for number in range(100_000)]
    source, words[::7] = " ".join(words), ["x"] * len(words[::7])
    return [*_raw(folder, source, " ".join(words)), "--tokenise", "auto"]


@attack("`--tokenise intl` on 14,000 characters that repeat", 0, slow=True)
def _repeated(folder: Path) -> list[str]:
    return [*_raw(folder, "ab, " * 3_500 + "a", "ba " * 4_600 + "b"), "--tokenise", "intl"]


@attack("`--tokenise intl` on parts of 1, 2, 3, … 450 characters", 1, "too long", slow=True)
def _shrinking(folder: Path) -> list[str]:
    parts = [chr(0x4E00 + length) * length for length in range(450, 0, -1)]
    return [*_raw(folder, "x, ".join(parts), "y, ".join(parts)), "--tokenise", "intl"]


@attack("an integer of 5,000 digits", 1, "5,000 digits")
def _digits(folder: Path) -> list[str]:
    text = json.dumps(_ROW)[:-1] + ', "x": ' + "1" * 5_000 + "}\n"
    return ["score", "--jsonl", _file(folder, "x.jsonl", text)]


@attack("JSON nested 100,000 deep", 1, "nested too deeply")
def _nested(folder: Path) -> list[str]:
    text = '{"source": ' + "[" * 100_000 + "]" * 100_000 + "}\n"
    return ["score", "--jsonl", _file(folder, "x.jsonl", text)]


@attack("10^400 in a sidecar", 1, "401 digits")
def _huge(folder: Path) -> list[str]:
    side = _file(folder, "side.jsonl", '{"level": 1' + "0" * 400 + "}\n")
    return ["slices", "--by", "level", "--sidecar", side, "--jsonl", _jsonl(folder, _ROW)]


@attack("half of a character (a lone surrogate)", 1, "half of a character")
def _half(folder: Path) -> list[str]:
    row = '{"sentence": "1", "judge": "j", "ranks": {"A\\udfff": 1, "B": 2}}\n'
    return ["rank", _file(folder, "x.jsonl", row)]


@attack("a repeated key in a ranking", 1, "occurs twice")
def _twice(folder: Path) -> list[str]:
    return ["rank", _file(folder, "x.jsonl", '{"sentence": "1", "ranks": {"A": 1, "A": 2}}\n')]


@attack("a repeated column of CSV", 1, "occurs twice")
def _column(folder: Path) -> list[str]:
    text = "segmentId,judgeID,system1Id,system1rank,system1rank,system2Id,system2rank\n"
    return ["rank", _file(folder, "x.csv", text + "1,j,A,1,3,B,2\n")]


@attack("a line end in a value of CSV", 1, "contains a line end")
def _line_end(folder: Path) -> list[str]:
    text = "segmentId,judgeID,system1Id,system1rank,system2Id,system2rank\n"
    return ["rank", _file(folder, "x.csv", text + '1,j,"A\nB",1,C,2\n')]


@attack("an edit of the type `noop`, written as M2", 1, "noop")
def _noop(folder: Path) -> list[str]:
    edit = {"start": 1, "end": 2, "corrections": ["c"], "type": "noop"}
    row = {"source": "a b", "edits": [[edit]]}
    out = str(folder / "x.m2")
    return ["convert", "--jsonl", _jsonl(folder, row), "--to", "m2", "--out", out]


@attack("terminal escapes in the name of a system", 0, r"A\x1b]52;c;ZXZpbA==\x07")
def _escapes(folder: Path) -> list[str]:
    ranks = {"A\x1b]52;c;ZXZpbA==\x07": 1, "B": 2}
    return ["rank", _jsonl(folder, {"sentence": "1", "judge": "j", "ranks": ranks})]


@attack("an endless line (/dev/zero)", 1, "more than 64 MB", slow=True)
def _endless(folder: Path) -> list[str]:
    return ["m2", "validate", "/dev/zero"]


def _long_lines(folder: Path, length: int, *, equal: bool) -> list[str]:
    chance = random.Random(1)
    words = [str(chance.randrange(50)) for _ in range(length)]
    other = words[:]
    places = [length // 2] if equal else range(length)
    for place in places:
        other[place] = str(chance.randrange(50))
    files = {"source": words, "refs": [*words[:-1], "z"], "hyps": other}
    return [
        part
        for name, text in files.items()
        for part in (f"--{name}", _file(folder, f"{name}.txt", " ".join(text) + "\n"))
    ]


@attack("M² on a line of 60,000 words without much in common", 1, "M² needs more than 256 MB",
        slow=True)  # fmt: skip
def _m2(folder: Path) -> list[str]:
    return ["score", *_long_lines(folder, 60_000, equal=False), "--metrics", "m2"]


@attack("M² on a line of 60,000 words that are nearly equal", 0, slow=True)
def _m2_equal(folder: Path) -> list[str]:
    return ["score", *_long_lines(folder, 60_000, equal=True), "--metrics", "m2"]


@attack("M² on a line of 1,000,000 words", 1, "M² needs more than 256 MB", huge=True)
def _m2_million(folder: Path) -> list[str]:
    return ["score", *_long_lines(folder, 1_000_000, equal=False), "--metrics", "m2"]


@attack("the I-measure on a line of 60,000 words", 1, "--max-memory", slow=True)
def _imeasure(folder: Path) -> list[str]:
    return ["score", *_long_lines(folder, 60_000, equal=False), "--metrics", "imeasure"]


@attack("GREEN on lines of 3 MB without much in common", 0, huge=True)
def _green(folder: Path) -> list[str]:
    chance = random.Random(1)
    return [
        "score", "--metrics", "green", "--no-health",
        *(
            part
            for name in ("source", "refs", "hyps")
            for part in (
                f"--{name}",
                _file(folder, name, " ".join(chance.choices("abcdefghijklmnop", k=1_500_000))),
            )
        ),
    ]  # fmt: skip


@attack(
    "GREEN, GLEU and BLEU on a line of 60 MB",
    1,
    "sentence 1: its words and n-grams need",
    huge=True,
)
def _green_huge(folder: Path) -> list[str]:
    file = _file(folder, "x.txt", " ".join(map(str, range(8_000_000))) + "\n")
    other = _file(folder, "y.txt", "a b\n")
    texts = ["--source", file, "--refs", other, "--hyps", other]
    return ["score", *texts, "--metrics", "green", "gleu", "bleu"]


@attack(
    "5,000 references of one sentence", 1, "its words and n-grams need more than 256 MB", slow=True
)
def _many_references(folder: Path) -> list[str]:
    chance = random.Random(1)
    references = [" ".join(chance.choices("abcdefghij", k=20)) for _ in range(5_000)]
    row = {"source": "a b", "references": references, "hypotheses": {"s": "a x"}}
    return ["score", "--jsonl", _jsonl(folder, row), "--metrics", "green"]


@attack("300,000 words that differ in the middle alone", 0, slow=True)
def _middles(folder: Path) -> list[str]:
    words = " ".join(f"https://a.org/{number}/index.html" for number in range(300_000))
    file = _file(folder, "x.txt", words + "\n")
    return ["score", "--source", file, "--refs", file, "--hyps", file, "--metrics", "green"]


@attack("20,000 annotators of a line of 20,000 words in M2", 1, "20,000 references", slow=True)
def _annotators(folder: Path) -> list[str]:
    lines = ["S " + "w " * 20_000]
    lines += [f"A 0 1|||R|||x|||REQUIRED|||-NONE-|||{number}" for number in range(20_000)]
    plain = _file(folder, "x.txt", "w\n")
    gold = _file(folder, "x.m2", "\n".join(lines) + "\n")
    return ["score", "--gold", gold, "--hyps", plain, "--metrics", "green"]


@attack("9,000 annotators of a line of 20,000 words in M2", 1, "more than 20 times as large",
        slow=True)  # fmt: skip
def _few_annotators(folder: Path) -> list[str]:
    lines = ["S " + "w " * 20_000]
    lines += [f"A 0 1|||R|||x|||REQUIRED|||-NONE-|||{number}" for number in range(9_000)]
    plain = _file(folder, "x.txt", "w\n")
    gold = _file(folder, "x.m2", "\n".join(lines) + "\n")
    return ["score", "--gold", gold, "--hyps", plain, "--metrics", "green"]


@attack("GLEU's draws with 1,000 references of each of 200 sentences", 0, huge=True)
def _draws(folder: Path) -> list[str]:
    lines = ["S a b c d"]
    lines += [f"A 1 2|||R|||x{number}|||REQUIRED|||-NONE-|||{number}" for number in range(1_000)]
    gold = _file(folder, "x.m2", ("\n".join(lines) + "\n\n") * 200)
    plain = _file(folder, "x.txt", "a x1 c d\n" * 200)
    return ["score", "--gold", gold, "--hyps", plain, "--metrics", "gleu", "--no-health"]


@attack("GLEU's 100,000 draws for each of 1,300 sentences", 0, huge=True)
def _draws_of_sentences(folder: Path) -> list[str]:
    plain = _file(folder, "x.txt", "a b c d e\n" * 1_300)
    other = _file(folder, "y.txt", "a b c x e\n" * 1_300)
    texts = ["--source", plain, "--refs", plain, other, "--hyps", other]
    return ["score", *texts, "--metrics", "gleu:draws=100000", "--no-health"]


@attack("GLEU's 100,000 draws for each of 6,000 sentences", 1, "need too much memory")
def _draws_of_many_sentences(folder: Path) -> list[str]:
    plain = _file(folder, "x.txt", "a b c d e\n" * 6_000)
    other = _file(folder, "y.txt", "a b c x e\n" * 6_000)
    texts = ["--source", plain, "--refs", plain, other, "--hyps", other]
    return ["score", *texts, "--metrics", "gleu:draws=100000", "--no-health"]


def _errors(folder: Path, *errors: str) -> list[str]:
    words = "a " * 20_000
    text = (
        f'<scripts><script id="1"><sentence id="1" numann="2"><text>{words}</text><error-list>'
        f"{''.join(errors)}</error-list></sentence></script></scripts>"
    )
    plain = _file(folder, "x.txt", words + "\n")
    return ["score", "--ixml", _file(folder, "x.xml", text), "--hyps", plain, "-m", "imeasure"]


def _one_error(number: int, required: str) -> str:
    change = f'<c start="{number}" end="{number + 1}">b</c>'
    return f'<error id="{number}" req="{required}" type="R"><alt ann="0">{change}</alt></error>'


@attack("20,000 errors that cover a whole line of XML", 1, "--max-memory", slow=True)
def _whole_line(folder: Path) -> list[str]:
    return _errors(folder, *(_one_error(number, "yes") for number in range(20_000)))


@attack("300,000 corrections of one place in XML", 0, slow=True)
def _corrections(folder: Path) -> list[str]:
    change = '<c start="0" end="1">b</c>' * 300_000
    error = f'<error id="1" req="yes" type="R"><alt ann="0">{change}</alt></error>'
    _errors(folder, error)
    return ["convert", "--ixml", str(folder / "x.xml"), "--to", "m2"]


@attack("an attribute of 40 MB in XML", 1, "more than 16 MB", slow=True)
def _attribute(folder: Path) -> list[str]:
    text = f'<scripts><script id="{"1" * 40_000_000}"/></scripts>'
    return ["convert", "--ixml", _file(folder, "x.xml", text), "--to", "m2"]


@attack("15 million elements in one sentence of XML", 1, "more than 5,000,000", huge=True)
def _elements(folder: Path) -> list[str]:
    text = f'<scripts><sentence id="1">{"<a/>" * 15_000_000}</sentence></scripts>'
    return ["convert", "--ixml", _file(folder, "x.xml", text), "--to", "m2"]


@attack("8,192 mixed references of 20,000 words for the I-measure", 1, "8,192 mixed references")
def _mixed(folder: Path) -> list[str]:
    optional = (_one_error(number, "no") for number in range(13))
    return _errors(folder, *optional, _one_error(0, "yes"))


@attack("150 sentences with 16,384 mixed references each for the I-measure", 0, huge=True)
def _mixed_corpus(folder: Path) -> list[str]:
    words = [f"w{number}" for number in range(20)]
    lines = ["S " + " ".join(words)]
    lines += [f"A {n} {n + 1}|||R|||x|||REQUIRED|||-NONE-|||0" for n in range(14)]
    lines += ["A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1", "", ""]
    gold = _file(folder, "x.m2", "\n".join(lines) * 150)
    plain = _file(folder, "x.txt", (" ".join(words[1:]) + "\n") * 150)
    return ["score", "--gold", gold, "--hyps", plain, "--metrics", "imeasure", "--no-health"]


@attack("120 places with 6,561 accepted ways each in one sentence of M2", 1, "200,000 corrections")
def _ways(folder: Path) -> list[str]:
    accepted = "||".join(f"x{number}" for number in range(9))
    places = range(0, 600, 5)
    lines = ["S " + "a " * 600]
    lines += [
        f"A {place + n} {place + n + 1}|||R|||{accepted}|||REQUIRED|||-NONE-|||0"
        for place in places
        for n in range(4)
    ]
    lines += [f"A {each} {each + 4}|||R|||y|||REQUIRED|||-NONE-|||1" for each in places]
    gold = _file(folder, "x.m2", "\n".join(lines) + "\n")
    plain = _file(folder, "x.txt", "a\n")
    return ["score", "--gold", gold, "--hyps", plain, "--metrics", "imeasure"]


@attack("30,000 essays", 0, slow=True)
def _many_essays(folder: Path) -> list[str]:
    essays = "".join(f"### essay_id = {number}\nHe goes home .\n\n" for number in range(30_000))
    names = ("orig", "ref1", "hypo1")
    source, _, output = (_file(folder, f"x-{name}-y.md", essays) for name in names)
    return ["score", "--essays", source, "--hyps", output, "--metrics", "green", "--no-health"]


@attack("the references of essays as the file to write", 2, "--out would overwrite")
def _essays(folder: Path) -> list[str]:
    essay = "### essay_id = 1\nHe goes home .\n"
    source = _file(folder, "x-orig-y.md", essay)
    reference = _file(folder, "x-ref1-y.md", essay)
    return ["convert", "--essays", source, "--to", "jsonl", "--out", reference]


def _long_row(folder: Path, inside: str) -> list[str]:
    content = f'{{"source": "a", "hypothesis": "a", {inside}}}\n'
    good = '{"source": "a", "hypothesis": "a", "references": ["a"]}\n'
    out = ["--output", str(folder / "out"), "--metrics", "green", "--workers", "0"]
    return ["bulk", _file(folder, "x.jsonl", content + good), *out]


@attack("JSON lines: 19 million empty references in one row", 0, "1 row rejected", huge=True)
def _json_references(folder: Path) -> list[str]:
    return _long_row(folder, '"references": [' + '"",' * 19_000_000 + '""]')


@attack("JSON lines: 19 million empty objects in one row", 0, "1 row rejected", huge=True)
def _json_objects(folder: Path) -> list[str]:
    return _long_row(folder, '"references": ["a"], "x": [' + "{}," * 19_000_000 + "{}]")


@attack("a gzip bomb of one line in a bulk run", 1, "200 times as large", huge=True)
def _bomb(folder: Path) -> list[str]:
    content = b'{"source": "' + b"a" * (200 << 20) + b'"}\n'
    file = _file(folder, "x.jsonl.gz", gzip.compress(content, 1))
    out = ["--output", str(folder / "out"), "--metrics", "green", "--workers", "0"]
    return ["bulk", file, *out]


@attack("a gzip bomb of many lines in a bulk run", 1, "200 times as large", huge=True)
def _lines_bomb(folder: Path) -> list[str]:
    content = (json.dumps(_ROW | {"hypothesis": "a b"}) + " " * 4_000 + "\n").encode() * 25_000
    file = _file(folder, "x.jsonl.gz", gzip.compress(content, 9))
    out = ["--output", str(folder / "out"), "--metrics", "green", "--workers", "0"]
    return ["bulk", file, *out]


@attack("a Parquet bomb in a bulk run", 1, "200 times as large", huge=True)
def _parquet_bomb(folder: Path) -> list[str]:
    import pyarrow
    import pyarrow.parquet

    rows = 5_000
    long_text = pyarrow.array(["a " * 10_000] * rows)
    references = pyarrow.array([["a"]] * rows)
    table = {"source": long_text, "hypothesis": long_text, "references": references}
    file = folder / "x.parquet"
    # Without a dictionary, each row holds its text.
    made = pyarrow.table(table)
    pyarrow.parquet.write_table(made, file, compression="zstd", use_dictionary=False)
    out = ["--output", str(folder / "out"), "--metrics", "green", "--workers", "0"]
    return ["bulk", str(file), *out]


def _parquet(folder: Path, columns: dict[str, object], **options: object) -> list[str]:
    import pyarrow
    import pyarrow.parquet

    file = folder / "x.parquet"
    pyarrow.parquet.write_table(pyarrow.table(columns), file, **options)
    out = ["--output", str(folder / "out"), "--metrics", "green", "--workers", "0"]
    return ["bulk", str(file), *out]


_COLUMNS = ("source", "hypothesis", "references")


@attack("Parquet: 20,000 rows repeat a text of 20 kB by a dictionary", 0, "20,000 rows", huge=True)
def _dictionary(folder: Path) -> list[str]:
    return _parquet(folder, {name: ["a " * 10_000] * 20_000 for name in _COLUMNS})


@attack("Parquet: 300 rows share a beginning of 1 MB", 0, "300 rows", huge=True)
def _beginnings(folder: Path) -> list[str]:
    texts = [f"{'a ' * 500_000}{place}" for place in range(300)]
    encoding = dict.fromkeys(_COLUMNS, "DELTA_BYTE_ARRAY")
    columns = dict.fromkeys(_COLUMNS, texts)
    return _parquet(folder, columns, use_dictionary=False, column_encoding=encoding)


@attack("Parquet: 40 million references of one row", 1, "the column 'references", huge=True)
def _long_list(folder: Path) -> list[str]:
    import pyarrow

    number = 40_000_000
    texts = pyarrow.array([""]).take(pyarrow.nulls(number, pyarrow.int32()).fill_null(0))
    lists = pyarrow.ListArray.from_arrays(pyarrow.array([0, number], pyarrow.int32()), texts)
    return _parquet(folder, {"source": ["a"], "hypothesis": ["a"], "references": lists})


@attack("Parquet: 20 million empty rows in one row group", 1, "1,000,000 rows are", huge=True)
def _empty_rows(folder: Path) -> list[str]:
    import pyarrow

    nothing = pyarrow.nulls(20_000_000, pyarrow.string())
    return _parquet(folder, dict.fromkeys(_COLUMNS, nothing), row_group_size=20_000_000)


@attack("JSON lines: 60 million empty lines by gzip", 1, "1,000,000 rows are", huge=True)
def _empty_lines(folder: Path) -> list[str]:
    file = _file(folder, "x.jsonl.gz", gzip.compress(b"\n" * (60 << 20)))
    return ["bulk", file, "--output", str(folder / "out"), "--metrics", "green", "--workers", "0"]


@attack("a gzip bomb as the output of a system", 1, "200 times as large", huge=True)
def _text_bomb(folder: Path) -> list[str]:
    file = _file(folder, "x.txt.gz", gzip.compress(b"a b c\n" * (20 << 20), 9))
    plain = _file(folder, "x.txt", "a b c\n")
    return ["score", "--source", plain, "--refs", plain, "--hyps", file, "--metrics", "green"]


@attack("extracted edits of a line of 60,000 words", 1, "--max-memory", slow=True)
def _edits(folder: Path) -> list[str]:
    return ["edits", *_long_lines(folder, 60_000, equal=False), "--out", str(folder / "out")]


def _packed_rows(folder: Path, name: str, content: bytes) -> list[str]:
    out = ["--output", str(folder / "out"), "--metrics", "green", "--workers", "0"]
    return ["bulk", _file(folder, name, content), *out]


_ROWS = (json.dumps({"source": "a", "hypothesis": "a", "references": ["a"]}) + "\n").encode() * 100


@attack("xz that ends too early in a bulk run", 1, "the file ends too early")
def _cut_xz(folder: Path) -> list[str]:
    packed = lzma.compress(_ROWS)
    return _packed_rows(folder, "x.jsonl.xz", packed + packed[:-30])


@attack("bzip2 whose second stream is damaged in a bulk run", 1, "cannot unpack it")
def _damaged_bz2(folder: Path) -> list[str]:
    return _packed_rows(folder, "x.jsonl.bz2", bz2.compress(_ROWS) + bz2.compress(_ROWS)[1:])


@attack("an empty file with the name of a packed one", 1, "the file is empty")
def _empty_gzip(folder: Path) -> list[str]:
    return _packed_rows(folder, "x.jsonl.gz", b"")


@attack("a bomb of xz in a bulk run", 1, "200 times as large", huge=True)
def _xz_bomb(folder: Path) -> list[str]:
    content = (_ROWS.split(b"\n")[0] + b" " * 4_000 + b"\n") * 40_000
    return _packed_rows(folder, "x.jsonl.xz", lzma.compress(content, preset=0))


_RATINGS = "sentence,judge,system,score\n"


def _one_ranking(folder: Path, ranks: dict[str, int]) -> str:
    return _jsonl(folder, {"sentence": "1", "judge": "j", "ranks": ranks})


@attack("a million empty sentences in M2", 0, huge=True)
def _empty_sentences(folder: Path) -> list[str]:
    return ["m2", "stats", _file(folder, "x.m2", "S \n\n" * 1_000_000)]


@attack("the human ceiling of 1,000 references", 2, "at most 100 are scored so")
def _ceiling(folder: Path) -> list[str]:
    references = [f"a {number}" for number in range(1_000)]
    row = {"source": "a b", "references": references, "hypotheses": {"s": "a c"}}
    return ["score", "--jsonl", _jsonl(folder, row), "--ceiling", "--metrics", "gleu"]


@attack("999 systems that nobody tells apart", 0, "498,491 more pairs", slow=True)
def _undecided(folder: Path) -> list[str]:
    return ["rank", _one_ranking(folder, {f"s{number}": 1 for number in range(999)})]


@attack("999 systems against each other in a table", 0, huge=True)
def _head_to_head(folder: Path) -> list[str]:
    ranks = {f"s{number}": number + 1 for number in range(999)}
    return ["rank", _one_ranking(folder, ranks), "--head-to-head", "--bootstrap", "0"]


@attack("names of 100,000 characters in a table", 0)
def _long_names(folder: Path) -> list[str]:
    return ["rank", _one_ranking(folder, {"A" * 100_000: 1, "e\u0301" * 50_000: 2})]


@attack("20 rankings of 400 systems", 0, huge=True)
def _complete_rankings(folder: Path) -> list[str]:
    rows = [
        {"sentence": f"{at}", "judge": "j", "ranks": {f"s{n}": n * at % 9 + 1 for n in range(400)}}
        for at in range(20)
    ]
    return ["rank", _jsonl(folder, *rows), "--power"]


@attack("500 rated systems on 4 sentences", 0, slow=True)
def _rated_often(folder: Path) -> list[str]:
    rows = "".join(f"{at % 4},j,s{at // 4},{at * 7 % 101}\n" for at in range(2_000))
    return ["rank", "--ratings", _file(folder, "x.csv", _RATINGS + rows)]


@attack("4,000 rated systems", 2, "at most 500 systems", slow=True)
def _rated(folder: Path) -> list[str]:
    rows = "".join(f"1,j,s{number},{number % 7}\n" for number in range(4_000))
    return ["rank", "--ratings", _file(folder, "x.csv", _RATINGS + rows)]


@attack("250,000 ratings of 500 systems, each of another sentence", 1, "10,000,000 outputs",
        huge=True)  # fmt: skip
def _sparse_ratings(folder: Path) -> list[str]:
    rows = "".join(f"{number},j,s{number % 500},{number % 7}\n" for number in range(250_000))
    return ["rank", "--ratings", _file(folder, "x.csv", _RATINGS + rows)]


@attack("100,000 rated sentences and 1,000 resamples", 0, huge=True)
def _many_ratings(folder: Path) -> list[str]:
    rows = "".join(f"{number // 2},j,s{number % 2},{number % 7}\n" for number in range(200_000))
    return ["rank", "--ratings", _file(folder, "x.csv", _RATINGS + rows)]


@attack("a rating of 120,000 digits and a letter", 1, "not a number")
def _long_rating(folder: Path) -> list[str]:
    header = "sentence,judge,system,score"
    return ["rank", "--ratings", _file(folder, "x.csv", f"{header}\n1,j,A,{'1' * 120_000}x\n")]


@attack("a repeated column of ratings", 1, "occurs twice")
def _rated_twice(folder: Path) -> list[str]:
    table = _RATINGS.replace("score\n", "score,score\n") + "1,j,A,1,9\n1,j,B,2,8\n"
    return ["rank", "--ratings", _file(folder, "x.csv", table)]


@attack("fullwidth digits and underscores in ratings", 1, "not a number")
def _digits_of_others(folder: Path) -> list[str]:
    return ["rank", "--ratings", _file(folder, "x.csv", _RATINGS + "1,j,A,５\n1,j,B,1_0\n")]


@attack("a sidecar with other keys on each of 8,000 lines", 1, "nearly empty", slow=True)
def _sparse_sidecar(folder: Path) -> list[str]:
    text = _file(folder, "x.txt", "a b\n" * 8_000)
    side = _file(folder, "s.jsonl", "".join(f'{{"k{number}": 1}}\n' for number in range(8_000)))
    texts = ["--source", text, "--refs", text, "--hyps", text, "--metrics", "green"]
    return ["slices", "--by", "k1", "--sidecar", side, *texts]


@attack("/dev/zero as a passport", 1, "not a passport")
def _endless_passport(folder: Path) -> list[str]:
    return ["verify", "/dev/zero"]


def _passport(folder: Path, **changed: object) -> list[str]:
    """A passport with a right digest and changed parts of its result; the files of its corpus."""
    from corrigenda import Corpus, Hypotheses
    from corrigenda.metrics import metric
    from corrigenda.passport import document
    from corrigenda.passport.marks import TextMarker
    from corrigenda.scoring import evaluate

    marker = TextMarker()
    corpus = Corpus.from_lists(["a b c d"], [["a x c d"]], references_by="text")
    system = Hypotheses("ours", ["a x c d"])
    marker.add(corpus, [system])
    results = evaluate(corpus, [system], [metric("green")], health="off")
    body = copy.deepcopy(document.make(results, marker.marks()))
    body["results"][0].update(changed)  # type: ignore[typeddict-item]
    path = folder / "p.json"
    path.write_bytes(document.rendered(body))
    source = _file(folder, "source.txt", "a b c d\n")
    output = _file(folder, "ours.txt", "a x c d\n")
    return ["verify", str(path), "--source", source, "--refs", output, "--hyps", output]


@attack("a passport with a right digest and counts that are a text", 1, "counts is not a list")
def _counts_text(folder: Path) -> list[str]:
    return _passport(folder, counts="x")[:2]


@attack("a passport that names who shall get the texts", 2, "sends the texts to a service")
def _passport_service(folder: Path) -> list[str]:
    return _passport(folder, metric="llm:base_url=http://127.0.0.1:9/v1")


@attack("10^400 as an earlier score", 1, "not the JSON of `corrigenda score`")
def _earlier(folder: Path) -> list[str]:
    text = _file(folder, "x.txt", "a b\n")
    row = '{"system": "x", "metric": "green", "level": "corpus", "signature": "", "score": 1%s}'
    earlier = _file(folder, "e.json", '{"results": [' + row % ("0" * 400) + "]}")
    texts = ["--source", text, "--refs", text, "--hyps", text, "--metrics", "green"]
    return ["report", *texts, "--against", earlier, "--out", str(folder / "out.html")]


@attack("a published number of 5,000 digits", 2, "is not a published number")
def _published(folder: Path) -> list[str]:
    text = _file(folder, "x.txt", "a b\n")
    return ["detect", "0." + "9" * 5_000, "--source", text, "--refs", text, "--hyps", text]


@attack("/dev/zero as the backup of a campaign", 1, "more than 64 MB", slow=True)
def _endless_backup(folder: Path) -> list[str]:
    return ["judge", "restore", "/dev/zero", str(folder / "new.db")]


@attack("an SQLite file with a view without an end as judgments", 1, "is not a campaign")
def _view(folder: Path) -> list[str]:
    path = folder / "x.db"
    connection = sqlite3.connect(path)
    connection.executescript(
        "create table alembic_version (version_num text);"
        "insert into alembic_version values ('0002');"
        "create view judgment as with recursive c(x) as "
        "(select 1 union all select x + 1 from c) select x as id from c;"
    )
    connection.close()
    return ["rank", str(path)]
