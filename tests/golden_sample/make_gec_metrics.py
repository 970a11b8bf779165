"""Writes gec_metrics.json: what the package gec-metrics gives on the sample.

    make bench              # installs what is needed, gec-metrics too
    PYTHONPATH=tests .venv/bin/python tests/golden_sample/make_gec_metrics.py

The tests do not need gec-metrics: they read the file.
"""

from __future__ import annotations

import importlib.metadata
import json
import tempfile
from pathlib import Path
from typing import Any

import errant
import spacy
import torch
from gec_metrics.metrics import IMPARA, PTERRANT, SOME, BertScore, GoToScorer, Scribendi
from sample_results import FOLDER, SYSTEMS
from stable_models import all_models

from corrigenda.data import SAMPLE
from errant_model import find_model
from tiny_models import minilm_folder

IMPARA_THRESHOLDS = (0.0, 0.9)
FILLED = tuple(name for name in SYSTEMS if name != "empty")
"""gec-metrics divides by zero if it asks a language model about an empty text."""


def lines(name: str) -> list[str]:
    return (SAMPLE / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def reference_free(models: dict[str, str]) -> dict[str, dict[str, list[float]]]:
    scribendi = Scribendi(Scribendi.Config(model=models["language model"], no_cuda=True))
    some = SOME(
        SOME.Config(
            model_g=models["grammaticality"],
            model_f=models["fluency"],
            model_m=models["meaning"],
            no_cuda=True,
            max_length=128,
        )
    )
    scorers: dict[str, Any] = {"scribendi": scribendi, "some": some}
    for threshold in IMPARA_THRESHOLDS:
        scorers[f"impara {threshold}"] = IMPARA(
            IMPARA.Config(
                model_qe=models["grammaticality"],
                model_se=models["encoder"],
                no_cuda=True,
                threshold=threshold,
                max_length=64,
            )
        )
    return {
        name: {
            system: [float(x) for x in scorer.score_sentence(lines("source"), lines(system))]
            for system in FILLED
        }
        for name, scorer in scorers.items()
    }


def pt_errant(references: list[list[str]]) -> dict[str, Any]:
    weights = BertScore.Config(
        model_type=str(minilm_folder()),
        num_layers=6,
        rescale_with_baseline=False,
        use_fast_tokenizer=True,
    )
    scorer = PTERRANT(PTERRANT.Config(weight_model_config=weights))
    found: dict[str, Any] = {}
    for system in FILLED:
        texts = lines("source"), lines(system), references
        counted = scorer.score_base(*texts)
        scorer.score_base = lambda *_, counted=counted: counted  # it takes minutes
        corpus = scorer.score_corpus_verbose(*texts)
        found[system] = {
            "corpus": [corpus.tp, corpus.fp, corpus.fn, corpus.f],
            "sentences": scorer.score_sentence(*texts),
            "by_reference": [
                [
                    [total.tp, total.fp, total.fn]
                    for total in map(scorer.aggregate_to_overall, of_sentence)
                ]
                for of_sentence in counted
            ],
        }
        del scorer.score_base
        print(f"PT-ERRANT of {system} is done", flush=True)
    return found


def gotoscorer(reference: list[str]) -> dict[str, list[list[float]]]:
    """True positives, false positives, false negatives, true negatives; all weights are 1."""
    scorer = GoToScorer(GoToScorer.Config(no_weight=True))
    return {
        system: [
            [total.tp, total.fp, total.fn, total.tn]
            for (of_reference,) in scorer.score_base(lines("source"), lines(system), [reference])
            for total in [scorer.aggregate_to_overall(of_reference)]
        ]
        for system in FILLED
    }


def main() -> None:
    # It looks for the English model by its name and asks for a graphics card in any case.
    pipeline = spacy.load(find_model(), disable=["ner"])
    load = errant.load
    errant.load = lambda language: load(language, pipeline)
    torch.nn.Module.cuda = lambda self: self
    with tempfile.TemporaryDirectory() as folder:
        results: dict[str, Any] = {
            "version": importlib.metadata.version("gec-metrics"),
            **reference_free(all_models(Path(folder))),
        }
    print("metrics without references are done", flush=True)
    results["pt-errant"] = pt_errant([lines("ref0"), lines("ref1")])
    results["gotoscorer"] = gotoscorer(lines("ref0"))
    (FOLDER / "gec_metrics.json").write_text(json.dumps(results, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
