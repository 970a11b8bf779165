"""Scribendi, IMPARA and SOME on all systems at once, with empty caches, beside gec-metrics.

The published models are large and are not needed to compare programs. The encoder of IMPARA, and
the regressors, are MiniLM, with a last layer of random numbers. The language model has random
weights and the tokens of MiniLM.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import corpora
from bench_pt import _minilm
from corrigenda import Corpus, evaluate
from corrigenda.cache import folder as cache_folder
from measuring import Row, assert_same, best_time, if_installed

SENTENCES = 200
QUICK_SENTENCES = 20
Score = Callable[[list[str], list[str]], list[float]]


def run(quick: bool) -> list[Row]:
    text = corpora.load()
    count = QUICK_SENTENCES if quick else SENTENCES
    source = text.source[:count]
    systems = {name: lines[:count] for name, lines in text.systems.items()}
    with tempfile.TemporaryDirectory() as folder:
        regressor, language_model = _models(Path(folder))
        encoder = str(_minilm())
        rating = f"grammaticality={regressor},fluency={regressor},meaning={regressor}"
        return [
            _row("Scribendi", f"scribendi:model={language_model}", source, systems,
                 lambda: _scribendi(language_model)),
            _row("IMPARA", f"impara:model={regressor},similarity_model={encoder}", source, systems,
                 lambda: _impara(regressor, encoder)),
            _row("SOME", f"some:{rating}", source, systems, lambda: _some(regressor)),
        ]  # fmt: skip


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


def _row(
    name: str,
    specification: str,
    source: list[str],
    systems: dict[str, list[str]],
    peer: Callable[[], Score],
) -> Row:
    corpus = Corpus.from_lists(source)
    ours: dict[str, list[float]] = {}
    theirs: dict[str, list[float]] = {}

    def our_run() -> None:
        results = evaluate(Corpus.from_lists(source), systems, [specification], level="sentence")
        ours.update((result.system, result.sentence_scores.tolist()) for result in results)

    def their_run() -> None:
        score = peer()
        theirs.update((system, score(source, lines)) for system, lines in systems.items())

    with cache_folder.disabled():
        time = best_time(our_run, 1)
    peers = if_installed("gec_metrics", lambda: best_time(their_run, 1))
    for system, scores in theirs.items():
        for before, after, ours_of, theirs_of in zip(
            source, systems[system], ours[system], scores, strict=True
        ):
            # The same tokens have the same perplexity here. There, the batch decides the tie.
            if before.lower() != after.lower():
                assert_same(f"{name}, {system}", ours_of, theirs_of, 2e-4)
    mean = math.fsum(map(math.fsum, ours.values())) / len(corpus) / len(systems)
    what = f"{name}, {len(systems)} × {len(source)} sentences"
    note = f"empty caches; mean score {mean:.4f}"
    return Row(what, time, peers, "gec-metrics", note, "gec-metrics")


def _on_this_processor() -> None:
    """gec-metrics asks for a graphics card even where it is told not to."""
    import_module("torch").nn.Module.cuda = lambda self: self


def _scribendi(model: str) -> Score:
    scribendi = import_module("gec_metrics.metrics.scribendi").Scribendi
    return scribendi(scribendi.Config(model=model, no_cuda=True)).score_sentence


def _impara(model: str, encoder: str) -> Score:
    impara = import_module("gec_metrics.metrics.impara").IMPARA
    config = impara.Config(model_qe=model, model_se=encoder, no_cuda=True)
    return impara(config).score_sentence


def _some(model: str) -> Score:
    _on_this_processor()
    some = import_module("gec_metrics.metrics.some").SOME
    config = some.Config(model_g=model, model_f=model, model_m=model, no_cuda=True)
    return some(config).score_sentence
