"""Health of rewards: the first batches are examined, and each kind of finding is told once."""

from __future__ import annotations

import threading
import warnings

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.health import Examination, Finding
from corrigenda.health.finding import HealthWarning
from corrigenda.health.source_watch import SourceWatch
from corrigenda.rewards.batch import Batch
from corrigenda.text.sentences import one_line

EXAMINED = 1024
"""So many hypotheses are examined."""
FEWEST = 32
"""Fewer say nothing yet."""


class FirstBatches:
    """Looks at the first batches, and warns of what makes their scores doubtful."""

    def __init__(self, name: str, shortest: int) -> None:
        self._name = name
        self._examination = Examination(whole=True, source=SourceWatch(shortest))
        self._told: set[tuple[str | None, str]] = set()
        self._lock = threading.Lock()

    def look(self, batch: Batch) -> None:
        """Examine a batch, unless enough was examined. Odd values are left to the scoring."""
        with self._lock:
            found = self._look(batch)
        for finding in found:
            warnings.warn(HealthWarning(str(finding)), stacklevel=3)

    def _look(self, batch: Batch) -> list[Finding]:
        """The findings that were not told before."""
        examination = self._examination
        if examination.seen >= EXAMINED:
            return []
        texts = [text for source, references in batch.targets for text in (source, *references)]
        if not all(isinstance(text, str) for text in texts):
            return []
        corpus = Corpus(
            tuple(one_line(source) for source, _ in batch.targets),
            tuple(tuple(map(one_line, references)) for _, references in batch.targets),
        )
        outputs = Hypotheses(self._name, tuple(map(one_line, batch.hypotheses)))
        examination.add(corpus, [outputs], threads=1)
        if examination.seen < FEWEST:
            return []
        found = [
            finding
            for finding in examination.findings()
            if (finding.system, finding.code) not in self._told
        ]
        self._told.update((finding.system, finding.code) for finding in found)
        return found
