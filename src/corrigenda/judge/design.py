"""From texts to items: equal outputs merged, pairs balanced, overlaps and controls chosen.

Everything follows from the seed. Nothing here touches a database.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import CorrigendaError, UsageError
from corrigenda.judge.balance import BalancedPairs
from corrigenda.judge.broken_copy import broken_copy
from corrigenda.judge.settings import CampaignSettings

SystemKind = Literal["system", "source", "reference"]
SourceState = Literal["judged", "agreed", "length", "unlisted"]
INCLUDED_NAMES: dict[str, str] = {"source": "INPUT", "reference": "REFERENCE"}
_SEPARATORS = re.compile(r"[\s,]")


@dataclass(frozen=True)
class DesignedSystem:
    """Who wrote outputs."""

    name: str
    kind: SystemKind


@dataclass(frozen=True)
class DesignedOutput:
    """A text, and the numbers of the systems that wrote it; a broken copy has no system."""

    text: str
    systems: tuple[int, ...]

    @property
    def hash(self) -> str:
        """The hash of the text with its whitespace collapsed."""
        return hashlib.sha256(collapsed(self.text).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class DesignedSource:
    """A sentence with its different outputs."""

    number: int
    text: str
    before: str
    after: str
    reference: str | None
    stratum: str | None
    state: SourceState
    outputs: tuple[DesignedOutput, ...]


@dataclass(frozen=True)
class DesignedItem:
    """Outputs to be judged together: places in the outputs of the source."""

    kind: Literal["main", "control"]
    source: int
    outputs: tuple[int, ...]
    needed: int
    clean: int | None = None
    broken: int | None = None


@dataclass(frozen=True)
class CampaignDesign:
    """The whole campaign, before anybody judges."""

    systems: tuple[DesignedSystem, ...]
    sources: tuple[DesignedSource, ...]
    items: tuple[DesignedItem, ...]


@dataclass(frozen=True)
class SentenceSelection:
    """Which sentences are judged."""

    fewest_words: int = 1
    most_words: int | None = None
    sentences: Collection[int] | None = None
    """Only these, counted from 0; None for all."""
    strata: Sequence[str] | None = None
    items: int | None = None
    """How many items; None for one per sentence."""


def collapsed(text: str) -> str:
    """The text with single blanks between words: equal texts look the same to a judge."""
    return " ".join(text.split())


def design(
    corpus: Corpus,
    systems: Sequence[Hypotheses],
    settings: CampaignSettings,
    selection: SentenceSelection,
    seed: int,
) -> CampaignDesign:
    """All sources, outputs and items of a campaign."""
    writers = _writers(systems, settings)
    if len(writers) < 2:
        raise UsageError(
            "there is only one system, so there is nothing to compare",
            remedy="Give at least two: --hyps A.txt B.txt, or --include source.",
        )
    sources = [
        _source(corpus, systems, writers, settings, selection, number)
        for number in range(len(corpus))
    ]
    generator = np.random.default_rng([seed, 1])
    judged = [place for place, each in enumerate(sources) if each.state == "judged"]
    order = _order(judged, sources, generator)
    if not order:
        raise CorrigendaError(
            "there is no sentence to judge",
            remedy="The systems agree on every sentence, or the limits leave none.",
        )
    main = list(_main_items(sources, order, len(writers), settings, selection.items, generator))
    sources, controls = _controls(sources, order, len(main), settings, seed)
    return CampaignDesign(tuple(writers), tuple(sources), (*main, *controls))


def _writers(systems: Sequence[Hypotheses], settings: CampaignSettings) -> list[DesignedSystem]:
    writers = [DesignedSystem(system.name, "system") for system in systems]
    included: tuple[SystemKind, ...] = ("source", "reference")
    writers += [
        DesignedSystem(INCLUDED_NAMES[kind], kind) for kind in included if kind in settings.include
    ]
    names = [each.name for each in writers]
    for name in names:
        if not name or _SEPARATORS.search(name):
            raise UsageError(
                f"the system {name!r} has a blank or a comma in its name",
                remedy="Files of judgments separate systems by them: --hyps NAME=FILE.",
            )
        if not name.isprintable():
            raise UsageError(
                f"the system {name!r} has a character in its name that cannot be printed",
                remedy="Not all files of judgments can hold it: --hyps NAME=FILE.",
            )
        if names.count(name) > 1:
            raise UsageError(
                f"two systems are called {name!r}",
                remedy="Give one of them another name: --hyps NAME=FILE.",
            )
    return writers


def _source(
    corpus: Corpus,
    systems: Sequence[Hypotheses],
    writers: Sequence[DesignedSystem],
    settings: CampaignSettings,
    selection: SentenceSelection,
    number: int,
) -> DesignedSource:
    sources = corpus.sources
    texts: list[str | None] = [system.sentences[number] for system in systems]
    references = list(dict.fromkeys(corpus.references[number]))
    shown = references[0] if settings.show_reference and references else None
    other = next((each for each in references if each != shown), None)
    texts += [
        sources[number] if writer.kind == "source" else other for writer in writers[len(systems) :]
    ]
    outputs = _merged(texts)
    context = settings.context
    return DesignedSource(
        number,
        sources[number],
        "\n".join(sources[max(0, number - context) : number]),
        "\n".join(sources[number + 1 : number + 1 + context]),
        shown,
        selection.strata[number] if selection.strata else None,
        _state(sources[number], number, outputs, selection),
        outputs,
    )


def _merged(texts: Sequence[str | None]) -> tuple[DesignedOutput, ...]:
    """Equal texts are one output."""
    found: dict[str, DesignedOutput] = {}
    for system, text in enumerate(texts):
        if text is not None:
            known = found.setdefault(collapsed(text), DesignedOutput(text, ()))
            found[collapsed(text)] = replace(known, systems=(*known.systems, system))
    return tuple(found.values())


def _state(
    source: str, number: int, outputs: Sequence[DesignedOutput], selection: SentenceSelection
) -> SourceState:
    words = len(source.split())
    if selection.sentences is not None and number not in selection.sentences:
        return "unlisted"
    if words < selection.fewest_words or (
        selection.most_words is not None and words > selection.most_words
    ):
        return "length"
    return "judged" if len(outputs) > 1 else "agreed"


def _order(
    places: Sequence[int], sources: Sequence[DesignedSource], generator: np.random.Generator
) -> list[int]:
    """A random order in which every beginning has about the same share of each stratum."""
    shuffled = generator.permutation(np.asarray(places, np.int64)).tolist()
    strata: dict[str | None, list[int]] = {}
    for place in shuffled:
        strata.setdefault(sources[place].stratum, []).append(place)
    within = {
        place: ((rank + 0.5) / len(members), number)
        for number, members in enumerate(strata.values())
        for rank, place in enumerate(members)
    }
    return sorted(shuffled, key=within.__getitem__)


def _main_items(
    sources: Sequence[DesignedSource],
    order: Sequence[int],
    systems: int,
    settings: CampaignSettings,
    wanted: int | None,
    generator: np.random.Generator,
) -> Iterator[DesignedItem]:
    """One item per sentence, or `wanted` items: sentences come again with other outputs."""
    balance = BalancedPairs(systems, generator)
    seen: set[tuple[int, tuple[int, ...]]] = set()
    made = 0
    while True:
        before = made
        for place in order:
            if wanted is not None and made >= wanted:
                return
            written = [output.systems for output in sources[place].outputs]
            chosen = (place, tuple(balance.draw(written, settings.candidates)))
            if chosen in seen:
                continue
            seen.add(chosen)
            yield DesignedItem("main", place, chosen[1], _needed(made, settings))
            made += 1
        if wanted is None or made == before:
            return


def _needed(number: int, settings: CampaignSettings) -> int:
    """How many judges an item needs. Items for several judges are spread evenly."""
    share = settings.overlap
    return settings.overlap_judges if int((number + 1) * share) > int(number * share) else 1


def _controls(
    sources: Sequence[DesignedSource],
    order: Sequence[int],
    main: int,
    settings: CampaignSettings,
    seed: int,
) -> tuple[list[DesignedSource], list[DesignedItem]]:
    """Control items, and the sources with the broken outputs added to them."""
    generator = np.random.default_rng([seed, 2])
    changed, items = list(sources), list[DesignedItem]()
    wanted = int(np.ceil(main * settings.controls))
    for place in generator.permutation(np.asarray(order, np.int64)).tolist():
        if len(items) >= wanted:
            break
        made = _control(changed[place], place, settings.candidates, generator)
        if made is not None:
            changed[place], item = made
            items.append(item)
    return changed, items


def _control(
    source: DesignedSource, place: int, size: int, generator: np.random.Generator
) -> tuple[DesignedSource, DesignedItem] | None:
    clean = int(generator.integers(len(source.outputs)))
    texts = [collapsed(output.text) for output in source.outputs]
    copy = broken_copy(source.outputs[clean].text, generator, texts)
    if copy is None:
        return None
    others = [number for number in range(len(source.outputs)) if number != clean]
    drawn = generator.permutation(np.asarray(others, np.int64)).tolist()[: size - 2]
    broken = len(source.outputs)
    outputs = (*source.outputs, DesignedOutput(copy, ()))
    item = DesignedItem("control", place, tuple(sorted([clean, broken, *drawn])), 0, clean, broken)
    return replace(source, outputs=outputs), item
