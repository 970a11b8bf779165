"""From the records and statistics of all partitions to the totals, in the order of the inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from corrigenda.bulk.records import Record, statistics_name
from corrigenda.bulk.rows import SYSTEM
from corrigenda.bulk.storage import Folder
from corrigenda.bulk.tables import read_statistics
from corrigenda.core.metric import Level, Metric
from corrigenda.core.result import Result
from corrigenda.core.scored import parts_add_up, selections
from corrigenda.core.signature import signature
from corrigenda.core.statistics import Statistics
from corrigenda.core.tally import Tally
from corrigenda.errors import CorrigendaError, Location


def results(folder: Folder, records: Sequence[Record], metrics: Sequence[Metric]) -> list[Result]:
    """The result of every metric at corpus level, then at sentence level."""
    found: list[Result] = []
    for place, metric in enumerate(metrics):
        fields = _fields(folder, records, metric)
        sentence = _merged(
            [record.metrics[str(metric)].sentence_tally(metric) for record in records]
        )
        if not sentence.sentences:
            raise CorrigendaError(
                "there are no rows to score", remedy="All rows were rejected; see rejected.jsonl."
            )
        corpus = _corpus(folder, records, metric, place, sentence)
        found.append(_result(metric, "corpus", corpus, fields))
        found.append(_result(metric, "sentence", sentence, fields))
    return found


def _merged(tallies: Sequence[Tally]) -> Tally:
    total = tallies[0]
    for tally in tallies[1:]:
        total.merge(tally)
    return total


def _result(metric: Metric, level: Level, tally: Tally, fields: dict[str, str]) -> Result:
    outcome = tally.outcome()
    return Result(
        system=SYSTEM,
        metric=metric,
        level=level,
        measures=outcome.measures,
        counts=outcome.counts,
        signature=signature(metric, fields, level, tally.references),
        remarks=dict(tally.remarks),
    )


def _fields(folder: Folder, records: Sequence[Record], metric: Metric) -> dict[str, str]:
    """The fields of the signature. All partitions must have the same."""
    known: dict[str, str] = {}
    for record in records:
        fields = record.metrics[str(metric)].fields
        if fields and known and fields != known:
            raise CorrigendaError(
                f"{record.partition.name} was made with other settings of {metric}: "
                f"{fields} instead of {known}",
                at=Location(folder.url),
                remedy="Workers must have the same programs and models. --restart begins again.",
            )
        known = known or fields
    return known


def _corpus(
    folder: Folder, records: Sequence[Record], metric: Metric, place: int, sentence: Tally
) -> Tally:
    tallies = [record.metrics[str(metric)].corpus_tally(metric) for record in records]
    if parts_add_up(metric):
        return _merged([tally for tally in tallies if tally is not None])
    tally = Tally(metric, "corpus")
    if sentence.references == (1, 1):
        # Each sentence has one reference, so there is nothing to choose.
        tally.merge(replace(sentence, level="corpus", measures=None))
        return tally

    def blocks() -> Iterator[Statistics]:
        for record in records:
            name = statistics_name(record.partition, place, str(metric))
            if record.files[name].size:
                with folder.open(name) as file:
                    yield from read_statistics(file)

    for selection in selections(metric, "corpus", blocks):
        tally.merge(selection.tally(sentence.references))
    tally.remarks = sentence.remarks
    return tally
