"""A corpus, the outputs of systems, and human judgments of them: what metrics are measured on."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from corrigenda.core.metric import Metric
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import CorrigendaError, FormatError, Location, UsageError
from corrigenda.formats import judgments as judgments_format
from corrigenda.formats import read_hypotheses, read_m2, read_text, text
from corrigenda.human.methods import METHODS
from corrigenda.human.ranking import rank
from corrigenda.judgments import Judgments, RankedOutput, Ranking
from corrigenda.meta.choices import BENCHMARKS
from corrigenda.meta.sentence import sentence_indices

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Benchmark:
    """A corpus with systems that humans judged.

    `annotated` is the same corpus with annotated edits, if there are any. `subsets` names groups of
    systems; `base` is the usual group. The judgments number the sentences from `first_sentence`.
    `published` has human scores from a paper.
    """

    name: str
    title: str
    corpus: Corpus
    systems: tuple[Hypotheses, ...]
    judgments: Judgments
    subsets: Mapping[str, tuple[str, ...]]
    annotated: Corpus | None = None
    first_sentence: int = 0
    published: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    standing: str | None = None
    """A subset that every table shows beside the chosen systems, because metrics fail there."""
    other_references: bool = False
    """Whether the references are not those of the benchmark."""
    ratings: Mapping[str, Sequence[float]] | None = None
    """A rating of each sentence of each system, where people rated outputs; then the judgments are
    the rankings by these ratings."""

    def __repr__(self) -> str:
        return f"<benchmark {self.name}: {len(self.corpus)} sentences, {len(self.systems)} systems>"

    def with_references(self, corpus: Corpus) -> Benchmark:
        """The same systems and judgments with other references for the same sources."""
        if len(corpus) != len(self.corpus):
            raise UsageError(
                f"{self.name} has {len(self.corpus)} sentences, but the references are for "
                f"{len(corpus)}",
                remedy="Give references for the same sources, in the same order.",
            )
        for number, (ours, theirs) in enumerate(
            zip(self.corpus.sources, corpus.sources, strict=True), 1
        ):
            if ours.split() != theirs.split():
                raise UsageError(
                    f"sentence {number} of {self.name} is {ours!r}, but in the references it is "
                    f"{theirs!r}",
                    remedy="Give references for the same sources, in the same order.",
                )
        annotated = corpus if corpus.gold is not None else None
        return replace(self, corpus=corpus, annotated=annotated, other_references=True)

    def corpus_for(self, metric: Metric) -> Corpus:
        """The corpus in the form that this metric needs: with annotated edits, or with texts."""
        if self.annotated is not None and metric.needs_references == "edits":
            return self.annotated
        return self.corpus

    def subset(self, chosen: Sequence[str]) -> tuple[str, ...]:
        """The systems of these subsets or with these names, in the order of the benchmark."""
        names = [system.name for system in self.systems]
        wanted: set[str] = set()
        for item in chosen:
            if item in self.subsets:
                wanted.update(self.subsets[item])
            elif item in names:
                wanted.add(item)
            else:
                raise UsageError(
                    f"{self.name} has no system or subset {item!r}",
                    remedy=f"Subsets: {', '.join(self.subsets)}. Systems: {', '.join(names)}.",
                )
        return tuple(name for name in names if name in wanted)

    @property
    def standing_systems(self) -> tuple[str, ...]:
        """The systems of the standing subset."""
        return () if self.standing is None else self.subsets[self.standing]

    def outputs(self, names: Sequence[str]) -> list[Hypotheses]:
        """The outputs of some systems."""
        by_name = {system.name: system for system in self.systems}
        return [by_name[name] for name in names]

    def human(
        self,
        names: Sequence[str],
        how: str | None = None,
        *,
        runs: int = 100,
        seed: int = 0,
    ) -> Floats:
        """The human scores of some systems, by one of `HUMAN_SCORES`.

        By default they are the published scores; if there are none, they are Expected Wins.

        They are computed from the judgments of all systems, so a subset does not change them.
        """
        scores = self._human(
            how or ("published" if "published" in self.published else "expected-wins"), runs, seed
        )
        if missing := [name for name in names if name not in scores]:
            raise CorrigendaError(
                f"{self.name}: there are no human scores of {', '.join(missing)}",
                remedy=f"Choose systems from {', '.join(scores)}.",
            )
        return np.array([scores[name] for name in names])

    def human_method(self, how: str | None) -> str | None:
        """What computes the human scores again from other sentences; None if nothing quick does.

        Published Expected Wins are computed again as Expected Wins, and published ratings as means.
        """
        if self.ratings is not None and how in (None, "published"):
            return "ratings"
        if how is None or how == "published":
            return "expected-wins"
        return how if how in METHODS and not METHODS[how].repeats else None

    def _human(self, how: str, runs: int, seed: int) -> Mapping[str, float]:
        if how in METHODS:
            return rank(self.judgments, how, resamples=0, runs=runs, seed=seed).scores()
        if how not in self.published:
            raise UsageError(
                f"{self.name} has no {how} human scores",
                remedy=f"Compute them from the judgments: --human {' or '.join(METHODS)}.",
            )
        return self.published[how]


def _check_merged_outputs(benchmark: Benchmark) -> Benchmark:
    """Systems that were judged as one must have the same output.

    If they do not, the sentence numbers are shifted, or the files are not those that were judged.
    """
    outputs = {system.name: system.sentences for system in benchmark.systems}
    places = sentence_indices(benchmark.judgments, benchmark.first_sentence, len(benchmark.corpus))
    for ranking, place in zip(benchmark.judgments.rankings, places.tolist(), strict=True):
        for output in ranking.outputs:
            texts = {
                " ".join(outputs[name][place].split()) for name in output.systems if name in outputs
            }
            if len(texts) > 1:
                raise CorrigendaError(
                    f"{' and '.join(output.systems)} were judged as one output, but their outputs "
                    f"for sentence {place + 1} differ",
                    at=ranking.location,
                    remedy="Say with --first-sentence whether the first sentence of the judgments "
                    "is 0 or 1, and check that these are the outputs that were judged.",
                )
    return benchmark


def from_parts(
    corpus: Corpus, systems: Sequence[Hypotheses], judgments: Judgments, *, first_sentence: int = 0
) -> Benchmark:
    """A benchmark from a user's corpus, systems and judgments. References may be missing."""
    names = tuple(system.name for system in systems)
    judged = [name for name in names if name in judgments.systems]
    if len(judged) < 3:
        raise CorrigendaError(
            f"only {len(judged)} of the systems {', '.join(names)} were judged, but 3 are needed",
            remedy=f"The judged systems are {', '.join(judgments.systems)}. "
            "Give outputs these names: --hyps NAME=FILE.",
        )
    if left_out := sorted(set(names) - set(judged)):
        warnings.warn(f"left out because they were not judged: {', '.join(left_out)}", stacklevel=2)
    kept = tuple(system for system in systems if system.name in judged)
    subsets = {"base": tuple(judged), "all": tuple(judged)}
    return _check_merged_outputs(
        Benchmark(
            "own",
            "own data",
            corpus,
            kept,
            judgments,
            subsets,
            annotated=corpus if corpus.gold is not None else None,
            first_sentence=first_sentence,
        )
    )


def load(name: str) -> Benchmark:
    """A benchmark by name. `sample` is bundled; the others need their data sets."""
    if name not in BENCHMARKS:
        raise UsageError(
            f"there is no benchmark {name!r}",
            remedy=f"The benchmarks are: {', '.join(BENCHMARKS)}.",
        )
    return _check_merged_outputs(_LOADERS[name]())


def _load_sample() -> Benchmark:
    from corrigenda.data import SAMPLE, sample_corpus, sample_systems

    corpus = sample_corpus()
    systems = tuple(sample_systems())
    names = tuple(system.name for system in systems)
    return Benchmark(
        "sample",
        "the bundled sample (invented; its numbers say nothing about real systems)",
        corpus,
        systems,
        judgments_format.read(SAMPLE / "judgments.xml"),
        {"base": names, "nonempty": tuple(name for name in names if name != "empty"), "all": names},
        annotated=corpus,
    )


def _conll_corpora(folder: Path) -> tuple[Corpus, Corpus]:
    texts = read_text(folder / "source.txt", [folder / "ref0.txt", folder / "ref1.txt"])
    return texts, read_m2(folder / "official-2014.combined.m2")


def _load_conll() -> Benchmark:
    from corrigenda.data.locate import locate

    folder = locate("conll14")
    corpus, annotated = _conll_corpora(folder)
    judgments = judgments_format.read(folder / "judgments.xml")
    # INPUT is the source itself. The published copies of INPUT have extra blanks.
    systems = tuple(
        Hypotheses(name, corpus.sources)
        if name == "INPUT"
        else read_hypotheses(folder / "systems" / f"{name}.txt")
        for name in judgments.systems
    )
    return Benchmark(
        "conll14",
        "CoNLL-2014: 12 submissions and the source (Grundkiewicz et al. 2015)",
        corpus,
        systems,
        judgments,
        {
            "base": judgments.systems,
            "submissions": tuple(name for name in judgments.systems if name != "INPUT"),
            "all": judgments.systems,
        },
        annotated=annotated,
    )


def _seeda_loader(kind: Literal["sent", "edit"]) -> Callable[[], Benchmark]:
    def loader() -> Benchmark:
        from corrigenda.data.locate import locate

        corpus, annotated = _conll_corpora(locate("conll14"))
        folder = locate("seeda")
        judgments = judgments_format.read(folder / f"judgments_{kind}.xml")
        names = judgments.systems
        fluent = ("GPT-3.5", "REF-F")
        base = tuple(name for name in names if name not in (*fluent, "INPUT"))
        return Benchmark(
            f"seeda-{kind[0]}",
            f"SEEDA, judged by {'sentence' if kind == 'sent' else 'edit'} (Kobayashi et al. 2024)",
            corpus,
            tuple(read_hypotheses(folder / "outputs" / "all" / f"{name}.txt") for name in names),
            judgments,
            {
                "base": base,
                "+INPUT": (*base, "INPUT"),
                "+fluency": (*base, *fluent),
                "all": names,
            },
            annotated=annotated,
            first_sentence=1,
            standing="all",
            published={
                "published": _published(folder / "human" / f"EW_{kind}.txt", names),
                "published-trueskill": _published(folder / "human" / f"TS_{kind}.txt", names),
            },
        )

    return loader


_GMEG_SYSTEMS = ("amu", "lstm", "lstm-r", "marian", "nus", "transformer")


def _gmeg_loader(domain: Literal["fce", "wiki"]) -> Callable[[], Benchmark]:
    """People rated outputs, the source and the first reference; the others are references here."""

    def loader() -> Benchmark:
        from corrigenda.data.locate import locate
        from corrigenda.formats.ratings import read_score_table, read_system_scores

        folder = locate("gmeg") / "dev"
        texts = folder / domain
        corpus = read_text(texts / "source", [texts / f"ref{number}" for number in (1, 2, 3)])
        files = {**{name: name for name in _GMEG_SYSTEMS}, "source": "source", "ref": "ref0"}
        systems = tuple(
            Hypotheses(name, read_hypotheses(texts / file).sentences)
            for name, file in files.items()
        )
        ratings = read_score_table(folder / f"{domain}-segment-scores.csv", len(corpus))
        return Benchmark(
            f"gmeg-{domain}",
            f"GMEG, {'FCE' if domain == 'fce' else 'Wikipedia'}: rated outputs, scored against "
            "ref1 to ref3 (Napoles et al. 2019)",
            corpus,
            systems,
            rankings_of_ratings(ratings, {system.name: system.sentences for system in systems}),
            {
                "base": _GMEG_SYSTEMS,
                "+source": (*_GMEG_SYSTEMS, "source"),
                "all": tuple(files),
            },
            published={"published": read_system_scores(folder / f"{domain}-corpus-scores.csv")},
            ratings=ratings,
        )

    return loader


def rankings_of_ratings(
    ratings: Mapping[str, Sequence[float]], outputs: Mapping[str, Sequence[str]]
) -> Judgments:
    """One ranking per sentence by the ratings; systems with the same text are one output."""
    rankings = []
    for place in range(len(next(iter(ratings.values())))):
        by_text: dict[str, list[str]] = {}
        for name in ratings:
            if math.isnan(ratings[name][place]):
                continue  # nobody rated it
            by_text.setdefault(" ".join(outputs[name][place].split()), []).append(name)
        rated = [
            (tuple(names), sum(ratings[name][place] for name in names) / len(names))
            for names in by_text.values()
        ]
        better = [sum(other > value for _, other in rated) for _, value in rated]
        rankings.append(
            Ranking(
                str(place),
                "mean rating",
                tuple(
                    RankedOutput(names, rank + 1)
                    for (names, _), rank in zip(rated, better, strict=True)
                ),
            )
        )
    return Judgments(tuple(rankings))


def _published(path: Path, names: Sequence[str]) -> dict[str, float]:
    """Human scores, one per line, in the alphabetical order of the systems."""
    lines = [line for line in text.read(path) if line.strip()]
    if len(lines) != len(names):
        raise FormatError(
            f"{len(lines)} scores for {len(names)} systems",
            at=Location(str(path)),
            remedy="The file has one score per line, in the alphabetical order of the systems.",
        )
    try:
        return {name: float(line) for name, line in zip(names, lines, strict=True)}
    except ValueError as error:
        raise FormatError(
            f"not a score: {error}", at=Location(str(path)), remedy="Each line is a number."
        ) from error


_LOADERS: dict[str, Callable[[], Benchmark]] = {
    "sample": _load_sample,
    "conll14": _load_conll,
    "seeda-s": _seeda_loader("sent"),
    "seeda-e": _seeda_loader("edit"),
    "gmeg-fce": _gmeg_loader("fce"),
    "gmeg-wiki": _gmeg_loader("wiki"),
}
