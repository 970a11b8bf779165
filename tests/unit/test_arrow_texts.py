"""Texts that stay in Arrow's buffers are those that Arrow gives as strings."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pa = pytest.importorskip("pyarrow")

from corrigenda.bulk.arrow_texts import arrow_texts  # noqa: E402
from corrigenda.bulk.columns import Columns  # noqa: E402
from corrigenda.kernels.lines import sentences_in  # noqa: E402
from examples import examples  # noqa: E402

COLUMNS = Columns(references=("references", "more"))
valid = st.text(st.sampled_from("ab é語𝒳\r\t"), max_size=6)
texts = st.one_of(valid, valid, valid, st.sampled_from([None, "a\nb", "\x00"]))
kinds = st.sampled_from([pa.string(), pa.large_string()])


@st.composite
def batches(draw):
    """A part of a batch: two columns of texts, one of lists, and one more of texts."""
    rows = draw(st.integers(1, 5))
    size = draw(st.integers(1, 3))
    words = draw(st.sampled_from([valid, valid, texts]))
    column = st.lists(words, min_size=rows, max_size=rows)
    lists = st.lists(words, min_size=size, max_size=size)
    if draw(st.integers(0, 4)) == 0:
        lists = st.none() | st.lists(words, max_size=2)
    made = {name: pa.array(draw(column), draw(kinds)) for name in ("source", "hypothesis", "more")}
    list_kind = draw(st.sampled_from([pa.list_, pa.large_list]))(draw(kinds))
    made["references"] = pa.array(draw(st.lists(lists, min_size=rows, max_size=rows)), list_kind)
    begin = draw(st.integers(0, rows - 1))
    return pa.RecordBatch.from_pydict(made).slice(begin, draw(st.integers(1, rows - begin)))


def is_sentence(text):
    return text is not None and "\n" not in text and "\x00" not in text


@settings(max_examples=examples(100))
@given(batches())
def test_the_texts_are_those_of_arrow(batch):
    plain = batch.to_pydict()
    lists = plain["references"]
    rows = [
        (source, output, *(each or [None]), more)
        for source, output, each, more in zip(
            plain["source"], plain["hypothesis"], lists, plain["more"], strict=True
        )
    ]
    is_regular = len({len(row) for row in rows}) == 1 and all(lists)
    found = arrow_texts(batch, COLUMNS)
    if not is_regular or not all(is_sentence(text) for row in rows for text in row):
        assert found is None
        return
    sources, hypotheses, references = found
    assert (sources, hypotheses) == (tuple(plain["source"]), tuple(plain["hypothesis"]))
    assert references == tuple(row[2:] for row in rows)


def test_bytes_that_are_not_utf8_and_other_types():
    broken = pa.array([b"a", b"\xff"]).cast(pa.binary()).view(pa.string())
    good = pa.array(["a", "b"])
    batch = pa.RecordBatch.from_pydict({"source": broken, "hypothesis": good})
    assert arrow_texts(batch, Columns(references=())) is None
    batch = pa.RecordBatch.from_pydict({"source": good.dictionary_encode(), "hypothesis": good})
    assert arrow_texts(batch, Columns(references=())) is None


def test_places_outside_of_the_data_are_refused():
    data = np.frombuffer(b"abc", np.uint8)
    for begin, end in ((0, 4), (2, 1), (-1, 2)):
        with pytest.raises(ValueError, match="not inside the data"):
            sentences_in(data, np.array([begin]), np.array([end]))
    with pytest.raises(ValueError, match="not inside the data"):
        sentences_in(data, np.array([0]), np.array([1, 2]))
