"""Sentences on which M² scorers hang take less than a second here, and little memory.

Each runs in its own process, so that its memory can be measured. The limits are generous, because a
machine may be busy. They only need to tell milliseconds from hours.
"""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap

import pytest

# CPU time, because others may also use the machine. Sanitizers take ten times as long.
SECONDS = 10.0
MEGABYTES = 64

PROGRAM = """
import json, random, resource, sys, time
from corrigenda import Corpus, Edit, Annotation, Hypotheses
from corrigenda.metrics.m2 import M2

def words(count, prefix="w"):
    return [f"{prefix}{number}" for number in range(count)]

def shuffled(words):
    mixed = list(words)
    random.Random(1).shuffle(mixed)
    return mixed

def typos(words, every):
    return ["typo" if number % every == 0 else word for number, word in enumerate(words)]

source, hypothesis, edits = eval(sys.argv[1])
gold = (Annotation(0, tuple(Edit(*edit) for edit in edits)),)

def statistics(source, hypothesis, gold):
    corpus = Corpus((source,), ((source,),), (gold,))
    return M2().statistics(corpus, Hypotheses("system", (hypothesis,)), threads=1)

# The first call loads what Python itself needs, before the measurement.
statistics("a b", "a c", (Annotation(0, ()),))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.process_time()
counts = statistics(" ".join(source), " ".join(hypothesis), gold).counts[0].tolist()
seconds = time.process_time() - start
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
scale = 2**20 if sys.platform == "darwin" else 2**10
print(json.dumps({"counts": counts, "seconds": seconds, "megabytes": (after - before) / scale}))
"""

# Name: source, hypothesis and gold edits as an expression, then the counts (correct, proposed,
# gold) if they are obvious.
CASES: dict[str, tuple[str, list[int] | None]] = {
    "one word 200 times": ("(words(20), ['the'] * 200, [])", [0, 1, 0]),
    "one word 200 times, also in the source": (
        "(words(20) + ['the'] * 10, ['the'] * 200, [(0, 1, ('the',)), (30, 30, ('the',))])",
        None,
    ),
    "one word 200 times against 100 times": (
        "(['the'] * 100, ['the'] * 200, [(100, 100, ('the',))] * 5)",
        None,
    ),
    "two words in turn": ("(['a', 'b'] * 100, ['b', 'a'] * 150, [(0, 1, ('b a',))])", None),
    "300 words with nothing in common": (
        "(words(300), words(300, 'x'), [(0, 1, ('x0',))])",
        [1, 2, 1],
    ),
    "1000 words, equal": ("(words(1000), words(1000), [(5, 6, ('y',))])", [0, 0, 1]),
    "1000 words, 20 of them wrong": (
        "(words(1000), typos(words(1000), 50), [(0, 1, ('typo',))])",
        [1, 20, 1],
    ),
    "100 words, shuffled": ("(words(100), shuffled(words(100)), [])", None),
    "300 words, shuffled": ("(words(300), shuffled(words(300)), [(0, 300, ('w1 w0',))])", None),
    "1000 words, all deleted": ("(words(1000), [], [(0, 1000, ('',))])", [1, 1, 1]),
    "1000 words out of nothing": (
        "([], words(1000), [(0, 0, (word,)) for word in words(1000)])",
        [1000, 1000, 1000],
    ),
    "a gold edit of 200 words in a repetitive sentence": (
        "(['a'] * 300, ['a', 'b'] * 200, [(20, 220, (' '.join(['b', 'a'] * 100),))])",
        None,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_worst_case(name: str) -> None:
    pytest.importorskip("resource")
    expression, expected = CASES[name]
    program = [sys.executable, "-c", textwrap.dedent(PROGRAM), expression]
    found = json.loads(
        subprocess.run(program, check=True, capture_output=True, text=True, timeout=120).stdout
    )
    assert found["seconds"] < SECONDS
    assert found["megabytes"] < MEGABYTES
    if expected is not None:
        assert found["counts"] == expected
