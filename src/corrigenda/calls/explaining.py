"""`corrigenda.explain`: what each metric saw in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corrigenda import arguments
from corrigenda.core.evaluate import check_lengths
from corrigenda.core.explanation import Explanation
from corrigenda.core.metric import Metric
from corrigenda.core.result import Result
from corrigenda.corpus import Corpus
from corrigenda.errors import UsageError
from corrigenda.frames import FrameColumns, Tabular
from corrigenda.scoring import Systems, checked_corpus, evaluate, outputs_of


@dataclass(frozen=True)
class ExplainedOutput:
    """The output of a system for the sentence, its result by a metric, and the tables."""

    system: str
    output: str
    result: Result
    tables: tuple[Explanation, ...]
    """Empty if the metric cannot explain."""


@dataclass(frozen=True, repr=False)
class ExplainedSentence(Tabular):
    """A sentence with what each metric saw in it; as a table, a row per system and metric."""

    source: str
    references: tuple[str, ...]
    outputs: tuple[ExplainedOutput, ...]

    def __repr__(self) -> str:
        systems = ", ".join(dict.fromkeys(each.system for each in self.outputs))
        metrics = ", ".join(dict.fromkeys(str(each.result.metric) for each in self.outputs))
        return f"<explained: {systems} by {metrics}: {self.source}>"

    def columns(self) -> FrameColumns:
        """A row per system and metric. Scores are fractions."""
        return {
            "system": [each.system for each in self.outputs],
            "metric": [str(each.result.metric) for each in self.outputs],
            "score": [each.result.score for each in self.outputs],
            "output": [each.output for each in self.outputs],
            "explanation": [_lines(each.tables) for each in self.outputs],
        }


def _lines(tables: Sequence[Explanation]) -> list[str]:
    """The tables as lines of plain text."""
    return [
        line
        for table in tables
        for line in (
            f"{table.title}:",
            *("  ".join(cell.text for cell in row) for row in (table.brief or table).rows),
        )
    ]


def explain(
    corpus: Corpus,
    systems: Systems,
    metrics: Sequence[Metric | str] | None = None,
    *,
    line: int = 1,
) -> ExplainedSentence:
    """Show what each metric saw in one sentence, as `corrigenda explain` does.

    The scores are those of the sentence alone. Its reference is chosen for it alone, too.

    Args:
        corpus: The sources and their references.
        systems: Names with lists of sentences, or a list of `Hypotheses`.
        metrics: The metrics; None takes all that need no extra.
        line: The number of the sentence, from 1.

    Returns:
        The sentence, with the result and the tables of each system by each metric.

    Example:
        >>> import corrigenda
        >>> corpus = corrigenda.Corpus.from_lists(["He go home ."], ["He goes home ."])
        >>> found = corrigenda.explain(corpus, {"ours": ["He went home ."]}, ["m2"])
        >>> found
        <explained: ours by m2: He go home .>
        >>> [[cell.text for cell in row] for row in found.outputs[0].tables[0].rows]
        [['1–2', 'go', 'went', '', 'wrong'], ['1–2', 'go', 'goes', 'R', 'missed']]
    """
    outputs = outputs_of(systems)
    check_lengths(checked_corpus(corpus), outputs)
    line = arguments.whole_number("line", line, least=1)
    if line > len(corpus):
        raise UsageError(f"line is {line}", remedy=f"The corpus has lines 1 to {len(corpus)}.")
    part = slice(line - 1, line)
    sentence, outputs = corpus[part], [output[part] for output in outputs]
    results = evaluate(sentence, outputs, metrics, level="sentence", health="off")
    by_name = {output.name: output for output in outputs}
    return ExplainedSentence(
        sentence.sources[0],
        tuple(sentence.references[0]),
        tuple(
            ExplainedOutput(
                result.system,
                by_name[result.system].sentences[0],
                result,
                tuple(result.metric.explain(sentence, by_name[result.system], result)),
            )
            for result in results
        ),
    )
