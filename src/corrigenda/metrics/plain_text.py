"""What metrics share whose models learnt from plain text: they can make tokenised text plain."""

from __future__ import annotations

from dataclasses import dataclass, replace

from corrigenda.core.metric import Metric
from corrigenda.core.spec import parameter
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.text.detokeniser import detokenise


@dataclass(frozen=True, repr=False)
class ReadsPlainText(Metric):
    """A metric whose model reads sentences as people write them."""

    detokenise: bool = parameter(
        False, "give the model plain text: without the blanks that a tokeniser added"
    )

    def read_corpus(self, corpus: Corpus) -> Corpus:
        """The corpus as the model reads it."""
        return corpus.once("plain text", lambda: _plain(corpus)) if self.detokenise else corpus

    def read_output(self, hypotheses: Hypotheses) -> Hypotheses:
        """The output of a system as the model reads it."""
        if not self.detokenise:
            return hypotheses
        sentences = tuple(map(detokenise, hypotheses.sentences))
        return replace(hypotheses, sentences=sentences, edits=None, given=None)

    def text_fields(self) -> dict[str, object]:
        """For the signature: nothing if the model reads the text as it is."""
        return {"detokenise": True} if self.detokenise else {}


def _plain(corpus: Corpus) -> Corpus:
    return replace(
        corpus,
        sources=tuple(map(detokenise, corpus.sources)),
        references=tuple(tuple(map(detokenise, each)) for each in corpus.references),
        gold=None,
        errors=None,
        given=None,
        _workspace={},
    )
