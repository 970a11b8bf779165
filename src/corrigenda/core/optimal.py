"""The references with the largest possible corpus F-score, in any order of the sentences.

F_β is the ratio of two sums over the sentences: (1 + β²)·correct over proposed + β²·gold. One
reference per sentence adds to both sums. Dinkelbach's iteration maximises such a ratio. It starts
from a guess λ. In each sentence it takes the reference with the largest
(1 + β²)·correct − λ·(proposed + β²·gold). The ratio of this selection is the next λ. λ rises with
each pass. After a few passes it stays the same, and the selection is the best. The proof is in
docs/adr/0052-optimal-choice.md.
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

AmountsOfRows = Callable[[Array], Sequence[Array]]
"""From counts [rows, K]: the numbers, or the weights, of correct, proposed and gold edits."""
Ratio = Fraction | float
"""λ: an exact fraction for numbers of edits, a float for weights of edits."""

CorpusChoice = Literal["published", "optimal"]
"""`published`: one sentence after the other, as published. `optimal`: the best for the corpus."""

_LARGEST = 2**62
"""Sums below this limit fit safely into int64. Larger sums use Python's own integers."""


def corpus_choice(what: str) -> Any:
    """The parameter `choice` of a metric; `what` it chooses is a "reference" or an "annotator"."""
    return parameter(
        "published",
        f"how the {what} of each sentence is chosen at corpus level: "
        "one sentence after the other, or the best for the whole corpus",
    )


@dataclass(frozen=True)
class Optimal(Choice):
    """The references with the largest corpus F_β. Ties go to those with more correct edits.

    Numbers of edits are compared as whole numbers, so the maximum is exact. Weights of edits are
    compared as floats.
    """

    reach = "corpus"

    beta: float
    amounts: AmountsOfRows

    def start(self) -> Chooser:
        """A chooser that must be given the whole corpus at once."""
        return lambda statistics: self.chooser(self.solve(lambda: [statistics]))(statistics)

    def stream(self, blocks: Blocks) -> Iterator[Chosen]:
        """Find λ in a few passes over the blocks; choose in one more pass."""
        return map(self.chooser(self.solve(blocks)), blocks())

    def solve(self, blocks: Blocks) -> Ratio | None:
        """The λ by which to choose: no selection of references has a larger ratio.

        It is None if every sentence has a reference without wrong and missed edits.
        """
        if all(self._can_be_faultless(block) for block in blocks()):
            return None
        ratio: Ratio = Fraction(0)
        best, reached = ratio, ratio
        while True:
            better = self._ratio_of_choice(blocks(), ratio)
            # With whole numbers λ never falls. With floats it may fall by a rounding error.
            if better >= reached:
                best, reached = ratio, better
            if better <= ratio:
                return best
            ratio = better

    def chooser(self, ratio: Ratio | None) -> Chooser:
        """Chooses the reference of each sentence alone, for a known λ."""
        return BestLocal(
            self._faultless_keys if ratio is None else lambda counts: self._keys(counts, ratio)
        ).start()

    def _ratio_of_choice(self, blocks: Iterable[Statistics], ratio: Ratio) -> Ratio:
        """F_β of the references that are best for this λ."""
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

    def _one_and_square(self, whole: bool) -> tuple[float, float]:
        """1 and β²; for whole numbers, both times the number that makes β² whole."""
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


def _weighed(amounts: Sequence[Array], weights: tuple[float, float, float]) -> Array:
    """The weighted sum of the amounts of each row. It is exact for whole numbers.

    A row with an infinite amount gets the lowest value.
    """
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
