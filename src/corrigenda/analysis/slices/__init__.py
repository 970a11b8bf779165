"""Parts of a corpus: the scores on short or long sentences, on each error type, on any column.

>>> from corrigenda.data import sample_corpus, sample_systems
>>> from corrigenda.scoring import evaluate
>>> corpus = sample_corpus()
>>> results = evaluate(corpus, sample_systems()[:2], ["green"])
>>> [part.label for part in by_length(corpus)]
['≤10', '11–20', '21–30', '31–40']
>>> slice_scores(results, by_length(corpus)).shape
(2, 4)
"""

from corrigenda.analysis.slices.partitions import (
    EDITS,
    LENGTH,
    TYPE,
    Slice,
    by_column,
    by_edits,
    by_length,
    by_type,
    errant_edits,
    slices_by,
)
from corrigenda.analysis.slices.scores import SliceDifference, differences, restricted, slice_scores
from corrigenda.formats.sidecar import read_sidecar

__all__ = [
    "EDITS",
    "LENGTH",
    "TYPE",
    "Slice",
    "SliceDifference",
    "by_column",
    "by_edits",
    "by_length",
    "by_type",
    "differences",
    "errant_edits",
    "read_sidecar",
    "restricted",
    "slice_scores",
    "slices_by",
]
