"""How the time of M² grows with the length of a sentence.

    python benchmarks/m2_growth.py > growth.csv

The columns are ready to plot: length against milliseconds, one line per shape, both axes
logarithmic.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator

from corrigenda import Annotation, Corpus, Edit, Hypotheses
from corrigenda.metrics.m2 import M2
from measuring import Time, best_time

LENGTHS = (25, 50, 100, 200, 400, 800, 1600)
Words = list[str]


def _replaced(words: Words, positions: range) -> Words:
    return [f"wrong{i}" if i in positions else word for i, word in enumerate(words)]


def _shuffled(words: Words) -> Words:
    mixed = list(words)
    random.Random(0).shuffle(mixed)
    return mixed


SHAPES: dict[str, Callable[[Words], Words]] = {
    "equal": list,
    "three words wrong": lambda words: _replaced(words, range(2, len(words), len(words) // 3)),
    "every tenth word wrong": lambda words: _replaced(words, range(0, len(words), 10)),
    "shuffled": _shuffled,
    "one word, repeated": lambda words: [words[0]] * len(words),
    "nothing in common": lambda words: _replaced(words, range(len(words))),
}


def time_of(source: Words, hypothesis: Words, repeats: int) -> Time:
    """The time of one sentence with one annotator, from strings to counts."""
    text = " ".join(source)
    gold = Annotation(0, (Edit(0, 1, ("right",)), Edit(len(source), len(source), ("right",))))
    hypotheses = Hypotheses("", (" ".join(hypothesis),))

    def call() -> None:
        corpus = Corpus((text,), ((text,),), ((gold,),))
        M2().statistics(corpus, hypotheses, threads=1)

    call()
    return best_time(call, repeats)


def by_length(lengths: tuple[int, ...], repeats: int) -> Iterator[tuple[str, int, Time]]:
    """The time of each shape at each length."""
    for shape, make in SHAPES.items():
        for length in lengths:
            source = [f"word{number}" for number in range(length)]
            yield shape, length, time_of(source, make(source), repeats)


def main() -> None:
    print("shape,words,milliseconds,processor_milliseconds")
    for shape, length, measured in by_length(LENGTHS, 5):
        print(f"{shape},{length},{1000 * measured.clock:.3f},{1000 * measured.processor:.3f}")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
