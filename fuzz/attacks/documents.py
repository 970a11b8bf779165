"""Attacks by sidecars, passports, earlier scores and campaigns."""

from __future__ import annotations

import copy
import sqlite3
from pathlib import Path

from attacks.registry import ROW, attack, json_lines, new_file


@attack("10^400 in a sidecar", 1, "401 digits")
def _huge(folder: Path) -> list[str]:
    side = new_file(folder, "side.jsonl", '{"level": 1' + "0" * 400 + "}\n")
    return ["slices", "--by", "level", "--sidecar", side, "--jsonl", json_lines(folder, ROW)]


@attack("a sidecar with other keys on each of 8,000 lines", 1, "nearly empty", slow=True)
def _sparse_sidecar(folder: Path) -> list[str]:
    text = new_file(folder, "x.txt", "a b\n" * 8_000)
    side = new_file(folder, "s.jsonl", "".join(f'{{"k{number}": 1}}\n' for number in range(8_000)))
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
    source = new_file(folder, "source.txt", "a b c d\n")
    output = new_file(folder, "ours.txt", "a x c d\n")
    return ["verify", str(path), "--source", source, "--refs", output, "--hyps", output]


@attack("a passport with a right digest and counts that are a text", 1, "counts is not a list")
def _counts_text(folder: Path) -> list[str]:
    return _passport(folder, counts="x")[:2]


@attack("a passport that names who shall get the texts", 2, "sends the texts to a service")
def _passport_service(folder: Path) -> list[str]:
    return _passport(folder, metric="llm:base_url=http://127.0.0.1:9/v1")


@attack("10^400 as an earlier score", 1, "not the JSON of `corrigenda score`")
def _earlier(folder: Path) -> list[str]:
    text = new_file(folder, "x.txt", "a b\n")
    row = '{"system": "x", "metric": "green", "level": "corpus", "signature": "", "score": 1%s}'
    earlier = new_file(folder, "e.json", '{"results": [' + row % ("0" * 400) + "]}")
    texts = ["--source", text, "--refs", text, "--hyps", text, "--metrics", "green"]
    return ["report", *texts, "--against", earlier, "--out", str(folder / "out.html")]


@attack("a published number of 5,000 digits", 2, "is not a published number")
def _published(folder: Path) -> list[str]:
    text = new_file(folder, "x.txt", "a b\n")
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
