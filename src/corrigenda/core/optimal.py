"""The references that make the corpus F-score as large as it can be, whatever the order of the sentences.

F_β is a ratio of two sums over the sentences, (1 + β²)·correct over proposed + β²·gold, and each sentence adds
what one of its references gives. Dinkelbach's iteration maximises such a ratio: for a guess λ, take of every
sentence the reference with the largest (1 + β²)·correct − λ·(proposed + β²·gold); the ratio of that selection is the
next λ. It rises until nothing is left to gain, after a few passes. docs/adr/0052-optimal-choice.md
shows why that is the maximum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from corrigenda.core.choice import BestLocal, Blocks, Choice, Chooser
from corrigenda.core.exact_sum import ExactSum
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Chosen, Statistics

Amounts = Callable[[Array], Sequence[Array]]
"""The correct, proposed and gold edits of counts [rows, K]: their numbers, or their weights."""
Ratio = Fraction | float
"""λ: exact for numbers of edits, a float for their weights."""

CorpusChoice = Literal["published", "optimal"]
"""In corpus order, as the metrics were published; or the best there is."""

_LARGEST = 2**62
"""What int64 holds, with a digit to spare; larger sums are computed in Python's own integers."""


def corpus_choice(what: str) -> Any:
    """The parameter `choice` of a metric that chooses an annotator, or a reference, for each sentence of a corpus."""
    return parameter(
        "published",
        f"{what} of a sentence in a corpus: best with the sentences before it, or with all of them",
    )


@dataclass(frozen=True)
class Optimal(Choice):
    """The selection of references with the largest corpus F_β; of equal ones that with more correct edits.

    Numbers of edits are compared as whole numbers, so the maximum is exact; weights of edits as floats.
    """

    reach = "corpus"

    beta: float
    amounts: Amounts

    def start(self) -> Chooser:
        """A chooser that must be given the whole corpus at once."""
        return lambda statistics: self.chooser(self.solve(lambda: [statistics]))(statistics)

    def stream(self, blocks: Blocks) -> Iterator[Chosen]:
        """Solve in some passes over the blocks; then choose in a last one."""
        return map(self.chooser(self.solve(blocks)), blocks())

    def solve(self, blocks: Blocks) -> Ratio | None:
        """The λ by which to choose, which cannot be raised.

        None where every sentence has a reference with which nothing is wrong.
        """
        if all(self._can_be_faultless(block) for block in blocks()):
            return None
        ratio: Ratio = Fraction(0)
        best, reached = ratio, ratio
        while True:
            better = self._ratio_of_choice(blocks(), ratio)
            # Whole numbers never fall back; floats may, where λ leaves a sentence less to gain than rounding takes.
            if better >= reached:
                best, reached = ratio, better
            if better <= ratio:
                return best
            ratio = better

    def chooser(self, ratio: Ratio | None) -> Chooser:
        """Chooses each sentence's reference by itself, once λ is known."""
        return BestLocal(
            self._faultless_keys if ratio is None else lambda counts: self._keys(counts, ratio)
        ).start()

    def _ratio_of_choice(self, blocks: Iterable[Statistics], ratio: Ratio) -> Ratio:
        """F of the selection that is best at a λ."""
        choose = self.chooser(ratio)
        sums = ExactSum()
        for block in blocks:
            sums.merge(ExactSum.of_rows(np.stack(self.amounts(choose(block).values(0)), axis=-1)))
        correct, proposed, gold = sums.value().tolist()
        one, square = self._one_and_square(isinstance(correct, int))
        above, below = (one + square) * correct, one * proposed + square * gold
        if not below:
            return Fraction(0)
        return Fraction(above, below) if isinstance(above, int) else above / below

    def _one_and_square(self, whole: bool) -> tuple[Any, Any]:
        """1 and β²; where numbers are whole, both times the number that makes β² whole."""
        if not whole:
            return 1.0, self.beta**2
        square = Fraction(repr(float(self.beta))) ** 2
        return square.denominator, square.numerator

    def _keys(self, counts: Array, ratio: Ratio) -> Iterator[Array]:
        amounts = self.amounts(counts)
        whole = np.issubdtype(amounts[0].dtype, np.integer)
        one, square = self._one_and_square(bool(whole))
        above, below = (
            (Fraction(ratio).numerator, Fraction(ratio).denominator)
            if whole
            else (float(ratio), 1.0)
        )
        yield _weighed(amounts, ((one + square) * below, -one * above, -square * above))
        yield amounts[0]
        yield _weighed(amounts, (0, -one, -square))
        yield -amounts[2]

    def _faultless_keys(self, counts: Array) -> Iterator[Array]:
        yield self._is_faultless(counts)
        yield self.amounts(counts)[0]

    def _is_faultless(self, counts: Array) -> Array:
        correct, proposed, gold = self.amounts(counts)
        return np.asarray((correct == proposed) & (correct == gold))

    def _can_be_faultless(self, block: Statistics) -> bool:
        if not block.sentences:
            return True
        return bool(
            np.logical_or.reduceat(self._is_faultless(block.counts), block.offsets[:-1]).all()
        )


def _weighed(amounts: Sequence[Array], weights: tuple[Any, Any, Any]) -> Array:
    """The weighted sum of the amounts of each row, exact for whole numbers; an endless amount is worst of all."""
    if np.issubdtype(amounts[0].dtype, np.floating):
        with np.errstate(invalid="ignore"):
            value = sum(amount * weight for amount, weight in zip(amounts, weights, strict=True))
        return np.where(np.isfinite(value), value, -np.inf)
    largest = sum(
        max(1, int(amount.max())) * abs(weight)
        for amount, weight in zip(amounts, weights, strict=True)
    )
    kind = object if largest >= _LARGEST else np.int64
    return np.asarray(
        sum(amount.astype(kind) * weight for amount, weight in zip(amounts, weights, strict=True))
    )
