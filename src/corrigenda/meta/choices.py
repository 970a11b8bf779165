"""What a meta-evaluation lets you choose, by name. The command line reads it without numpy."""

from __future__ import annotations

from corrigenda.human.methods import METHODS

BENCHMARKS = ("sample", "conll14", "seeda-s", "seeda-e", "gmeg-fce", "gmeg-wiki")
"""The known benchmarks; `meta/benchmark.py` loads them."""
HUMAN_SCORES = ("published", "published-trueskill", *METHODS)
"""The kinds of human scores: from a paper, or computed from the judgments."""
INTERVALS = ("both", "inputs", "systems", "boot-both")
"""What varies in the interval of a correlation: sentences and systems, sentences alone
(BOOT-INPUT), or systems alone; `boot-both` is BOOT-BOTH of Deutsch et al. (2021), which is too
wide."""
AGGREGATIONS = ("corpus", "mean", *METHODS)
"""How a metric gives one score per system.

`corpus`: the corpus score. `mean`: the mean of the sentence scores. The others rank the systems by
the sentence scores, as human judgments do.
"""
