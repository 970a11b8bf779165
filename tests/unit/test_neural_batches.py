"""Every sentence is in one batch and every pair in one group. Groups share no sentence."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from corrigenda.neural.batches import batches, groups_of_pairs


@given(st.lists(st.integers(1, 30)), st.integers(1, 60))
def test_batches_hold_every_sentence_once_within_the_limit(lengths, tokens):
    made = list(batches(lengths, tokens))
    assert sorted(place for batch in made for place in batch) == list(range(len(lengths)))
    for batch in made:
        assert len(batch) == 1 or len(batch) * max(lengths[place] for place in batch) <= tokens
    longest = [lengths[place] for batch in made for place in batch]
    assert longest == sorted(longest, reverse=True)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9))), st.integers(1, 8))
def test_no_sentence_is_needed_in_two_groups(pairs, limit):
    sizes = dict.fromkeys(range(10), 1)
    groups = list(
        groups_of_pairs([(number, *pair) for number, pair in enumerate(pairs)], sizes, limit)
    )
    assert sorted(item for group in groups for item in group) == list(range(len(pairs)))
    where = Counter(
        name for group in groups for name in {end for item in group for end in pairs[item]}
    )
    assert all(times == 1 for times in where.values())


def test_groups_grow_up_to_the_limit():
    pairs = [(number, f"a{number}", f"b{number}") for number in range(10)]
    sizes = {name: 1 for _, *names in pairs for name in names}
    assert [len(group) for group in groups_of_pairs(pairs, sizes, 6)] == [3, 3, 3, 1]
