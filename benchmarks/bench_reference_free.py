"""Scribendi, IMPARA and SOME on all systems at once, with empty caches, beside gec-metrics.

The published models are large and are not needed to compare programs. The encoder of IMPARA, and
the regressors, are MiniLM, with a last layer of random numbers. The language model has random
weights and the tokens of MiniLM.

Scribendi compares two perplexities, and batches move their last digits. So both programs must find
the same perplexities (to LOSS_TOLERANCE per token), and the same score wherever the perplexities of
source and output differ by more than that moves. gec-metrics divides 0 by 0 for an empty output.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import corpora
import peers_gec_metrics as peers
from bench_pt import _minilm
from corrigenda import Corpus, evaluate
from corrigenda.cache import folder as cache_folder
from corrigenda.neural.model_source import find
from corrigenda.neural.pair_scores import pair_scores
from corrigenda.neural.perplexity import Perplexities
from measuring import Row, assert_same, best_time, if_installed

SENTENCES = 60
QUICK_SENTENCES = 10
LOSS_TOLERANCE = 1e-4
"""In nats per token. Two programs, or two batches, may differ by so much."""
SCORE_TOLERANCE = 2e-5
Score = Callable[[list[str], list[str]], list[float]]
Scores = dict[str, list[float]]


def run(quick: bool) -> list[Row]:
    text = corpora.load()
    count = QUICK_SENTENCES if quick else SENTENCES
    source = text.source[:count]
    systems = {name: lines[:count] for name, lines in text.systems.items()}
    with tempfile.TemporaryDirectory() as folder:
        regressor, language_model = _models(Path(folder))
        return [
            _scribendi(language_model, source, systems),
            _impara(regressor, str(_minilm()), source, systems),
            _some(regressor, source, systems),
        ]


def _models(folder: Path) -> tuple[str, str]:
    torch, transformers = import_module("torch"), import_module("transformers")
    torch.manual_seed(0)
    regressor, language_model = str(folder / "regressor"), str(folder / "language-model")
    tokenizer = transformers.AutoTokenizer.from_pretrained(_minilm())
    model = transformers.AutoModelForSequenceClassification.from_pretrained(_minilm(), num_labels=1)
    model.save_pretrained(regressor)
    tokenizer.save_pretrained(regressor)
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer),
        n_embd=384,
        n_layer=6,
        n_head=12,
        n_positions=512,
        bos_token_id=tokenizer.cls_token_id,
        eos_token_id=tokenizer.sep_token_id,
        initializer_range=0.2,
    )
    transformers.GPT2LMHeadModel(config).save_pretrained(language_model)
    # Without begin and end marks of its own, as the tokenizer of GPT-2.
    plain = tokenizer.backend_tokenizer
    plain.post_processor = import_module("tokenizers.processors").TemplateProcessing(
        single="$A", special_tokens=[]
    )
    marks = {"bos_token": "[CLS]", "eos_token": "[SEP]", "unk_token": "[UNK]"}
    transformers.PreTrainedTokenizerFast(tokenizer_object=plain, **marks).save_pretrained(
        language_model
    )
    return regressor, language_model


def _scribendi(model: str, source: list[str], systems: dict[str, list[str]]) -> Row:
    perplexities: dict[str, float] = {}

    def peer() -> Score:
        scribendi = peers.metric("scribendi", "Scribendi", model=model, no_cuda=True)
        compute = scribendi.ppl

        def noted(texts: list[str]) -> list[float]:
            found = compute(texts)
            perplexities.update(zip(texts, found, strict=True))
            return found

        scribendi.ppl = noted
        return scribendi.score_sentence

    run = _Run(f"scribendi:model={model}", source, systems, peer)
    scorer = Perplexities(find(model))
    known = pair_scores(run.corpus, scorer, [], threads=1)
    ours = {pair.candidate: scores[0] for pair, scores in known.items()}
    for text, theirs in perplexities.items():
        if text:
            assert_same(f"ln ppl: {text}", math.log(ours[text]), math.log(theirs), LOSS_TOLERANCE)
    ties = empty = pairs = 0
    for before, after, our_score, their_score in run.pairs():
        pairs += before != after
        if before != after and not after:
            empty += 1
        elif before != after and _is_tie(ours[before], ours[after]):
            ties += 1
        else:
            assert_same(f"Scribendi: {after}", our_score, their_score)
    return run.row(
        "Scribendi",
        f"of {pairs} changed sentences {ties} have equal perplexities within the tolerance, "
        f"{empty} are empty",
    )


def _is_tie(one: float, other: float) -> bool:
    return abs(math.log(one) - math.log(other)) <= 2 * LOSS_TOLERANCE


def _impara(regressor: str, encoder: str, source: list[str], systems: dict[str, list[str]]) -> Row:
    def peer() -> Score:
        return peers.metric(
            "impara", "IMPARA", model_qe=regressor, model_se=encoder, no_cuda=True
        ).score_sentence

    run = _Run(f"impara:model={regressor},similarity_model={encoder}", source, systems, peer)
    return run.checked("IMPARA")


def _some(regressor: str, source: list[str], systems: dict[str, list[str]]) -> Row:
    def peer() -> Score:
        peers.on_this_processor()
        return peers.metric(
            "some", "SOME", model_g=regressor, model_f=regressor, model_m=regressor, no_cuda=True
        ).score_sentence

    models = f"grammaticality={regressor},fluency={regressor},meaning={regressor}"
    return _Run(f"some:{models}", source, systems, peer).checked("SOME")


class _Run:
    """Both programs on the same systems, each once: models are loaded, nothing is known before."""

    def __init__(
        self,
        specification: str,
        source: list[str],
        systems: dict[str, list[str]],
        peer: Callable[[], Score],
    ) -> None:
        self.corpus = Corpus.from_lists(source)
        self._systems = systems
        self._ours: Scores = {}
        self._theirs: Scores = {}

        def our_run() -> None:
            results = evaluate(self.corpus, systems, [specification], level="sentence")
            self._ours = {result.system: result.sentence_scores.tolist() for result in results}

        def their_run() -> None:
            score = peer()
            self._theirs = {system: score(source, lines) for system, lines in systems.items()}

        with cache_folder.disabled():
            self._time = best_time(our_run, 1)
        self._peers_time = if_installed(peers.MODULE, lambda: best_time(their_run, 1))

    def pairs(self) -> list[tuple[str, str, float, float]]:
        """Source, output, our score and the peer's, for every sentence of every system."""
        return [
            each
            for system, scores in self._theirs.items()
            for each in zip(
                self.corpus.sources,
                self._systems[system],
                self._ours[system],
                scores,
                strict=True,
            )
        ]

    def checked(self, name: str) -> Row:
        """The row, if all scores are the same."""
        for _, after, ours, theirs in self.pairs():
            assert_same(f"{name}: {after}", ours, theirs, SCORE_TOLERANCE)
        return self.row(name)

    def row(self, name: str, note: str = "") -> Row:
        """The times."""
        number = len(self.corpus) * len(self._systems)
        mean = math.fsum(map(math.fsum, self._ours.values())) / number
        notes = ["empty caches", f"mean score {mean:.4f}", *([note] if note else [])]
        return Row(
            f"{name}, {len(self._systems)} × {len(self.corpus)} sentences",
            self._time,
            self._peers_time,
            peers.PACKAGE,
            "; ".join(notes),
            peers.PACKAGE,
        )
