"""What pages of Parquet may unpack to, against slow and simple code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.kernels.parquet_pages import RecordLengths, longest_entry, longest_record


@given(st.lists(st.binary(max_size=20)), st.binary(max_size=6))
def test_the_longest_text_of_a_dictionary(texts: list[bytes], rest: bytes) -> None:
    page = b"".join(len(text).to_bytes(4, "little") + text for text in texts)
    longest = max(map(len, texts), default=0)
    assert longest_entry(page) == longest
    assert longest <= longest_entry(page + rest) <= max(longest, len(rest))


def varint(number: int) -> bytes:
    made = []
    while number >= 128:
        made.append(number & 127 | 128)
        number >>= 7
    return bytes([*made, number])


Runs = st.lists(
    st.one_of(
        st.tuples(st.integers(0, 3), st.integers(1, 300)),
        st.lists(st.integers(0, 3), min_size=8, max_size=24),
    )
)


def encoded(runs: list, width: int) -> tuple[bytes, list[int]]:
    """Runs and packed levels as Parquet has them, and the levels."""
    data, levels = b"", []
    for run in runs:
        if isinstance(run, tuple):
            level, times = run[0] % (1 << width), run[1]
            data += varint(times << 1) + bytes([level])
            levels += [level] * times
        else:
            packed = [level % (1 << width) for level in run[: len(run) // 8 * 8]]
            bits = sum(level << (place * width) for place, level in enumerate(packed))
            groups = len(packed) // 8
            data += varint(groups << 1 | 1) + bits.to_bytes(groups * width, "little")
            levels += packed
    return data, levels


@given(Runs, st.integers(1, 2), st.integers(0, 10))
def test_the_longest_record(runs: list, width: int, more: int) -> None:
    data, levels = encoded(runs, width)
    longest = length = 3
    for level in [*levels, *([1] * more)]:
        length = 1 if level == 0 else length + 1
        longest = max(longest, length)
    before = RecordLengths(3, 3)
    assert longest_record(data, width, len(levels) + more, before) == (longest, length)


@given(st.binary(max_size=30), st.integers(1, 32), st.integers(0, 2**40))
def test_any_bytes(data: bytes, width: int, values: int) -> None:
    found = longest_record(data, width, values)
    assert 0 <= found.open <= found.longest <= values


def test_numbers_that_make_no_sense() -> None:
    for width, values in ((0, 1), (33, 1), (1, -1)):
        with pytest.raises(ValueError, match="must"):
            longest_record(b"", width, values)
