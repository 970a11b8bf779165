"""Attacks by sources, references and outputs."""

from __future__ import annotations

import json
import random
from pathlib import Path

from attacks.registry import ROW, attack, json_lines, new_file


@attack("60,000 keys in one JSON object", 0)
def _keys(folder: Path) -> list[str]:
    row = ROW | {f"k{number}": 1 for number in range(60_000)}
    return ["score", "--jsonl", json_lines(folder, row), "--metrics", "green"]


@attack("GLEU of 800 systems with one reference", 0, slow=True)
def _gleu_of_many(folder: Path) -> list[str]:
    row = {"source": "a b", "references": ["a c"]}
    row["hypotheses"] = {f"s{number}": f"a x{number}" for number in range(800)}
    options = ["--metrics", "gleu", "--no-health", "--format", "json"]
    return ["score", "--jsonl", json_lines(folder, *[row] * 5), *options]


@attack("600 runs of one system", 0, slow=True)
def _many_runs(folder: Path) -> list[str]:
    text = new_file(folder, "x.txt", "a b\n")
    runs = "s=" + ",".join([text] * 600)
    texts = ["--source", text, "--refs", text, "--hyps", runs, "--metrics", "green"]
    return ["score", *texts, "--no-health", "--format", "json"]


@attack("800 equal systems", 0, "the same as in s0", slow=True)
def _equal_systems(folder: Path) -> list[str]:
    row = ROW | {"hypotheses": {f"s{number}": "a c" for number in range(800)}}
    return ["score", "--jsonl", json_lines(folder, *[row] * 50), "--metrics", "green"]


@attack("a letter with 200,000 marks, out of order", 0, slow=True)
def _marks(folder: Path) -> list[str]:
    source = new_file(folder, "x.txt", "a" + "\u0301\u0323" * 100_000 + "\n")
    output = new_file(folder, "y.txt", "a" + "\u0323\u0301" * 100_000 + "\n")
    return ["score", "--source", source, "--refs", output, "--hyps", output, "--metrics", "green"]


@attack("130,000 characters whose hashes had the same end", 0, slow=True)
def _alike_characters(folder: Path) -> list[str]:
    def end_of_hash(character: int) -> int:
        mixed = character * 0x9E3779B97F4A7C15 % (1 << 64)
        return (mixed ^ mixed >> 32) % (1 << 18)

    characters = (*range(0x3400, 0xD800), *range(0xE000, 0x110000))
    alike = "".join(map(chr, sorted(characters, key=end_of_hash)[:130_000]))
    source, output = (new_file(folder, f"{end}.txt", f"{alike}{end}\n") for end in "xy")
    texts = ["--source", source, "--refs", output, "--hyps", output]
    return ["score", *texts, "--metrics", "green:unit=char"]


def _raw(folder: Path, source: str, output: str) -> list[str]:
    """Two long lines whose words are to be made by the source."""
    files = new_file(folder, "x.txt", source + "\n"), new_file(folder, "y.txt", output + "\n")
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
    text = json.dumps(ROW)[:-1] + ', "x": ' + "1" * 5_000 + "}\n"
    return ["score", "--jsonl", new_file(folder, "x.jsonl", text)]


@attack("JSON nested 100,000 deep", 1, "nested too deeply")
def _nested(folder: Path) -> list[str]:
    text = '{"source": ' + "[" * 100_000 + "]" * 100_000 + "}\n"
    return ["score", "--jsonl", new_file(folder, "x.jsonl", text)]


@attack("half of a character (a lone surrogate)", 1, "half of a character")
def _half(folder: Path) -> list[str]:
    row = '{"sentence": "1", "judge": "j", "ranks": {"A\\udfff": 1, "B": 2}}\n'
    return ["rank", new_file(folder, "x.jsonl", row)]


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
        for part in (f"--{name}", new_file(folder, f"{name}.txt", " ".join(text) + "\n"))
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
                new_file(folder, name, " ".join(chance.choices("abcdefghijklmnop", k=1_500_000))),
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
    file = new_file(folder, "x.txt", " ".join(map(str, range(8_000_000))) + "\n")
    other = new_file(folder, "y.txt", "a b\n")
    texts = ["--source", file, "--refs", other, "--hyps", other]
    return ["score", *texts, "--metrics", "green", "gleu", "bleu"]


@attack(
    "5,000 references of one sentence", 1, "its words and n-grams need more than 256 MB", slow=True
)
def _many_references(folder: Path) -> list[str]:
    chance = random.Random(1)
    references = [" ".join(chance.choices("abcdefghij", k=20)) for _ in range(5_000)]
    row = {"source": "a b", "references": references, "hypotheses": {"s": "a x"}}
    return ["score", "--jsonl", json_lines(folder, row), "--metrics", "green"]


@attack("300,000 words that differ in the middle alone", 0, slow=True)
def _middles(folder: Path) -> list[str]:
    words = " ".join(f"https://a.org/{number}/index.html" for number in range(300_000))
    file = new_file(folder, "x.txt", words + "\n")
    return ["score", "--source", file, "--refs", file, "--hyps", file, "--metrics", "green"]


@attack("GLEU's draws with 1,000 references of each of 200 sentences", 0, huge=True)
def _draws(folder: Path) -> list[str]:
    lines = ["S a b c d"]
    lines += [f"A 1 2|||R|||x{number}|||REQUIRED|||-NONE-|||{number}" for number in range(1_000)]
    gold = new_file(folder, "x.m2", ("\n".join(lines) + "\n\n") * 200)
    plain = new_file(folder, "x.txt", "a x1 c d\n" * 200)
    return ["score", "--gold", gold, "--hyps", plain, "--metrics", "gleu", "--no-health"]


@attack("GLEU's 100,000 draws for each of 1,300 sentences", 0, huge=True)
def _draws_of_sentences(folder: Path) -> list[str]:
    plain = new_file(folder, "x.txt", "a b c d e\n" * 1_300)
    other = new_file(folder, "y.txt", "a b c x e\n" * 1_300)
    texts = ["--source", plain, "--refs", plain, other, "--hyps", other]
    return ["score", *texts, "--metrics", "gleu:draws=100000", "--no-health"]


@attack("GLEU's 100,000 draws for each of 6,000 sentences", 1, "need too much memory")
def _draws_of_many_sentences(folder: Path) -> list[str]:
    plain = new_file(folder, "x.txt", "a b c d e\n" * 6_000)
    other = new_file(folder, "y.txt", "a b c x e\n" * 6_000)
    texts = ["--source", plain, "--refs", plain, other, "--hyps", other]
    return ["score", *texts, "--metrics", "gleu:draws=100000", "--no-health"]


@attack("extracted edits of a line of 60,000 words", 1, "--max-memory", slow=True)
def _extracted(folder: Path) -> list[str]:
    return ["edits", *_long_lines(folder, 60_000, equal=False), "--out", str(folder / "out")]


@attack("the human ceiling of 1,000 references", 2, "at most 100 are scored so")
def _ceiling(folder: Path) -> list[str]:
    references = [f"a {number}" for number in range(1_000)]
    row = {"source": "a b", "references": references, "hypotheses": {"s": "a c"}}
    return ["score", "--jsonl", json_lines(folder, row), "--ceiling", "--metrics", "gleu"]
