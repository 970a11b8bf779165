from typing import Any

import numpy as np
import numpy.typing as npt

_Ids = npt.NDArray[np.int32]
_Offsets = npt.NDArray[np.int64]

class Vocabulary:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def add(self, text: bytes) -> tuple[_Ids, _Offsets]: ...
    def encode(self, text: bytes) -> tuple[_Ids, _Offsets]: ...

class NgramIndex:
    def __init__(
        self,
        source_ids: _Ids,
        source_offsets: _Offsets,
        reference_ids: _Ids,
        reference_offsets: _Offsets,
        references_of_sentence: _Offsets,
        order: int,
        pooled: bool,
        threads: int,
    ) -> None: ...
    def count(self, ids: _Ids, offsets: _Offsets, threads: int) -> npt.NDArray[np.int64]: ...

class PreparedSentence:
    def __init__(
        self, source: str, references: tuple[str, ...], unit: str, order: int, pooled: bool
    ) -> None: ...
    def __sizeof__(self) -> int: ...

def count_prepared(
    prepared: tuple[PreparedSentence, ...], hypotheses: tuple[str, ...], threads: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], _Offsets, _Offsets]: ...
def distinct_rows(counts: npt.NDArray[Any], offsets: _Offsets) -> npt.NDArray[np.uint8]: ...
def keep_best(
    key: npt.NDArray[np.float64], offsets: _Offsets, alive: npt.NDArray[np.uint8]
) -> int: ...
def first_alive(alive: npt.NDArray[np.uint8], offsets: _Offsets) -> npt.NDArray[np.int64]: ...
def minimal_edits(
    source_ids: _Ids,
    source_offsets: _Offsets,
    reference_ids: _Ids,
    reference_offsets: _Offsets,
    references_of_sentence: _Offsets,
    threads: int,
) -> tuple[npt.NDArray[np.int32], _Offsets]: ...
def max_match(
    source_ids: _Ids,
    source_offsets: _Offsets,
    hypothesis_ids: _Ids,
    hypothesis_offsets: _Offsets,
    annotation_offsets: _Offsets,
    edit_offsets: _Offsets,
    spans: _Ids,
    correction_offsets: _Offsets,
    correction_ids: _Ids,
    correction_id_offsets: _Offsets,
    max_unchanged_words: int,
    threads: int,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], _Offsets]: ...
def align_three(
    source: _Ids, hypothesis: _Ids, reference: _Ids
) -> tuple[int, list[tuple[bool, bool, bool]]]: ...
def count_alignment_columns(
    source_ids: _Ids,
    source_offsets: _Offsets,
    reference_ids: _Ids,
    reference_word_offsets: _Offsets,
    reference_offsets: _Offsets,
    hypothesis_ids: _Ids,
    hypothesis_word_offsets: _Offsets,
    hypothesis_offsets: _Offsets,
    threads: int,
) -> npt.NDArray[np.int64]: ...

class ParsedSentence:
    def __init__(self, words: npt.NDArray[np.uint64], letters: npt.NDArray[np.uint32]) -> None: ...

class ErrantAligner:
    def __init__(self, open_parts_of_speech: npt.NDArray[np.uint64]) -> None: ...
    def align(self, source: ParsedSentence, target: ParsedSentence) -> npt.NDArray[np.int32]: ...
