"""Attacks by M2, XML and essays, and by the edits in them."""

from __future__ import annotations

from pathlib import Path

from attacks.registry import attack, json_lines, new_file


@attack('`numann="100000000"` in 131 bytes of XML', 1, "numann=100000000")
def _numann(folder: Path) -> list[str]:
    text = (
        '<scripts><script id="1"><sentence id="1" numann="100000000"><text>a b</text>'
        "<error-list></error-list></sentence></script></scripts>"
    )
    return ["convert", "--ixml", new_file(folder, "x.xml", text), "--to", "m2"]


@attack("20,000 edits of one sentence in M2", 0, "no problem")
def _edits(folder: Path) -> list[str]:
    lines = ["S " + "w " * 20_000]
    lines += [f"A {n} {n + 1}|||R|||x|||REQUIRED|||-NONE-|||0" for n in range(20_000)]
    return ["m2", "validate", new_file(folder, "x.m2", "\n".join(lines) + "\n")]


@attack("4,000 annotators with a type each in a table", 1, "Add --format json", slow=True)
def _annotators_and_types(folder: Path) -> list[str]:
    edit = "S a b\nA 0 1|||T{0}|||x|||REQUIRED|||-NONE-|||{0}\n\n"
    gold = "".join(edit.format(number) for number in range(4_000))
    return ["m2", "stats", new_file(folder, "x.m2", gold)]


@attack("Shapley values of 500 edits of one sentence", 2, "has 500 edits", slow=True)
def _shapley(folder: Path) -> list[str]:
    source = new_file(folder, "x.txt", "a b " * 500 + "\n")
    output = new_file(folder, "y.txt", "a c " * 500 + "\n")
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
    return ["slices", "--by", "type", "--metrics", "green", "--jsonl", json_lines(folder, *rows)]


@attack("an edit of the type `noop`, written as M2", 1, "noop")
def _noop(folder: Path) -> list[str]:
    edit = {"start": 1, "end": 2, "corrections": ["c"], "type": "noop"}
    row = {"source": "a b", "edits": [[edit]]}
    out = str(folder / "x.m2")
    return ["convert", "--jsonl", json_lines(folder, row), "--to", "m2", "--out", out]


@attack("20,000 annotators of a line of 20,000 words in M2", 1, "20,000 references", slow=True)
def _annotators(folder: Path) -> list[str]:
    lines = ["S " + "w " * 20_000]
    lines += [f"A 0 1|||R|||x|||REQUIRED|||-NONE-|||{number}" for number in range(20_000)]
    plain = new_file(folder, "x.txt", "w\n")
    gold = new_file(folder, "x.m2", "\n".join(lines) + "\n")
    return ["score", "--gold", gold, "--hyps", plain, "--metrics", "green"]


@attack("9,000 annotators of a line of 20,000 words in M2", 1, "more than 20 times as large",
        slow=True)  # fmt: skip
def _few_annotators(folder: Path) -> list[str]:
    lines = ["S " + "w " * 20_000]
    lines += [f"A 0 1|||R|||x|||REQUIRED|||-NONE-|||{number}" for number in range(9_000)]
    plain = new_file(folder, "x.txt", "w\n")
    gold = new_file(folder, "x.m2", "\n".join(lines) + "\n")
    return ["score", "--gold", gold, "--hyps", plain, "--metrics", "green"]


def _errors(folder: Path, *errors: str) -> list[str]:
    words = "a " * 20_000
    text = (
        f'<scripts><script id="1"><sentence id="1" numann="2"><text>{words}</text><error-list>'
        f"{''.join(errors)}</error-list></sentence></script></scripts>"
    )
    plain = new_file(folder, "x.txt", words + "\n")
    return ["score", "--ixml", new_file(folder, "x.xml", text), "--hyps", plain, "-m", "imeasure"]


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
    return ["convert", "--ixml", new_file(folder, "x.xml", text), "--to", "m2"]


@attack("15 million elements in one sentence of XML", 1, "more than 5,000,000", huge=True)
def _elements(folder: Path) -> list[str]:
    text = f'<scripts><sentence id="1">{"<a/>" * 15_000_000}</sentence></scripts>'
    return ["convert", "--ixml", new_file(folder, "x.xml", text), "--to", "m2"]


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
    gold = new_file(folder, "x.m2", "\n".join(lines) * 150)
    plain = new_file(folder, "x.txt", (" ".join(words[1:]) + "\n") * 150)
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
    gold = new_file(folder, "x.m2", "\n".join(lines) + "\n")
    plain = new_file(folder, "x.txt", "a\n")
    return ["score", "--gold", gold, "--hyps", plain, "--metrics", "imeasure"]


@attack("30,000 essays", 0, slow=True)
def _many_essays(folder: Path) -> list[str]:
    essays = "".join(f"### essay_id = {number}\nHe goes home .\n\n" for number in range(30_000))
    names = ("orig", "ref1", "hypo1")
    source, _, output = (new_file(folder, f"x-{name}-y.md", essays) for name in names)
    return ["score", "--essays", source, "--hyps", output, "--metrics", "green", "--no-health"]


@attack("the references of essays as the file to write", 2, "--out would overwrite")
def _essays(folder: Path) -> list[str]:
    essay = "### essay_id = 1\nHe goes home .\n"
    source = new_file(folder, "x-orig-y.md", essay)
    reference = new_file(folder, "x-ref1-y.md", essay)
    return ["convert", "--essays", source, "--to", "jsonl", "--out", reference]


@attack("a million empty sentences in M2", 0, huge=True)
def _empty_sentences(folder: Path) -> list[str]:
    return ["m2", "stats", new_file(folder, "x.m2", "S \n\n" * 1_000_000)]
