"""What metrics say of single edits: their attributions, against labels by judges."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from corrigenda.analysis.attribution import Attribution, attribute, attribute_edits
from corrigenda.core.metric import Metric
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import Edit, apply_edits
from corrigenda.formats.edit_labels import EditKey
from corrigenda.kernels import threads_of


def attributed_edits(
    corpus: Corpus,
    systems: Sequence[Hypotheses],
    metric: Metric,
    labels: Mapping[EditKey, bool],
    *,
    method: Attribution = "shapley",
    extractor: str = "errant",
    threads: int | None = None,
) -> dict[EditKey, float]:
    """The value of each labelled edit that a system made: the mean over the systems that made it.

    Only sentences with labels are looked at. An edit counts if the extractor finds it with the same
    span and correction.
    """
    wanted = {key.source for key in labels}
    places = [i for i, source in enumerate(corpus.sources) if " ".join(source.split()) in wanted]
    part = corpus.at(places)
    values: dict[EditKey, list[float]] = {}
    for system in systems:
        found = attribute(
            part, system.at(places), metric, method=method, extractor=extractor, threads=threads
        )
        for sentence in found:
            source = " ".join(sentence.source.split())
            for each in sentence.edits:
                key = EditKey(source, each.edit.start, each.edit.end, each.edit.correction)
                if key in labels:
                    values.setdefault(key, []).append(each.value)
    return {key: math.fsum(of_edit) / len(of_edit) for key, of_edit in values.items()}


def edits_alone(
    corpus: Corpus,
    metric: Metric,
    labels: Mapping[EditKey, bool],
    *,
    threads: int | None = None,
) -> dict[EditKey, float]:
    """What each labelled edit does alone: the score of the source with it, minus the score without.

    It needs no output of a system and no extractor. An edit whose source is not in the corpus has
    no value.
    """
    by_source = {" ".join(source.split()): i for i, source in enumerate(corpus.sources)}
    keys = [key for key in labels if key.source in by_source]
    edits = [Edit(key.start, key.end, (key.correction,)) for key in keys]
    part = corpus.at([by_source[key.source] for key in keys])
    outputs = Hypotheses(
        "edits alone",
        tuple(
            " ".join(apply_edits(key.source.split(), [edit]))
            for key, edit in zip(keys, edits, strict=True)
        ),
    )
    found = attribute_edits(
        part,
        outputs,
        [(edit,) for edit in edits],
        metric,
        method="add",
        threads=threads_of(threads),
    )
    return {key: sentence.edits[0].value for key, sentence in zip(keys, found, strict=True)}
