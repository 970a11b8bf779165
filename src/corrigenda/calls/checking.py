"""`corrigenda.check`: what would make the scores of some texts doubtful."""

from __future__ import annotations

from corrigenda.core.evaluate import check_lengths
from corrigenda.corpus import Corpus
from corrigenda.frames import FrameColumns, Tabular
from corrigenda.health import Finding, examine
from corrigenda.scoring import Systems, checked_corpus, outputs_of


class Findings(tuple[Finding, ...], Tabular):
    """What was found, as a tuple that is also a table. It is empty if all is well."""

    __slots__ = ()

    def __repr__(self) -> str:
        codes = ", ".join(dict.fromkeys(finding.code for finding in self))
        return f"<{len(self)} findings{': ' if codes else ''}{codes}>"

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self

    def columns(self) -> FrameColumns:
        """A row per finding."""
        return {
            "code": [finding.code for finding in self],
            "system": [finding.system for finding in self],
            "message": [finding.message for finding in self],
            "share": [finding.share for finding in self],
            "lines": [list(finding.lines) for finding in self],
        }


def check(corpus: Corpus, systems: Systems = (), *, threads: int | None = None) -> Findings:
    """Examine texts before they are scored, as `corrigenda check` does.

    The call looks for what would make a score meaningless: lines out of step with the
    source, other tokens, markup, empty or cut lines, exchanged files, and more.

    Args:
        corpus: The sources, with references if there are any.
        systems: Names with lists of sentences, or a list of `Hypotheses`.
        threads: The number of threads; None takes all cores.

    Returns:
        The findings. `ok` says that there are none.

    Example:
        >>> import corrigenda
        >>> from corrigenda.data import sample_corpus, sample_systems
        >>> corrigenda.check(sample_corpus(), sample_systems()[:1]).ok
        True
        >>> shifted = {"ours": [*sample_corpus().sources[1:], ""]}
        >>> corrigenda.check(sample_corpus(), shifted)[0].code
        'out-of-step'
    """
    outputs = outputs_of(systems)
    check_lengths(checked_corpus(corpus), outputs)
    return Findings(examine(corpus, outputs, threads=threads))
