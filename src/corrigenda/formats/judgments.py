"""Human judgments: Appraise XML in its two dialects, WMT CSV, JSON lines, and campaigns.

Appraise: a `ranking-item` holds `translation` elements, each with a `rank` (1 is best) and a
`system`. Several names in `system`, separated by blanks or commas, are systems with the same
output. In an `error-correction-ranking-result`, `src-id` names the sentence; in a `ranking-result`,
`id` does.

CSV: one ranking per row, in the columns `system1Id,system1rank,system2Id,system2rank,…,judgeID` and
`segmentId` (or `srcIndex`).

JSON lines: `{"sentence": "12", "judge": "anna", "ranks": {"A": 1, "B C": 2}}`. A line with empty
`ranks` is an item without ranks.

A campaign: the database of `corrigenda judge`, a file or a URL (see `formats/campaign.py`).
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path as FilePath
from typing import Literal, TextIO
from xml.sax.saxutils import quoteattr

from corrigenda.errors import CorrigendaError, FormatError, Location, brief
from corrigenda.formats import campaign, input_file, safe_xml, text
from corrigenda.formats.csv_rows import csv_rows
from corrigenda.formats.input_file import MOST_SYSTEMS
from corrigenda.formats.json_text import check_spelling, object_of_line
from corrigenda.formats.safe_xml import Element
from corrigenda.judgments import Judgments, RankedOutput, Ranking
from corrigenda.text.sentences import Path

Format = Literal["xml", "csv", "jsonl"]
JUDGMENT_FORMATS: tuple[Format, ...] = ("xml", "csv", "jsonl")
_SHAPE = '{"sentence": "12", "judge": "anna", "ranks": {"A": 1, "B C": 2}}'
_SEPARATORS = re.compile(r"[\s,]+")
_KEYS = ("sentence", "judge", "ranks")
_CSV_SYSTEM = re.compile(r"system([0-9]+)Id")
_CSV_OF_SYSTEM = re.compile(r"\s*system\s*(\d+)\s*(id|rank)\s*", re.IGNORECASE)
"""A column of a system, perhaps misspelt."""
_NO_RANK = -1
RANK_LIMIT = 10**18
MOST_PAIRS = 5_000_000
"""The most pairs of systems in all rankings of one file together."""


def read(path: Path, *, style: Format | None = None) -> Judgments:
    """All rankings of a file; without `style`, the suffix of the file gives the format."""
    if style is None and campaign.is_campaign(path):
        return campaign.read(path)
    style = style or _style(path)
    rankings, skipped = _READERS[style](path)
    if not rankings:
        raise FormatError(
            f"there are no rankings ({skipped} items without ranks)"
            if skipped
            else "there are no rankings",
            at=Location(input_file.shown(path)),
            remedy="Is this a file of judgments? `corrigenda rank --help` describes the formats.",
        )
    _check_size(rankings, input_file.shown(path))
    return Judgments(tuple(rankings), skipped)


def _check_size(rankings: Iterable[Ranking], name: str) -> None:
    """Refuse files that would need time and memory out of proportion to their size."""
    systems: set[str] = set()
    pairs = 0
    for ranking in rankings:
        here = [system for output in ranking.outputs for system in output.systems]
        systems.update(here)
        pairs += len(here) * (len(here) - 1) // 2
        if len(systems) > MOST_SYSTEMS or pairs > MOST_PAIRS:
            raise FormatError(
                f"there are more than {MOST_SYSTEMS:,} systems"
                if len(systems) > MOST_SYSTEMS
                else f"there are more than {MOST_PAIRS:,} pairs of systems",
                at=ranking.location or Location(name),
                remedy="Give judgments of fewer systems, or fewer systems per ranking.",
            )


def _style(path: Path) -> Format:
    suffix = FilePath(path).suffix.lower().removeprefix(".")
    if suffix in JUDGMENT_FORMATS:
        return suffix
    if str(path) != input_file.STANDARD_INPUT:
        with ExitStack() as stack:  # a file that is not there has another error
            input_file.open_binary(path, stack)
    raise CorrigendaError(
        "the name of the file does not show its format",
        at=Location(input_file.shown(path)),
        remedy="Name it *.xml, *.csv or *.jsonl, or give "
        f"--input-format {'|'.join(JUDGMENT_FORMATS)}.",
    )


_Read = tuple[list[Ranking], int]


def _read_xml(path: Path) -> _Read:
    root = safe_xml.read(path)
    rankings: list[Ranking] = []
    skipped = 0
    for item, needs_source_id in _items(root):
        outputs = [(each, *_translation(each)) for each in _children(item, "translation")]
        if not outputs:
            skipped += 1
            continue
        by_source = needs_source_id or "src-id" in item.attributes
        sentence = item.attribute("src-id" if by_source else "id")
        builder = _RankingBuilder(sentence, item.attribute("user"), item.location)
        for translation, systems, rank in outputs:
            builder.add(systems, rank, translation.location)
        rankings.append(builder.ranking())
    return rankings, skipped


def _items(root: Element) -> Iterator[tuple[Element, bool]]:
    """The ranking items of a document; the flag says whether the item must have a `src-id`."""
    results = list(root.named("error-correction-ranking-result")) + list(
        root.named("ranking-result")
    )
    if not results:
        raise root.error(
            f"<{root.name}> holds neither <error-correction-ranking-result> nor <ranking-result>",
            remedy="Only the ranking tasks of Appraise can be read.",
        )
    for other in root.children:
        if other not in results and any(other.named("ranking-item")):
            raise _unknown_element(root, other)
    for result in results:
        for item in _children(result, "ranking-item"):
            yield item, result.name == "error-correction-ranking-result"


def _children(element: Element, name: str) -> Iterator[Element]:
    """All children. Other elements are refused: the ranks in a misspelt one would be lost."""
    for child in element.children:
        if child.name != name:
            raise _unknown_element(element, child)
        yield child


def _unknown_element(element: Element, child: Element) -> FormatError:
    return child.error(
        f"<{element.name}> contains <{child.name}>",
        remedy="Write <ranking-item> with <translation> in <error-correction-ranking-result>.",
    )


def _translation(element: Element) -> tuple[str, int]:
    return element.attribute("system"), element.whole_number("rank", least=1)


class _RankingBuilder:
    """Collects the outputs of one ranking; each system may be in it only once."""

    def __init__(self, sentence: str, judge: str, at: Location) -> None:
        for what, name in (("sentence", sentence), ("judge", judge)):
            if not name.strip():
                raise FormatError(
                    f"the {what} of a ranking has no name",
                    at=at,
                    remedy="Name the sentence and the judge of each ranking.",
                )
        self._sentence, self._judge, self._at = sentence, judge, at
        self._outputs: list[RankedOutput] = []
        self._seen: set[str] = set()

    def add(self, names: str, rank: int, at: Location) -> None:
        """Add an output of one or more systems."""
        systems = tuple(name for name in _SEPARATORS.split(names) if name)
        if not systems:
            raise FormatError(
                "an output has no system", at=at, remedy='Write system="NAME" or "NAME NAME …".'
            )
        for system in systems:
            if system in self._seen:
                raise FormatError(
                    f"{system!r} is ranked twice for the same sentence by the same judge",
                    at=at,
                    remedy="Give each system one rank per ranking.",
                )
            self._seen.add(system)
        self._outputs.append(RankedOutput(systems, rank))

    def ranking(self) -> Ranking:
        """The ranking of all added outputs."""
        return Ranking(self._sentence, self._judge, tuple(self._outputs), self._at)


def _read_csv(path: Path) -> _Read:
    rankings: list[Ranking] = []
    skipped = 0
    rows = csv_rows(path)
    at, header = next(rows, (Location(input_file.shown(path), 1), []))
    columns = _csv_columns(header, at)
    for at, row in rows:
        ranking = _csv_ranking(dict(zip(header, row, strict=True)), columns, at)
        rankings += [ranking] if ranking else []
        skipped += ranking is None
    return rankings, skipped


def _csv_columns(header: list[str], at: Location) -> tuple[str, list[str]]:
    """The name of the sentence column, and the numbers of the systems."""
    numbers = [match.group(1) for column in header if (match := _CSV_SYSTEM.fullmatch(column))]
    sentence = next(
        (column for column in ("segmentId", "srcIndex") if column in header), "segmentId"
    )
    needed = [sentence, "judgeID", *(f"system{number}rank" for number in numbers)]
    missing = [column for column in needed if column not in header]
    of_systems = [f"system{number}Id" for number in numbers] + needed[2:]
    if unknown := [
        column
        for column in header
        if column not in of_systems and _CSV_OF_SYSTEM.fullmatch(column) is not None
    ]:
        raise FormatError(
            f"the column {brief(unknown[0])} belongs to no system",
            at=at,
            remedy="Each system has two columns: system1Id and system1rank, and so on.",
        )
    if missing or len(numbers) < 2:
        raise FormatError(
            f"there is no column {missing[0]!r}"
            if missing
            else "there are fewer than two system<N>Id columns",
            at=at,
            remedy="The first line names the columns: "
            "segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,…",
        )
    return sentence, numbers


def _csv_ranking(
    row: dict[str, str], columns: tuple[str, list[str]], at: Location
) -> Ranking | None:
    sentence, numbers = columns
    names = {number: f"system{number}rank" for number in numbers}
    ranks = {number: _whole_number(row[name], name, at) for number, name in names.items()}
    if set(ranks.values()) == {_NO_RANK}:
        return None
    builder = _RankingBuilder(row[sentence], row["judgeID"], at)
    for number, rank in ranks.items():
        if rank < 1:
            raise FormatError(
                f"{names[number]} is {rank}; ranks count from 1",
                at=at,
                remedy=f"Write {_NO_RANK} in every rank column of a row without ranks.",
            )
        builder.add(row[f"system{number}Id"], rank, at)
    return builder.ranking()


def _whole_number(value: str, what: str, at: Location) -> int:
    digits = value.strip()  # int() does not take all blanks away that strip() does
    if not re.fullmatch(r"-?[0-9]{1,18}", digits):
        raise FormatError(
            f"{what} is {brief(value)}, not a whole number",
            at=at,
            remedy="Write 1 for the best rank.",
        )
    return int(digits)


def _read_jsonl(path: Path) -> _Read:
    name = input_file.shown(path)
    with ExitStack() as stack:
        stream = text.lines(input_file.open_binary(path, stack), name)
        rankings = [
            _json_ranking(line, Location(name, number))
            for number, line in enumerate(stream, 1)
            if line.strip()
        ]
    ranked = [ranking for ranking in rankings if ranking.outputs]
    return ranked, len(rankings) - len(ranked)


def _json_ranking(line: str, at: Location) -> Ranking:
    data = object_of_line(line, at, _SHAPE)
    check_spelling(data, _KEYS, at)
    ranks = data.get("ranks")
    if not isinstance(ranks, dict):
        raise FormatError('there is no "ranks" object', at=at, remedy=f"Write {_SHAPE}.")
    sentence, judge = data.get("sentence"), data.get("judge", "judge")
    if (
        isinstance(sentence, bool)
        or not isinstance(sentence, str | int)
        or not isinstance(judge, str)
    ):
        raise FormatError(
            '"sentence" or "judge" is missing or not a text', at=at, remedy=f"Write {_SHAPE}."
        )
    builder = _RankingBuilder(str(sentence), judge, at)
    for systems, rank in ranks.items():
        if isinstance(rank, bool) or not isinstance(rank, int) or not 1 <= rank < RANK_LIMIT:
            raise FormatError(
                f"the rank of {brief(systems)} is {brief(rank)}; ranks are whole numbers from 1",
                at=at,
                remedy=f"Write {_SHAPE}.",
            )
        builder.add(systems, rank, at)
    return builder.ranking()


_READERS: dict[Format, Callable[[Path], _Read]] = {
    "xml": _read_xml,
    "csv": _read_csv,
    "jsonl": _read_jsonl,
}


def write(judgments: Judgments, file: TextIO, style: Format) -> None:
    """Write all rankings in one of the formats; reading them gives equal judgments."""
    check_writable(judgments, style)
    if style == "xml":
        file.writelines(_xml_lines(judgments.rankings, "error-correction-ranking-result"))
    elif style == "csv":
        _write_csv(judgments.rankings, file)
    else:
        for ranking in judgments.rankings:
            ranks = {" ".join(output.systems): output.rank for output in ranking.outputs}
            row = {"sentence": ranking.sentence, "judge": ranking.judge, "ranks": ranks}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def write_ranking_result(judgments: Judgments, file: TextIO) -> None:
    """Write all rankings in the second dialect of Appraise, where `id` names the sentence."""
    check_writable(judgments, "xml")
    file.writelines(_xml_lines(judgments.rankings, "ranking-result"))


def check_writable(judgments: Judgments, style: Format) -> None:
    """Refuse what would be read as something else."""
    for number, ranking in enumerate(judgments.rankings, 1):
        if (problem := _problem_of(ranking, style)) is not None:
            raise FormatError(
                f"ranking {number} has {problem}",
                remedy="Change the name, or write another format.",
            )


def _problem_of(ranking: Ranking, style: Format) -> str | None:
    """The reason a ranking cannot be written, or None."""
    systems = [system for output in ranking.outputs for system in output.systems]
    if any(not system or _SEPARATORS.search(system) for system in systems):
        return "a system without a name, or with a blank or a comma in its name"
    if len(set(systems)) < len(systems) or not all(each.systems for each in ranking.outputs):
        return "a system twice, or an output without a system"
    if not all(1 <= output.rank < RANK_LIMIT for output in ranking.outputs):
        return "a rank that is not a whole number from 1"
    names = "".join((ranking.sentence, ranking.judge, *systems))
    if style == "xml" and safe_xml.NOT_IN_XML.search(names):
        return "a character that XML cannot hold"
    if style == "csv" and re.search(r"[\r\n\x00]", ranking.sentence + ranking.judge):
        return "a line end or a NUL in the name of a sentence or a judge"
    if not ranking.sentence.strip() or not ranking.judge.strip():
        return "a sentence or a judge without a name"
    return None


def _xml_lines(rankings: Iterable[Ranking], result: str) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<appraise-results>\n'
    yield f'<{result} source-language="err" id="judgments" target-language="cor">\n'
    for number, ranking in enumerate(rankings):
        sentence, judge = quoteattr(ranking.sentence), quoteattr(ranking.judge)
        by_number = f'id="{number}" src-id={sentence}'
        named = f"id={sentence}" if result == "ranking-result" else by_number
        yield f"  <ranking-item {named} user={judge}>\n"
        for output in ranking.outputs:
            systems = quoteattr(" ".join(output.systems))
            yield f'    <translation rank="{output.rank}" system={systems}/>\n'
        yield "  </ranking-item>\n"
    yield f"</{result}>\n</appraise-results>\n"


def _write_csv(rankings: Iterable[Ranking], file: TextIO) -> None:
    """One row per ranking; the header needs the same number of outputs in every ranking."""
    kept = list(rankings)
    sizes = {len(ranking.outputs) for ranking in kept}
    if len(sizes) != 1 or min(sizes) < 2:
        raise CorrigendaError(
            "CSV needs the same number of outputs in every ranking, and at least two",
            remedy="Write XML or JSON lines instead.",
        )
    numbers = range(1, sizes.pop() + 1)
    writer = csv.writer(file, lineterminator="\n")
    systems = [name for number in numbers for name in (f"system{number}Id", f"system{number}rank")]
    writer.writerow(["segmentId", "judgeID", *systems])
    for ranking in kept:
        values = [
            value for output in ranking.outputs for value in (" ".join(output.systems), output.rank)
        ]
        writer.writerow([ranking.sentence, ranking.judge, *values])
