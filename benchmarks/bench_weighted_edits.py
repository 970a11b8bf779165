"""PT-ERRANT and GoToScorer on all systems at once, with empty caches, beside gec-metrics.

Two rows run in this process on one thread. The last row is the command as users run it: the whole
text, files, the start of Python, and processes on all cores. Its peer is a script that does the
same by gec-metrics, which has no processes.

Both programs take the same spaCy model, and PT-ERRANT weighs edits by MiniLM. gec-metrics keeps
what it has parsed, so it parses no text twice either. Its weights of GoToScorer have a fault, so
each piece weighs 1 in both programs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import corpora
import peers_gec_metrics as peers
from bench_errant import _model as spacy_model
from bench_pt import _minilm
from corrigenda import Corpus, evaluate
from corrigenda.cache import folder as cache_folder
from measuring import Row, Time, assert_same, best_time, if_installed, time_of_process

SENTENCES = {"PT-ERRANT": 20, "GoToScorer": 200}
QUICK_SENTENCES = 3
TOLERANCE = 2e-5
WEIGHTLESS = 1e-6
Counts = dict[str, list[list[float]]]
"""System → for each sentence, its numbers."""


def run(quick: bool) -> list[Row]:
    # The program that runs first would pay for loading what both use.
    for module in ("torch", "transformers", "spacy", "errant"):
        import_module(module)
    return [
        _pt_errant(_part(quick, "PT-ERRANT")),
        _gotoscorer(_part(quick, "GoToScorer")),
        _gotoscorer_command(_part(quick, None)),
    ]


def _part(quick: bool, name: str | None) -> corpora.Lists:
    """The sentences for a metric, or all of them."""
    text = corpora.load()
    count = QUICK_SENTENCES if quick else SENTENCES[name] if name else len(text.source)
    return corpora.Lists(
        text.name,
        text.source[:count],
        [lines[:count] for lines in text.references],
        {name: lines[:count] for name, lines in text.systems.items()},
    )


def _pt_errant(text: corpora.Lists) -> Row:
    theirs: Counts = {}
    scorer = None

    def their_run() -> None:
        nonlocal scorer
        weights = _bert_score().Config(
            model_type=str(_minilm()),
            num_layers=6,
            rescale_with_baseline=False,
            use_fast_tokenizer=True,
        )
        with peers.with_spacy_model(spacy_model()):
            scorer = peers.metric("pt_errant", "PTERRANT", weight_model_config=weights)
        for system, lines in text.systems.items():
            scores = scorer.score_sentence(text.source, lines, text.references)
            theirs[system] = [[score] for score in scores]

    specification = f"pt-errant:model={_minilm()},layer=6,spacy_model={spacy_model()}"
    ours, time = _ours(text, specification)
    peer = if_installed(peers.MODULE, lambda: best_time(their_run, 1))
    weightless = 0
    for system, sentences in theirs.items():
        for place, (found, expected) in enumerate(zip(ours[system], sentences, strict=True)):
            if abs(found[0] - expected[0]) > TOLERANCE and _is_weightless(
                scorer, text, system, place
            ):
                weightless += 1
            else:
                assert_same(f"PT-ERRANT, {system}, {place}", found[0], expected[0], TOLERANCE)
    note = f"2 references; {weightless} sentences whose edits weigh nothing" if theirs else ""
    return _row("PT-ERRANT, MiniLM", text, time, peer, note)


def _is_weightless(scorer: object, text: corpora.Lists, system: str, place: int) -> bool:
    """Whether all edits against a reference weigh 0.

    As published, each of them then has the same weight. gec-metrics takes 0/0 as a perfect score.
    """
    ((*references,),) = scorer.score_base(
        [text.source[place]],
        [text.systems[system][place]],
        [[lines[place]] for lines in text.references],
    )
    totals = [scorer.aggregate_to_overall(each) for each in references if each]
    return any(max(each.tp, each.fp, each.fn) < WEIGHTLESS for each in totals)


def _bert_score() -> type:
    return import_module(f"{peers.MODULE}.metrics.bertscore").BertScore


def _gotoscorer(text: corpora.Lists) -> Row:
    theirs: Counts = {}

    def their_run() -> None:
        with peers.with_spacy_model(spacy_model()):
            scorer = peers.metric("gotoscorer", "GoToScorer", no_weight=True)
        for system, lines in text.systems.items():
            counted = scorer.score_base(text.source, lines, text.references[:1])
            totals = [scorer.aggregate_to_overall(each) for (each,) in counted]
            theirs[system] = [[each.tp, each.fp, each.fn, each.tn] for each in totals]

    text = replace(text, references=text.references[:1])
    ours, time = _ours(text, f"gotoscorer:difficulty=none,spacy_model={spacy_model()}")
    peer = if_installed(peers.MODULE, lambda: best_time(their_run, 1))
    overlooked = 0
    for system, sentences in theirs.items():
        for found, (tp, fp, fn, tn) in zip(ours[system], sentences, strict=True):
            # Its fault: a missed insertion inside a wrong replacement counts as rightly unchanged.
            more = found[2] - fn
            overlooked += int(more)
            for ours_of, expected in zip(found, (tp, fp, fn + more, tn - more), strict=True):
                assert_same(f"GoToScorer, {system}", ours_of, expected)
            assert more >= 0, (system, found)
    note = f"{overlooked} missed insertions that gec-metrics overlooks" if theirs else ""
    return _row("GoToScorer, weights 1", text, time, peer, note)


# Its totals that its fault about missed insertions leaves alone: true and false positives.
_THEIR_SCRIPT = """\
import json, sys
sys.path.insert(0, sys.argv[1])
import peers_gec_metrics as peers
model, source, reference, *systems = [
    path if place == 0 else open(path, encoding="utf-8").read().splitlines()
    for place, path in enumerate(sys.argv[2:])
]
with peers.with_spacy_model(model):
    scorer = peers.metric("gotoscorer", "GoToScorer", no_weight=True)
found = []
for lines in systems:
    counted = scorer.score_base(source, lines, [reference])
    totals = [scorer.aggregate_to_overall(each) for (each,) in counted]
    found.append([sum(each.tp for each in totals), sum(each.fp for each in totals)])
print(json.dumps(found))
"""


def _gotoscorer_command(text: corpora.Lists) -> Row:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = {"source": text.source, "ref0": text.references[0], **text.systems}
        for file, lines in files.items():
            content = "".join(f"{line}\n" for line in lines)
            (folder / f"{file}.txt").write_text(content, encoding="utf-8")
        source, reference, *systems = (str(folder / f"{file}.txt") for file in files)
        command = [str(Path(sys.executable).parent / "corrigenda"), "score", "--no-cache"]
        command += ["--source", source, "--refs", reference, "--hyps", *systems, "--format", "json"]
        command += ["--metrics", f"gotoscorer:difficulty=none,spacy_model={spacy_model()}"]
        ours, _ = time_of_process(command)
        here = str(Path(__file__).parent)
        script = [sys.executable, "-c", _THEIR_SCRIPT, here, spacy_model(), source, reference]
        peer = if_installed(peers.MODULE, lambda: time_of_process([*script, *systems])[0])
        if peer is not None:
            results = json.loads(_output(command))["results"]
            for result, totals in zip(
                results, json.loads(_output([*script, *systems])), strict=True
            ):
                for kind, expected in zip(("tp", "fp"), totals, strict=True):
                    assert_same(f"{result['system']}, {kind}", result["counts"][kind], expected)
    what = f"GoToScorer, the command, {len(systems)} × {len(text.source)} sentences"
    notes = f"no cache; ours in processes on {os.cpu_count()} cores"
    return Row(what, ours, peer, peers.PACKAGE, notes, peers.PACKAGE)


def _output(command: list[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _ours(text: corpora.Lists, specification: str) -> tuple[Counts, Time]:
    """The scores of sentences; for GoToScorer, their first four counts."""
    found: Counts = {}

    def our_run() -> None:
        corpus = Corpus.from_lists(text.source, text.references)
        # One thread: the processor time of processes that help would not be counted.
        for result in evaluate(corpus, text.systems, [specification], level="sentence", threads=1):
            counts = result.selection.chosen.statistics.counts[:, :4].tolist()
            scores = [[score] for score in result.sentence_scores.tolist()]
            found[result.system] = counts if "gotoscorer" in specification else scores

    with cache_folder.disabled():
        time = best_time(our_run, 1)
    return found, time


def _row(name: str, text: corpora.Lists, time: Time, peer: Time | None, note: str) -> Row:
    what = f"{name}, {len(text.systems)} × {len(text.source)} sentences"
    notes = "; ".join(each for each in ("empty caches", note) if each)
    return Row(what, time, peer, peers.PACKAGE, notes, peers.PACKAGE)
